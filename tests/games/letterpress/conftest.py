import pytest

from app.games.letterpress.rules import Letterpress
from app.words.lexicon import Lexicon


@pytest.fixture(scope="session")
def game(lexicon: Lexicon) -> Letterpress:
    return Letterpress(lexicon)
