"""The cache of positions of finished games, for stepping through replays."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from app.games.wibble.moves import Chain, Resign
from app.games.wibble.options import Setup
from app.rooms import ROOMS
from app.store.database import Database
from app.store.games import GameStore
from app.store.models import Seat, Table
from app.web.table.replay_cache import NoSuchPly, Replays
from app.words.library import Library
from tests.shared_parts import empty_store

EVERYTHING = 10**9
"""Size in bytes, larger than any game here."""


class CountingStore(GameStore):
    """Counts the games that are replayed from the start."""

    replayed = 0
    go_on = Event()

    def positions(self, game_id: str) -> Iterator[Any]:
        self.replayed += 1
        assert self.go_on.wait(10)
        return super().positions(game_id)


@pytest.fixture
def games(tmp_path: Path, library: Library) -> Iterator[CountingStore]:
    file = tmp_path / "games.sqlite3"
    file.write_bytes(empty_store())
    database = Database(f"sqlite:///{file}")
    store = CountingStore(database, ROOMS.rulebook(library))
    store.go_on.set()
    yield store
    database.close()


@pytest.fixture
def finished(games: CountingStore) -> Callable[[int], Table]:
    """Returns a function that makes a finished game of Zen with this number of moves."""

    def play(moves: int) -> Table:
        table = games.open("wibble", Setup(mode="zen", size=4), [Seat(bot_level=1)], 0)
        for at in range(table.state.ply + 1, moves):
            table = games.make(table, 0, Chain(cells=(at % 2, 4)), at)
        return games.make(table, 0, Resign(), moves)

    return play


@pytest.mark.parametrize("moves", [3, 300])
def test_every_position_is_as_the_game_was_played(
    games: CountingStore, finished: Callable[[int], Table], moves: int
) -> None:
    table = finished(moves)
    states = games.states(table.id)
    games.replayed = 0
    replays = Replays(games, EVERYTHING)
    assert not replays.knows(table.id)
    for ply in (0, 1, 2, moves // 2, moves - 1, moves):
        position = replays.position(table, ply)
        assert position.state == states[ply]
        assert position.before == (states[ply - 1] if ply else None)
    assert replays.knows(table.id)
    assert games.replayed == 1
    for ply in (-1, moves + 1):
        with pytest.raises(NoSuchPly, match=f"0 to {moves}, not {ply}"):
            replays.position(table, ply)


def test_a_game_is_replayed_once_however_many_look(
    games: CountingStore, finished: Callable[[int], Table]
) -> None:
    table = finished(5)
    games.go_on.clear()
    replays = Replays(games, EVERYTHING)
    with ThreadPoolExecutor(8) as hands:
        looking = [hands.submit(replays.position, table, 5) for _ in range(8)]
        games.go_on.set()
        assert all(each.result().state == table.state for each in looking)
    assert games.replayed == 1


def test_memory_is_bounded_and_the_games_looked_at_last_stay(
    games: CountingStore, finished: Callable[[int], Table]
) -> None:
    first, second, third = tables = [finished(20) for _ in range(3)]
    replays = Replays(games, EVERYTHING)
    for table in tables:
        replays.position(table, 0)
    replays = Replays(games, replays.size - 1)
    for table in (first, second, first, third):
        replays.position(table, 0)
    assert [replays.knows(table.id) for table in (first, second, third)] == [True, False, True]
    replays = Replays(games, 10)
    assert replays.position(first, 20).state == first.state, "a larger game is shown nevertheless"
    assert not replays.knows(first.id)
