"""The result of a game played elsewhere, as far as its reported turns determine it."""

import pytest

from app.games.fribble.external_result import Account, Ending, ending_of, rack_sizes
from app.games.fribble.reported_turns import texts_of
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Options, State
from app.games.game import LexiconRef
from app.words.lexicon import Lexicon
from tests.games.fribble.positions import sides_of

WORDS = Lexicon.from_words(["at"], "few")
STALLED = ("pass", "exchange 2", "pass")


@pytest.fixture(scope="module")
def states(lexicon: Lexicon) -> tuple[State, ...]:
    """All states of a game between two bots, of which one goes out."""
    rules = Fribble(lexicon)
    states = [rules.start(Options(lexicon=LexiconRef.of(lexicon)), 2, "an end")]
    while states[-1].reason is None:
        move = rules.bot(states[-1], states[-1].to_move, 4).move
        states.append(rules.apply(states[-1], states[-1].to_move, move, 0.0))
    return tuple(states)


def test_racks_are_as_full_as_in_the_external_game(states: tuple[State, ...], lexicon: Lexicon) -> None:
    for state in states:
        sides = sides_of().apply_turns(texts_of(state.turns), lexicon)
        assert rack_sizes(sides, "") == tuple(map(len, state.racks))
        assert len(sides.unseen()) - sum(rack_sizes(sides, "")) == len(state.bag)


def test_a_board_too_full_for_two_racks_needs_ours(states: tuple[State, ...], lexicon: Lexicon) -> None:
    late = next(state for state in states if sum(map(len, state.racks)) < 14)
    sides = sides_of(board=late.board, our_turn=late.to_move == 0)
    for state in states[states.index(late) :]:
        following = sides.apply_turns(texts_of(state.turns[len(late.turns) :]), lexicon)
        assert rack_sizes(following, state.racks[0]) == tuple(map(len, state.racks))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("rack_known", [False, True])
def test_the_player_going_out_is_known_from_the_turns(
    states: tuple[State, ...], lexicon: Lexicon, seat: int, *, rack_known: bool
) -> None:
    for state in states:
        sides = sides_of(our_turn=seat == 0).apply_turns(texts_of(state.turns), lexicon)
        ending = ending_of(sides, state.racks[seat] if rack_known else "")
        if state.reason is None:
            assert ending is None
    last = states[-1]
    assert ending is not None
    assert ending == ending_of(sides.after("pass", lexicon), last.racks[seat]), "the last play stands"
    assert ending.out is (last.out == seat)
    assert (ending.ours.held, ending.theirs.held) == (last.racks[seat], last.racks[1 - seat])
    assert (ending.ours.least, ending.ours.most) == (last.scores[seat],) * 2
    assert (ending.theirs.least, ending.theirs.most) == (last.scores[1 - seat],) * 2
    assert ending.winner == ("ours" if last.scores[seat] > last.scores[1 - seat] else "theirs")


def test_only_bounds_are_known_of_unknown_racks() -> None:
    ending = ending_of(sides_of(ours=200).apply_turns(STALLED, WORDS), "")
    heaviest = 10 + 10 + 10 + 8 + 5 + 5 + 5  # J, Q, Z, X, K, V, V
    assert ending is not None
    assert ending.out is None
    assert ending.ours == Account(None, 200 - heaviest, 200)
    assert ending.theirs == Account(None, -heaviest, 0)
    assert ending.winner == "ours"


def test_our_rack_is_counted_only_as_a_whole() -> None:
    sides = sides_of(ours=10, theirs=10).apply_turns(STALLED, WORDS)
    whole, part = ending_of(sides, "AEIOTTQ"), ending_of(sides, "AEI")
    assert whole is not None
    assert part is not None
    assert whole.ours == Account("AEIOTTQ", -6, -6)
    assert part.ours.held is None
    assert (whole.winner, part.winner) == (None, None)


@pytest.mark.parametrize("seat", [0, 1])
def test_once_the_bag_is_empty_their_rack_is_what_is_left(
    states: tuple[State, ...], lexicon: Lexicon, seat: int
) -> None:
    empty = next(state for state in states if not state.bag)
    ours, theirs = empty.racks[seat], empty.racks[1 - seat]

    def ended(handicap: int = 0) -> Ending:
        begun = sides_of(our_turn=seat == 0, ours=handicap)
        ending = ending_of(begun.apply_turns([*texts_of(empty.turns), *["pass"] * 3], lexicon), ours)
        assert ending is not None
        return ending

    ending = ended()
    assert (ending.out, ending.ours.held, ending.theirs.held) == (None, ours, theirs)
    lead = ending.ours.most - ending.theirs.most
    assert [ended(-lead + more).winner for more in (-1, 0, 1)] == ["theirs", "draw", "ours"]
