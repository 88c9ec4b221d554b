"""The moves and plies of the endgame search, as arrays.

The moves of a position are those of the player's previous turn that are still possible, plus new ones on the
lines that have changed. An old move is possible if its tiles are still on the rack and nothing has been laid
on its squares or on the free squares around its words (BLOCKED): it then makes the same words for the same
points.

A rack is packed into a number: four bits for the count of each of up to seven kinds of tile, its slots. A set
of squares is four numbers of 60 bits each. The root is ply ROOT. The two plies before it hold all moves of
the two players on the root's board. With moves listed before the last turn, plies 0 and 1 hold those, and
ply 1 has the last turn.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import FREE, TILE
from app.games.fribble.layout import SIDE
from app.games.fribble.rack_kernels import BLANK, CELL_SHIFT, KINDS, LINE_SHIFT, TILE_BITS
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, lowest_bit

ROOT: Final = 4
PLIES: Final = 100
"""The maximum length of a line, in turns; longer ones count as not searched to their end."""
SLOT_BITS: Final = 4
GUARDS: Final = 0x8888888
"""The highest bit of each count of a rack: set before a subtraction, it is cleared if tiles are missing."""
ONE_IN_EACH_SLOT: Final = sum(1 << SLOT_BITS * slot for slot in range(RACK))
"""A packed rack with one tile in each slot."""
WORDS: Final = 4
WORD_BITS: Final = 60

# The columns of an array of moves.
MOVE, USED, SCORE, LAID, BLOCKED, FILLED = 0, 1, 2, 3, 4, 8
MOVE_COLUMNS: Final = 12

# The columns of a list of moves, which repeat those needed most often.
INDEX, PRIORITY, TILES_USED, NUMBER, ALIKE, UNTRIED_PLACE, UNTRIED_PRIORITY = range(7)
LIST_COLUMNS: Final = 7
"""Moves that use the same tiles are consecutive and form a group; ALIKE, in the row of its first move, is the
size of the group. The last two columns are a separate list of the moves still to be tried: their places in
this list, and their priority. It begins in the same row and ends before the ply's UNTRIED. It becomes a heap
once the ply's LOOKED, the number of moves taken from it, is large enough."""

# The columns of the stack of plies.
(
    ALPHA,
    BETA,
    VALUE,
    BEST,
    EXACT,
    BEGIN,
    END,
    STAGE,
    DEPTH,
    HINT,
    SCORELESS,
    PASSED,
    ZEROS,
    CURRENT,
    GAIN,
    SCOUT,
    MINE,
    THEIRS,
    MY_POINTS,
    THEIR_POINTS,
    BOARD_KEY,
    KEY,
    COMPLETE,
    POOL,
    TRIED,
    CHECKED,
    UNTRIED,
    LOOKED,
    BOUNDED,
    SINGLES,
) = range(30)
REPLIES: Final = SINGLES + RACK
PLY_COLUMNS: Final = REPLIES + 9
"""The columns from SINGLES are the most that each tile scores by itself, by slot. REPLIES is the end of the
columns after it, which are the opponent's moves that would end the game after this turn, best first."""
INFINITE: Final = 1 << 14

# The entries of the search's registers.
PLY, ENTERING, RESULT, RESULT_EXACT, POSITIONS, MOVES, OVERFLOW, BUILT, UNBOUNDED = range(9)
REGISTERS: Final = 9
"""In the first UNBOUNDED positions, the bounds of ``endgame_solo_kernels`` are not used."""

NO_MOVE: Final = -1
DONE: Final = -(1 << 40)
"""The priority of a listed move that is excluded or has been tried."""
_EACH_TILE: Final = 16
"""Added to the priority of a move for each tile laid. Of the values tested, 10 needs the fewest positions for
pre-endgames, 40 for endgames."""


class LiveBoard(NamedTuple):
    """The board of the position searched, with what makes and scores the words on it."""

    gaddag: NDArray[np.uint32]
    premiums: NDArray[np.int32]
    values: NDArray[np.int32]
    bonus: int
    grid: NDArray[np.int32]
    """(2, 450): the rows TILE and POINTS of a board."""


class Tree(NamedTuple):
    """The line of plies searched, and their moves. The ply's parity is the player's seat."""

    plies: NDArray[np.int64]
    moves: NDArray[np.int64]
    listed: NDArray[np.int64]
    kinds: NDArray[np.int64]
    """(2, 7): by seat, the kind of tile of each slot."""
    slots: NDArray[np.int64]
    """(2, 27): by seat and kind, a packed rack with one tile of it."""
    barred: NDArray[np.int8]
    """1 for each of the root's moves that is excluded; the last entry is the pass."""
    filled: NDArray[np.int64]
    """(4,): scratch for a set of squares."""
    sets: NDArray[np.int64]
    """(128,): scratch for each set of a rack's tiles."""
    registers: NDArray[np.int64]


class Keys(NamedTuple):
    """Random keys of the transposition table and of the lines' scores."""

    squares: NDArray[np.int64]
    """By square and tile."""
    racks: NDArray[np.int64]
    """By whose turn it is, kind and count; the third table is for scoreless turns and passes."""
    lines: NDArray[np.int64]
    """(30,): the keys of the lines of the board."""


@inlined
def cell_of(line: int, place: int) -> int:
    """Return the square of a place on a line."""
    return line * SIDE + place if line < SIDE else place * SIDE + line - SIDE


@inlined
def add_cell(record: NDArray[np.int64], column: int, cell: int) -> None:
    """Add a square to the set in ``column`` and those after it."""
    record[column + cell // WORD_BITS] |= 1 << cell % WORD_BITS


@inlined
def describe(
    squares: NDArray[np.int32],
    values: NDArray[np.int32],
    slots: NDArray[np.int64],
    fresh: NDArray[np.int8],
    record: NDArray[np.int64],
) -> bool:
    """Compute the columns of a move; return whether one of its words has a tile on a ``fresh`` square."""
    for column in range(BLOCKED, MOVE_COLUMNS):
        record[column] = 0
    move = record[MOVE]
    line = move >> LINE_SHIFT
    cells = move >> CELL_SHIFT & ((1 << SIDE) - 1)
    base = line * SIDE
    used = 0
    points = 0
    new = False
    place = lowest_bit(cells)
    while place > 0 and squares[TILE, base + place - 1] != FREE:
        place -= 1
    if place > 0:
        add_cell(record, BLOCKED, cell_of(line, place - 1))
    while place < SIDE:
        if cells >> place & 1:
            tile = move & (2 * BLANK - 1)
            move >>= TILE_BITS
            points += int(values[tile])
            used += slots[KINDS - 1 if tile >= BLANK else tile]
            cell = cell_of(line, place)
            add_cell(record, BLOCKED, cell)
            add_cell(record, FILLED, cell)
            across = ((SIDE if line < SIDE else 0) + place) * SIDE
            for step in (-1, 1):
                other = line % SIDE + step
                while 0 <= other < SIDE and squares[TILE, across + other] != FREE:
                    new |= fresh[cell_of(across // SIDE, other)] != 0
                    other += step
                if 0 <= other < SIDE:
                    add_cell(record, BLOCKED, cell_of(across // SIDE, other))
        elif squares[TILE, base + place] != FREE:
            new |= fresh[cell_of(line, place)] != 0
        else:
            add_cell(record, BLOCKED, cell_of(line, place))
            break
        place += 1
    record[USED] = used
    record[LAID] = points
    return new


@inlined
def mark_fresh(
    squares: NDArray[np.int32], moves: NDArray[np.int64], index: int, fresh: NDArray[np.int8], mark: int
) -> int:
    """Mark the squares of a move in ``fresh``; return the lines with a square where moves may be new."""
    move = moves[index, MOVE]
    line = move >> LINE_SHIFT
    cells = move >> CELL_SHIFT & ((1 << SIDE) - 1)
    lines = 0
    while cells:
        place = lowest_bit(cells)
        cells &= cells - 1
        cell = cell_of(line, place)
        fresh[cell] = mark
        row = cell // SIDE
        column = cell % SIDE
        lines |= 1 << row | 1 << SIDE + column
        for step in (-1, 1):
            other = column + step
            while 0 <= other < SIDE and squares[TILE, row * SIDE + other] != FREE:
                other += step
            if 0 <= other < SIDE:
                lines |= 1 << SIDE + other
            other = row + step
            while 0 <= other < SIDE and squares[TILE, (SIDE + column) * SIDE + other] != FREE:
                other += step
            if 0 <= other < SIDE:
                lines |= 1 << other
    return lines


@inlined
def is_free(moves: NDArray[np.int64], index: int, filled: NDArray[np.int64]) -> bool:
    """Return whether none of the move's BLOCKED squares is ``filled``."""
    common: int = (
        moves[index, BLOCKED] & filled[0]
        | moves[index, BLOCKED + 1] & filled[1]
        | moves[index, BLOCKED + 2] & filled[2]
        | moves[index, BLOCKED + 3] & filled[3]
    )
    return common == 0


@inlined
def count_tiles(rack: int) -> int:
    """Return the number of tiles on a rack."""
    return rack * ONE_IN_EACH_SLOT >> SLOT_BITS * (RACK - 1) & 15


@inlined
def priority_of(moves: NDArray[np.int64], index: int, rack: int, theirs: int) -> int:
    """Return the priority of a move: moves of higher priority are tried first.

    It is the sum of _EACH_TILE per tile laid (few turns follow if few tiles are left), the score, three times
    the points of the tiles laid and, if the move ends the game, twice the points of the opponent's tiles.
    """
    used = moves[index, USED]
    out = 2 * theirs if used == rack else 0
    return _EACH_TILE * count_tiles(used) + int(moves[index, SCORE]) + 3 * int(moves[index, LAID]) + out


@inlined
def holds(rack: int, tiles: int) -> bool:
    """Return whether a rack has all of the tiles."""
    return (rack | GUARDS) - tiles & GUARDS == GUARDS


@inlined
def filled_since(tree: Tree, first: int, ply: int) -> None:
    """Write the squares filled by the turns of the plies ``first`` to ``ply - 1``."""
    plies, moves, filled = tree.plies, tree.moves, tree.filled
    for word in range(WORDS):
        filled[word] = 0
    for past in range(first, ply):
        index = plies[past, CURRENT]
        if index >= 0:
            for word in range(WORDS):
                filled[word] |= moves[index, FILLED + word]


@inlined
def estimate(tree: Tree, ply: int) -> int:
    """Return the gain of the player to move if both play on greedily with their old moves."""
    plies, moves, listed, filled = tree.plies, tree.moves, tree.listed, tree.filled
    filled_since(tree, ply - 1, ply)
    racks = (plies[ply, MINE], plies[ply, THEIRS])
    mine, theirs = racks
    my_points, their_points = plies[ply, MY_POINTS], plies[ply, THEIR_POINTS]
    last = plies[ply - 2, CURRENT]
    if last >= 0:
        for word in range(WORDS):
            filled[word] |= moves[last, FILLED + word]
    value = 0
    sign = 1
    passes = 0
    source = ply - 2
    while theirs != 0 and passes < 2:
        best = -1
        most = -1
        place = plies[source, BEGIN]
        while place < plies[source, END]:
            group_end = place + listed[place, ALIKE]
            if holds(mine, listed[place, TILES_USED]):
                for at in range(place, group_end):
                    index = listed[at, INDEX]
                    priority = priority_of(moves, index, mine, their_points)
                    if priority > most and is_free(moves, index, filled):
                        best = index
                        most = priority
            place = group_end
        if best < 0:
            passes += 1
        else:
            passes = 0
            value += sign * moves[best, SCORE]
            mine -= moves[best, USED]
            my_points -= moves[best, LAID]
            for word in range(WORDS):
                filled[word] |= moves[best, FILLED + word]
        mine, theirs = theirs, mine
        my_points, their_points = their_points, my_points
        sign = -sign
        source = ply - 1 if source == ply - 2 else ply - 2
    value += sign * (-2 * my_points if theirs == 0 else their_points - my_points)
    return int(value)


@inlined
def rack_key(rack: int, kinds: NDArray[np.int64], keys: NDArray[np.int64]) -> int:
    """Return the key of a rack; ``kinds`` are the kinds of tile of its slots."""
    key = 0
    for slot in range(RACK):
        key ^= keys[kinds[slot], rack >> SLOT_BITS * slot & 7]
    return key
