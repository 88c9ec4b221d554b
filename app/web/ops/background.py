"""Background tasks that are restarted after errors."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

PAUSE: Final = 10.0
"""Seconds until a task that failed starts again."""

log = logging.getLogger("uvicorn.error.wibble")


async def keep_running(task: Callable[[], Awaitable[None]]) -> None:
    """Run a task until it returns or is cancelled. Log its errors, and restart it after a pause."""
    while True:
        try:
            return await task()
        except Exception:
            log.exception("A background task failed; it starts again in %.0f seconds", PAUSE)
        await asyncio.sleep(PAUSE)
