"""The shipped puzzles: ``data/puzzles/KIND.jsonl.xz``, made by ``wibble puzzles make --seed starter``.

After a change to Fribble's engine, ``wibble puzzles verify --out`` kept those that still hold, and
``--seed second`` added others.
"""

import lzma
from collections.abc import Mapping
from functools import cache
from typing import Final

from app.games.puzzles import Puzzle, read_puzzles
from app.resources import resource

_STEP: Final = 7919
"""A prime: so many puzzles further is the puzzle of the next day."""


class BadPuzzleId(ValueError):
    """A text that is no ID of a puzzle; the message says where."""


class NoPuzzle(LookupError):
    """There is no puzzle left, or none of this game."""


@cache
def shipped_puzzles(kind: str) -> Mapping[str, Puzzle]:
    """Return the puzzles of a kind of game by ID, in the order of the file; none if there is no file."""
    file = resource("data") / "puzzles" / f"{kind}.jsonl.xz"
    if not file.is_file():
        return {}
    text = lzma.decompress(file.read_bytes()).decode("utf-8")
    return {puzzle.id: puzzle for puzzle in read_puzzles(text)}


def puzzle_of_day(kind: str, day: int) -> Puzzle | None:
    """Return the puzzle of a day, given by its number; None if there are none.

    A puzzle comes again once all had their day.
    """
    puzzles = list(shipped_puzzles(kind).values())
    return puzzles[day * _STEP % len(puzzles)] if puzzles else None
