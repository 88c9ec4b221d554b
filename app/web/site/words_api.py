"""Lexicons API: list lexicons and look up words."""

from dataclasses import asdict
from typing import Annotated, Any, ClassVar

from fastapi import Query, Request

from app.renamed import old_name
from app.web.model import Documented
from app.web.preferences import preferences_of
from app.web.router import api_router
from app.web.services import DictionaryDep, Lexicons
from app.web.word_field import Letters
from app.words import lookup
from app.words.library import Library
from app.words.vocabulary import Level

router = api_router("/api/words", "words")


class LexiconAnswer(Documented):
    """A lexicon that games and engines accept by name."""

    name: str
    title: str
    word_count: int
    """The number of words."""
    sha256: str
    shipped: bool
    """False for a lexicon added to this installation."""
    words: ClassVar[Any] = old_name("word_count", int)


class WordAnswer(Documented):
    """A word in a lexicon."""

    word: str
    lexicon: str
    valid: bool
    rank: int | None
    """Frequency rank, 1 for the most common English word; null if unknown."""
    level: Level | None
    """How well known the word is: basic, common, highbrow, obscure or everything; null if it is not valid."""
    points: dict[str, int]
    """The sum of its letters' values, by table of letter values."""
    meaning: str | None
    """The meaning in one line; null if the word is not valid, or if no installed dictionary has it."""
    definition: str
    """URL of the word's definition."""


@router.get("", response_model=list[LexiconAnswer], summary="List the lexicons")
def list_lexicons(lexicons: Lexicons) -> list[LexiconAnswer]:
    """The lexicons of this installation, the default first."""
    return [
        LexiconAnswer(
            name=info.name, title=info.title, word_count=info.words, sha256=info.sha256, shipped=info.shipped
        )
        for info in lexicons.names()
    ]


@router.get("/{word}", response_model=WordAnswer, summary="Look up a word")
def look_up(
    word: Letters,
    request: Request,
    lexicons: Lexicons,
    dictionary: DictionaryDep,
    lexicon: Annotated[str, Query()] = Library.default,
) -> WordAnswer:
    """Whether a word is valid, how common it is, the values of its letters, and its meaning."""
    facts = lookup.look_up(lexicons.load(lexicon), word)
    shown = facts.valid and (facts.family or not preferences_of(request).family)
    meaning = dictionary.in_one_line(word) if shown else None
    return WordAnswer.model_validate(asdict(facts) | {"meaning": meaning})
