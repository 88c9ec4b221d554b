"""Properties of every kind of game, for any sequence of moves."""

import pytest

from app.words.lexicon import Lexicon
from tests.games.trial import try_out
from tests.games.trials import TRIALS

FEW = [
    "ab",
    "aba",
    "ba",
    "bee",
    "eat",
    "eaten",
    "een",
    "ate",
    "tea",
    "quiet",
    "quit",
    "quite",
    "ea",
    "eeeee",
    "nit",
]


@pytest.mark.parametrize("kind", TRIALS)
def test_the_rules_hold_for_any_moves(lexicon: Lexicon, kind: str) -> None:
    try_out(TRIALS[kind](lexicon), games=15, steps=20)


@pytest.mark.parametrize("kind", TRIALS)
def test_the_rules_hold_with_a_handful_of_words(kind: str) -> None:
    try_out(TRIALS[kind](Lexicon.from_words(FEW, "few")), games=8, steps=20)
