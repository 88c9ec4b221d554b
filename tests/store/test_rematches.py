"""Rematches: all players of a finished game who ask for another meet at one table."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import delete

from app.games.boggle.state import Finish
from app.games.boggle.state import Setup as BoggleSetup
from app.games.letterpress.state import Resign as GiveUp
from app.games.letterpress.state import Setup as LetterpressSetup
from app.games.wibble.moves import Resign
from app.games.wibble.options import Setup
from app.store.database import Database
from app.store.games import GameStore
from app.store.models import NotYourSeat, Seat, Table, TableSettings, TooEarly
from app.store.rematches import Rematches
from app.store.results import ResultStore
from app.store.schema import games as game_rows
from app.store.seating import Seating
from tests.store.conftest import People

AT = 1_000.0


@pytest.fixture
def changed_tables() -> list[Table]:
    """The tables whose change was published."""
    return []


@pytest.fixture
def games(games: GameStore, changed_tables: list[Table]) -> GameStore:
    games.changed = lambda table, _: changed_tables.append(table)
    return games


@pytest.fixture
def seating(games: GameStore) -> Seating:
    return Seating(games)


@pytest.fixture
def rematches(games: GameStore, seating: Seating) -> Rematches:
    return Rematches(games, seating)


def over(games: GameStore, *seats: Seat, **settings: Any) -> Table:
    """A finished game of Wibble Versus."""
    table = games.open("wibble", Setup(mode="versus", size=4), seats, AT, TableSettings(**settings))
    for seat in seats:
        if seat.player_id and games.read(table.id).finished_at is None:
            games.play(table.id, seat.player_id, Resign(), AT)
    return games.read(table.id)


def test_the_first_to_ask_waits_and_the_other_joins_there(
    games: GameStore, rematches: Rematches, people: People, changed_tables: list[Table]
) -> None:
    ada, bob = people(2)
    table = over(games, Seat(bob), Seat(ada), turn_limit=600, listed=True)
    assert rematches.of(table, bob) is None
    changed_tables.clear()
    opened = rematches.join(table.id, ada, AT + 1)
    assert [seat.player_id for seat in opened.seats] == [ada, None]
    assert opened.settings == TableSettings(turn_limit=600), "the same settings, but only for these players"
    assert opened.state.options == table.state.options
    assert opened.seed != table.seed
    (changed,) = changed_tables
    assert changed.id == table.id
    assert changed.stage > table.stage

    for_bob = rematches.of(changed, bob)
    assert for_bob is not None
    assert (for_bob.game_id, for_bob.wanted_by, for_bob.seated, for_bob.free) == (
        opened.id,
        (1,),
        False,
        1,
    )
    for_ada = rematches.of(changed, ada)
    assert for_ada is not None
    assert for_ada.seated

    joined = rematches.join(table.id, bob, AT + 2)
    assert (joined.id, [seat.player_id for seat in joined.seats]) == (opened.id, [ada, bob])
    assert joined.is_full
    assert {one.id for one in changed_tables} == {table.id, opened.id}
    assert rematches.join(table.id, ada, AT + 3).id == opened.id, "asking again returns the same table"


def test_watchers_see_no_rematch_and_cannot_join(
    games: GameStore, rematches: Rematches, people: People
) -> None:
    ada, bob, eve = people(3)
    table = over(games, Seat(ada), Seat(bob))
    rematches.join(table.id, ada, AT)
    table = games.read(table.id)
    for watcher in (eve, None):
        assert rematches.of(table, watcher) is None
        with pytest.raises(NotYourSeat):
            rematches.join(table.id, watcher, AT)


def test_an_unfinished_game_has_no_rematch(games: GameStore, rematches: Rematches, people: People) -> None:
    ada, bob = people(2)
    table = games.open("wibble", Setup(mode="versus"), [Seat(ada), Seat(bob)], AT)
    with pytest.raises(TooEarly):
        rematches.join(table.id, ada, AT)


@pytest.mark.parametrize("number", [2, 3, 4])
def test_concurrent_rematches_share_one_table(
    games: GameStore, rematches: Rematches, people: People, number: int
) -> None:
    players = people(number)
    table = over(games, *(Seat(one) for one in players))
    with ThreadPoolExecutor(number) as hands:
        tables = list(hands.map(lambda one: rematches.join(table.id, one, AT), players * 2))
    assert len({one.id for one in tables}) == 1
    there = games.read(tables[0].id)
    assert there.is_full
    assert {seat.player_id for seat in there.seats} == set(players)


def test_each_of_several_players_sees_who_offered_the_rematch(
    games: GameStore, rematches: Rematches, seating: Seating, people: People
) -> None:
    ada, bob, eve = people(3)
    table = over(games, Seat(ada), Seat(bob), Seat(bot_level=2), Seat(eve))
    opened = rematches.join(table.id, eve, AT)
    assert [seat.bot_level for seat in opened.seats] == [None, None, None, 2], "the bot has a seat"
    rematches.join(table.id, ada, AT)
    after = games.read(table.id)
    shown = rematches.of(after, bob)
    assert shown is not None
    assert (shown.wanted_by, shown.free) == ((0, 3), 1)
    seating.add_bot(opened.id, eve, 1, AT)
    late = games.read(table.id)
    assert late.stage > after.stage
    assert rematches.of(late, bob) is None, "it is full"
    another = rematches.join(table.id, bob, AT)
    assert another.id != opened.id
    assert another.seats[0].player_id == bob
    assert rematches.join(table.id, ada, AT).id == another.id, "the latest one is shown"


def test_a_rematch_against_bots_alone_begins_at_once(
    games: GameStore, rematches: Rematches, people: People
) -> None:
    (ada,) = people(1)
    table = over(games, Seat(ada), Seat(bot_level=3))
    opened = rematches.join(table.id, ada, AT)
    assert (opened.is_full, opened.seats[1].bot_level) == (True, 3)


def test_a_rematch_that_is_over_or_gone_is_followed_by_another(
    games: GameStore, rematches: Rematches, people: People, database: Database
) -> None:
    ada, bob = people(2)
    table = over(games, Seat(ada), Seat(bob))
    first = rematches.join(table.id, ada, AT)
    rematches.join(table.id, bob, AT)
    games.play(first.id, ada, Resign(), AT)
    assert rematches.of(games.read(table.id), bob) is None
    second = rematches.join(table.id, bob, AT)
    assert second.id != first.id
    with database.writing() as connection:
        connection.execute(delete(game_rows).where(game_rows.c.id == second.id))
    assert rematches.of(games.read(table.id), ada) is None
    third = rematches.join(table.id, ada, AT)
    assert third.id not in (first.id, second.id)


def test_the_rematch_of_an_erased_player_is_gone(
    games: GameStore, rematches: Rematches, people: People, results: ResultStore
) -> None:
    ada, bob = people(2)
    table = over(games, Seat(ada), Seat(bob))
    opened = rematches.join(table.id, ada, AT)
    results.erase(ada, AT)
    table = games.read(table.id)
    assert rematches.of(table, bob) is None
    assert rematches.join(table.id, bob, AT).id != opened.id
    with pytest.raises(NotYourSeat):
        rematches.join(table.id, ada, AT)


def test_a_rematch_of_a_game_on_a_chosen_board_has_a_new_board(
    games: GameStore, rematches: Rematches, people: People
) -> None:
    ada, bob = people(2)
    seats = [Seat(ada), Seat(bob)]
    rows = ("pers", "latg", "sine", "ters")
    boggle = games.open("boggle", BoggleSetup(board=rows, seconds=60, cancel=True), seats, AT)
    for one in (ada, bob):
        games.play(boggle.id, one, Finish(), AT)
    again = rematches.join(boggle.id, ada, AT).state
    assert (again.options.board, again.options.seconds, again.options.cancel) == (None, 60, True)
    assert again.board != rows
    board = "horseradishzzzzteamscatzz"
    letterpress = games.open("letterpress", LetterpressSetup(board=board), seats, AT)
    games.play(letterpress.id, ada, GiveUp(), AT)
    assert rematches.join(letterpress.id, ada, AT).state.board != board
