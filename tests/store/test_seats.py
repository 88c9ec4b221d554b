"""Seats at a table: invitations, bots that move by themselves, clocks that run with no viewer."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest
from sqlalchemy import event
from sqlalchemy.exc import InternalError, OperationalError

from app.games.game import Thought
from app.games.wibble.moves import Chain, Move, Pass, Resign
from app.games.wibble.options import Setup
from app.games.wibble.rules import GRACE, Wibble
from app.games.wibble.state import Phase, State
from app.store.games import GameStore
from app.store.lobby import Lobby
from app.store.models import NotYourSeat, Refused, Seat, Table, TooEarly, UnknownGame, WrongInvitation
from app.store.players import PlayerStore
from app.store.records import Records
from app.store.seating import Seating
from tests.store.driver import AT, open_wibble

FREE = Seat()
open_versus = partial(open_wibble, mode="versus")


@pytest.fixture
def host(players: PlayerStore) -> str:
    return players.create(AT)


@pytest.fixture
def guest(players: PlayerStore) -> str:
    return players.create(AT)


def sit(games: GameStore, table: Table, player: str, at: float = AT + 1) -> Table:
    assert table.invitation is not None
    return Seating(games).sit_down(table.id, table.invitation, player, at)


# Invitations


def test_a_game_waits_for_its_last_seat_and_begins_with_it(
    games: GameStore, players: PlayerStore, host: str, guest: str
) -> None:
    table = open_versus(games, host, FREE, FREE)
    assert not table.is_full
    assert table.state.phase is Phase.TITLE
    with pytest.raises(Refused, match="every seat is taken"):
        games.play(table.id, host, Pass(), AT)
    seated = sit(games, table, guest)
    assert (seated.seat_of(guest), seated.state.phase) == (1, Phase.TITLE)
    begun = sit(games, table, players.create(AT), AT + 60)
    assert begun.is_full
    assert begun.state.phase is Phase.IDLE
    assert begun.state.started_at == AT + 60
    assert games.load(table.id, AT + 60).state == begun.state
    assert games.play(table.id, host, Pass(), AT + 61).state.to_move == 1


def test_a_wrong_invitation_gives_no_seat(games: GameStore, host: str, guest: str) -> None:
    table, other = open_versus(games, host, FREE), open_versus(games, host, FREE)
    for wrong in ("", "nope", other.invitation or "", (table.invitation or "")[:-1], "\x00"):
        with pytest.raises(WrongInvitation, match="ask for a new one"):
            Seating(games).sit_down(table.id, wrong, guest, AT)
    assert games.load(table.id, AT).seats[1] == FREE


def test_a_table_for_one_has_no_invitation(games: GameStore, host: str, guest: str) -> None:
    table = games.open("wibble", Setup(mode="classic"), [Seat(host)], AT)
    assert table.invitation is None
    with pytest.raises(WrongInvitation):
        Seating(games).sit_down(table.id, "", guest, AT)


def test_sitting_down_twice_is_one_seat(games: GameStore, host: str, guest: str) -> None:
    table = open_versus(games, host, FREE, FREE)
    sit(games, table, guest)
    again = sit(games, table, guest)
    assert [seat.player_id for seat in again.seats] == [host, guest, None]
    assert sit(games, table, host).seats == again.seats


def test_sitting_down_in_many_tabs_at_once_is_one_seat(games: GameStore, host: str, guest: str) -> None:
    table = open_versus(games, host, FREE, FREE, FREE)
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda _: sit(games, table, guest), range(6)))
    assert [seat.player_id for seat in games.load(table.id, AT + 1).seats] == [host, guest, None, None]


def test_one_of_many_players_gets_the_last_seat_and_the_others_watch(
    games: GameStore, players: PlayerStore, host: str
) -> None:
    table = open_versus(games, host, FREE)
    stream_limiter = [players.create(AT) for _ in range(6)]
    with ThreadPoolExecutor(6) as threads:
        seen = list(threads.map(lambda player: sit(games, table, player), stream_limiter))
    seats = [table.seat_of(player) for table, player in zip(seen, stream_limiter, strict=True)]
    assert sorted(seats, key=str) == [1, *[None] * 5]
    assert all(one.is_full for one in seen)
    assert [line.move.type for line in games.log(table.id)] == ["start"], "it begins once"


def test_as_many_as_there_are_seats_all_sit_down_at_once(
    games: GameStore, players: PlayerStore, host: str
) -> None:
    table = open_versus(games, host, *[FREE] * 5)
    stream_limiter = [players.create(AT) for _ in range(5)]
    with ThreadPoolExecutor(5) as threads:
        list(threads.map(lambda player: sit(games, table, player), stream_limiter))
    full = games.load(table.id, AT + 1)
    assert {seat.player_id for seat in full.seats} == {host, *stream_limiter}
    assert [line.move.type for line in games.log(table.id)] == ["start"]


def test_a_player_who_comes_too_late_watches(
    games: GameStore, players: PlayerStore, host: str, guest: str
) -> None:
    table = open_versus(games, host, FREE)
    begun = sit(games, table, guest)
    late = players.create(AT)
    seen = sit(games, table, late, AT + 5)
    assert seen.seat_of(late) is None
    assert seen.state == begun.state
    with pytest.raises(NotYourSeat):
        games.play(table.id, late, Pass(), AT + 6)


def test_a_table_that_waits_is_closed_by_its_opener(games: GameStore, host: str, guest: str) -> None:
    table = open_versus(games, host, FREE, Seat(bot_level=1))
    seating = Seating(games)
    for other in (guest, None):
        with pytest.raises(NotYourSeat):
            seating.close(table.id, other)
    seating.close(table.id, host)
    for late in (lambda: seating.close(table.id, host), lambda: sit(games, table, guest)):
        with pytest.raises(UnknownGame):
            late()


def test_a_table_with_another_player_is_not_closed(games: GameStore, host: str, guest: str) -> None:
    table = open_versus(games, host, FREE, FREE)
    sit(games, table, guest)
    seating = Seating(games)
    with pytest.raises(TooEarly, match="another player has joined"):
        seating.close(table.id, host)
    with pytest.raises(NotYourSeat):
        seating.close(table.id, guest)
    seating.add_bot(table.id, host, 1, AT)
    with pytest.raises(TooEarly, match="has started"):
        seating.close(table.id, host)


def test_sitting_down_while_a_table_closes_gives_a_seat_or_no_table(
    games: GameStore, host: str, guest: str
) -> None:
    for _ in range(8):
        table = open_versus(games, host, FREE)

        def close(table: Table = table) -> str:
            with suppress(TooEarly):
                Seating(games).close(table.id, host)
                return "closed"
            return "kept"

        def come(table: Table = table) -> str:
            with suppress(UnknownGame):
                return "kept" if sit(games, table, guest).seat_of(guest) == 1 else "watches"
            return "closed"

        with ThreadPoolExecutor(2) as hands:
            ends = [hands.submit(close), hands.submit(come)]
        assert ends[0].result() == ends[1].result()


def test_seats_have_nicknames(games: GameStore, players: PlayerStore, host: str, guest: str) -> None:
    players.rename(guest, "Ada", AT)
    table = sit(games, open_versus(games, host, FREE), guest)
    assert [seat.nickname for seat in table.seats] == [None, "Ada"]


def test_an_id_with_unusual_characters_is_an_unknown_game(games: GameStore, guest: str) -> None:
    for odd in ("\x00", "a\x00b", "é", "x" * 1000, "../.."):
        for ask in (
            lambda odd=odd: games.load(odd, AT),
            lambda odd=odd: games.log(odd),
            lambda odd=odd: Records(games).of(odd),
            lambda odd=odd: Seating(games).sit_down(odd, "x", guest, AT),
            lambda odd=odd: Seating(games).add_bot(odd, guest, 1, AT),
        ):
            with pytest.raises(UnknownGame):
                ask()


# Bots


def test_a_bot_moves_by_itself_after_a_human_pause(games: GameStore, host: str) -> None:
    table = open_versus(games, host, Seat(bot_level=1))
    assert table.state.phase is Phase.IDLE
    games.play(table.id, host, Pass(), AT)
    assert games.load(table.id, AT + 1).state.to_move == 1, "not at once"
    moved = games.load(table.id, AT + 30)
    assert moved.state.to_move == 0
    last = games.log(table.id)[-1]
    assert last.seat == 1
    assert AT + 1 < last.at < AT + 10, "timed by the bot, not by when somebody looked"
    assert moved.moved_at == last.at
    assert games.load(table.id, AT + 1e6).state == moved.state, "once"


def test_looking_at_a_game_needs_no_writes(games: GameStore, host: str) -> None:
    table = open_versus(games, host, Seat(bot_level=1))
    before = games.play(table.id, host, Pass(), AT)
    closed = "PRAGMA query_only = 1" if games.database.is_sqlite else "SET TRANSACTION READ ONLY"
    event.listen(games.database.engine, "begin", lambda connection: connection.exec_driver_sql(closed))
    with pytest.raises((OperationalError, InternalError)):
        games.load(table.id, AT + 30)
    assert games.load_or_read(table.id, AT + 30).state == before.state
    assert [one.state for one in Lobby(games).unfinished(host, 5, AT + 30)] == [before.state]


def test_under_many_readers_a_bot_moves_once(games: GameStore, host: str) -> None:
    table = open_versus(games, host, *[Seat(bot_level=level) for level in (1, 3, 5)])
    games.play(table.id, host, Pass(), AT)
    with ThreadPoolExecutor(6) as threads:
        seen = list(threads.map(lambda _: games.load(table.id, AT + 1000), range(12)))
    assert {(one.state.to_move, one.state.round) for one in seen} == {(0, 2)}
    log = games.log(table.id)
    assert [line.ply for line in log] == list(range(len(log)))
    ends_turn = [line.seat for line in log if line.move.type in ("chain", "pass")]
    assert ends_turn == [0, 1, 2, 3]
    assert games.states(table.id)[-1] == seen[0].state


def test_a_bot_thinks_once_however_many_pages_wait_for_it(
    games: GameStore, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose, thought = Wibble.bot, []

    def counted(self: Wibble, state: State, seat: int, level: int) -> Thought[Move]:
        thought.append(state.ply)
        return choose(self, state, seat, level)

    table = open_versus(games, host, Seat(bot_level=1))
    monkeypatch.setattr(Wibble, "bot", counted)
    waiting = games.play(table.id, host, Pass(), AT)
    with ThreadPoolExecutor(4) as pages:
        moments = list(pages.map(lambda _: games.happens_at(waiting, AT), range(8)))
    assert len(set(moments)) == 1
    assert games.load(table.id, AT + 30).state.to_move == 0
    assert thought.count(waiting.state.ply) == 1


def test_a_game_of_bots_goes_on_to_its_end_when_its_player_has_left(games: GameStore, host: str) -> None:
    table = open_versus(games, host, Seat(bot_level=1), Seat(bot_level=2))
    games.play(table.id, host, Resign(), AT)
    done = games.load(table.id, AT + 10_000)
    assert done.finished_at is not None
    assert done.finished_at < AT + 200, "as of its own time"
    outcome = done.game.outcome(done.state)
    assert outcome is not None
    assert 0 not in outcome.winners


def test_a_bot_is_put_on_a_free_seat_by_those_seated_alone(
    games: GameStore, players: PlayerStore, host: str, guest: str
) -> None:
    table = open_versus(games, host, FREE, FREE)
    for other in (guest, None, "nobody"):
        with pytest.raises(NotYourSeat, match="only the players of this game"):
            Seating(games).add_bot(table.id, other, 3, AT)
    one = Seating(games).add_bot(table.id, host, 3, AT)
    assert [seat.bot_level for seat in one.seats] == [None, 3, None]
    assert one.state.phase is Phase.TITLE
    full = Seating(games).add_bot(table.id, host, 5, AT + 1)
    assert [seat.bot_level for seat in full.seats] == [None, 3, 5]
    assert full.state.phase is Phase.IDLE
    assert Seating(games).add_bot(table.id, host, 1, AT + 2).seats == full.seats, "no seat is left"


def test_a_bot_and_a_guest_never_get_the_same_seat(games: GameStore, host: str, guest: str) -> None:
    for _ in range(3):
        table = open_versus(games, host, FREE)
        with ThreadPoolExecutor(2) as threads:
            sitting = threads.submit(sit, games, table, guest)
            adding = threads.submit(Seating(games).add_bot, table.id, host, 2, AT + 1)
            sitting.result(), adding.result()
        (seat,) = games.load(table.id, AT + 1).seats[1:]
        assert (seat.player_id is None) != (seat.bot_level is None)


# Clocks


def test_time_outs_are_recorded_at_their_times_after_a_long_pause(
    games: GameStore, host: str, guest: str
) -> None:
    table = sit(games, open_versus(games, host, FREE, turn_seconds=30), guest, AT)
    with ThreadPoolExecutor(4) as threads:
        seen = list(threads.map(lambda _: games.load(table.id, AT + 1e7), range(4)))
    assert {one.state.phase for one in seen} == {Phase.FINISHED}
    log = games.log(table.id)
    assert [line.move.type for line in log] == ["start"] + ["time_up"] * 10
    assert [line.at for line in log[1:]] == [AT + turn * (30 + GRACE) for turn in range(1, 11)]
    assert games.load(table.id, AT + 2e7).finished_at == AT + 10 * (30 + GRACE)


def test_the_clock_does_not_run_while_seats_are_free(games: GameStore, host: str, guest: str) -> None:
    table = open_versus(games, host, FREE, turn_seconds=30)
    begun = sit(games, games.load(table.id, AT + 1e6), guest, AT + 1e6)
    assert begun.state.turn_started_at == AT + 1e6
    assert games.load(table.id, AT + 1e6 + 31).state.to_move == 0


def test_a_time_out_and_the_bots_after_it_happen_in_their_order(games: GameStore, host: str) -> None:
    table = open_versus(games, host, Seat(bot_level=2), turn_seconds=30)
    games.load(table.id, AT + 100)
    log = games.log(table.id)
    turns = [line for line in log if line.move.type in ("chain", "pass", "time_up")]
    assert [line.seat for line in turns] == [turn % 2 for turn in range(len(turns))]
    assert [line.at for line in log] == sorted(line.at for line in log)
    assert all(line.move.type == "time_up" for line in turns if line.seat == 0)
    assert all(line.move.type != "time_up" for line in turns if line.seat == 1)
    assert turns[-1].at <= AT + 100


def test_a_bot_that_thinks_too_long_loses_its_turn_as_a_player_does(
    games: GameStore, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_versus(games, host, Seat(bot_level=2), turn_seconds=30)
    monkeypatch.setattr(Wibble, "bot", lambda *_: Thought(Pass(), 60.0))
    games.play(table.id, host, Pass(), AT)
    seen = games.load(table.id, AT + 61)
    assert (seen.state.to_move, seen.moved_at) == (0, AT + 30 + GRACE)
    assert games.log(table.id)[-1].move.type == "time_up"


def test_an_illegal_move_of_a_bot_is_no_fault_of_the_player(
    games: GameStore, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_versus(games, host, Seat(bot_level=2))
    monkeypatch.setattr(Wibble, "bot", lambda *_: Thought(Chain(cells=(0, 2)), 1.0))
    games.play(table.id, host, Pass(), AT)
    with pytest.raises(RuntimeError, match=r"wibble, seat 1: Chain\(.*\) is refused: "):
        games.load(table.id, AT + 2)


def test_a_move_after_the_time_out_is_refused_with_the_current_game(
    games: GameStore, host: str, guest: str
) -> None:
    table = sit(games, open_versus(games, host, FREE, turn_seconds=30), guest, AT)
    with pytest.raises(Refused, match="turn of seat 1") as refused:
        games.play(table.id, host, Pass(), AT + 40)
    assert refused.value.table.state.to_move == 1
