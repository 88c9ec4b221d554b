"""The lexicons over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import AfterValidator, BaseModel

from app.web.problems import describe
from app.web.services import House
from app.words.letters import letter_values
from app.words.lexicon import UNRANKED
from app.words.library import Library
from app.words.vocabulary import Level, level_of

router = APIRouter(prefix="/api/words", tags=["words"])


class LexiconAnswer(BaseModel):
    """A list of words that games and engines take by name."""

    name: str
    title: str
    words: int
    sha256: str
    shipped: bool
    """False for a list this installation's owner added."""


class WordAnswer(BaseModel):
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
def list_lexicons(house: House) -> list[LexiconAnswer]:
    """Every lexicon this installation has; the first is the default."""
    return [
        LexiconAnswer(
            name=info.name, title=info.title, words=info.words, sha256=info.sha256, shipped=info.shipped
        )
        for info in house.library.names()
    ]


def _letters(word: str) -> str:
    if not (word.isascii() and word.isalpha()):
        raise ValueError(f"{word!r} is no word: only the letters a to z are accepted")
    return word.lower()


@router.get("/{word}", response_model=WordAnswer, responses=describe(422), summary="Look a word up")
def look_up(
    word: Annotated[str, Path(max_length=64), AfterValidator(_letters)],
    house: House,
    lexicon: Annotated[str, Query()] = Library.default,
) -> WordAnswer:
    """Whether a word is valid, how common it is and what its letters are worth."""
    words = house.library.load(lexicon)
    index = words.index(word)
    rank = UNRANKED if index is None else int(words.ranks[index])
    return WordAnswer(
        word=word,
        lexicon=words.name,
        valid=index is not None,
        rank=None if rank == UNRANKED else rank,
        level=None if index is None else level_of(words, word),
        points={
            table: sum(letter_values(table)[ord(letter) - ord("a")] for letter in word)
            for table in ("scrabble", "spellcast")
        },
        definition=f"https://en.wiktionary.org/wiki/{word}",
    )
