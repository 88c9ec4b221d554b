"""Hourly background task that removes old games and ended sanctions, and recounts the rankings."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from fastapi.concurrency import run_in_threadpool
from sqlalchemy.exc import SQLAlchemyError

from app.store.cards import forget_reviews
from app.store.database import Database
from app.store.direct_challenges import forget_challenges
from app.store.moderation import end_sanctions
from app.store.rankings import recount_all
from app.store.reports import forget_reports
from app.store.retention import Pruned, Retention, forget_origins, prune
from app.store.study_boards import prune_boards
from app.store.tokens import forget_tokens
from app.store.waiting_players import forget_waits

FIRST: Final = 60.0
"""Seconds until the first sweep, so that it does not slow down the server's start."""
EVERY: Final = 3600.0

log = logging.getLogger("uvicorn.error.wibble")


async def sweep(database: Database, retention: Retention, clock: Callable[[], float]) -> None:
    """Prune the database every hour until cancelled. Several workers may do this at once.

    Removal is final, so setting the clock ahead must not cause it: the time used is the earlier of ``clock``
    and its value at the start plus the monotonic time since.
    """
    offset = clock() - time.monotonic()
    await asyncio.sleep(FIRST)
    while True:
        now = min(clock(), offset + time.monotonic())
        try:
            pruned = await run_in_threadpool(prune, database, retention, now)
            await run_in_threadpool(forget_origins, database, now)
            await run_in_threadpool(forget_reviews, database, now)
            await run_in_threadpool(forget_waits, database, now)
            await run_in_threadpool(forget_tokens, database, now)
            await run_in_threadpool(forget_challenges, database, now)
            await run_in_threadpool(end_sanctions, database, now)
            await run_in_threadpool(forget_reports, database, now)
            await run_in_threadpool(prune_boards, database, now)
            await run_in_threadpool(recount_all, database, now)
        except SQLAlchemyError as error:
            log.warning("No games were removed, the database is unavailable: %s", type(error).__name__)
        else:
            if pruned != Pruned(0, 0):
                log.info(
                    "Removed %d finished, %d abandoned and %d imported games, %d lessons, "
                    "and the study boards and cards of %d guests",
                    pruned.finished,
                    pruned.abandoned,
                    pruned.imported,
                    pruned.lessons,
                    pruned.guests,
                )
        await asyncio.sleep(EVERY)
