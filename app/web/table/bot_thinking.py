"""Runs bot computations in the engine pool, charged to the caller of the current request."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from app.games.game import Thought
from app.store.bot_moves import StartThinking
from app.store.models import Table
from app.web.guard.limits import current_caller
from app.web.live.bus import AGAIN, Bus
from app.web.pool import EnginePool, PoolFull


def thinking_in(pool: EnginePool, bus: Bus) -> StartThinking:
    """Return a function that computes bot moves in ``pool`` and notifies the table's pages when done.

    The function returns None if the pool is full; the next load of the table, within a second, tries again.
    """

    def start(table: Table, think: Callable[[], Thought[Any]]) -> Future[Thought[Any]] | None:
        game_id = table.id
        try:
            thought = pool.start(current_caller.get(), f"{table.kind} bot", think)
        except PoolFull:
            return None
        thought.add_done_callback(lambda _: bus.pass_on(game_id, AGAIN, ""))
        return thought

    return start
