"""Looks up one word: whether it is valid, how common it is and the points of its letters."""

from dataclasses import dataclass

from app.words.definitions import wiktionary
from app.words.letters import ALPHABET, ValuesName, letter_values
from app.words.lexicon import UNRANKED, Lexicon
from app.words.vocabulary import Level, level_of

_VALUES: tuple[ValuesName, ...] = ("scrabble", "spellcast")


@dataclass(frozen=True, slots=True)
class WordFacts:
    """A word in a lexicon."""

    word: str
    lexicon: str
    valid: bool
    rank: int | None
    """Frequency rank, 1 for the commonest word; None if unknown."""
    level: Level | None
    """None if the word is not valid."""
    family: bool | None
    """Whether Wibble may show the word unprompted; None if the word is not valid."""
    points: dict[str, int]
    """The sum of its letters' values, per table of values."""
    definition: str
    """URL."""


def look_up(lexicon: Lexicon, word: str) -> WordFacts:
    """Look up a word of letters a-z."""
    index = lexicon.index(word)
    rank = UNRANKED if index is None else int(lexicon.ranks[index])
    return WordFacts(
        word=word,
        lexicon=lexicon.name,
        valid=index is not None,
        rank=None if rank == UNRANKED else rank,
        level=None if index is None else level_of(lexicon, word),
        family=None if index is None else bool(lexicon.family[index]),
        points={
            name: sum(letter_values(name)[ALPHABET.index(letter)] for letter in word) for name in _VALUES
        },
        definition=wiktionary(word),
    )
