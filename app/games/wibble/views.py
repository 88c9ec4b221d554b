"""The tiles of a board as players see them."""

from app.games.wibble.scoring import Scoring
from app.games.wibble.state import Board, TileView


def tile_views(board: Board | None, scoring: Scoring) -> tuple[TileView, ...]:
    """Return every tile, row by row, with its value, gem and bonus; empty before the deal."""
    if board is None:
        return ()
    letter_bonus, word_bonus = board.letter_bonus, board.word_bonus
    return tuple(
        TileView(
            cell=cell,
            letter=letter,
            value=scoring.values[ord(letter) - ord("a")],
            gem=cell in board.gems,
            letter_factor=letter_bonus.factor if letter_bonus and letter_bonus.cell == cell else 1,
            word_factor=word_bonus.factor if word_bonus and word_bonus.cell == cell else 1,
        )
        for cell, letter in enumerate(board.letters)
    )
