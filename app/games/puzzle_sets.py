"""The shipped puzzles: ``data/puzzles/KIND.jsonl.xz``, made by ``wibble puzzles make --seed starter``.

After a change to an engine, ``wibble puzzles verify --out`` keeps those that still hold, and ``make`` with
another seed adds others: ``second`` in Fribble, ``shuffles tried`` in Wibble.
"""

import lzma
from collections.abc import Mapping
from functools import cache
from typing import Final

from app.games.puzzles import Puzzle, read_puzzles
from app.resources import resource

_STEP: Final = 7919
"""The next day's puzzle is this many puzzles further. A prime."""


class BadPuzzleId(ValueError):
    """The text is not a puzzle ID; the message names the error's place."""


class NoPuzzle(LookupError):
    """There are no puzzles left, or none for this game."""


@cache
def shipped_puzzles(kind: str) -> Mapping[str, Puzzle]:
    """Return the puzzles of a kind of game by ID, in the order of the file; empty if there is no file."""
    file = resource("data") / "puzzles" / f"{kind}.jsonl.xz"
    if not file.is_file():
        return {}
    text = lzma.decompress(file.read_bytes()).decode("utf-8")
    return {puzzle.id: puzzle for puzzle in read_puzzles(text)}


def puzzle_of_day(kind: str, day: int) -> Puzzle | None:
    """Return the puzzle of a day, given by its number; None if there are none.

    A puzzle is repeated only after all others.
    """
    puzzles = list(shipped_puzzles(kind).values())
    return puzzles[day * _STEP % len(puzzles)] if puzzles else None
