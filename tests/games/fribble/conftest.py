import pytest

from app.games.fribble.rules import Fribble
from app.words.lexicon import Lexicon


@pytest.fixture(scope="session")
def game(lexicon: Lexicon) -> Fribble:
    return Fribble(lexicon)
