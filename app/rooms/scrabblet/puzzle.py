"""How puzzles of Scrabblet are shown."""

from typing import Any, ClassVar

from app.games.scrabblet.bag import tile_score
from app.games.scrabblet.puzzles import Position
from app.games.scrabblet.state import TileView
from app.web.puzzle_board import Entry, PuzzleBoard
from app.web.share.tiles import Tiles, tile_rows


class ScrabbletBoard(PuzzleBoard):
    """A hand of tiles."""

    entry: ClassVar[Entry] = "letters"
    styles: ClassVar[tuple[str, ...]] = ("scrabblet/scrabblet.css",)

    def context(self, position: Position) -> dict[str, Any]:
        return {"shown": [TileView(letter=tile, score=tile_score(tile)) for tile in position.rack]}

    def facts(self, position: Position) -> tuple[str, ...]:
        return ("Each tile may be used any number of times",)

    def tiles(self, position: Position) -> Tiles:
        return tile_rows((position.rack,))
