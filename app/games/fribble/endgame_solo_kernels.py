"""An upper bound on what a player can still score in an endgame if the opponent only passes.

A player cannot gain more than that, since the opponent can always pass. All words made from then on consist
of tiles on the board and the player's own, so the words possible on a line depend only on the line and the
rack (``endgame_word_kernels``). Their scores are computed once for each line and rack, and cached.

A turn of one tile scores at most what the tile scores now or, in words that contain other tiles of the rack,
the sum of its best word across and its best word down. A turn of several tiles scores at most the best word
in which all of them are new, plus the best crossing words. The bound is the maximum over all divisions of the
rack into turns. Other tiles of the rack in a word with one new tile must have been laid in earlier turns, so
the number of tiles laid before limits how many a turn's words can contain.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame_bound_kernels import compute_single_scores, is_single
from app.games.fribble.endgame_move_kernels import (
    ALPHA,
    BETA,
    BOUNDED,
    INFINITE,
    MINE,
    MY_POINTS,
    PASSED,
    PLIES,
    POSITIONS,
    RESULT,
    ROOT,
    SINGLES,
    SLOT_BITS,
    THEIR_POINTS,
    THEIRS,
    UNBOUNDED,
    Keys,
    LiveBoard,
    Tree,
    count_tiles,
    holds,
    rack_key,
)
from app.games.fribble.endgame_word_kernels import (
    ALL_NEW,
    LEVELS,
    WordArrays,
    compute_best_scores,
)
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, lowest_bit

# The columns of a table of bounds, which has a row for each ply: the stride of each slot of the rack, and the
# bound for each set of its tiles. The number of a set is the sum of the strides of its tiles.
STRIDES, BOUNDS = 0, RACK
_BOUND_SHAPE: Final = (PLIES + 1, RACK + (1 << RACK))

_EXPECTED: Final = 1 << 10

# The bound is computed if the opponent has at most _FEW tiles, and the last bound of the same rack would
# settle the position or is at most _LITTLE points too high for that. For each further point, the rack is
# skipped _PATIENCE times before its bound is computed again. A rack without a bound counts as _UNKNOWN points
# too high. Bounds below _EACH_TILE points a tile are so rare that none is computed if only those would help.
_FEW: Final = 3
_LITTLE: Final = 5
_PATIENCE: Final = 16
_UNKNOWN: Final = 15
_EACH_TILE: Final = 4


class SoloArrays(NamedTuple):
    """The arrays of bounds."""

    bounds: NDArray[np.int64]
    """A row for each ply: see STRIDES and BOUNDS."""
    expected: NDArray[np.int64]
    """The last bound of a rack, by its key, times _PATIENCE."""


def solo_arrays() -> SoloArrays:
    """Return new, empty arrays."""
    return SoloArrays(np.zeros(_BOUND_SHAPE, np.int64), np.zeros(_EXPECTED, np.int64))


@inlined
def solo_bound(bounds: NDArray[np.int64], row: int, rack: int) -> int:
    """Return the bound for a rack that is the row's rack or a part of it."""
    number = BOUNDS
    for slot in range(RACK):
        number += (rack >> SLOT_BITS * slot & 7) * bounds[row, STRIDES + slot]
    return int(bounds[row, number])


@inlined
def combine(best_scores: NDArray[np.int16], singles: NDArray[np.int64], rack: int) -> None:
    """Write the most that each tile of a rack scores in two words at once, and in one, by its slot and level.

    The level is the maximum number of other tiles of the rack in these words together. At level 0 the tile
    scores at most what it scores now (``singles``).
    """
    across, down, both, either = best_scores
    count = count_tiles(rack)
    most_others = count - 1 if count < LEVELS else 2 * LEVELS - 2
    for slot in range(RACK):
        if rack >> SLOT_BITS * slot & 7 == 0:
            continue
        column = slot * LEVELS
        most = min(max(0, singles[slot]), max(0, across[column]) + max(0, down[column]))
        both[column] = most
        for others in range(1, most_others + 1):
            for beside in range(max(0, others - LEVELS + 1), min(others, LEVELS - 1) + 1):
                first = across[column + beside]
                second = down[column + others - beside]
                if (first >= 0 or beside == 0) and (second >= 0 or beside == others):
                    most = max(most, max(0, first) + max(0, second))
            both[column + min(others, LEVELS - 1)] = most
        most = 0
        for level in range(min(count, LEVELS)):
            most = max(most, across[column + level], down[column + level])
            either[column + level] = most


@inlined
def compute_solo_bounds(
    bonus: int,
    rack: int,
    best_scores: NDArray[np.int16],
    singles: NDArray[np.int64],
    sets: NDArray[np.int64],
    bounds: NDArray[np.int64],
    row: int,
) -> None:
    """Write a row of bounds for a rack: the most that each set of its tiles can score."""
    combine(best_scores, singles, rack)
    both = best_scores[2]
    either = best_scores[3]
    most_new = max(0, best_scores[0, ALL_NEW], best_scores[1, ALL_NEW])
    count = count_tiles(rack)
    total = 1
    sets[0] = 0
    bounds[row, BOUNDS] = 0
    for slot in range(RACK):
        stride = total
        total *= (rack >> SLOT_BITS * slot & 7) + 1
        bounds[row, STRIDES + slot] = stride
        for number in range(stride, total):
            sets[number] = sets[number - stride] + (1 << SLOT_BITS * slot)
    for number in range(1, total):
        tiles = sets[number]
        level = min(count - count_tiles(tiles), LEVELS - 1)
        most = 0
        for part in range(1, number + 1):
            laid = sets[part]
            if not holds(tiles, laid):
                continue
            size = count_tiles(laid)
            gained = bounds[row, BOUNDS + number - part]
            if size == 1:
                gained += both[lowest_bit(laid) // SLOT_BITS * LEVELS + level]
            else:
                gained += most_new + (bonus if size == RACK else 0)
                for slot in range(RACK):
                    gained += (laid >> SLOT_BITS * slot & 7) * either[slot * LEVELS + level]
            most = max(most, gained)
        bounds[row, BOUNDS + number] = most


@inlined
def settles_by_solo_bound(
    board: LiveBoard,
    tree: Tree,
    keys: Keys,
    cache: WordArrays,
    solo: SoloArrays,
    stuck: bool,  # noqa: FBT001 - kernels take no keywords
    ply: int,
) -> bool:
    """Return whether a player gains too little even if the opponent, who has few tiles, only passes.

    RESULT in ``registers`` is then a bound on the value. Otherwise the ply's BOUNDED is a bit mask: 1 if its
    row has bounds of the player to move, 2 if the next ply's row has those of the opponent. The latter is set
    only if the player to move is ``stuck``, because the row is then still unchanged after the pass.
    """
    plies, registers = tree.plies, tree.registers
    bounds, expected = solo.bounds, solo.expected
    plies[ply, BOUNDED] = 0
    if ply == ROOT or registers[POSITIONS] < registers[UNBOUNDED]:
        return False
    for turn in range(2):
        own = plies[ply, THEIRS if turn else MINE]
        if count_tiles(plies[ply, MINE if turn else THEIRS]) > _FEW or is_single(own):
            continue
        seat = (ply + turn) & 1
        enough = -plies[ply, BETA] if turn else plies[ply, ALPHA]
        enough -= 2 * plies[ply, MY_POINTS if turn else THEIR_POINTS]
        if enough < _EACH_TILE * count_tiles(own):
            continue
        place = rack_key(own, tree.kinds[seat], keys.racks[seat]) & (len(expected) - 1)
        if turn or not plies[ply, PASSED] or plies[ply - 1, BOUNDED] < 2:
            if expected[place] == 0:
                expected[place] = _PATIENCE * (enough + _UNKNOWN)
            if expected[place] > _PATIENCE * (enough + _LITTLE) and not (turn and stuck):
                expected[place] -= 1
                continue
            if not compute_best_scores(board, keys, cache, tree.kinds[seat], tree.slots[seat], own):
                continue
            singles = plies[ply + turn, SINGLES : SINGLES + RACK]
            singles[:] = INFINITE
            compute_solo_bounds(board.bonus, own, cache.best_scores, singles, tree.sets, bounds, ply + turn)
            if solo_bound(bounds, ply + turn, own) > enough:
                compute_single_scores(board, tree, ply - turn, ply, singles)
                compute_solo_bounds(
                    board.bonus, own, cache.best_scores, singles, tree.sets, bounds, ply + turn
                )
        most = solo_bound(bounds, ply + turn, own)
        expected[place] = _PATIENCE * most
        if most <= enough:
            most += 2 * plies[ply, MY_POINTS if turn else THEIR_POINTS]
            registers[RESULT] = -most if turn else most
            return True
        if turn == 0:
            plies[ply, BOUNDED] = 1
        elif stuck:
            plies[ply, BOUNDED] += 2
    return False
