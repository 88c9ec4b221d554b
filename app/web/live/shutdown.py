"""Streams never end by themselves: they end when the server is asked to stop, which waits for them."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

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
