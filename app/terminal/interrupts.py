"""Ctrl+C handling: the process exits with status 130 within a second and never prints a traceback.

During imports it exits at once. After `raise_keyboard_interrupt` a command gets KeyboardInterrupt and may
print partial results. If none arrives in time, because a compiled kernel is running or a library has
swallowed it, a watchdog thread ends the process.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Final, NoReturn

INTERRUPTED: Final = 130
"""Exit status of a command stopped by Ctrl+C: 128 + SIGINT."""
GRACE_SECONDS: Final = 0.7
"""Time within which a KeyboardInterrupt must be handled before the process is ended."""
_SHOW_CURSOR: Final = "\x1b[?25h"

_received = Event()
_handled = Event()


class Interruption:
    """Whether Ctrl+C was pressed during a block."""

    def __init__(self) -> None:
        self.interrupted = False


def exit_immediately() -> None:
    """Make Ctrl+C end the process at once."""
    signal.signal(signal.SIGINT, _exit)


def raise_keyboard_interrupt() -> None:
    """Make Ctrl+C raise KeyboardInterrupt, and end the process if it is not handled in time."""
    if signal.getsignal(signal.SIGINT) is not _exit:
        return  # embedded in another program, such as a test runner
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    Thread(target=_enforce, args=(woken,), name="interrupts", daemon=True).start()
    signal.signal(signal.SIGINT, _raise)
    sys.unraisablehook = _report_unraisable


def received() -> bool:
    """Return whether Ctrl+C was pressed."""
    return _received.is_set()


@contextmanager
def stopped_by_ctrl_c() -> Iterator[Interruption]:
    """Let Ctrl+C end the block; the code after it checks ``interrupted``."""
    interruption = Interruption()
    try:
        yield interruption
    except KeyboardInterrupt:
        handled()
        interruption.interrupted = True


@contextmanager
def noticed_ctrl_c() -> Iterator[Interruption]:
    """Let Ctrl+C only set ``interrupted``, which the block polls; a second Ctrl+C ends the process."""
    interruption = Interruption()

    def notice(*_: object) -> None:
        if interruption.interrupted:
            exit_interrupted()
        _received.set()
        interruption.interrupted = True

    before = signal.signal(signal.SIGINT, notice)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def deferred_ctrl_c() -> Iterator[None]:
    """Defer Ctrl+C until the block has finished; a second one ends the process."""
    with noticed_ctrl_c() as ctrl_c:
        yield
    if ctrl_c.interrupted:
        raise KeyboardInterrupt


def handled() -> None:
    """Stop the watchdog: the KeyboardInterrupt has arrived, and the command may finish."""
    _handled.set()


def exit_interrupted() -> NoReturn:
    """End the process with status 130 without waiting for threads; kill child processes."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            if stream.isatty():
                stream.write(_SHOW_CURSOR)
            stream.flush()
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children  # noqa: PLC0415 - few commands have any

        for process in active_children():
            process.kill()
    os._exit(INTERRUPTED)


def _exit(*_: object) -> None:
    os._exit(INTERRUPTED)


def _raise(*_: object) -> None:
    if _received.is_set():
        exit_interrupted()  # the second Ctrl+C
    _received.set()
    raise KeyboardInterrupt


def _enforce(woken: int) -> None:
    """End the process if the KeyboardInterrupt of a SIGINT is not handled in time."""
    while True:
        number = os.read(woken, 1)[0]
        if number == signal.SIGINT and signal.getsignal(signal.SIGINT) is _raise:
            time.sleep(GRACE_SECONDS)
            if not _handled.is_set():
                exit_interrupted()


def _report_unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
