"""Where the bots of a server think: in the engine pool, on the account of whoever made it necessary."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from app.games.game import Thought
from app.store.bot_moves import StartThinking
from app.store.models import Table
from app.web.guard.limits import current_asker
from app.web.live.bus import AGAIN, Bus
from app.web.pool import EnginePool, PoolFull


def thinking_in(pool: EnginePool, bus: Bus) -> StartThinking:
    """Lets bots think in ``pool``, and the pages of a table look again once its bot has.

    Where the pool is full nothing starts: whoever looks at the table next tries again, and its pages look
    every second.
    """

    def start(table: Table, think: Callable[[], Thought[Any]]) -> Future[Thought[Any]] | None:
        game_id = table.id
        try:
            thought = pool.start(current_asker.get(), f"{table.kind} bot", think)
        except PoolFull:
            return None
        thought.add_done_callback(lambda _: bus.pass_on(game_id, AGAIN, ""))
        return thought

    return start
