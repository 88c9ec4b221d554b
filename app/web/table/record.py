"""Records of games: import, export, and when an imported game is removed."""

from collections.abc import Iterator
from typing import Final

from fastapi.responses import StreamingResponse

from app.games.record import read
from app.store.models import Table
from app.web.guard.limits import charge
from app.web.guard.rates import Caller
from app.web.services import Services

_CHUNK: Final = 64 * 1024
"""Characters of a record sent at a time."""


class StillSecret(Exception):
    """The game cannot be exported yet; the message says why."""


def check_secret(services: Services, table: Table, player: str | None) -> None:
    """Raise StillSecret for another player's game in a challenge that the player has not finished."""
    watching = player is not None and table.seat_of(player) is None
    if watching and table.has_one_person and services.challenges.is_secret(table.id, player):
        raise StillSecret("finish your own game of this challenge first: then you can see this one")


def store_record(services: Services, caller: Caller, text: str) -> Table:
    """Verify a record in the engine pool and store its game. Raises BrokenRecord, TooMuch, PoolFull."""
    origin = services.address_digests.digest(caller.address)
    replayed = services.pool.run(
        caller,
        "import",
        lambda: services.records.replay(read(text, services.rulebook.games), services.clock(), origin),
    )
    # Not in the pool: its low-priority threads would hold the write lock while others wait for it.
    return services.records.insert(replayed, origin)


def goes_at(services: Services, table: Table) -> float | None:
    """When an imported game will be removed; None if a player keeps it, and for all other games."""
    if table.finished_at is None or any(not seat.is_free for seat in table.seats):
        return None
    at = services.imports.imported_at(table.id)
    return None if at is None else at + services.import_days * 86_400


def record_of(services: Services, caller: Caller, game_id: str) -> str:
    """The record of a finished game, created and stored on the first request.

    Creating it counts as an engine request. Raises TooOften, PoolFull, and StillSecret while the game or its
    daily is in progress, and in a challenge that the caller has not finished.
    """
    table = services.games.load_or_read(game_id, services.clock())
    if table.finished_at is None:
        raise StillSecret("the game is still in progress: its record would reveal the tiles to come")
    check_secret(services, table, caller.player)
    if services.dailies.is_running(table.seed, services.clock()):
        raise StillSecret(
            "today’s daily can be downloaded tomorrow: its record would reveal the tiles to come"
        )
    kept = services.records.kept(game_id)
    if kept is None:
        charge(services, caller, "engines", 1)
        kept = services.pool.run(caller, f"{table.kind} record", services.records.of, game_id)
        services.records.remember(game_id, kept)
    return kept


def streaming_text(text: str, headers: dict[str, str] | None = None) -> StreamingResponse:
    """A plain text response sent in chunks, as fast as the client reads it."""

    def chunks() -> Iterator[str]:
        for begin in range(0, len(text), _CHUNK):
            yield text[begin : begin + _CHUNK]

    return StreamingResponse(chunks(), media_type="text/plain", headers=headers)
