import pytest

from app.games.letterpress.rules import Letterpress
from app.words.lexicon import Lexicon
from app.words.library import Library


@pytest.fixture(scope="session")
def lexicon(library: Library) -> Lexicon:
    """The list of the game itself, for which the positions known from elsewhere are."""
    return library.load("letterpress")


@pytest.fixture(scope="session")
def game(lexicon: Lexicon) -> Letterpress:
    return Letterpress(lexicon)
