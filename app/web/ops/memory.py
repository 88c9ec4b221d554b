"""Memory that is free goes back to the system.

glibc returns only what is free at the end of a heap. After hours of boards, positions and pages of all sizes
most of what is free lies between things that stay, and the process would grow on and on without a leak.
"""

import asyncio
import ctypes
from collections.abc import Callable
from typing import Final

from fastapi.concurrency import run_in_threadpool

EVERY: Final = 60.0
"""Seconds."""

_trim: Final[Callable[[int], int] | None] = getattr(ctypes.CDLL(None), "malloc_trim", None)


def give_back() -> None:
    """Return all free memory of the C library's heaps; where that is not glibc, do nothing."""
    if _trim is not None:
        _trim(0)


async def keep_giving_back() -> None:
    """Do so every minute until cancelled."""
    while True:
        await asyncio.sleep(EVERY)
        await run_in_threadpool(give_back)
