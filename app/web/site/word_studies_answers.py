"""Answers of the word studies API."""

from app.web.model import Documented
from app.words.study_lists import ListName


class HookedWord(Documented):
    """A word with its hooks."""

    word: str
    """The word."""
    front: str
    """Letters that make another word when put before it."""
    back: str
    """Letters that make another word when put after it."""
    meaning: str | None
    """The first definition; null if unknown, or if no dictionary is installed."""


class WordsFound(Documented):
    """The words found, partly listed."""

    word_count: int
    """Number of all words found."""
    words: list[HookedWord]
    """``limit`` words from ``offset``."""


class SomeWords(Documented):
    """Words, partly listed."""

    word_count: int
    """Number of all these words."""
    words: list[str]
    """``limit`` words from ``offset``."""


class ExtensionsAnswer(Documented):
    """The longer words that contain a word, each in the first list that applies."""

    front: SomeWords
    """Words that end with it."""
    back: SomeWords
    """Words that start with it."""
    both: SomeWords
    """Words with it inside."""


class HooksAnswer(Documented):
    """The hooks and extensions of a word."""

    word: str
    """The word, in lower case."""
    valid: bool
    """Whether it is in the lexicon."""
    front: str
    """Letters that make a word when put before it."""
    back: str
    """Letters that make a word when put after it."""
    without_first: bool
    """Whether it is a word without its first letter."""
    without_last: bool
    """Whether it is a word without its last letter."""
    extensions: ExtensionsAnswer
    """Longer words that contain it."""


class StemAnswer(Documented):
    """Six letters that make seven-letter words with another letter."""

    letters: str
    """The six letters in alphabetical order."""
    with_letters: str
    """The letters that make at least one word of seven letters with them."""
    word_count: int
    """Number of those words."""
    chance: float
    """Chance that seven tiles of a full Scrabble bag without blanks are such a word, 0 to 1."""


class StemsAnswer(Documented):
    """The stems, those with most letters first."""

    stem_count: int
    """Number of all stems."""
    stems: list[StemAnswer]
    """``limit`` stems from ``offset``."""


class StudyListAnswer(Documented):
    """A study list."""

    name: ListName
    """The list's name in URLs."""
    title: str
    """The list's name on pages."""
    about: str
    """A description of the list."""


class BingosAnswer(Documented):
    """The words that letters make with one more letter."""

    stem: str
    """The letters, in lower case."""
    with_letters: dict[str, SomeWords]
    """The words with each letter that makes any."""
    without: str
    """The letters that make no word."""


class StatisticsAnswer(Documented):
    """Statistics of a lexicon."""

    lexicon: str
    """The lexicon's name."""
    word_count: int
    """Number of words."""
    lengths: dict[int, int]
    """Number of words by length."""
    plurals: int
    """Words that are still words with an s appended."""
    letters: dict[str, float]
    """Share of each letter among all letters; together they are 1."""
    vowelless: int
    """Words without a, e, i, o and u."""
    anagrams: int
    """Words with at least one anagram."""
    longest: list[str]
    """The longest words."""


class BeginningsAnswer(Documented):
    """How many words begin with the same four letters."""

    beginning_count: int
    """Number of different beginnings."""
    beginnings: dict[str, int]
    """Number of words by beginning, alphabetically: ``limit`` of them from ``offset``."""


class SenseAnswer(Documented):
    """One sense of a word."""

    lemma: str
    """The dictionary form: mouse for mice."""
    part: str
    """``noun``, ``verb``, ``adjective`` or ``adverb``."""
    meaning: str
    """The definition."""


class DefinitionAnswer(Documented):
    """The definitions of a word."""

    word: str
    """The word, in lower case."""
    senses: list[SenseAnswer]
    """The word's senses in WordNet, nouns first; empty if it has none, or if WordNet is not installed."""
    definition: str
    """URL of the word's definition in Wiktionary."""
