"""The tiles of a board as players see them."""

from typing import Final

from app.games.wibble.adventure import Obstacles
from app.games.wibble.levels import WALL
from app.games.wibble.scoring import Scoring
from app.games.wibble.state import Board, TileView

_NONE: Final[Obstacles] = {}


def tile_views(board: Board | None, scoring: Scoring, obstacles: Obstacles = _NONE) -> tuple[TileView, ...]:
    """Return every tile, row by row, with its value, gem, bonus and obstacle; empty before the deal."""
    if board is None:
        return ()
    letter_bonus, word_bonus = board.letter_bonus, board.word_bonus
    return tuple(
        TileView(
            cell=cell,
            letter=letter,
            value=0 if letter == WALL else scoring.values[ord(letter) - ord("a")],
            gem=cell in board.gems,
            letter_factor=letter_bonus.factor if letter_bonus and letter_bonus.cell == cell else 1,
            word_factor=word_bonus.factor if word_bonus and word_bonus.cell == cell else 1,
            obstacle=obstacles.get(cell, (None, 0))[0],
            obstacle_count=obstacles.get(cell, (None, 0))[1],
        )
        for cell, letter in enumerate(board.letters)
    )
