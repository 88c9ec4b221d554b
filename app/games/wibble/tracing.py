"""Finds the best path of a word on a visible board, without a lexicon."""

from collections.abc import Sequence
from typing import Final

from app.games.grid import grid
from app.games.wibble.views import TileView

MOST_STEPS: Final = 200_000
"""The search stops after this many steps with the best path so far; real words take a few hundred."""


def best_trace(tiles: Sequence[TileView], size: int, word: str) -> tuple[int, ...] | None:
    """Return the cells that spell ``word`` for most points, then most gems; None if it is not there."""
    open_tiles = [tile for tile in tiles if tile.obstacle not in ("wall", "frozen")]
    cells = [[tile.cell for tile in open_tiles if tile.letter == letter] for letter in word]
    if not word or not all(cells):
        return None
    near = grid(size, size).neighbours
    best: tuple[int, ...] | None = None
    best_value, steps = (-1, -1), 0
    pending: list[tuple[int, ...]] = [(cell,) for cell in reversed(cells[0])]
    while pending and steps < MOST_STEPS:
        path, steps = pending.pop(), steps + 1
        if len(path) < len(word):
            touching = near[path[-1]]
            pending += [(*path, cell) for cell in cells[len(path)] if cell in touching and cell not in path]
        elif (found := _evaluate(tiles, path)) > best_value:
            best, best_value = path, found
    return best


def _evaluate(tiles: Sequence[TileView], path: Sequence[int]) -> tuple[int, int]:
    """Return the path's points and gems. The long-word bonus is left out, being equal for all paths."""
    points, factor, gems = 0, 1, 0
    for cell in path:
        points += tiles[cell].value * tiles[cell].letter_factor
        factor *= tiles[cell].word_factor
        gems += tiles[cell].gem
    return points * factor, gems
