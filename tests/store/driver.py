"""The store driver: opens and plays games of Wibble in a store."""

from typing import Any, Final

from app.games.wibble.moves import Chain, Resign
from app.games.wibble.options import Setup
from app.games.wibble.rules import Wibble
from app.store.games import GameStore
from app.store.models import Seat, Table
from tests.games.wibble.positions import found

AT: Final = 1_000.0


def open_wibble(
    games: GameStore, player: str, *others: Seat, mode: str = "zen", at: float = AT, **options: Any
) -> Table:
    """Open a game for a player, and others."""
    setup = Setup.model_validate({"mode": mode, **options})
    return games.open("wibble", setup, [Seat(player), *others], at)


def play_words(games: GameStore, table: Table, player: str, *nth: int, at: float = AT) -> Table:
    """Play the n-th best words, each a second after the last, then resign."""
    for number, choice in enumerate(nth):
        assert isinstance(table.game, Wibble)
        cells = found(table.game, table.state)[choice].cells
        table = games.play(table.id, player, Chain(cells=cells), at + number)
    return games.play(table.id, player, Resign(), at + len(nth))


def finish_wibble(games: GameStore, player: str, *nth: int, mode: str = "zen", at: float = AT) -> Table:
    """Open a game, play the n-th best words and resign."""
    return play_words(games, open_wibble(games, player, mode=mode, at=at), player, *nth, at=at)
