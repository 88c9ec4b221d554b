"""The lexicons over HTTP."""

from typing import Annotated

from fastapi import Query

from app.web.model import Documented
from app.web.router import api_router
from app.web.services import Lexicons
from app.web.word_field import Letters
from app.words import lookup
from app.words.library import Library
from app.words.vocabulary import Level

router = api_router("/api/words", "words")


class LexiconAnswer(Documented):
    """A list of words that games and engines take by name."""

    name: str
    title: str
    words: int
    sha256: str
    shipped: bool
    """False for a list this installation's owner added."""


class WordAnswer(Documented):
    """What is known of a word."""

    word: str
    lexicon: str
    valid: bool
    rank: int | None
    """1 for the commonest English word; null where its frequency is not known."""
    level: Level | None
    """How many people know it: basic, common, highbrow, obscure, everything; null for what is no word."""
    points: dict[str, int]
    """The sum of its letters' values, per table of values."""
    definition: str
    """Where its meaning stands."""


@router.get("", response_model=list[LexiconAnswer], summary="The lexicons")
def list_lexicons(lexicons: Lexicons) -> list[LexiconAnswer]:
    """Every lexicon this installation has; the first is the default."""
    return [
        LexiconAnswer(
            name=info.name, title=info.title, words=info.words, sha256=info.sha256, shipped=info.shipped
        )
        for info in lexicons.names()
    ]


@router.get("/{word}", response_model=WordAnswer, summary="Look a word up")
def look_up(
    word: Letters,
    lexicons: Lexicons,
    lexicon: Annotated[str, Query()] = Library.default,
) -> WordAnswer:
    """Whether a word is valid, how common it is and what its letters are worth."""
    return WordAnswer.model_validate(lookup.look_up(lexicons.load(lexicon), word), from_attributes=True)
