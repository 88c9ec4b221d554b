"""Hints without spoilers: the number of required words left, by first letters and by length."""

from collections import Counter
from collections.abc import Iterable

from app.games.game import Frozen


class GridRow(Frozen):
    """The words that start with one letter."""

    letter: str
    counts: tuple[int, ...]
    """The number of words of each length, in the order of ``Hints.lengths``."""
    total: int


class Start(Frozen):
    """The words that start with two letters."""

    letters: str
    words: int


class Hints(Frozen):
    """Hints about the required words not found yet."""

    words: int
    pangrams: int
    """The number of them that use every letter of the hand."""
    lengths: tuple[int, ...]
    """Their lengths, ascending: the columns of the grid."""
    grid: tuple[GridRow, ...]
    """Rows in alphabetical order."""
    starts: tuple[Start, ...]
    """In alphabetical order."""


def hints(words: Iterable[str], pangrams: int) -> Hints:
    """Return the hints for these words, ``pangrams`` of which use every letter."""
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
