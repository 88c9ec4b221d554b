"""A limit on request headers and trailers, which uvicorn has only for its other parser, h11.

h11 with ``h11_max_incomplete_event_size`` would do, but takes 110 µs of CPU per request where httptools takes
27 (an empty application under uvicorn 0.54, requests as Chrome sends them).
"""

from typing import Final

from fastapi import Response
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from app.web.guard.problems import problem_response

MOST: Final = 64 * 1024
"""Most bytes of URL and headers together; the same limit as uvicorn sets for h11."""

TOO_LONG: Final = f"the URL and headers are too long: at most {MOST:,} bytes are accepted"


class HeaderLimitProtocol(HttpToolsProtocol):
    """uvicorn's httptools protocol with a header limit and problem documents for errors."""

    _reading = False
    """Whether a request head is incomplete."""
    _read = 0
    """Bytes of it received."""
    _beside = 0
    """Bytes received since the last body data, which bounds trailers."""

    def data_received(self, data: bytes) -> None:
        """Parse the data; refuse the request if its head or trailers are too long."""
        self._beside += len(data)
        super().data_received(data)
        if self._reading:
            self._read += len(data)
            if self._read > MOST:
                self.send_400_response("")
        elif self._beside > MOST:
            self.transport.close()

    def on_message_begin(self) -> None:
        """Start counting the head."""
        super().on_message_begin()
        self._reading, self._read, self._beside = True, 0, 0

    def on_body(self, body: bytes) -> None:
        """Restart the count of trailers."""
        super().on_body(body)
        self._beside = 0

    def on_message_complete(self) -> None:
        """Restart the count."""
        super().on_message_complete()
        self._beside = 0

    def on_headers_complete(self) -> None:
        """Check the size of the complete head."""
        self._read = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if self._read > MOST:
            raise ValueError(TOO_LONG)  # the parser fails, and calls ``send_400_response``
        self._reading = False
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer an unreadable or oversized request with a problem document, and close the connection."""
        if self._reading and self._read > MOST:
            self.hang_up(problem_response(431, TOO_LONG))
        else:
            self.hang_up(problem_response(400, msg))

    def hang_up(self, answer: Response) -> None:
        """Send a response and close the connection."""
        head = [STATUS_LINE[answer.status_code], b"connection: close\r\n"]
        head += [name + b": " + value + b"\r\n" for name, value in answer.raw_headers]
        self.transport.write(b"".join([*head, b"\r\n", bytes(answer.body)]))
        self.transport.close()
