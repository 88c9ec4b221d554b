"""A bound on what comes beside a request's body: httptools has none, and would read headers without end.

They stand before the body, and after it if that comes in chunks.
"""

from typing import Final

from fastapi import Response
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from app.web.guard.problems import problem_response

MOST: Final = 64 * 1024
"""Bytes of the address and the headers together: as many as h11 takes, the other parser of uvicorn."""

TOO_LONG: Final = f"the address and the headers are too long: at most {MOST:,} bytes are accepted"


class HeaderLimitProtocol(HttpToolsProtocol):
    """HTTP as httptools reads it, but for heads that are too long; and what is refused here is a problem."""

    _reading = False
    """Whether a head was begun and is not whole yet."""
    _read = 0
    """Bytes that came in for it."""
    _beside = 0
    """Bytes that came in since the latest of a body; headers after it are for nobody."""

    def data_received(self, data: bytes) -> None:
        """Read on, unless too much was read already for a head without an end."""
        self._beside += len(data)
        super().data_received(data)
        if self._reading:
            self._read += len(data)
            if self._read > MOST:
                self.send_400_response("")
        elif self._beside > MOST:
            self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._reading, self._read, self._beside = True, 0, 0

    def on_body(self, body: bytes) -> None:
        """Some of the body has come."""
        super().on_body(body)
        self._beside = 0

    def on_message_complete(self) -> None:
        """The request is whole."""
        super().on_message_complete()
        self._beside = 0

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._read = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if self._read > MOST:
            raise ValueError(TOO_LONG)  # the parser gives up, which ends in ``send_400_response``
        self._reading = False
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read, and hang up."""
        if self._reading and self._read > MOST:
            self.hang_up(problem_response(431, TOO_LONG))
        else:
            self.hang_up(problem_response(400, msg))

    def hang_up(self, answer: Response) -> None:
        """Say why, and close the connection."""
        head = [STATUS_LINE[answer.status_code], b"connection: close\r\n"]
        head += [name + b": " + value + b"\r\n" for name, value in answer.raw_headers]
        self.transport.write(b"".join([*head, b"\r\n", bytes(answer.body)]))
        self.transport.close()
