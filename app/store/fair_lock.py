"""A lock that goes to whoever has waited longest."""

from collections import deque
from threading import Event, Lock


class FairLock:
    """A lock for threads, taken in the order in which they asked: ``threading.Lock`` promises no order.

    Where many ask all the time, the unlucky wait there for seconds.
    """

    def __init__(self) -> None:
        self._changing = Lock()
        self._held = False
        self._waiting: deque[Event] = deque()

    def acquire(self, timeout: float) -> bool:
        """Wait for it ``timeout`` seconds at most, and return whether the caller has it now."""
        with self._changing:
            if not self._held:
                self._held = True
                return True
            turn = Event()
            self._waiting.append(turn)
        if turn.wait(timeout):
            return True
        with self._changing:
            if turn.is_set():  # handed over at the last moment
                return True
            self._waiting.remove(turn)
            return False

    def release(self) -> None:
        """Hand it to the next that waits."""
        with self._changing:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._held = False
