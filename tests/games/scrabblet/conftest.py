from pathlib import Path

import pytest

from app.games.game import LexiconRef
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Options, Setup
from app.words.lexicon import Lexicon
from app.words.wordlist import read_words


@pytest.fixture(scope="session")
def game(lexicon: Lexicon) -> Scrabblet:
    return Scrabblet(lexicon)


@pytest.fixture(scope="session")
def redbo(reference: Path) -> Scrabblet:
    """The game over the word list used in "Wordgames"."""
    return Scrabblet(
        Lexicon.from_words(read_words(reference / "scrabblet" / "redbo-dictionary.txt"), "redbo")
    )


def options(game: Scrabblet, **choices: object) -> Options:
    """The options of a table opened with these choices."""
    return Options.model_validate({**Setup().model_dump(), **choices, "lexicon": LexiconRef.of(game.lexicon)})
