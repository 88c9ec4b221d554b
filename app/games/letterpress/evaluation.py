"""Letterpress boards as bit boards, and their evaluation.

Cells are bits of a mask, as in LetterPwn. Loops over all placements are flat, branch-free and 32-bit, so that
the compiler vectorises them; this is why there are casts to ``int32``. Uncompiled, NumPy computes the same.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import inlined, loop_of, popcount

CELLS: Final = 25
EVERY: Final = (1 << CELLS) - 1
"""The mask of all cells."""
MAJORITY: Final = 13
"""The number of tiles that wins on a full board."""
FIRST_COLUMN: Final = 0x0108421
LAST_COLUMN: Final = 0x1084210
TOP_ROW: Final = 0x000001F
BOTTOM_ROW: Final = 0x1F00000


@inlined
def protected(own: Any) -> Any:
    """Return the cells of ``own`` (one mask or an array) whose orthogonal neighbours are all in ``own``."""
    across = np.int32((own >> 1) | LAST_COLUMN) & np.int32(np.int32(own << 1) | FIRST_COLUMN)
    above = np.int32((own >> 5) | BOTTOM_ROW) & np.int32(np.int32(own << 5) | TOP_ROW)
    return np.int32(own & across & above)


@inlined
def count(cells: Any) -> np.int32:
    """Return the number of cells."""
    return np.int32(popcount(cells))


@inlined
def evaluate(ours: np.int32, theirs: np.int32, win: np.int32) -> np.int32:
    """Return the static evaluation of a position for us.

    On a full board ``win`` or ``-win``; otherwise the lead in tiles plus three times the lead in protected
    tiles.
    """
    tiles = count(ours)
    balance = np.int32(tiles - count(theirs))
    protected_lead = np.int32(count(protected(ours)) - count(protected(theirs)))
    value = np.int32(balance + np.int32(3 * protected_lead))
    decided = win if tiles >= MAJORITY else np.int32(-win)
    return decided if np.int32(ours | theirs) == EVERY else value


def evaluate_all(ours: NDArray[np.int32], theirs: NDArray[np.int32], win: np.int32) -> NDArray[np.int32]:
    """Like :func:`evaluate`, for many positions, in NumPy."""
    tiles = np.bitwise_count(ours).astype(np.int32)
    protected_lead = np.bitwise_count(protected(ours)).astype(np.int32) - np.bitwise_count(protected(theirs))
    value = tiles - np.bitwise_count(theirs) + 3 * protected_lead
    return np.where(ours | theirs == EVERY, np.where(tiles >= MAJORITY, win, -win), value)


def evaluate_replies(
    masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32
) -> NDArray[np.int32]:
    """Return the evaluation after each of these replies, in NumPy."""
    lost = masks & ~protected(ours)
    return evaluate_all(ours & ~lost, theirs | lost, win)


def evaluate_placements(
    masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32
) -> NDArray[np.int32]:
    """Return the evaluation after each of these placements, in NumPy."""
    taken = masks & ~protected(theirs)
    return evaluate_all(ours | taken, theirs & ~taken, win)


def lowest(masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32) -> np.int32:
    """Return the minimum evaluation after any of these replies."""
    return np.int32(evaluate_replies(masks, ours, theirs, win).min(initial=win))


@loop_of(lowest)
def _lowest(masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32) -> np.int32:
    open_ = np.int32(~protected(ours))
    low = np.int32(win)
    for index in range(len(masks)):
        taken = np.int32(masks[index] & open_)
        low = min(low, evaluate(np.int32(ours & ~taken), np.int32(theirs | taken), win))
    return low


def highest(masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32) -> np.int32:
    """Return the maximum evaluation after any of these placements."""
    return np.int32(evaluate_placements(masks, ours, theirs, win).max(initial=-win))


@loop_of(highest)
def _highest(masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32) -> np.int32:
    open_ = np.int32(~protected(theirs))
    high = np.int32(-win)
    for index in range(len(masks)):
        taken = np.int32(masks[index] & open_)
        high = max(high, evaluate(np.int32(ours | taken), np.int32(theirs & ~taken), win))
    return high
