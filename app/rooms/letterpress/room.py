"""Letterpress's page texts and tile view, and parsing of the move form."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from app.games.game import AnyGame
from app.games.letterpress.puzzles import LetterpressPuzzles
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Move, Play, State, View
from app.games.letterpress.territory import Territory, lay
from app.games.puzzles import PuzzleRules
from app.rooms.letterpress.board_tiles import Tile, board_looks, board_tiles
from app.rooms.letterpress.lesson import LetterpressLesson
from app.rooms.letterpress.puzzle import LetterpressBoard
from app.rooms.letterpress.study import LetterpressStudyRoom
from app.store.models import Table
from app.web.lesson import Lesson
from app.web.puzzle_board import PuzzleBoard
from app.web.room import QuickGame, Room, cell_numbers, checked
from app.web.share.tiles import Tiles, square
from app.web.study.study_room import StudyRoom

if TYPE_CHECKING:
    from fastapi import APIRouter


class LetterpressRoom(Room):
    """The room of Letterpress."""

    game: ClassVar[type[AnyGame]] = Letterpress
    title: ClassVar[str] = "Letterpress"
    blurb: ClassVar[str] = "Spell with any tiles to take them, then keep them."
    has_words_to_learn: ClassVar[bool] = True
    quick_games: ClassVar[tuple[QuickGame, ...]] = (
        QuickGame("blitz", "3 minutes each", {"clock_seconds": 180}),
        QuickGame("rapid", "10 minutes each", {"clock_seconds": 600}),
    )
    lesson: ClassVar[Lesson | None] = LetterpressLesson()
    puzzles: ClassVar[PuzzleRules | None] = LetterpressPuzzles()
    puzzle_board: ClassVar[PuzzleBoard | None] = LetterpressBoard()
    study: ClassVar[StudyRoom | None] = LetterpressStudyRoom()
    address: ClassVar[str] = "/letterpress"
    invitation: ClassVar[str] = "Take turns spelling words with any of 25 tiles to turn them to your colour."
    review_link: ClassVar[str] = "Show best moves"
    examples: ClassVar[tuple[dict[str, Any], ...]] = ({"bots": [3]},)

    unit: ClassVar[str] = "tile"

    def routers(self) -> "tuple[APIRouter, ...]":
        from app.rooms.letterpress import api, pages, solver_page  # noqa: PLC0415 - the terminal needs no web pages

        return (api.router, pages.router, solver_page.router)

    def preview_tiles(self, view: View) -> Tiles:
        first, second = view.owned
        return square(view.board, board_looks(view.board, first, second))

    def rules(self) -> dict[str, Any]:
        from app.rooms.letterpress.rules_data import rules_data  # noqa: PLC0415 - only the page needs it

        return rules_data()

    def describe_score(self, view: View, seat: int) -> str:
        """The tile counts, this seat's first."""
        mine, theirs = view.tiles[seat], view.tiles[1 - seat]
        return f"{mine} : {theirs} tiles"

    def tiles(self, board: str, ours: int = 0, theirs: int = 0) -> list[Tile]:
        """The tiles of a board, with owners given as bit masks."""
        return board_tiles(board, ours, theirs)

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        """A word is given by its comma-separated cells or, without script, as typed text."""
        if fields.get("type") == "word":
            typed = fields.get("word", "").strip().lower()
            if not fields.get("cells") and typed:
                state: State = table.state
                mine, theirs = state.owned[state.to_move], state.owned[1 - state.to_move]
                return Play(cells=lay(typed, state.board, Territory(ours=mine, theirs=theirs)))
            return Play(cells=cell_numbers(fields.get("cells", "")))
        named: dict[str, Any] = {"type": fields.get("type")}
        found: Move = checked(table.game.move_adapter, named)
        return found


ROOM: Final = LetterpressRoom()
