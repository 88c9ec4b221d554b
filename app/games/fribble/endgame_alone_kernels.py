"""An upper bound of what a player can still score in an endgame if the other one only passes.

Nobody gains more than that, for the other player may always pass. All words made from then on consist of
tiles on the board and of the player's own, so those that can ever stand on a line depend on the line and the
rack alone (``endgame_word_kernels``). What they score is computed once for each line and rack, and kept.

A turn that lays one tile scores what that tile scores now, or at most its best word across and its best word
down, if others of the rack are in them; one that lays several, the best word with all of its tiles new and
the best crossing words. The bound is that of the best division of the rack into turns. In a word with one new
tile, the others of the rack have been laid before: the fewer have been laid, the fewer there can be in the
words of a turn.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import LINES
from app.games.fribble.endgame_bound_kernels import is_single, note_singles
from app.games.fribble.endgame_move_kernels import (
    BOUNDED,
    FLOOR,
    HIGH,
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
    count_tiles,
    holds,
    rack_key,
)
from app.games.fribble.endgame_word_kernels import (
    ALL_NEW,
    LEVELS,
    RACK_SHAPE,
    SCORE_SHAPE,
    STRING_SHAPE,
    WORD_SHAPE,
    note_best,
)
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, lowest_bit

# The columns of a table of bounds, which has a row for each ply: the stride of each slot of the rack, and the
# bound for each set of its tiles. The number of a set is the sum of the strides of its tiles.
STRIDES, BOUNDS = 0, RACK
_BOUND_SHAPE: Final = (PLIES + 1, RACK + (1 << RACK))

_EXPECTED: Final = 1 << 10

# What a player gains alone is bounded if the other one has few tiles, and if the bound is expected to settle
# the position or to be so little too high; or once after so many positions for each point that it is higher.
# What is not known of a rack is expected to be so much too high. Hardly any bound is less than so many points
# a tile.
_FEW: Final = 3
_LITTLE: Final = 5
_PATIENCE: Final = 16
_UNKNOWN: Final = 15
_EACH_TILE: Final = 4


class BoundArrays(NamedTuple):
    """The arrays in which bounds are computed, in the order of the search's arguments."""

    line_keys: NDArray[np.int64]
    """(30,): the keys of the lines of the board."""
    known_lines: NDArray[np.int64]
    """The keys of lines and racks whose scores are known."""
    line_scores: NDArray[np.int16]
    """Their scores; -1 where there is no word."""
    best_scores: NDArray[np.int16]
    """The best scores of all lines across, of all lines down, of both together, and of either."""
    strings: NDArray[np.int64]
    words: NDArray[np.int64]
    """The own words of racks."""
    known_racks: NDArray[np.int64]
    """The keys of racks whose own words are listed, and where."""
    bounds: NDArray[np.int64]
    expected: NDArray[np.int64]
    """The last bound by the key of the rack, times _PATIENCE."""


def bound_arrays() -> BoundArrays:
    """Return new arrays, in which nothing is known."""
    return BoundArrays(
        np.zeros(LINES, np.int64),
        np.zeros(SCORE_SHAPE[0], np.int64),
        np.zeros(SCORE_SHAPE, np.int16),
        np.zeros((4, SCORE_SHAPE[1]), np.int16),
        np.zeros(STRING_SHAPE, np.int64),
        np.zeros(WORD_SHAPE, np.int64),
        np.zeros(RACK_SHAPE, np.int64),
        np.zeros(_BOUND_SHAPE, np.int64),
        np.zeros(_EXPECTED, np.int64),
    )


@inlined
def most_alone(bounds: NDArray[np.int64], row: int, rack: int) -> int:
    """Return the bound for tiles that are those of the row's rack or some of them."""
    number = BOUNDS
    for slot in range(RACK):
        number += (rack >> SLOT_BITS * slot & 7) * bounds[row, STRIDES + slot]
    return int(bounds[row, number])


@inlined
def combine(best_scores: NDArray[np.int16], singles: NDArray[np.int64]) -> None:
    """Write what each tile scores at most in two words at once, and in one, by its slot and level.

    The level limits how many others of the rack are in these words together. Without any, the tile scores
    what it does now.
    """
    across, down, both, either = best_scores
    for column in range(0, RACK * LEVELS, LEVELS):
        most = min(max(0, singles[column // LEVELS]), max(0, across[column]) + max(0, down[column]))
        both[column] = most
        for others in range(1, 2 * LEVELS - 1):
            for beside in range(max(0, others - LEVELS + 1), min(others, LEVELS - 1) + 1):
                first = across[column + beside]
                second = down[column + others - beside]
                if (first >= 0 or beside == 0) and (second >= 0 or beside == others):
                    most = max(most, max(0, first) + max(0, second))
            both[column + min(others, LEVELS - 1)] = most
        most = 0
        for level in range(LEVELS):
            most = max(most, across[column + level], down[column + level])
            either[column + level] = most


@inlined
def bound_alone(
    bonus: int,
    rack: int,
    best_scores: NDArray[np.int16],
    singles: NDArray[np.int64],
    sets: NDArray[np.int64],
    bounds: NDArray[np.int64],
    row: int,
) -> None:
    """Write a row of bounds for a rack: what is left of it scores at most so much, for each set of tiles."""
    combine(best_scores, singles)
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
def is_settled_alone(
    gaddag: NDArray[np.uint32],
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    bonus: int,
    plies: NDArray[np.int64],
    moves: NDArray[np.int64],
    listed: NDArray[np.int64],
    kinds: NDArray[np.int64],
    slots: NDArray[np.int64],
    square_keys: NDArray[np.int64],
    rack_keys: NDArray[np.int64],
    grid: NDArray[np.int32],
    filled: NDArray[np.int64],
    line_keys: NDArray[np.int64],
    known_lines: NDArray[np.int64],
    line_scores: NDArray[np.int16],
    best_scores: NDArray[np.int16],
    strings: NDArray[np.int64],
    words: NDArray[np.int64],
    known_racks: NDArray[np.int64],
    sets: NDArray[np.int64],
    bounds: NDArray[np.int64],
    expected: NDArray[np.int64],
    registers: NDArray[np.int64],
    stuck: bool,  # noqa: FBT001 - kernels take no keywords
    ply: int,
) -> bool:
    """Return whether one player gains too little even if the other one, who has few tiles, only passes.

    A bound of the value is then in ``registers``. Otherwise BOUNDED is the sum of 1 if there are bounds of
    the player to move, and of 2 if the next ply's row has those of the other one and is not changed before
    the pass that follows: so if the player to move is ``stuck``.
    """
    plies[ply, BOUNDED] = 0
    if ply == ROOT or registers[POSITIONS] < registers[UNBOUNDED]:
        return False
    for turn in range(2):
        own = plies[ply, THEIRS if turn else MINE]
        if count_tiles(plies[ply, MINE if turn else THEIRS]) > _FEW or is_single(own):
            continue
        seat = (ply + turn) & 1
        enough = -plies[ply, HIGH] if turn else plies[ply, FLOOR]
        enough -= 2 * plies[ply, MY_POINTS if turn else THEIR_POINTS]
        if enough < _EACH_TILE * count_tiles(own):
            continue
        place = rack_key(own, kinds[seat], rack_keys[seat]) & (len(expected) - 1)
        if turn or not plies[ply, PASSED] or plies[ply - 1, BOUNDED] < 2:
            if expected[place] == 0:
                expected[place] = _PATIENCE * (enough + _UNKNOWN)
            if expected[place] > _PATIENCE * (enough + _LITTLE) and not (turn and stuck):
                expected[place] -= 1
                continue
            if not note_best(
                gaddag,
                premiums,
                values,
                kinds[seat],
                slots[seat],
                grid,
                own,
                square_keys,
                rack_keys[0],
                line_keys,
                known_lines,
                line_scores,
                best_scores,
                strings,
                words,
                known_racks,
            ):
                continue
            singles = plies[ply + turn, SINGLES : SINGLES + RACK]
            singles[:] = INFINITE
            bound_alone(bonus, own, best_scores, singles, sets, bounds, ply + turn)
            if most_alone(bounds, ply + turn, own) > enough:
                note_singles(
                    gaddag,
                    premiums,
                    values,
                    grid,
                    kinds,
                    plies,
                    moves,
                    listed,
                    filled,
                    ply - turn,
                    ply,
                    singles,
                )
                bound_alone(bonus, own, best_scores, singles, sets, bounds, ply + turn)
        most = most_alone(bounds, ply + turn, own)
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
