"""Graceful shutdown within ten seconds.

Event streams end at once, and pending requests are answered. After 5 seconds, requests waiting for an engine
get 503 and running searches return what they have found. After 8 seconds connections are closed, and after
9.5 the process exits even if something is still running.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

ENGINES_STOP_AFTER: Final = 5.0
"""Seconds until the engine pool stops."""
CONNECTIONS_CLOSE_AFTER: Final = 8
"""Seconds until open connections are closed."""
PROCESS_ENDS_AFTER: Final = 9.5
"""Seconds until the process exits, within the ten that are documented."""
_STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def on_stop(call: Callable[[], None]) -> Iterator[None]:
    """Within the block, run ``call`` on SIGTERM and SIGINT, before the server's own handler.

    Does nothing outside the main thread, as in tests, where signals cannot be handled.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _STOP_SIGNALS}

    def stop(number: int, frame: FrameType | None) -> None:
        call()
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in _STOP_SIGNALS:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def after(seconds: float, call: Callable[[], None]) -> Callable[[], None]:
    """A callback for ``on_stop`` that runs ``call`` in a timer thread after ``seconds``.

    A thread, because the event loop may be busy by then. The loop starts it, because a signal handler must
    not. Create the callback on the event loop.
    """
    loop = asyncio.get_running_loop()

    def start() -> None:
        timer = threading.Timer(seconds, call)
        timer.daemon = True
        timer.start()

    def begin() -> None:
        loop.call_soon_threadsafe(start)

    return begin
