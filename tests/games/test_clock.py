"""Clocks per player: the arithmetic shared by three rooms, and a loss on time in each."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.games.clock import ClockChoices, Clocks, check_time, clocks_after, new_clocks, pause_in_time
from app.games.fribble.state import Setup as FribbleSetup
from app.games.game import OutOfTurn
from app.games.wibble.options import Setup as WibbleSetup

AT = 1_700_000_000.0
TURNS = st.lists(st.tuples(st.integers(0, 5), st.floats(0, 100)), max_size=30)
"""The seat that moves next, and the seconds it takes."""


def played(seats: int, turns: list[tuple[int, float]], seconds: int, increment: int) -> list[Clocks]:
    """The clocks after each move; a seat whose clock ran out moves no more."""
    clocks = new_clocks(ClockChoices(clock_seconds=seconds, increment_seconds=increment), seats)
    assert clocks is not None
    states, at, mover = [clocks], AT, 0
    for turn, used in turns:
        at += used
        left = [seat for seat in range(seats) if seat not in states[-1].out]
        if states[-1].has_run_out(at) and states[-1].running in left:
            left.remove(states[-1].running)
        if len(left) < 2:
            break
        following = left[turn % len(left)]
        states.append(clocks_after(states[-1], mover, following, at, increment) or clocks)
        mover = following
    return states


def test_the_players_time_runs_in_their_turns_and_grows_with_each() -> None:
    clocks = new_clocks(ClockChoices(clock_seconds=60, increment_seconds=5), 2)
    assert clocks == Clocks(left=(60, 60))
    first = clocks_after(clocks, 0, 1, AT, 5)
    assert first == Clocks(left=(60, 60), running=1, since=AT)
    assert clocks_after(first, 1, 1, AT + 7, 5) == first, "a move that does not end the turn"
    assert first.left_at(AT + 7) == (60, 53)
    second = clocks_after(first, 1, 0, AT + 10, 5)
    assert second == Clocks(left=(60, 55), running=0, since=AT + 10)
    assert clocks_after(second, 0, None, AT + 30, 5) == Clocks(left=(45, 55))


def test_a_clock_rings_at_its_very_second() -> None:
    clocks = Clocks(left=(60.0, 5.0), running=1, since=AT)
    assert clocks.ends_at == AT + 5
    check_time(clocks, AT + 4.999)
    with pytest.raises(OutOfTurn, match="time is up"):
        check_time(clocks, AT + 5)
    assert clocks.switched(0, AT + 5, 3) == Clocks(left=(60.0, 0.0), running=0, since=AT + 5, out=(1,))


def test_a_bot_is_quick_when_it_has_little_time() -> None:
    assert pause_in_time(3, None) == pause_in_time(3, Clocks(left=(100,), running=0, since=AT)) == 3
    assert 0 < pause_in_time(3, Clocks(left=(1.0,), running=0, since=AT)) < 0.1


def test_the_moves_of_a_bots_turn_share_its_time() -> None:
    clocks = Clocks(left=(40.0,), running=0, since=AT)
    assert 5 * pause_in_time(3, clocks, moves=5) == pytest.approx(pause_in_time(3, clocks)) == 2


@given(st.integers(2, 6), TURNS, st.integers(10, 100), st.integers(0, 20))
def test_only_the_clock_of_the_player_to_move_runs_and_never_below_zero(
    seats: int, turns: list[tuple[int, float]], seconds: int, increment: int
) -> None:
    states = played(seats, turns, seconds, increment)
    assert states == played(seats, turns, seconds, increment)
    for before, after in pairwise(states):
        assert min(after.left) >= 0
        changed = {seat for seat in range(seats) if before.left[seat] != after.left[seat]}
        assert changed <= {before.running}
        assert all(after.left[seat] == 0 for seat in after.out)


@given(st.integers(2, 6), TURNS, st.integers(0, 20))
def test_what_is_left_and_what_was_used_make_up_what_was_given(
    seats: int, turns: list[tuple[int, float]], increment: int
) -> None:
    given_seconds = 1_000_000
    states = played(seats, turns, given_seconds, increment)
    stops = [state for state in states if state.since is not None]
    used = sum((after.since or 0) - (before.since or 0) for before, after in pairwise(stops))
    completed = max(0, len({state.since for state in stops}) - 1)
    changes = sum(before != after for before, after in pairwise(states)) - bool(stops)
    assert completed <= changes
    assert sum(states[-1].left) == pytest.approx(seats * given_seconds - used + changes * increment)


@pytest.mark.parametrize(
    ("wrong", "field", "says"),
    [
        ({"clock_seconds": 9}, "clock_seconds", "10"),
        ({"clock_seconds": 15 * 86_400}, "clock_seconds", "1209600"),
        ({"clock_seconds": "soon"}, "clock_seconds", "integer"),
        ({"clock_seconds": 60, "increment_seconds": -1}, "increment_seconds", "0"),
        ({"increment_seconds": 5}, "increment_seconds", "set clock_seconds too"),
        ({"clock_seconds": 60, "turn_seconds": 30}, "turn_seconds", "not both"),
    ],
)
@pytest.mark.parametrize("setup", [FribbleSetup, WibbleSetup])
def test_an_impossible_clock_names_its_field(
    setup: type[ClockChoices], wrong: dict[str, object], field: str, says: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        setup.model_validate(wrong)
    [error] = refused.value.errors()
    assert error["loc"] == (field,)
    assert says in error["msg"]
