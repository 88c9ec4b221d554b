"""Board generation: nearly uniform letters, with a minimum number of words."""

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
    """Parameters of board generation, from ``data/letterpress/game.toml``."""

    vowels: tuple[int, int]
    """The minimum and maximum number of vowels."""
    alike: int = Field(ge=2)
    """The maximum number of tiles with the same letter."""
    words: int = Field(ge=0)
    """The minimum number of words."""


@cache
def board_rules() -> BoardRules:
    """Return the parameters of board generation."""
    table = tomllib.loads((resource("data") / "letterpress" / "game.toml").read_text(encoding="utf-8"))
    return TypeAdapter(BoardRules).validate_python(table["board"])


def draw_board(seed: str, count: Callable[[str], int]) -> str:
    """Return the board for this seed: the first draw with enough words, as counted by ``count``.

    If none of 100 draws has enough words, as with a small lexicon, the one with the most.
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
