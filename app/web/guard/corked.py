"""Joins everything written to a connection in one turn of the event loop.

uvicorn writes the head of an answer and its body one after the other, and uvloop sends each at once: two
system calls, and two packets for the client to wait for.
"""

import asyncio
from typing import Any, Final

MOST_JOINED: Final = 64 * 1024
"""Bytes at which the data is sent without waiting for more."""


class CorkedTransport:
    """Sends the writes of one turn together; passes everything else on to ``transport``."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport: Final = transport
        self._loop: Final = loop
        self._written: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send the data at the end of this turn, or now if there are MOST_JOINED bytes or more."""
        if not self._written:
            self._loop.call_soon(self._send)
        self._written.append(data)
        self._size += len(data)
        if self._size >= MOST_JOINED:
            self._send()

    def get_write_buffer_size(self) -> int:
        """Bytes written but not sent."""
        return self._size + self._transport.get_write_buffer_size()

    def close(self) -> None:
        """Close the connection once everything written is sent."""
        self._send()
        self._transport.close()

    def abort(self) -> None:
        """Close the connection at once."""
        self._written, self._size = [], 0
        self._transport.abort()

    def _send(self) -> None:
        if self._written:
            written, self._written, self._size = self._written, [], 0
            if not self._transport.is_closing():
                self._transport.write(b"".join(written))
