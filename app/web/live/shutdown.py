"""How a server ends that is asked to: within ten seconds, whatever it is busy with.

Event streams end at once. What was asked before is answered; who still waits for an engine when half of the
time is over is told to come back, and searches end with what they have found. Then connections are closed,
and the store. What runs even then is cut off: nobody waits for its answer any more.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

ENGINES_STOP_AFTER: Final = 5.0
"""Seconds after which engines take no more work and end what they do."""
CONNECTIONS_CLOSE_AFTER: Final = 8
"""Seconds after which nobody is answered any more."""
PROCESS_ENDS_AFTER: Final = 9.5
"""Seconds after which the process is gone, within the ten that are documented."""
_ASKED_TO_STOP: Final = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def on_stop(call: Callable[[], None]) -> Iterator[None]:
    """Call when the process is asked to stop, before the server's own handler; for as long as the block runs.

    Where the application does not run in the main thread (in tests) there are no signals to hear.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _ASKED_TO_STOP}

    def stop(number: int, frame: FrameType | None) -> None:
        call()
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in _ASKED_TO_STOP:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def after(seconds: float, call: Callable[[], None]) -> Callable[[], None]:
    """A function for ``on_stop`` that has ``call`` made so many seconds later, by a thread of its own.

    The event loop may be busy by then; it is asked only to start that thread, which a handler of signals
    must not do. To be made on the event loop.
    """
    loop = asyncio.get_running_loop()

    def start() -> None:
        timer = threading.Timer(seconds, call)
        timer.daemon = True
        timer.start()

    def begin() -> None:
        loop.call_soon_threadsafe(start)

    return begin
