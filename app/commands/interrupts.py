"""Ctrl+C: the process ends with exit status 130 within a second and never prints a traceback.

It ends at once while modules are imported. After `raise_keyboard_interrupt` a command gets KeyboardInterrupt
and may print what it has. Where none arrives in time, because a kernel is running or a library has swallowed
it, a thread ends the process.
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
"""The exit status of a command stopped by Ctrl+C: 128 and the number of SIGINT."""
GRACE_SECONDS: Final = 0.7
"""How long a KeyboardInterrupt may take to arrive."""
_SHOW_CURSOR: Final = "\x1b[?25h"

_received = Event()
_handled = Event()


class Interruption:
    """Whether Ctrl+C has ended a block."""

    def __init__(self) -> None:
        self.interrupted = False


def exit_immediately() -> None:
    """End the process on Ctrl+C at once."""
    signal.signal(signal.SIGINT, _exit)


def raise_keyboard_interrupt() -> None:
    """Raise KeyboardInterrupt on Ctrl+C, and end the process if nothing has handled it in time."""
    if signal.getsignal(signal.SIGINT) is not _exit:
        return  # the commands run inside another program, which decides for itself
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    Thread(target=_enforce, args=(woken,), name="interrupts", daemon=True).start()
    signal.signal(signal.SIGINT, _raise)
    sys.unraisablehook = _report_unraisable


def received() -> bool:
    """Whether Ctrl+C was pressed."""
    return _received.is_set()


@contextmanager
def stopped_by_ctrl_c() -> Iterator[Interruption]:
    """Run a block that Ctrl+C ends; the code after it goes on and looks at ``interrupted``."""
    interruption = Interruption()
    try:
        yield interruption
    except KeyboardInterrupt:
        handled()
        interruption.interrupted = True


@contextmanager
def noticed_ctrl_c() -> Iterator[Interruption]:
    """Run a block that looks at ``interrupted`` many times a second: Ctrl+C does no more than to set it."""
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


def handled() -> None:
    """Leave the command the time it needs: the KeyboardInterrupt has arrived."""
    _handled.set()


def exit_interrupted() -> NoReturn:
    """End the process, without waiting for threads and child processes."""
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
    """End the process where the KeyboardInterrupt of a SIGINT is not handled in time."""
    while True:
        number = os.read(woken, 1)[0]
        if number == signal.SIGINT and signal.getsignal(signal.SIGINT) is _raise:
            time.sleep(GRACE_SECONDS)
            if not _handled.is_set():
                exit_interrupted()


def _report_unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
