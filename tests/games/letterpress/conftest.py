from random import Random

import pytest

from app.games.letterpress.rules import Letterpress
from app.games.letterpress.solver import Solver
from app.words.lexicon import Lexicon
from app.words.library import Library


@pytest.fixture(scope="session")
def lexicon(library: Library) -> Lexicon:
    """The original game's word list, which the reference positions use."""
    return library.load("letterpress")


@pytest.fixture(scope="session")
def game(lexicon: Lexicon) -> Letterpress:
    return Letterpress(lexicon)


@pytest.fixture(scope="session")
def solver(lexicon: Lexicon) -> Solver:
    return Solver(lexicon)


@pytest.fixture(scope="session")
def few_words(lexicon: Lexicon) -> Lexicon:
    return Lexicon.from_words(Random(1).sample(list(lexicon), 400), "some")
