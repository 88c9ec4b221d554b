"""The rules of pairing: compared with a slow search on random waiting players."""

import math
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from app.store.pairing_rules import ANYBODY_AFTER, Waiter, pair_up
from tests.examples import examples

AT = 1000.0
IDS = "abcdefghijkl"


@st.composite
def rooms(draw: st.DrawFn) -> tuple[list[Waiter], list[tuple[str, str]]]:
    """Waiting players and their blocks."""
    ids = IDS[: draw(st.integers(0, len(IDS)))]
    waiting = [
        Waiter(
            each,
            value=draw(st.integers(1000, 2000)),
            deviation=draw(st.integers(45, 350)),
            since=AT - draw(st.integers(-2, 50)),
            met_twice=draw(st.none() | st.sampled_from(IDS)),
        )
        for each in ids
    ]
    pairs = list(combinations(IDS, 2))
    return waiting, draw(st.lists(st.sampled_from(pairs), max_size=12))


def fits(one: Waiter, other: Waiter, blocked: list[tuple[str, str]]) -> bool:
    ids = {one.player_id, other.player_id}
    return abs(one.value - other.value) <= min(one.window(AT), other.window(AT)) and not any(
        set(pair) == ids for pair in blocked
    )


def met(one: Waiter, other: Waiter) -> bool:
    return one.met_twice == other.player_id or other.met_twice == one.player_id


def slowly(waiting: list[Waiter], blocked: list[tuple[str, str]]) -> list[tuple[str, float, bool]]:
    """Pair by brute force: the longer waiting player, the difference in rating, and whether they have met."""
    left, found = sorted(waiting, key=lambda each: (each.since, each.player_id)), []
    while left:
        first = left.pop(0)
        others = [each for each in left if fits(first, each, blocked)]
        if others:
            best = min(others, key=lambda each: (met(first, each), abs(first.value - each.value), each.value))
            ties = [
                each
                for each in others
                if (met(first, each), abs(first.value - each.value))
                == (met(first, best), abs(first.value - best.value))
            ]
            found.append((first.player_id, abs(first.value - best.value), met(first, best)))
            if len(ties) > 1:  # the choice between equal pairs is left open
                return found
            left.remove(best)
    return found


@examples(100)
@given(rooms())
def test_pairs_fit_without_repeats_and_no_fitting_pair_is_left(
    room: tuple[list[Waiter], list[tuple[str, str]]],
) -> None:
    waiting, blocked = room
    pairs = pair_up(waiting, blocked, AT)
    paired = [each.player_id for pair in pairs for each in pair]
    assert len(paired) == len(set(paired))
    assert all(fits(*pair, blocked) for pair in pairs)
    left = [each for each in waiting if each.player_id not in paired]
    assert not any(fits(*pair, blocked) for pair in combinations(left, 2))
    expected = slowly(waiting, blocked)
    found = [(one.player_id, abs(one.value - other.value), met(one, other)) for one, other in pairs]
    assert found[: len(expected)] == expected


def test_the_window_widens_with_time_and_with_uncertainty() -> None:
    sure, new = Waiter("a", 1500, 45, AT), Waiter("b", 1500, 350, AT)
    assert sure.window(AT) == 122.5
    assert sure.window(AT - 5) == 122.5, "a clock that was set back does not narrow the range"
    assert sure.window(AT + 10) == 322.5
    assert new.window(AT) == 275
    assert sure.window(AT + ANYBODY_AFTER) == math.inf


def test_two_players_who_have_met_twice_are_paired_only_without_others() -> None:
    one = Waiter("a", 1500, 60, AT - 20, met_twice="b")
    two, three = Waiter("b", 1500, 60, AT - 10), Waiter("c", 1600, 60, AT - 5)
    assert pair_up([one, two, three], [], AT) == [(one, three)]
    assert pair_up([one, two], [], AT) == [(one, two)]
    assert pair_up([one, two], [("b", "a")], AT) == []
