"""Pairing of waiting players: once, only with players they may meet, and by any number of workers."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest
from sqlalchemy import func, select

from app.games.fribble.state import Pass, Resign, Setup
from app.store.blocks import Blocks
from app.store.database import Database
from app.store.games import GameStore
from app.store.lobby import Lobby
from app.store.merging import Merging
from app.store.models import Table, TooMuch
from app.store.moderation import Moderation
from app.store.pairing import BOT_AFTER, NotOffered, NotWaiting, Pairing
from app.store.players import PlayerStore
from app.store.results import ResultStore
from app.store.sanctions import Sanctioned, Sanctions
from app.store.schema import ratings, seats, waiting
from app.store.waiting_players import FORGOTTEN_AFTER, THERE_WITHIN, Pool, forget_waits
from tests.store.driver import AT

POOL = Pool("fribble", "rapid", rated=True)
QUICK: Any = {("fribble", "rapid"): Setup(clock_seconds=900)}


@pytest.fixture
def begun() -> list[Table]:
    """The games that have started."""
    return []


@pytest.fixture
def pairing(games: GameStore, begun: list[Table]) -> Pairing:
    return Pairing(games, QUICK, begun.append)


@pytest.fixture(autouse=True)
def _empty_queue(database: Database) -> None:
    """Empty the queue: the session shares one PostgreSQL database."""
    with database.writing() as connection:
        connection.execute(waiting.delete())


def rate(database: Database, player: str, value: float) -> None:
    with database.writing() as connection:
        row = {"player_id": player, "kind": POOL.kind, "speed": POOL.speed, "value": value}
        row |= {"deviation": 50.0, "volatility": 0.06, "games": 20, "at": AT}
        connection.execute(ratings.insert().values(row))


def test_the_second_sits_down_with_the_first(
    pairing: Pairing, games: GameStore, begun: list[Table], ada: str, bob: str
) -> None:
    first = pairing.wait(ada, POOL, AT)
    assert first.game_id is None
    assert first.seconds(AT + 3) == 3
    second = pairing.wait(bob, POOL, AT + 3)
    assert second.game_id is not None
    assert pairing.paired(ada) == second.game_id
    table = games.load(second.game_id, AT + 3)
    assert {seat.player_id for seat in table.seats} == {ada, bob}
    assert table.settings.rated
    assert not table.settings.listed
    assert table.is_full
    assert [each.id for each in begun] == [table.id]


def test_either_player_of_a_pair_may_begin(
    pairing: Pairing, players: PlayerStore, begun: list[Table]
) -> None:
    first = 0
    for _ in range(12):
        one, other = players.create(AT), players.create(AT)
        pairing.wait(one, POOL, AT)
        pairing.wait(other, POOL, AT)
        first += begun[-1].seats[0].player_id == one
    assert 0 < first < 12


def test_players_of_different_pools_are_not_paired(pairing: Pairing, ada: str, bob: str) -> None:
    pairing.wait(ada, POOL, AT)
    assert pairing.wait(bob, POOL._replace(rated=False), AT).game_id is None
    moved = pairing.wait(bob, POOL, AT + 1)
    assert moved.game_id is not None, "a player waits for one game at a time: the later"
    with pytest.raises(NotOffered, match="choose one of fribble rapid"):
        pairing.wait(ada, Pool("chess", "rapid", rated=True), AT)


def test_the_accepted_difference_in_rating_grows_with_the_wait(
    database: Database, pairing: Pairing, ada: str, bob: str
) -> None:
    rate(database, ada, 1500)
    rate(database, bob, 2000)
    pairing.wait(ada, POOL, AT)
    pairing.wait(bob, POOL, AT)
    for second in range(2, 18, 2):
        assert pairing.ask(ada, AT + second).game_id is None  # type: ignore[union-attr]
        assert pairing.ask(bob, AT + second).game_id is None  # type: ignore[union-attr]
    pairing.ask(ada, AT + 19)
    assert pairing.ask(bob, AT + 20).game_id is not None  # type: ignore[union-attr]


def test_a_player_who_has_gone_is_not_paired_and_their_wait_restarts(
    pairing: Pairing, ada: str, bob: str
) -> None:
    pairing.wait(ada, POOL, AT)
    late = AT + THERE_WITHIN + 1
    assert pairing.wait(bob, POOL, late).game_id is None
    back = pairing.ask(ada, late + 1)
    assert back is not None
    assert back.game_id is not None
    assert back.waiter.since == late + 1


def test_a_player_stops_waiting(pairing: Pairing, ada: str, bob: str) -> None:
    pairing.wait(ada, POOL, AT)
    assert pairing.stop(ada) is None
    assert pairing.ask(ada, AT) is None
    assert pairing.wait(bob, POOL, AT).game_id is None
    game = pairing.wait(ada, POOL, AT).game_id
    assert game is not None
    assert pairing.stop(bob) == game
    assert pairing.stop(bob) is None
    assert pairing.stop(None) is None
    assert pairing.ask(None, AT) is None


def test_asking_twice_makes_one_game(pairing: Pairing, games: GameStore, ada: str, bob: str) -> None:
    pairing.wait(ada, POOL, AT)
    assert pairing.wait(ada, POOL, AT + 5).waiter.since == AT
    game = pairing.wait(bob, POOL, AT + 6).game_id
    assert game is not None
    assert pairing.wait(bob, POOL, AT + 7).game_id == game, "pressed twice"
    assert pairing.wait(ada, POOL, AT + 60).game_id is None, "another game, later"
    games.play(game, games.read(game).seats[0].player_id, Resign(), AT + 61)
    assert pairing.ask(bob, AT + 62) is None


def test_blocked_players_are_never_paired(
    database: Database, pairing: Pairing, players: PlayerStore, ada: str, bob: str
) -> None:
    Blocks(database).block(bob, ada, AT)
    pairing.wait(ada, POOL, AT)
    pairing.wait(bob, POOL, AT + 8)
    assert pairing.ask(ada, AT + 9).game_id is None  # type: ignore[union-attr]
    third = pairing.wait(players.create(AT), POOL, AT + 10)
    assert third.game_id == pairing.paired(ada)


def test_two_players_who_have_just_met_twice_get_other_opponents(
    pairing: Pairing, games: GameStore, players: PlayerStore, begun: list[Table], ada: str, bob: str
) -> None:
    for at in (AT, AT + 100):
        pairing.wait(ada, POOL, at)
        game = str(pairing.wait(bob, POOL, at).game_id)
        games.play(game, begun[-1].seats[0].player_id, Pass(), at)
        games.play(game, ada, Resign(), at + 1)
    stranger = players.create(AT)
    Blocks(games.database).block(stranger, bob, AT)  # so that the third player does not meet Bob
    pairing.wait(stranger, POOL, AT + 200)
    pairing.stop(stranger)
    pairing.wait(ada, POOL, AT + 201)
    met = pairing.wait(bob, POOL, AT + 202)
    assert met.game_id is not None, "there is no other player"
    assert met.waiter.met_twice == ada


def test_suspended_and_busy_players_do_not_wait(
    database: Database, games: GameStore, pairing: Pairing, ada: str, bob: str
) -> None:
    pairing.wait(ada, POOL, AT)
    Moderation(database, Sanctions(database)).suspend("operator", ada, "spam", AT, days=1)
    with pytest.raises(Sanctioned):
        pairing.wait(ada, POOL, AT)
    assert pairing.wait(bob, POOL, AT).game_id is None
    assert pairing.ask(ada, AT) is None, "removed when a game was about to start"
    games.most_open = 0
    with pytest.raises(TooMuch, match="finish one first"):
        pairing.wait(bob, POOL, AT)


def test_a_bot_of_similar_strength_is_offered(
    database: Database, games: GameStore, pairing: Pairing, ada: str
) -> None:
    rate(database, ada, 1720)
    pairing.wait(ada, POOL, AT)
    with pytest.raises(NotWaiting):
        pairing.play_bot(ada, AT + 5)
    for second in range(5, int(BOT_AFTER), 5):
        wait = pairing.ask(ada, AT + second)
        assert wait is not None
        assert pairing.bot_level(wait, AT + second) is None
    wait = pairing.ask(ada, AT + BOT_AFTER)
    assert wait is not None
    assert pairing.bot_level(wait, AT + BOT_AFTER) == 4
    table = games.read(pairing.play_bot(ada, AT + BOT_AFTER))
    assert sorted((seat.player_id or "", seat.bot_level or 0) for seat in table.seats) == [("", 4), (ada, 0)]
    assert table.settings.rated
    assert pairing.play_bot(ada, AT + BOT_AFTER) == table.id, "also from another tab"
    assert [each.id for each in Lobby(games).unfinished(ada, 9, AT + BOT_AFTER)] == [table.id]


def test_a_player_paired_while_choosing_the_bot_gets_the_pair(pairing: Pairing, ada: str, bob: str) -> None:
    pairing.wait(ada, POOL, AT)
    game = pairing.wait(bob, POOL, AT).game_id
    assert pairing.play_bot(ada, AT + 1) == game


def test_erased_and_merged_players_wait_no_longer(
    database: Database, pairing: Pairing, results: ResultStore, players: PlayerStore, ada: str, bob: str
) -> None:
    pairing.wait(ada, POOL, AT)
    results.erase(ada, AT)
    assert pairing.wait(bob, POOL, AT).game_id is None
    Merging(database).merge(players.create(AT), bob, AT)
    assert pairing.ask(bob, AT) is None


def test_a_player_who_has_not_asked_for_long_waits_no_longer(
    database: Database, pairing: Pairing, ada: str, bob: str
) -> None:
    pairing.wait(ada, POOL, AT)
    pairing.wait(bob, POOL, AT + FORGOTTEN_AFTER)
    forget_waits(database, AT + FORGOTTEN_AFTER + 1)
    assert pairing.ask(ada, AT) is None
    assert pairing.ask(bob, AT + FORGOTTEN_AFTER + 1) is not None


def test_many_workers_pair_each_player_once(
    database: Database, games: GameStore, players: PlayerStore
) -> None:
    """As many workers as there would be processes, each with its own connections."""
    ids = [players.create(AT) for _ in range(40 if database.is_sqlite else 200)]
    numbers = count()
    stores = [Database(database.engine.url.render_as_string(hide_password=False)) for _ in range(4)]
    workers = [
        Pairing(GameStore(store, games.rulebook, seeds=lambda: f"seed {next(numbers)}"), QUICK)
        for store in stores
    ]
    with ThreadPoolExecutor(8) as threads:
        jobs = [threads.submit(workers[place % 4].wait, player, POOL, AT) for place, player in enumerate(ids)]
        for job in jobs:
            job.result()
    workers[0].pair(POOL, AT)
    for store in stores:
        store.close()
    with database.reading() as connection:
        seated = select(seats.c.player_id, func.count()).where(seats.c.player_id.in_(ids))
        found = {row[0]: row[1] for row in connection.execute(seated.group_by(seats.c.player_id))}
        rows = connection.execute(select(waiting.c.player_id, waiting.c.game_id)).all()
    assert found == dict.fromkeys(ids, 1)
    assert {row.player_id for row in rows if row.game_id} == set(ids)
