"""Board generation: letters by frequency or nearly uniform, with a minimum number of words."""

import tomllib
from collections import Counter
from collections.abc import Callable
from functools import cache
from math import fsum
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.games.letterpress.territory import CELLS
from app.games.randomness import generator, pick, shuffled, unit
from app.resources import resource
from app.words.draw import LetterDraw
from app.words.letters import ALPHABET, frequencies

VOWELS: Final = "aeiou"
CONSONANTS: Final = "".join(letter for letter in ALPHABET if letter not in VOWELS)
RARE: Final = "jqxz"
LONG: Final = 7
"""Letters of a long word."""

Letters: TypeAlias = Literal["usual", "even"]
"""How the letters of a board are drawn: by their frequency in words, or with equal probability."""


class BoardRules(Frozen):
    """Parameters of board generation, from ``data/letterpress/game.toml``."""

    frequencies: Literal["prose", "dictionary"] | None = None
    """The table of letter frequencies; None if all vowels are equally likely, and all consonants."""
    vowels: tuple[int, int]
    """The minimum and maximum number of vowels."""
    alike: int = Field(ge=2)
    """The maximum number of tiles with the same letter."""
    rare: int = Field(default=CELLS, ge=0)
    """The maximum number of tiles with one of the letters ``RARE``."""
    words: tuple[int, int]
    """The minimum and maximum number of words."""
    long_words: int = Field(default=0, ge=0)
    """The minimum number of common words of ``LONG`` or more letters."""


class WordCount(NamedTuple):
    """The words on a board."""

    words: int
    long: int
    """The common ones of ``LONG`` or more letters."""


@cache
def board_rules(letters: Letters) -> BoardRules:
    """Return the parameters of board generation."""
    table = tomllib.loads((resource("data") / "letterpress" / "game.toml").read_text(encoding="utf-8"))
    return TypeAdapter(dict[Letters, BoardRules]).validate_python(table["board"])[letters]


def draw_board(seed: str, letters: Letters, count: Callable[[str], WordCount]) -> str:
    """Return the board for this seed: the first draw with neither too few nor too many words.

    If there is none in 100 draws, as with a small lexicon, the one with the most words.
    """
    rules = board_rules(letters)
    random = generator(seed, 0)
    fewest, most = rules.words
    richest, richest_words = "", -1
    for _ in range(100):
        board = _drawn(random, rules)
        words, long = count(board)
        if fewest <= words <= most and long >= rules.long_words:
            return board
        if words > richest_words:
            richest, richest_words = board, words
    return richest


def _drawn(random: Random, rules: BoardRules) -> str:
    fewest, most = rules.vowels
    vowels = pick(random, range(fewest, most + 1))
    counts: Counter[str] = Counter()
    letters: list[str] = []
    while len(letters) < CELLS:
        letter = _letter(random, VOWELS if len(letters) < vowels else CONSONANTS, rules)
        rare = sum(counts[each] for each in RARE)
        if counts[letter] < rules.alike and (letter not in RARE or rare < rules.rare):
            counts[letter] += 1
            letters.append(letter)
    return "".join(shuffled(random, letters))


def _letter(random: Random, among: str, rules: BoardRules) -> str:
    return _draw(rules.frequencies, among)(unit(random)) if rules.frequencies else pick(random, among)


@cache
def _draw(table: Literal["prose", "dictionary"], among: str) -> LetterDraw:
    """Draws from some of the letters, by their frequencies."""
    shares = [
        share if letter in among else 0.0 for letter, share in zip(ALPHABET, frequencies(table), strict=True)
    ]
    total = fsum(shares)  # the same in every version of Python, so that a seed deals the same board
    return LetterDraw([share / total for share in shares])
