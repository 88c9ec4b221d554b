"""Games in the store, on SQLite and PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import delete, inspect
from sqlalchemy.exc import IntegrityError

from app.games.game import IllegalMove
from app.games.wibble.moves import Add, Chain, Resign, Shuffle, Start
from app.games.wibble.options import Setup
from app.games.wibble.rules import GRACE, Wibble
from app.games.wibble.state import Phase
from app.store.database import Database
from app.store.games import GameStore
from app.store.lobby import Lobby
from app.store.models import NotYourSeat, Refused, Seat, StalePly, Table, UnknownGame
from app.store.players import PlayerStore
from app.store.schema import metadata, moves, snapshots
from tests.games.wibble.positions import found

AT = 1_000.0


@pytest.fixture
def player(players: PlayerStore) -> str:
    return players.create(AT)


@pytest.fixture
def table(games: GameStore, player: str) -> Table:
    return games.open("wibble", Setup(mode="zen"), [Seat(player)], AT)


def best_chain(table: Table) -> Chain:
    assert isinstance(table.game, Wibble)
    return Chain(cells=found(table.game, table.state)[0].cells)


def test_the_migrated_tables_have_the_columns_and_primary_keys_of_the_schema(database: Database) -> None:
    there = inspect(database.engine)
    for name, expected in metadata.tables.items():
        assert {column["name"] for column in there.get_columns(name)} == set(expected.columns.keys())
        assert there.get_pk_constraint(name)["constrained_columns"] == [
            column.name for column in expected.primary_key
        ]


def test_migrating_again_changes_nothing(database: Database, games: GameStore, table: Table) -> None:
    database.migrate()
    assert games.load(table.id, AT).state == table.state


def test_a_move_is_there_when_the_game_is_loaded(games: GameStore, table: Table, player: str) -> None:
    played = games.play(table.id, player, best_chain(table), AT + 1)
    loaded = games.load(table.id, AT + 2)
    assert loaded.state == played.state
    assert loaded.state.scores[0] > 0
    assert loaded.seats == (Seat(player),)


def test_a_move_of_another_process_is_read(
    database: Database, games: GameStore, table: Table, player: str
) -> None:
    games.play(table.id, player, Shuffle(), AT + 1)
    played = GameStore(database, games.rulebook).play(table.id, player, Shuffle(), AT + 2)
    assert games.load(table.id, AT + 3, played.version) == played
    assert games.load(table.id, AT + 3).version == played.version


def test_the_log_leads_to_the_state(games: GameStore, table: Table, player: str) -> None:
    games.play(table.id, player, Shuffle(), AT + 1)
    played = games.play(table.id, player, best_chain(games.load(table.id, AT)), AT + 2)
    log = games.log(table.id)
    assert [(line.ply, line.seat, line.move.type, line.at) for line in log] == [
        (0, 0, "start", AT),
        (1, 0, "shuffle", AT + 1),
        (2, 0, "chain", AT + 2),
    ]
    assert games.states(table.id)[-1] == played.state


def test_a_lost_snapshot_is_rebuilt_from_the_moves(
    database: Database, games: GameStore, table: Table, player: str
) -> None:
    played = games.play(table.id, player, best_chain(table), AT + 1)
    with database.writing() as connection:
        connection.execute(delete(snapshots))
    assert games.load(table.id, AT + 2).state == played.state
    again = games.play(table.id, player, Resign(), AT + 3)
    assert games.load(table.id, AT + 4).state == again.state


def test_one_of_two_writers_of_a_ply_wins_and_the_other_sees_the_new_game(
    games: GameStore, table: Table, player: str
) -> None:
    def chain(cell: int) -> Table | StalePly:
        try:
            return games.play(table.id, player, Add(cell=cell), AT + 1, ply=1)
        except StalePly as stale:
            return stale

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(chain, range(8)))
    winners = [result for result in results if isinstance(result, Table)]
    losers = [result for result in results if isinstance(result, StalePly)]
    assert len(winners) == 1
    assert len(losers) == 7
    assert len(games.log(table.id)) == 2
    assert all(loser.table.state == winners[0].state for loser in losers)


def test_a_stale_ply_is_refused_with_the_current_game(games: GameStore, table: Table, player: str) -> None:
    games.play(table.id, player, Shuffle(), AT + 1, ply=1)
    with pytest.raises(StalePly, match="for ply 1, but the game is at ply 2") as stale:
        games.play(table.id, player, Shuffle(), AT + 2, ply=1)
    assert stale.value.table.state.ply == 2


def test_moves_on_another_players_seat_are_refused(
    games: GameStore, players: PlayerStore, table: Table
) -> None:
    for stranger in (players.create(AT), None, "nobody"):
        with pytest.raises(NotYourSeat):
            games.play(table.id, stranger, Shuffle(), AT + 1)
    assert len(games.log(table.id)) == 1


def test_a_refused_move_leaves_no_trace(games: GameStore, table: Table, player: str) -> None:
    with pytest.raises(IllegalMove):
        games.play(table.id, player, Chain(cells=(0, 24)), AT + 1)
    assert len(games.log(table.id)) == 1
    assert games.load(table.id, AT + 1).state == table.state


def test_a_finished_game_takes_no_more_moves(games: GameStore, table: Table, player: str) -> None:
    finished = games.play(table.id, player, Resign(), AT + 5)
    assert finished.finished_at == AT + 5
    with pytest.raises(Refused, match="the game is over") as refused:
        games.play(table.id, player, Shuffle(), AT + 6)
    assert refused.value.table.state.phase is Phase.FINISHED
    assert games.load(table.id, AT + 7).finished_at == AT + 5


def test_one_of_the_requests_after_the_time_limit_records_the_end(games: GameStore, player: str) -> None:
    table = games.open("wibble", Setup(mode="blitz"), [Seat(player)], AT)
    games.play(table.id, player, Start(), AT)
    assert games.load(table.id, AT + 60).state.phase is Phase.IDLE
    late = AT + 120 + GRACE + 1
    with ThreadPoolExecutor(4) as threads:
        seen = list(threads.map(lambda _: games.load(table.id, late), range(4)))
    assert {one.state.phase for one in seen} == {Phase.FINISHED}
    assert [line.move.type for line in games.log(table.id)] == ["start", "time_up"]


def test_unfinished_games_are_listed_latest_move_first(games: GameStore, player: str) -> None:
    first, second, third = (games.open("wibble", Setup(), [Seat(player)], AT + number) for number in range(3))
    games.play(first.id, player, Shuffle(), AT + 10)
    games.play(second.id, player, Resign(), AT + 11)
    assert [table.id for table in Lobby(games).unfinished(player, 5, AT + 12)] == [first.id, third.id]
    assert Lobby(games).unfinished("nobody", 5, AT + 12) == []


def test_an_unknown_game_is_reported_as_such(games: GameStore) -> None:
    for ask in (
        lambda: games.load("nope", AT),
        lambda: games.log("nope"),
        lambda: games.states("nope"),
        lambda: games.play("nope", None, Start(), AT),
    ):
        with pytest.raises(UnknownGame, match="'nope'"):
            ask()


def test_a_ply_cannot_be_written_twice(database: Database, table: Table) -> None:
    row = {"game_id": table.id, "ply": 0, "seat": 0, "move": "{}", "at": AT}
    with pytest.raises(IntegrityError), database.writing() as connection:
        connection.execute(moves.insert().values(row))


def test_a_failed_transaction_leaves_nothing(database: Database, players: PlayerStore) -> None:
    def half_a_transaction() -> None:
        with database.writing() as connection:
            connection.execute(metadata.tables["players"].insert().values(id="half", created_at=AT))
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        half_a_transaction()
    assert not players.exists("half")


def test_others_write_while_a_game_is_dealt(games: GameStore, player: str, waits: list[bool]) -> None:
    games.open(Wibble.kind, Setup(), [Seat(player)], AT)
    assert waits == [False]
