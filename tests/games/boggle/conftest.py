import pytest

from app.games.boggle.rules import Boggle
from app.words.lexicon import Lexicon


@pytest.fixture(scope="session")
def game(lexicon: Lexicon) -> Boggle:
    return Boggle(lexicon)
