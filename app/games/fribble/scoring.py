"""Scoring of placements. Premium squares count only in the turn when a tile is laid on them."""

from math import prod
from typing import NamedTuple

from app.games.fribble.board import Board
from app.games.fribble.placement import Line, Placement, lines
from app.games.fribble.presets import Preset
from app.games.fribble.tileset import RACK


class Score(NamedTuple):
    """The score of a placement, word by word."""

    lines: tuple[Line, ...]
    """The main word, then the crossing words."""
    points: tuple[int, ...]
    """The points of each of these words."""
    bonus: int
    """The bonus for a bingo, a full rack played at once; else 0."""

    @property
    def total(self) -> int:
        """The total points."""
        return sum(self.points) + self.bonus

    @property
    def words(self) -> tuple[str, ...]:
        """The words, in upper case."""
        return tuple(line.word for line in self.lines)


def score(board: Board, placement: Placement, preset: Preset) -> Score:
    """Return the score of ``placement`` on ``board``. Raises IllegalMove like ``lines``."""
    formed = lines(board, placement)
    return Score(
        lines=formed,
        points=tuple(_points(line, frozenset(placement.cells), preset) for line in formed),
        bonus=preset.bingo if len(placement.cells) == RACK else 0,
    )


def _points(line: Line, laid: frozenset[int], preset: Preset) -> int:
    letters, words = preset.layout.letter_multipliers, preset.layout.word_multipliers
    letter_sum = sum(
        preset.tiles.value(tile) * (int(letters[cell]) if cell in laid else 1)
        for cell, tile in zip(line.cells, line.text, strict=True)
    )
    return letter_sum * prod(int(words[cell]) for cell in line.cells if cell in laid)
