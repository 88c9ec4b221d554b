"""Games whose time is over go by and by, behind the running server."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from fastapi.concurrency import run_in_threadpool
from sqlalchemy.exc import SQLAlchemyError

from app.store.database import Database
from app.store.rankings import recount_all
from app.store.retention import Pruned, Retention, forget_origins, prune

FIRST: Final = 60.0
"""Seconds after the start: those who come first find the server unoccupied."""
EVERY: Final = 3600.0

log = logging.getLogger("uvicorn.error.wibble")


async def sweep(database: Database, retention: Retention, clock: Callable[[], float]) -> None:
    """Prune the store every hour until cancelled; several workers that do so do not disturb each other.

    What goes is gone, so a clock that is suddenly set years ahead must not decide: whichever is the earlier
    counts, what ``clock`` tells or what it told at the start and the time that has passed since.
    """
    ahead = clock() - time.monotonic()
    await asyncio.sleep(FIRST)
    while True:
        now = min(clock(), ahead + time.monotonic())
        try:
            pruned = await run_in_threadpool(prune, database, retention, now)
            await run_in_threadpool(forget_origins, database, now)
            await run_in_threadpool(recount_all, database, now)
        except SQLAlchemyError as error:
            log.warning("No games were removed, the store does not answer: %s", type(error).__name__)
        else:
            if pruned != Pruned(0, 0):
                log.info(
                    "Removed %d finished, %d abandoned and %d imported games",
                    pruned.finished,
                    pruned.abandoned,
                    pruned.imported,
                )
        await asyncio.sleep(EVERY)
