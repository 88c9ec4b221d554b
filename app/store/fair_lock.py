"""A first-in, first-out lock for threads."""

from collections import deque
from threading import Event, Lock


class FairLock:
    """A lock that threads acquire in the order of their calls.

    ``threading.Lock`` guarantees no order: under constant contention some threads wait for seconds.
    """

    def __init__(self) -> None:
        self._changing = Lock()
        self._held = False
        self._waiting: deque[Event] = deque()

    def acquire(self, timeout: float) -> bool:
        """Acquire the lock within ``timeout`` seconds; return whether that succeeded."""
        with self._changing:
            if not self._held:
                self._held = True
                return True
            granted = Event()
            self._waiting.append(granted)
        if granted.wait(timeout):
            return True
        with self._changing:
            if granted.is_set():  # between the timeout and taking this lock
                return True
            self._waiting.remove(granted)
            return False

    def release(self) -> None:
        """Release the lock, or hand it to the thread that has waited longest."""
        with self._changing:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._held = False
