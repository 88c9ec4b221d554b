"""What a placement scores, by the letter of the rules: premiums count in the turn a tile is laid on them."""

from math import prod
from typing import NamedTuple

from app.games.fribble.board import Board
from app.games.fribble.placement import Line, Placement, lines
from app.games.fribble.presets import Preset
from app.games.fribble.tileset import RACK


class Score(NamedTuple):
    """What a placement makes, word by word."""

    lines: tuple[Line, ...]
    """The main word, then the words that cross it."""
    points: tuple[int, ...]
    """Of each of these."""
    bonus: int
    """For a full rack played at once."""

    @property
    def total(self) -> int:
        """All together."""
        return sum(self.points) + self.bonus

    @property
    def words(self) -> tuple[str, ...]:
        """The words, in upper case."""
        return tuple(line.word for line in self.lines)


def score(board: Board, placement: Placement, preset: Preset) -> Score:
    """What ``placement`` scores on ``board``. Raises IllegalMove as ``lines`` does."""
    made = lines(board, placement)
    return Score(
        lines=made,
        points=tuple(_points(line, frozenset(placement.cells), preset) for line in made),
        bonus=preset.bingo if len(placement.cells) == RACK else 0,
    )


def _points(line: Line, fresh: frozenset[int], preset: Preset) -> int:
    letters, words = preset.layout.letter_multipliers, preset.layout.word_multipliers
    letter_sum = sum(
        preset.tiles.value(tile) * (int(letters[cell]) if cell in fresh else 1)
        for cell, tile in zip(line.cells, line.text, strict=True)
    )
    return letter_sum * prod(int(words[cell]) for cell in line.cells if cell in fresh)
