"""One queue of messages from the keyboard and the server."""

import sys
from dataclasses import dataclass
from io import FileIO, RawIOBase
from queue import Empty, Queue
from threading import Semaphore, Thread
from typing import BinaryIO, TypeAlias


@dataclass(frozen=True)
class Typed:
    """A line from the keyboard."""

    line: str


@dataclass(frozen=True)
class Closed:
    """End of input: Ctrl+D, or the end of a pipe."""


@dataclass(frozen=True)
class Changed:
    """The game has changed, or the connection was restored."""

    version: str


@dataclass(frozen=True)
class Lost:
    """The connection was lost; reconnecting."""

    reason: str


@dataclass(frozen=True)
class Refused:
    """The server refuses the event stream of this game for good."""

    reason: str


Message: TypeAlias = Typed | Closed | Changed | Lost | Refused


class Inbox:
    """A message queue that subscribes to the events of a game."""

    def __init__(self) -> None:
        self._messages: Queue[Message] = Queue()

    def put(self, message: Message) -> None:
        """Add a message. Thread-safe."""
        self._messages.put(message)

    def get(self, timeout: float | None) -> Message | None:
        """Return the next message; None on timeout."""
        try:
            return self._messages.get(timeout=timeout)
        except Empty:
            return None

    def changed(self, version: str) -> None:
        """Add a Changed message."""
        self.put(Changed(version))

    def lost(self, reason: str) -> None:
        """Add a Lost message."""
        self.put(Lost(reason))

    def refused(self, reason: str) -> None:
        """Add a Refused message."""
        self.put(Refused(reason))


class Keyboard:
    """Reads standard input in a thread, one line per request."""

    def __init__(self, inbox: Inbox) -> None:
        self.is_terminal = sys.stdin.isatty()
        self._lines = _unbuffered_input()
        self._inbox = inbox
        self._requests = Semaphore(0)
        Thread(target=self._read, name="keyboard", daemon=True).start()

    def ask(self) -> None:
        """Request one more line."""
        self._requests.release()

    def _read(self) -> None:
        while self._requests.acquire():
            try:
                line = self._lines.readline()
            except (OSError, ValueError):  # it was closed
                line = b""
            self._inbox.put(Typed(line.decode(errors="replace").strip()) if line else Closed())
            if not line:
                return


def _unbuffered_input() -> RawIOBase | BinaryIO:
    """Return unbuffered standard input: a thread blocked on a buffered one holds a lock needed at exit."""
    try:
        return FileIO(sys.stdin.fileno(), closefd=False)
    except (OSError, ValueError):  # not a file: the caller has replaced standard input
        return sys.stdin.buffer
