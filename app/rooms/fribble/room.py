"""Fribble's page texts, and parsing of the move form."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from app.games.fribble.board import words_on
from app.games.fribble.presets import own_folder, use_own
from app.games.fribble.puzzles import FribblePuzzles
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Move, State, View
from app.games.game import AnyGame, IllegalMove
from app.games.puzzles import PuzzleRules
from app.rooms.fribble.lesson import FribbleLesson
from app.rooms.fribble.missed_plays import missed_words
from app.rooms.fribble.puzzle import FribbleBoard
from app.rooms.fribble.study import FribbleStudyRoom
from app.store.models import Table
from app.web.lesson import Lesson
from app.web.puzzle_board import PuzzleBoard
from app.web.room import QuickGame, Room, WordToLearn, cell_numbers, checked
from app.web.share.tiles import Tiles, tile_rows
from app.web.study.study_room import StudyRoom

if TYPE_CHECKING:
    from fastapi import APIRouter


class FribbleRoom(Room):
    """The room of Fribble."""

    game: ClassVar[type[AnyGame]] = Fribble
    title: ClassVar[str] = "Fribble"
    blurb: ClassVar[str] = "The crossword game: seven tiles, and every square counts."
    has_words_to_learn: ClassVar[bool] = True
    quick_games: ClassVar[tuple[QuickGame, ...]] = (
        QuickGame("blitz", "4 minutes each", {"clock_seconds": 240}),
        QuickGame("rapid", "15 minutes each", {"clock_seconds": 900}),
    )
    lesson: ClassVar[Lesson | None] = FribbleLesson()
    puzzles: ClassVar[PuzzleRules | None] = FribblePuzzles()
    puzzle_board: ClassVar[PuzzleBoard | None] = FribbleBoard()
    study: ClassVar[StudyRoom | None] = FribbleStudyRoom()
    address: ClassVar[str] = "/fribble"
    invitation: ClassVar[str] = "Take turns laying words on the board with the seven tiles of your rack."
    bots_only: ClassVar[bool] = True
    review_link: ClassVar[str] = "Show best moves"
    examples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"options": {"preset": "wwf"}, "bots": [3]},
        {"bots": [5, 4]},
    )

    def routers(self) -> "tuple[APIRouter, ...]":
        from app.rooms.fribble import api, board_page, moves_api, pages  # noqa: PLC0415 - the terminal needs no web pages

        return (api.router, moves_api.router, board_page.router, pages.router)

    def load_custom(self, data_dir: Path) -> list[str]:
        return [f"Fribble preset ignored: {fault}" for fault in use_own(own_folder(data_dir))]

    def preview_tiles(self, view: View) -> Tiles:
        return tile_rows(view.board)

    def board_text(self, rows: Sequence[str]) -> str:
        """The words on a board with their coordinates, for screen readers."""
        return ", ".join(words_on(rows)) or "empty"

    def rules(self) -> dict[str, Any]:
        from app.rooms.fribble.rules_data import rules_data  # noqa: PLC0415 - only the page needs it

        return rules_data()

    def describe_score(self, view: View, seat: int) -> str:
        """The scores, this seat's first."""
        others = [score for other, score in enumerate(view.scores) if other != seat]
        return " : ".join(map(str, (view.scores[seat], *others)))

    def words_to_learn(
        self, states: Sequence[State], analysis: Mapping[str, Any], seat: int
    ) -> Iterable[WordToLearn]:
        """Withdrawn words, and the best plays that the seat missed with the words they hooked."""
        return missed_words(states, analysis, seat)

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        """The form has the move's fields, with comma-separated cells."""
        move: dict[str, Any] = {name: value for name, value in fields.items() if value}
        if "cells" in move:
            move["cells"] = cell_numbers(move["cells"])
        if move.get("type") == "exchange":
            move["tiles"] = move.get("tiles", "").upper()
            if not move["tiles"]:
                raise IllegalMove("choose the tiles to exchange")
        found: Move = checked(table.game.move_adapter, move)
        return found


ROOM: Final = FribbleRoom()
