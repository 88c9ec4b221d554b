"""A game played elsewhere, reported turn by turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.fribble import gcg
from app.games.fribble.board import Board
from app.games.fribble.notation import fribble_notation, parse, standard
from app.games.fribble.presets import presets
from app.games.fribble.reported_turns import BadTurn, texts_of
from app.games.fribble.rules import Fribble
from app.games.fribble.scoring import score
from app.games.fribble.state import Options
from app.games.game import LexiconRef
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games.fribble.positions import sides_of
from tests.games.fribble.test_gcg import LONGER

WORDS = Lexicon.from_words(["fribble", "friends", "fib", "at", "ta"], "few")
PRESETS = sorted(presets())


@pytest.mark.parametrize("preset", PRESETS)
def test_both_sides_score_by_the_rules_and_take_turns(preset: str) -> None:
    sides = sides_of(preset).apply_turns(["8H FRIBBLE", "H8 .RIENDS"], WORDS)
    board, points = Board(), []
    for text in ("8H FRIBBLE", "H8 .RIENDS"):
        placement = parse(text, board)
        points.append(score(board, placement, presets()[preset]).total)
        board = board.with_tiles(placement.cells, placement.tiles)
    assert (sides.ours, sides.theirs, sides.our_turn) == (*points, True)
    assert sides.board == board
    assert sides.lead == points[0] - points[1]
    assert [(turn.ours, turn.words) for turn in sides.turns] == [(True, ("FRIBBLE",)), (False, ("FRIENDS",))]


def test_a_turn_is_the_same_in_every_notation() -> None:
    begun = sides_of().after("8H FRIBBLE", WORDS)
    placement = parse("H8 .RIENDS", begun.board)
    texts = (standard(begun.board, placement), fribble_notation(begun.board, placement), "h8 FRIENDS")
    assert all(begun.after(text, WORDS) == begun.after("H8 .RIENDS", WORDS) for text in texts)


def test_tiles_put_back_and_passes_change_nothing_but_whose_turn_it_is() -> None:
    for text, kept in (("pass", "pass"), ("-", "pass"), ("exchange 3", "exchange 3"), ("-abc", "exchange 3")):
        sides = sides_of().after(text, WORDS)
        assert sides.turns[-1].text == kept
        assert (sides.board.empty, sides.ours, sides.theirs, sides.our_turn) == (True, 0, 0, False)


def test_turns_without_points_end_a_game_that_has_some() -> None:
    sides = sides_of().apply_turns(["pass"] * 4, WORDS)
    assert not sides.stalled, "no points have been scored yet"
    assert not sides_of().apply_turns(["8H AT", "pass", "pass"], WORDS).stalled
    assert sides_of().apply_turns(["8H AT", "pass", "exchange 2", "pass"], WORDS).stalled
    assert sides_of("standard").apply_turns(["pass"] * 6, WORDS).stalled


def test_what_the_lexicon_lacks_is_named_and_stays() -> None:
    sides = sides_of(our_turn=False).after("8H ZIT", WORDS)
    assert sides.turns[-1].unknown == ("ZIT",)
    assert sides.theirs > 0


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["hello"], "turn 1: 'hello' is not a move; accepted: 8H WORD"),
        (["8H AT", "1A AT"], "turn 2: the tiles touch no other"),
        (["8H AT", "8H BAT"], "turn 2: row 8, column H has A, where 'BAT' has B"),
        (["1A AT"], "turn 1: the first word covers the centre, row 8, column H"),
        (["8H ZZ"], "turn 1: Words With Friends has only 1 Z left besides what is on the board"),
        (["exchange ZZ"], "turn 1: Words With Friends has only 1 Z left"),
        (["8H ZAX", "exchange XZ"], "turn 2: Words With Friends has no X and no Z left besides"),
        (["8H ?x?i", "exchange ?Z"], "turn 2: Words With Friends has no blank left"),
        (["8H zzz?z"], "turn 1: Words With Friends has only 1 Z left"),
    ],
)
def test_an_impossible_turn_is_refused_with_its_number_and_fault(texts: list[str], says: str) -> None:
    with pytest.raises(BadTurn) as refused:
        sides_of().apply_turns(texts, WORDS)
    assert str(refused.value).startswith(says)


@examples(30)
@given(
    rack=st.text("ABCEINRST?", max_size=7).filter(lambda rack: rack.count("?") < 3 and rack.count("B") < 3)
)
def test_the_unseen_the_board_and_the_rack_are_the_whole_set(rack: str) -> None:
    held = "".join(tile for tile in rack if rack.count(tile) <= 1)
    sides = sides_of().after("8H FIb", WORDS)
    everything = sides.unseen(held) + sides.board.tiles + held
    assert sorted(everything) == sorted(sides.preset.tiles.full_bag)


def test_the_turns_of_a_game_lead_to_its_board_and_scores(lexicon: Lexicon) -> None:
    rules = Fribble(lexicon)
    options = Options(lexicon=LexiconRef.of(lexicon), challenge="double")
    last = gcg.replay(gcg.read(LONGER), rules, options)[-1]
    sides = sides_of().apply_turns(texts_of(last.turns), lexicon)
    assert sides.board == last.board
    assert (sides.ours, sides.theirs) == last.scores
    assert "pass" in texts_of(last.turns), "the play that was withdrawn"
