"""How puzzles of Letterpress are shown."""

from typing import Any, ClassVar

from app.games.letterpress.puzzles import Position
from app.games.letterpress.territory import cells_of
from app.grammar import format_count
from app.rooms.letterpress.board_tiles import board_looks, board_tiles
from app.web.puzzle_board import Entry, PuzzleBoard
from app.web.share.tiles import Tiles, square


class LetterpressBoard(PuzzleBoard):
    """A board with the owners of its tiles, ours in blue."""

    entry: ClassVar[Entry] = "tiles"
    styles: ClassVar[tuple[str, ...]] = ("letterpress/letterpress.css",)

    def context(self, position: Position) -> dict[str, Any]:
        return {"shown": board_tiles(position.board, position.ours, position.theirs)}

    def facts(self, position: Position) -> tuple[str, ...]:
        """The tile counts, the meaning of points, and the words that may not be played again."""
        ours, theirs = len(cells_of(position.ours)), len(cells_of(position.theirs))
        tiles = f"You are blue: {format_count(ours, 'tile')}, they have {theirs}"
        points = "Points: your lead in tiles after their reply; protected tiles count four times"
        if not position.played:
            return tiles, points
        return (tiles, points, f"Played: {', '.join(word.upper() for word in position.played)}")

    def tiles(self, position: Position) -> Tiles:
        return square(position.board, board_looks(position.board, position.ours, position.theirs))
