import pytest

from app.games.wibble.rules import Wibble
from app.words.lexicon import Lexicon


@pytest.fixture(scope="session")
def wibble(lexicon: Lexicon) -> Wibble:
    """The rules over the default lexicon."""
    return Wibble(lexicon)
