"""Finished games from their first ply to their last."""

from collections.abc import Iterator
from typing import Any, Final

from fastapi.responses import StreamingResponse

from app.games.record import read
from app.store.models import Table
from app.web.guard.limits import charge
from app.web.guard.rates import Caller
from app.web.services import Services

_CHUNK: Final = 64 * 1024
"""Characters of a record that are sent at a time."""


class StillSecret(Exception):
    """The game cannot be given away yet; the text says why."""


def replay_context(services: Services, caller: Caller, table: Table, ply: int) -> dict[str, Any]:
    """The view after ``ply`` moves, and before the last of them, with the number of plies there are.

    Replaying the game for it counts as a question to an engine. Raises NoSuchPly, TooOften and PoolFull.
    """
    if services.replays.knows(table.id):
        position = services.replays.position(table, ply)
    else:
        charge(services, caller, "engines", 1)
        position = services.pool.run(caller, f"{table.kind} replay", services.replays.position, table, ply)
    return {
        "view": table.game.reveal(position.state),
        "before": None if position.before is None else table.game.reveal(position.before),
        "ply": ply,
        "last_ply": table.state.ply,
    }


def imported(services: Services, caller: Caller, text: str) -> Table:
    """The game of a record, replayed in the engine pool and kept. Raises BrokenRecord, TooMuch, PoolFull."""
    origin = services.origins.of(caller.address)
    replayed = services.pool.run(
        caller, "import", lambda: services.records.replay(read(text), services.clock(), origin)
    )
    # Not in the pool: its threads stand behind all others, who would wait for what they keep locked.
    return services.records.insert(replayed, origin)


def goes_at(services: Services, table: Table) -> float | None:
    """When an imported game is removed, unless a player keeps it; None for any other game."""
    if table.finished_at is None or any(not seat.is_free for seat in table.seats):
        return None
    at = services.imports.imported_at(table.id)
    return None if at is None else at + services.import_days * 86_400


def record_of(services: Services, caller: Caller, game_id: str) -> str:
    """A finished game as a text, which is written once and kept.

    Writing it counts as a question to an engine. Raises StillSecret while the game, or its day, goes on,
    TooOften and PoolFull.
    """
    table = services.games.look(game_id, services.clock())
    if table.finished_at is None:
        raise StillSecret("the game goes on: its record tells the tiles to come")
    if services.dailies.is_running(table.seed, services.clock()):
        raise StillSecret("today’s daily can be taken away tomorrow: its record tells the tiles to come")
    kept = services.records.kept(game_id)
    if kept is None:
        charge(services, caller, "engines", 1)
        kept = services.pool.run(caller, f"{table.kind} record", services.records.of, game_id)
        services.records.remember(game_id, kept)
    return kept


def streamed(text: str, headers: dict[str, str] | None = None) -> StreamingResponse:
    """An answer that sends a long text as fast as it is read, and no faster."""

    def chunks() -> Iterator[str]:
        for begin in range(0, len(text), _CHUNK):
            yield text[begin : begin + _CHUNK]

    return StreamingResponse(chunks(), media_type="text/plain", headers=headers)
