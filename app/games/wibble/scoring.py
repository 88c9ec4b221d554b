"""Scoring of chains, with the multipliers on the board."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.games.wibble.state import Board


@dataclass(frozen=True)
class Scoring:
    """The scoring parameters of a game."""

    values: tuple[int, ...]
    """Points per letter, a to z."""
    long_word_length: int | None = None
    """The minimum length of a word for the bonus; None for no bonus."""
    long_word_bonus: int = 0
    """Added after all multipliers."""


def points(board: Board, cells: Sequence[int], scoring: Scoring) -> int:
    """Return the points of the chain over ``cells``, whether or not it is a word."""
    total = sum(
        scoring.values[ord(board.letters[cell]) - ord("a")]
        * (board.letter_bonus.factor if board.letter_bonus and board.letter_bonus.cell == cell else 1)
        for cell in cells
    )
    if board.word_bonus and board.word_bonus.cell in cells:
        total *= board.word_bonus.factor
    if scoring.long_word_length is not None and len(cells) >= scoring.long_word_length:
        total += scoring.long_word_bonus
    return total
