"""Moves on study boards of Letterpress follow the rules of its games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.game import LexiconRef
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Options, Pass
from app.games.letterpress.study import LetterpressStudy, StudyPosition, tree_of_game
from app.games.study_tree import BadStudy, replay
from app.words.lexicon import Lexicon
from tests.examples import examples

RULES = LetterpressStudy()
BOARD = "bnbdaetgreliegbcnhdlxmhoi"


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("a", "has 1 letter"),
        ("zebra", "needs more of Z"),
        ("bread 0 8 5 4 25", "cell 25 is not on the board"),
        ("bread 0 8 5 4 4", "cell 4 is used twice"),
        ("bread 0 8 5 4 1", "spell BREAN, not BREAD"),
        ("b4", "is not a move"),
        ("breathing", "was played already"),
        ("breath", "begins BREATHING"),
    ],
)
def test_an_impossible_move_is_refused_with_its_reason(lexicon: Lexicon, move: str, says: str) -> None:
    position = StudyPosition(board=BOARD, played=("breathing",))
    with pytest.raises(BadStudy, match=says):
        RULES.play(Letterpress(lexicon), position, move)


def test_a_word_that_the_list_lacks_is_reported(lexicon: Lexicon) -> None:
    assert RULES.play(Letterpress(lexicon), StudyPosition(board=BOARD), "tnrd").unlisted == ("TNRD",)


@examples(40)
@given(st.integers(0, 10**6), st.lists(st.booleans(), max_size=8))
def test_a_game_becomes_a_tree_with_the_same_positions(
    lexicon: Lexicon, seed: int, plays: list[bool]
) -> None:
    game = Letterpress(lexicon)
    states = [game.start(Options(lexicon=LexiconRef.of(lexicon), letters="usual"), 2, str(seed))]
    for number, is_word in enumerate(plays):
        state = states[-1]
        if state.reason is not None:
            break
        move = game.bot(state, state.to_move, 1).move if is_word else Pass()
        states.append(game.apply(state, state.to_move, move, float(number)))
    steps = replay(tree_of_game(states, ("Ada", "Bob")), RULES, game)
    assert len(steps) == len(states)
    for step, state in zip(steps, states, strict=True):
        position = step.position
        assert (position.owned(0), position.owned(1)) == state.owned
        assert position.played == state.played
        assert (RULES.ending(position) is None) == (state.reason is None)
