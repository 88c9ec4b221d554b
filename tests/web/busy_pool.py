"""A busy engine pool."""

import time
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from threading import Event
from typing import Any

from fastapi.testclient import TestClient

from app.store.database import NO_WRITES
from app.store.models import UnknownGame
from app.web.guard.rates import Caller
from app.web.pool import EnginePool

SOLVE = {"board": "bnbda etgre liegb cnhdl xmhoi", "budget_ms": 1, "plies": 1}
BOARD = "pers latg sine ters"
ENGINES: list[tuple[str, str, object]] = [
    ("POST", "/api/solve", SOLVE),
    ("GET", "/api/solve?board=bnbdaetgreliegbcnhdlxmhoi&plies=1&budget_ms=1", None),
    ("POST", "/api/solve/batch", {"boards": [SOLVE]}),
    ("GET", "/api/boggle?algorithm=dice&count=1", None),
    ("POST", "/api/boggle/solve", {"rows": BOARD.split()}),
    ("POST", "/api/wibble/solve", {"board": "wibbl etile schai nword games"}),
    ("POST", "/api/fribble/moves", {"rack": "retains"}),
    ("POST", "/api/fribble/score", {"move": "8H CAT"}),
    ("POST", "/api/scrabblet/words", {"hand": "ruolfnt"}),
    ("POST", "/api/scrabblet/deal", {}),
    ("POST", "/api/scrabblet/gamesetup", {}),
    ("GET", "/api/scrabblet/signature/listen", None),
    ("GET", "/letterpress/solver?board=bnbdaetgreliegbcnhdlxmhoi&plies=1&budget_ms=1", None),
    ("GET", "/letterpress/solver/random", None),
    ("GET", "/boggle/generator?seed=1&count=1", None),
    ("GET", "/boggle/board?rows=pers+latg+sine+ters", None),
    ("GET", "/fribble/board?rack-1=retains&engine=static", None),
    ("GET", "/scrabblet/player?hand=ruolfnt", None),
    ("GET", "/scrabblet/gamesetup", None),
    ("GET", "/words?letters=listen", None),
    ("GET", "/words/listen", None),
]
"""Requests that need an engine."""


def pool_of(client: TestClient) -> EnginePool:
    """The pool of the client's application."""
    pool: EnginePool = client.app.state.services.pool  # type: ignore[attr-defined]
    return pool


def neighbour(number: int) -> Caller:
    """One of many callers, each with its own address."""
    return Caller(f"10.0.0.{number}", None)


def idle(client: TestClient) -> None:
    """Wait until the pool is idle, for example after an analysis that started at the end of a game."""
    pool = pool_of(client)
    while pool.taken:
        time.sleep(0.01)


def await_thoughts(client: TestClient) -> None:
    """Wait until no bot is thinking."""
    wait(_thoughts(client).values())


def catch_up(client: TestClient) -> None:
    """Let bots move as long as they are due by the clock, as open pages of their tables do."""
    services = client.app.state.services  # type: ignore[attr-defined]
    now = services.clock()
    for game_id in {game_id for game_id, *_ in _thoughts(client)}:
        with suppress(UnknownGame, *NO_WRITES):
            plies = [-2, -1]
            # The first look may only start the search; if a second one makes no move, it cannot be stored.
            while plies[-1] != plies[-2]:
                table = services.games.load_or_read(game_id, now)
                await_thoughts(client)
                happens_at = services.games.happens_at(table, now)
                if happens_at is None or happens_at > now:
                    break
                plies.append(table.state.ply)


def _thoughts(client: TestClient) -> dict[tuple[str, int, int, int], Future[Any]]:
    found = client.app.state.services.games._thoughts._thoughts  # type: ignore[attr-defined]
    return dict(found)


@contextmanager
def engines_busy(client: TestClient, places_left: int = 0) -> Iterator[EnginePool]:
    """Keep the pool busy with requests of others, with room for this many more jobs in its queue."""
    idle(client)
    pool, done = pool_of(client), Event()
    for number in range(pool.places - places_left):
        pool.start(neighbour(number), "blocked", done.wait)
    try:
        yield pool
    finally:
        done.set()
        idle(client)
