"""How puzzles of Boggle are shown."""

from typing import Any, ClassVar

from app.games.boggle.puzzles import Position
from app.web.puzzle_board import Entry, PuzzleBoard
from app.web.share.tiles import Tiles, tile_rows


class BoggleBoard(PuzzleBoard):
    """A board of letters."""

    entry: ClassVar[Entry] = "path"
    styles: ClassVar[tuple[str, ...]] = ("boggle/boggle.css",)

    def context(self, position: Position) -> dict[str, Any]:
        return {"shown": position.rows}

    def facts(self, position: Position) -> tuple[str, ...]:
        return ("3 or 4 letters 1 point, 5: 2, 6: 3, 7: 5, 8 or more: 11",)

    def tiles(self, position: Position) -> Tiles:
        return tile_rows(position.rows)
