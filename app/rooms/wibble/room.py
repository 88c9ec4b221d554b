"""Wibble's page texts, mode titles and share text, and parsing of the move form."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

from pydantic import BaseModel, Field, TypeAdapter

from app.games.game import AnyGame, Frozen, IllegalMove
from app.games.puzzles import PuzzleRules
from app.games.wibble.adventure import open_board
from app.games.wibble.analysis import TurnAnalysis, counted_points
from app.games.wibble.modes import modes
from app.games.wibble.moves import Chain, Move, Suggest
from app.games.wibble.puzzles import WibblePuzzles
from app.games.wibble.rules import Wibble
from app.games.wibble.views import View
from app.grammar import format_count
from app.rooms.wibble.lesson import WibbleLesson
from app.rooms.wibble.puzzle import WibbleBoard
from app.rooms.wibble.study import WibbleStudyRoom
from app.store.models import Table
from app.web.lesson import Lesson
from app.web.model import read_strictly
from app.web.puzzle_board import PuzzleBoard
from app.web.room import QuickGame, Room, cell_numbers, checked
from app.web.share.tiles import Tiles, square, tile_rows
from app.web.study.study_room import StudyRoom

if TYPE_CHECKING:
    from fastapi import APIRouter


class TypedWord(Frozen):
    """Play a word on its best path."""

    type: Literal["word"] = "word"
    word: Annotated[str, Field(min_length=1, max_length=49)]
    """Letters a to z, in either case."""


_TYPED_WORD: Final = TypeAdapter(TypedWord)


class WibbleRoom(Room):
    """The room of Wibble."""

    game: ClassVar[type[AnyGame]] = Wibble
    title: ClassVar[str] = "Wibble"
    blurb: ClassVar[str] = "Draw words across the board; fresh letters fall in."
    has_words_to_learn: ClassVar[bool] = True
    address: ClassVar[str] = "/"
    invitation: ClassVar[str] = "Take turns on the same board. Draw the best word you see."
    examples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"options": {"mode": "classic"}},
        {"options": {"mode": "zen", "board": "teals rinse tones alert noise"}, "seed": "20b4"},
        {"options": {"mode": "versus", "turn_seconds": 30}, "seats": 3, "bots": [2]},
        {"options": {"mode": "adventure", "level": "early-frost"}},
    )

    quick_games: ClassVar[tuple[QuickGame, ...]] = (
        QuickGame("blitz", "Versus, 2 minutes each", {"mode": "versus", "clock_seconds": 120}),
        QuickGame("rapid", "Versus, 5 minutes each", {"mode": "versus", "clock_seconds": 300}),
    )
    lesson: ClassVar[Lesson | None] = WibbleLesson()
    puzzles: ClassVar[PuzzleRules | None] = WibblePuzzles()
    puzzle_board: ClassVar[PuzzleBoard | None] = WibbleBoard()
    study: ClassVar[StudyRoom | None] = WibbleStudyRoom()
    daily: ClassVar[str | None] = "/daily"
    daily_terms: ClassVar[str] = "Five rounds. The same board for everyone."

    typed_moves: ClassVar[tuple[type[BaseModel], ...]] = (TypedWord,)

    def routers(self) -> "tuple[APIRouter, ...]":
        from app.rooms.wibble import adventure_page, api, pages, solver_page  # noqa: PLC0415 - the terminal needs no web pages

        adventure = (adventure_page.api, adventure_page.router)
        return (api.router, *adventure, solver_page.router, pages.router)

    def title_of(self, view: View) -> str:
        return view.level.title if view.level else modes()[view.mode].title

    def mode_title(self, mode: str) -> str:
        """The mode's title, or its name if the mode no longer exists."""
        return next((rules.title for name, rules in modes().items() if name == mode), mode.capitalize())

    def preview_tiles(self, view: View) -> Tiles:
        letters = [tile.letter for tile in view.tiles]
        if view.level is None:
            return square("".join(letters))
        return tile_rows("".join(letters[row : row + view.size]) for row in range(0, len(letters), view.size))

    def rules(self) -> dict[str, Any]:
        from app.rooms.wibble.rules_data import rules_data  # noqa: PLC0415 - only the page needs it

        return rules_data()

    def describe_score(self, view: View, seat: int) -> str:
        """The points (in teams, the team's) and the round, if any; in Adventure, the moves left."""
        if view.level is not None:
            return f"level {view.level.number}, {format_count(view.level.moves_left, 'move')} left"
        points = next(
            (score for team, score in zip(view.teams, view.team_scores, strict=True) if seat in team),
            view.scores[seat],
        )
        scored = format_count(points, "point")
        return f"{scored}, round {max(view.round, 1)} of {view.rounds}" if view.rounds else scored

    def points_lost(self, turn: Mapping[str, Any]) -> int:
        """The points that a turn of a game review lost to the best play."""
        return TurnAnalysis.model_validate(turn).points_lost

    def counted_points(self, turns: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
        """Return the points played and lost in the turns of a game review that accuracy counts."""
        return counted_points(map(TurnAnalysis.model_validate, turns))

    def share(self, analysis: dict[str, Any], score: int) -> str:
        """A square per turn: green from 90% of the best word's points, yellow from 50%, else white."""
        squares = "".join(_square(turn["share"]) for turn in analysis["turns"])
        return "\n".join(filter(None, (squares, super().share(analysis, score))))

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        """A chain or suggestion is given by its comma-separated cells or, without script, as a word."""
        if fields.get("type") == "word":
            return _typed(fields.get("word", ""), table)
        if fields.get("type") == "suggest" and not fields.get("cells"):
            return Suggest(cells=_typed(fields.get("word", ""), table).cells)
        move: dict[str, Any] = {name: value for name, value in fields.items() if value and name != "word"}
        if fields.get("type") in ("chain", "suggest"):
            move["cells"] = cell_numbers(fields.get("cells", ""))
        else:
            move.pop("cells", None)
        if "letter" in move:
            move["letter"] = move["letter"].lower()
        found: Move = checked(table.game.move_adapter, move)
        return found

    def read_json_move(self, move: Mapping[str, Any], table: Table) -> Move:
        """A chain may also be given as a word."""
        if move.get("type") == "word":
            return _typed(read_strictly(_TYPED_WORD, move).word, table)
        found: Move = super().read_json_move(move, table)
        return found


ROOM: Final = WibbleRoom()


def _square(share: float) -> str:
    return "🟩" if share >= 0.9 else "🟨" if share >= 0.5 else "⬜"


def _typed(word: str, table: Table) -> Chain:
    """The move that plays a typed word on its best path. Raises IllegalMove."""
    word = word.strip().lower()
    state, game = table.state, table.game
    if not isinstance(game, Wibble) or state.board is None:
        raise IllegalMove("there is no board to find a word on")
    if not word.isascii() or not word.isalpha():
        raise IllegalMove("type a word of the letters a to z")
    path = game.solver.best_path(open_board(state), state.options.size, game.scoring(state.options), word)
    if path is None:
        raise IllegalMove(f"{word.upper()} cannot be traced on this board")
    return Chain(cells=path.cells)
