"""Boards to play on: drawn from a seed, near-uniform in their letters and never poor in words."""

import tomllib
from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Final

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.games.letterpress.territory import CELLS
from app.games.randomness import generator, pick, shuffled
from app.resources import resource
from app.words.letters import ALPHABET

VOWELS: Final = "aeiou"
CONSONANTS: Final = "".join(letter for letter in ALPHABET if letter not in VOWELS)


class BoardRules(Frozen):
    """How boards are drawn, from ``data/letterpress.toml``."""

    vowels: tuple[int, int]
    """The fewest and the most of them."""
    alike: int = Field(ge=2)
    """The most tiles with the same letter."""
    words: int = Field(ge=0)
    """The fewest words that a board may have."""


@cache
def board_rules() -> BoardRules:
    """The rules that boards are drawn by."""
    table = tomllib.loads((resource("data") / "letterpress.toml").read_text(encoding="utf-8"))
    return TypeAdapter(BoardRules).validate_python(table["board"])


def draw_board(seed: str, count: Callable[[str], int]) -> str:
    """The board of this seed: the first of its draws on which ``count`` finds words enough.

    A lexicon may be too small for that: of 100 draws without one, the richest is taken.
    """
    rules = board_rules()
    random = generator(seed, 0)
    best, most = "", -1
    for _ in range(100):
        board = _drawn(random, rules)
        words = count(board)
        if words >= rules.words:
            return board
        if words > most:
            best, most = board, words
    return best


def _drawn(random: Random, rules: BoardRules) -> str:
    fewest, most = rules.vowels
    vowels = pick(random, range(fewest, most + 1))
    counts: Counter[str] = Counter()
    letters: list[str] = []
    while len(letters) < CELLS:
        letter = pick(random, VOWELS if len(letters) < vowels else CONSONANTS)
        if counts[letter] < rules.alike:
            counts[letter] += 1
            letters.append(letter)
    return "".join(shuffled(random, letters))
