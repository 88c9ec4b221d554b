"""Exact values and bounds of the endgame search, for positions near the end of the game.

A player with one tile does best to lay it where it scores most, if it can be laid: if not now, the opponent
can always pass, and the board then stays the same. And a move gains at most what it does if the opponent ends
the game at once, with one of the moves that are still possible after it.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import FREE, POINTS, SQUARE_ROWS, TILE
from app.games.fribble.endgame_move_kernels import (
    ALIKE,
    ALPHA,
    BEGIN,
    BLOCKED,
    COMPLETE,
    CURRENT,
    END,
    FILLED,
    INDEX,
    INFINITE,
    LAID,
    MINE,
    MOVE,
    MY_POINTS,
    ONE_IN_EACH_SLOT,
    PLY_COLUMNS,
    REPLIES,
    SCORE,
    SINGLES,
    SLOT_BITS,
    THEIR_POINTS,
    THEIRS,
    TILES_USED,
    USED,
    LiveBoard,
    Tree,
    filled_since,
    holds,
    is_free,
)
from app.games.fribble.gaddag_kernels import TARGET, follow
from app.games.fribble.layout import CELLS, SIDE
from app.games.fribble.rack_kernels import BLANK, CELL_SHIFT, KINDS, LINE_SHIFT, TILE_BITS
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, lowest_bit
from app.words.gaddag import ENDS, NOWHERE, START

UNKNOWN: Final = -2
"""The single-tile score in SINGLES until it is computed."""


@inlined
def is_single(rack: int) -> bool:
    """Return whether the rack has one tile."""
    return rack & (rack - 1) == 0 and rack & ONE_IN_EACH_SLOT != 0


@inlined
def copy_board(squares: NDArray[np.int32], copy: NDArray[np.int32]) -> None:
    """Copy a board."""
    for row in range(SQUARE_ROWS):
        for square in range(2 * CELLS):
            copy[row, square] = squares[row, square]


@inlined
def put_on(board: LiveBoard, move: int) -> None:
    """Lay the tiles of a move."""
    values, grid = board.values, board.grid
    line = move >> LINE_SHIFT
    cells = move >> CELL_SHIFT & ((1 << SIDE) - 1)
    while cells:
        place = lowest_bit(cells)
        cells &= cells - 1
        tile = move & (2 * BLANK - 1)
        move >>= TILE_BITS
        along = line * SIDE + place
        across = ((SIDE if line < SIDE else 0) + place) * SIDE + line % SIDE
        grid[TILE, along] = tile & (BLANK - 1)
        grid[TILE, across] = tile & (BLANK - 1)
        grid[POINTS, along] = values[tile]
        grid[POINTS, across] = values[tile]


@inlined
def take_off(board: LiveBoard, move: int) -> None:
    """Take the tiles of a move off again."""
    grid = board.grid
    line = move >> LINE_SHIFT
    cells = move >> CELL_SHIFT & ((1 << SIDE) - 1)
    while cells:
        place = lowest_bit(cells)
        cells &= cells - 1
        grid[TILE, line * SIDE + place] = FREE
        grid[TILE, ((SIDE if line < SIDE else 0) + place) * SIDE + line % SIDE] = FREE


@inlined
def sum_beside(board: LiveBoard, line: int, place: int) -> int:
    """Return the points of the tiles beside a free square on its line; -1 if there are none."""
    grid = board.grid
    base = line * SIDE
    points = 0
    found = False
    for step in (-1, 1):
        at = place + step
        while 0 <= at < SIDE and grid[TILE, base + at] != FREE:
            points += int(grid[POINTS, base + at])
            found = True
            at += step
    return points if found else -1


@inlined
def fits_line(board: LiveBoard, line: int, place: int, letter: int) -> bool:
    """Return whether a letter on a free square makes a word with the tiles beside it on the line."""
    gaddag, grid = board.gaddag, board.grid
    base = line * SIDE
    at = place
    while at < SIDE - 1 and grid[TILE, base + at + 1] != FREE:
        at += 1
    arc = START
    while at == place or (at >= 0 and grid[TILE, base + at] != FREE):
        arc = follow(gaddag, arc & TARGET, letter if at == place else int(grid[TILE, base + at]))
        if arc == NOWHERE:
            return False
        at -= 1
    return arc >= ENDS


@inlined
def single_score(board: LiveBoard, line: int, place: int, kind: int, least: int) -> int:
    """Return the score of one tile on a free square if legal and more than ``least``, else ``least``."""
    premiums, values = board.premiums, board.values
    premium = int(premiums[line * SIDE + place])
    other_line = (SIDE if line < SIDE else 0) + place
    other_place = line % SIDE
    along = sum_beside(board, line, place)
    across = sum_beside(board, other_line, other_place)
    blank = kind == KINDS - 1
    value = 0 if blank else int(values[kind]) * (premium & 15)
    score = (along + value if along >= 0 else 0) + (across + value if across >= 0 else 0)
    score *= premium >> 4
    if score <= least:
        return least
    for letter in range(0 if blank else kind, KINDS - 1 if blank else kind + 1):
        if (along < 0 or fits_line(board, line, place, letter)) and (
            across < 0 or fits_line(board, other_line, other_place, letter)
        ):
            return score
    return least


@inlined
def best_single_beside(board: LiveBoard, move: int, kind: int, least: int) -> int:
    """Return the most that one tile scores beside the words of a move on the board, at least ``least``."""
    grid = board.grid
    line = move >> LINE_SHIFT
    cells = move >> CELL_SHIFT & ((1 << SIDE) - 1)
    run_line = line
    run_place = lowest_bit(cells)
    while True:
        base = run_line * SIDE
        for step in (-1, 1):
            place = run_place + step
            while 0 <= place < SIDE and grid[TILE, base + place] != FREE:
                place += step
            if 0 <= place < SIDE:
                least = single_score(board, run_line, place, kind, least)
        if cells == 0:
            return least
        run_line = (SIDE if line < SIDE else 0) + lowest_bit(cells)
        run_place = line % SIDE
        cells &= cells - 1


@inlined
def best_fresh_single(board: LiveBoard, tree: Tree, first: int, ply: int, kind: int, least: int) -> int:
    """Return the most that one tile scores beside the words of the plies ``first`` to ``ply - 1``.

    It is at least ``least``.
    """
    for past in range(first, ply):
        index = tree.plies[past, CURRENT]
        if index >= 0:
            least = best_single_beside(board, tree.moves[index, MOVE], kind, least)
    return least


@inlined
def compute_single_scores(
    board: LiveBoard, tree: Tree, source: int, ply: int, singles: NDArray[np.int64]
) -> None:
    """Write the most that each tile of a rack now scores by itself; -1 if it cannot be laid.

    The rack is that of the player to move at the ply ``source``, which is this one or the one before.
    """
    plies, moves, listed = tree.plies, tree.moves, tree.listed
    rack = plies[ply, MINE if source == ply else THEIRS]
    singles[:] = -1
    filled_since(tree, source, ply)
    place = plies[source, BEGIN]
    while place < plies[source, END]:
        group_end = place + listed[place, ALIKE]
        used = listed[place, TILES_USED]
        if is_single(used) and holds(rack, used):
            slot = lowest_bit(used) // SLOT_BITS
            for at in range(place, group_end):
                index = listed[at, INDEX]
                if moves[index, SCORE] > singles[slot] and is_free(moves, index, tree.filled):
                    singles[slot] = moves[index, SCORE]
        place = group_end
    for slot in range(RACK):
        if rack >> SLOT_BITS * slot & 7:
            singles[slot] = best_fresh_single(
                board, tree, plies[source, COMPLETE], ply, tree.kinds[source & 1, slot], singles[slot]
            )


@inlined
def bound_leaving_one_tile(board: LiveBoard, tree: Tree, ply: int, index: int) -> int:
    """Return an upper bound on the gain of a move that leaves one tile, if it is at most alpha.

    Otherwise INFINITE. The bound is what the player gains if the opponent only passes.
    """
    plies, moves = tree.plies, tree.moves
    slot = lowest_bit(plies[ply, MINE] - moves[index, USED]) // SLOT_BITS
    gained = moves[index, SCORE] + 2 * plies[ply, THEIR_POINTS]
    if gained > plies[ply, ALPHA]:
        return INFINITE
    singles = plies[ply, SINGLES : SINGLES + RACK]
    if singles[0] == UNKNOWN:
        compute_single_scores(board, tree, ply, ply, singles)
    last = max(0, singles[slot])
    if gained + last > plies[ply, ALPHA]:
        return INFINITE
    move = moves[index, MOVE]
    put_on(board, move)
    last = best_single_beside(board, move, tree.kinds[ply & 1, slot], last)
    take_off(board, move)
    return int(gained + last) if gained + last <= plies[ply, ALPHA] else INFINITE


@inlined
def list_replies(tree: Tree, ply: int) -> None:
    """List the opponent's moves that would end the game at the next ply, if they stay possible."""
    plies, moves, listed = tree.plies, tree.moves, tree.listed
    filled_since(tree, ply - 1, ply)
    theirs = plies[ply, THEIRS]
    first = REPLIES + 1
    end = first
    place = plies[ply - 1, BEGIN]
    while place < plies[ply - 1, END]:
        group_end = place + listed[place, ALIKE]
        if listed[place, TILES_USED] != theirs:
            place = group_end
            continue
        while place < group_end:
            index = listed[place, INDEX]
            place += 1
            if not is_free(moves, index, tree.filled):
                continue
            score = moves[index, SCORE]
            if end == PLY_COLUMNS:
                if score <= moves[plies[ply, end - 1], SCORE]:
                    continue
                end -= 1
            at = end
            while at > first and moves[plies[ply, at - 1], SCORE] < score:
                plies[ply, at] = plies[ply, at - 1]
                at -= 1
            plies[ply, at] = index
            end += 1
    plies[ply, REPLIES] = end


@inlined
def bound_if_reply_ends(tree: Tree, ply: int, index: int) -> int:
    """Return an upper bound on the gain of a move: that if the opponent then ends the game at once.

    INFINITE if none of the listed replies is possible.
    """
    plies, moves = tree.plies, tree.moves
    for at in range(REPLIES + 1, plies[ply, REPLIES]):
        reply = plies[ply, at]
        common = (
            moves[reply, BLOCKED] & moves[index, FILLED]
            | moves[reply, BLOCKED + 1] & moves[index, FILLED + 1]
            | moves[reply, BLOCKED + 2] & moves[index, FILLED + 2]
            | moves[reply, BLOCKED + 3] & moves[index, FILLED + 3]
        )
        if common == 0:
            return int(
                moves[index, SCORE] - moves[reply, SCORE] - 2 * (plies[ply, MY_POINTS] - moves[index, LAID])
            )
    return INFINITE
