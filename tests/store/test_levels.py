"""Levels won: the best result of each is kept until the player is erased."""

import pytest

from app.games.game import LevelResult
from app.store.database import Database
from app.store.levels import Levels, WonLevel, keep_level
from app.store.players import PlayerStore
from app.store.results import ResultStore


@pytest.fixture
def levels(database: Database) -> Levels:
    return Levels(database)


def win(database: Database, player: str, stars: int, moves: int, at: float, level: str = "storm") -> None:
    with database.writing() as connection:
        keep_level(connection, player, "wibble", LevelResult(level=level, stars=stars, moves=moves), at)


def test_the_best_stars_and_the_fewest_moves_are_kept(
    database: Database, levels: Levels, players: PlayerStore
) -> None:
    ada, bob = players.create(1.0), players.create(1.0)
    win(database, ada, 1, 9, 2.0)
    win(database, ada, 3, 5, 3.0)
    win(database, ada, 2, 7, 4.0)
    assert levels.of_player(ada) == [WonLevel("wibble", "storm", 3, 5, 3.0)]
    win(database, ada, 1, 9, 5.0, "rails")
    assert [each.level for each in levels.of_player(ada, "wibble")] == ["storm", "rails"]
    assert levels.of_player(ada, "boggle") == levels.of_player(bob) == levels.of_player(None) == []


def test_an_erased_player_has_won_nothing(database: Database, levels: Levels, players: PlayerStore) -> None:
    ada, bob = players.create(1.0), players.create(1.0)
    win(database, ada, 2, 7, 2.0)
    win(database, bob, 2, 7, 2.0)
    ResultStore(database).erase(ada, 3.0)
    assert levels.of_player(ada) == []
    assert len(levels.of_player(bob)) == 1
