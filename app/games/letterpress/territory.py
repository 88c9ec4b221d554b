"""Ownership of the 25 tiles, as bit masks: bit ``i`` is cell ``i``, row by row."""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from app.games.game import Frozen, IllegalMove
from app.games.letterpress import evaluation

SIDE: Final = 5
CELLS: Final = evaluation.CELLS
EVERY: Final = evaluation.EVERY
MAJORITY: Final = evaluation.MAJORITY


def mask_of(cells: Iterable[int]) -> int:
    """Return the mask of these cells."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> tuple[int, ...]:
    """Return the cells of the mask, ascending."""
    return tuple(cell for cell in range(CELLS) if mask >> cell & 1)


NEIGHBOURS: Final = tuple(
    mask_of(
        other
        for other in range(CELLS)
        if abs(cell // SIDE - other // SIDE) + abs(cell % SIDE - other % SIDE) == 1
    )
    for cell in range(CELLS)
)
"""Per cell: the mask of its orthogonal neighbours."""


def protected(own: int) -> int:
    """Return the cells of ``own`` that cannot be taken: all their neighbours are in ``own``."""
    across = (own >> 1 | evaluation.LAST_COLUMN) & (own << 1 | evaluation.FIRST_COLUMN)
    above = (own >> 5 | evaluation.BOTTOM_ROW) & (own << 5 | evaluation.TOP_ROW)
    return own & across & above


def vulnerability(own: int) -> int:
    """Return LetterPwn's vulnerability score of a territory.

    The sum, over its cells, of the number of neighbours outside it.
    """
    return sum((NEIGHBOURS[cell] & ~own).bit_count() for cell in cells_of(own))


class Territory(Frozen):
    """The owners of the tiles between two turns, as the side to move sees them."""

    ours: int = 0
    theirs: int = 0

    def after(self, cells: int) -> "Territory":
        """Return the board, from our side, after we play these cells; the opponent keeps protected ones."""
        taken = cells & ~protected(self.theirs)
        return Territory(ours=self.ours | taken, theirs=self.theirs & ~taken)

    @property
    def turned(self) -> "Territory":
        """The same board from the other side."""
        return Territory(ours=self.theirs, theirs=self.ours)

    @cached_property
    def full(self) -> bool:
        """Whether every tile has an owner, which ends the game."""
        return self.ours | self.theirs == EVERY

    @cached_property
    def lead(self) -> int:
        """Our tiles minus theirs."""
        return self.ours.bit_count() - self.theirs.bit_count()

    @cached_property
    def evaluate(self) -> int:
        """The static evaluation: the lead plus three times the lead in protected tiles."""
        return self.lead + 3 * (protected(self.ours).bit_count() - protected(self.theirs).bit_count())


def lay(word: str, board: str, territory: Territory) -> tuple[int, ...]:
    """Return cells for a typed word, preferring the opponent's unprotected cells, then unowned ones.

    Raises IllegalMove if the letters are not on the board.
    """
    theirs = territory.theirs
    unchanged = territory.ours | protected(theirs)
    order = sorted(range(CELLS), key=lambda cell: 2 if unchanged >> cell & 1 else 1 - (theirs >> cell & 1))
    cells: list[int] = []
    for letter in word:
        cell = next((cell for cell in order if board[cell] == letter and cell not in cells), None)
        if cell is None:
            raise IllegalMove(f"{word.upper()} needs more of {letter.upper()} than this board has")
        cells.append(cell)
    return tuple(cells)
