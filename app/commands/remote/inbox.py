"""What a session waits for, from the keyboard and from the server, in one queue."""

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
    """There is nothing more to read: Ctrl+D, or the end of a pipe."""


@dataclass(frozen=True)
class Changed:
    """The game has changed, or the connection is back."""

    version: str


@dataclass(frozen=True)
class Lost:
    """The connection is lost and is being taken up again."""

    reason: str


@dataclass(frozen=True)
class Cut:
    """The server tells nothing more of this game."""

    reason: str


Message: TypeAlias = Typed | Closed | Changed | Lost | Cut


class Inbox:
    """Messages in the order in which they came. It subscribes to the events of a game."""

    def __init__(self) -> None:
        self._messages: Queue[Message] = Queue()

    def put(self, message: Message) -> None:
        """Add a message; any thread may."""
        self._messages.put(message)

    def get(self, timeout: float | None) -> Message | None:
        """The next message; None if none came in time."""
        try:
            return self._messages.get(timeout=timeout)
        except Empty:
            return None

    def changed(self, version: str) -> None:
        """Add that the game has changed."""
        self.put(Changed(version))

    def lost(self, reason: str) -> None:
        """Add that the connection is lost."""
        self.put(Lost(reason))

    def refused(self, reason: str) -> None:
        """Add that the server tells nothing more."""
        self.put(Cut(reason))


class Keyboard:
    """Reads standard input in a thread, a line whenever one is asked for."""

    def __init__(self, inbox: Inbox) -> None:
        self.is_terminal = sys.stdin.isatty()
        self._lines = _unbuffered_input()
        self._inbox = inbox
        self._asked = Semaphore(0)
        Thread(target=self._read, name="keyboard", daemon=True).start()

    def ask(self) -> None:
        """Read one more line."""
        self._asked.release()

    def _read(self) -> None:
        while self._asked.acquire():
            try:
                line = self._lines.readline()
            except (OSError, ValueError):  # it was closed
                line = b""
            self._inbox.put(Typed(line.decode(errors="replace").strip()) if line else Closed())
            if not line:
                return


def _unbuffered_input() -> RawIOBase | BinaryIO:
    """Standard input. A thread that waits for a buffered one holds a lock that Python wants when it exits."""
    try:
        return FileIO(sys.stdin.fileno(), closefd=False)
    except (OSError, ValueError):  # not a file: the caller has replaced standard input
        return sys.stdin.buffer
