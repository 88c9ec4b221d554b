"""Who owns which of the 25 tiles: sets of cells as masks, bit ``i`` for cell ``i``, row by row."""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from app.games.game import Frozen, IllegalMove
from app.games.letterpress import kernels

SIDE: Final = 5
CELLS: Final = kernels.CELLS
EVERY: Final = kernels.EVERY
MAJORITY: Final = kernels.MAJORITY


def mask_of(cells: Iterable[int]) -> int:
    """The set of these cells."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> tuple[int, ...]:
    """The cells of the set, ascending."""
    return tuple(cell for cell in range(CELLS) if mask >> cell & 1)


NEIGHBOURS: Final = tuple(
    mask_of(
        other
        for other in range(CELLS)
        if abs(cell // SIDE - other // SIDE) + abs(cell % SIDE - other % SIDE) == 1
    )
    for cell in range(CELLS)
)
"""Per cell: the cells orthogonally beside it."""


def protected(own: int) -> int:
    """The cells of ``own`` that cannot be taken: every cell beside them is in ``own`` too."""
    return mask_of(cell for cell in cells_of(own) if NEIGHBOURS[cell] & ~own == 0)


def vulnerability(own: int) -> int:
    """The seed's measure of how open a territory lies.

    For each of its cells, the cells beside it that are not in it, added up.
    """
    return sum((NEIGHBOURS[cell] & ~own).bit_count() for cell in cells_of(own))


class Territory(Frozen):
    """The board between two turns, as the side to move sees it."""

    ours: int = 0
    theirs: int = 0

    def after(self, cells: int) -> "Territory":
        """The board after we played these cells, still as we see it: theirs turn, but for the protected."""
        taken = cells & ~protected(self.theirs)
        return Territory(ours=self.ours | taken, theirs=self.theirs & ~taken)

    @property
    def turned(self) -> "Territory":
        """The same board as the other side sees it."""
        return Territory(ours=self.theirs, theirs=self.ours)

    @cached_property
    def full(self) -> bool:
        """Whether every tile has an owner, which ends the game."""
        return self.ours | self.theirs == EVERY

    @cached_property
    def lead(self) -> int:
        """Our tiles less theirs."""
        return self.ours.bit_count() - self.theirs.bit_count()

    @cached_property
    def evaluate(self) -> int:
        """The lead, and three times the lead in protected tiles: what the search goes by."""
        return self.lead + 3 * (protected(self.ours).bit_count() - protected(self.theirs).bit_count())


def lay(word: str, board: str, territory: Territory) -> tuple[int, ...]:
    """Cells for a typed word: those that turn, theirs before nobody's, as far as there is a choice.

    Raises IllegalMove for a word that the board cannot make.
    """
    theirs = territory.theirs
    kept = territory.ours | protected(theirs)
    order = sorted(range(CELLS), key=lambda cell: 2 if kept >> cell & 1 else 1 - (theirs >> cell & 1))
    cells: list[int] = []
    for letter in word:
        cell = next((cell for cell in order if board[cell] == letter and cell not in cells), None)
        if cell is None:
            raise IllegalMove(f"{word.upper()} needs more of {letter.upper()} than this board has")
        cells.append(cell)
    return tuple(cells)
