"""How puzzles of Fribble are shown."""

from string import ascii_uppercase
from typing import Any, ClassVar

from app.games.fribble.board import Board
from app.games.fribble.layout import SIDE
from app.games.fribble.presets import presets
from app.games.fribble.puzzles import Position, unseen_tiles
from app.games.fribble.tileset import RACK
from app.games.puzzles import Answer
from app.grammar import format_count
from app.web.puzzle_board import Entry, PuzzleBoard
from app.web.share.tiles import Tiles, tile_rows


class FribbleBoard(PuzzleBoard):
    """A board and a rack."""

    entry: ClassVar[Entry] = "squares"
    typed: ClassVar[str] = "Your play, such as 8H WORD, or H8 WORD down"
    styles: ClassVar[tuple[str, ...]] = ("fribble/fribble.css", "fribble/pages.css")

    def context(self, position: Position) -> dict[str, Any]:
        preset = presets()[position.preset]
        return {
            "shown": position.rows,
            "rack": position.rack,
            "layout": preset.layout.rows,
            "letter_values": {letter: preset.tiles.value(letter) for letter in ascii_uppercase},
        }

    def facts(self, position: Position) -> tuple[str, ...]:
        """The spread, and the number of tiles in the bag or, if it is empty, the opponent's rack."""
        lead = abs(position.lead)
        spread = (
            f"You {'lead' if position.lead > 0 else 'trail'} by {lead}" if lead else "The scores are level"
        )
        unseen = unseen_tiles(position)
        if len(unseen) <= RACK:
            return (spread, f"The bag is empty. Their rack: {' '.join(unseen)}")
        return (spread, f"{format_count(len(unseen) - RACK, 'tile')} in the bag")

    def described(self, answer: Answer) -> str:
        return f"{answer.word.upper()} at {answer.text.split()[0]}"

    def tiles(self, position: Position) -> Tiles:
        """The rows and columns with tiles, and one more on each side."""
        board = Board(rows=position.rows)
        cells = [cell for cell, sign in enumerate(board.squares) if sign != "."]
        low = max(0, min(min(cell // SIDE, cell % SIDE) for cell in cells) - 1)
        high = min(SIDE, max(max(cell // SIDE, cell % SIDE) for cell in cells) + 2)
        return tile_rows(row[low:high] for row in position.rows[low:high])
