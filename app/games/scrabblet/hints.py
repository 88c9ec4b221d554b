"""Hints that spoil little: how many required words there still are, by beginning and by length."""

from collections import Counter
from collections.abc import Iterable

from app.games.game import Frozen


class GridRow(Frozen):
    """The words that begin with one letter."""

    letter: str
    counts: tuple[int, ...]
    """How many there are of each length, in the order of ``Hints.lengths``."""
    total: int


class Start(Frozen):
    """The words that begin with two letters."""

    letters: str
    words: int


class Hints(Frozen):
    """What is told of the required words that are still to be found."""

    words: int
    pangrams: int
    """How many of them use every letter of the hand."""
    lengths: tuple[int, ...]
    """The lengths they have, ascending: the columns of the grid."""
    grid: tuple[GridRow, ...]
    """Rows by the alphabet."""
    starts: tuple[Start, ...]
    """Beginnings by the alphabet."""


def hints(words: Iterable[str], pangrams: int) -> Hints:
    """The hints to these words, ``pangrams`` of which use every letter."""
    left = list(words)
    cells = Counter((word[0], len(word)) for word in left)
    lengths = tuple(sorted({len(word) for word in left}))
    rows = {
        letter: tuple(cells[letter, length] for length in lengths)
        for letter in sorted({word[0] for word in left})
    }
    return Hints(
        words=len(left),
        pangrams=pangrams,
        lengths=lengths,
        grid=tuple(GridRow(letter=letter, counts=row, total=sum(row)) for letter, row in rows.items()),
        starts=tuple(
            Start(letters=letters, words=number)
            for letters, number in sorted(Counter(word[:2] for word in left).items())
        ),
    )
