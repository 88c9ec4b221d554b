"""Scrabblet's page texts and share text, and parsing of the move form."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter

from app.games.game import AnyGame, Frozen, IllegalMove
from app.games.puzzles import PuzzleRules
from app.games.scrabblet.puzzles import ScrabbletPuzzles
from app.games.scrabblet.ranks import rank_of, ranks
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Choices, Guess, Hint, Move, Options, Quit, View
from app.grammar import format_count, format_rounded
from app.rooms.scrabblet.lesson import ScrabbletLesson
from app.rooms.scrabblet.puzzle import ScrabbletBoard
from app.rooms.scrabblet.study import ScrabbletStudyRoom
from app.store.models import Table
from app.web.lesson import Lesson
from app.web.model import read_strictly
from app.web.puzzle_board import PuzzleBoard
from app.web.room import Room, checked
from app.web.share.tiles import Tiles, tile_rows
from app.web.study.study_room import StudyRoom
from app.words.library import Library

if TYPE_CHECKING:
    from fastapi import APIRouter


class Finish(Frozen):
    """Finish the game."""

    type: Literal["finish"] = "finish"


_Moves: TypeAlias = Annotated[Guess | Hint | Finish, Field(discriminator="type")]


_MOVES: Final[TypeAdapter[_Moves]] = TypeAdapter(_Moves)


class ScrabbletRoom(Room):
    """The room of Scrabblet."""

    game: ClassVar[type[AnyGame]] = Scrabblet
    title: ClassVar[str] = "Scrabblet"
    blurb: ClassVar[str] = "Find every word in a hand of tiles. Letters may repeat."
    has_words_to_learn: ClassVar[bool] = True
    lesson: ClassVar[Lesson | None] = ScrabbletLesson()
    puzzles: ClassVar[PuzzleRules | None] = ScrabbletPuzzles()
    puzzle_board: ClassVar[PuzzleBoard | None] = ScrabbletBoard()
    study: ClassVar[StudyRoom | None] = ScrabbletStudyRoom()
    address: ClassVar[str] = "/scrabblet"
    invitation: ClassVar[str] = "Find the words in a hand of tiles. Letters may repeat."
    daily: ClassVar[str | None] = "/scrabblet/daily"
    daily_terms: ClassVar[str] = "The same seven tiles for everyone. Find the common words."
    daily_board: ClassVar[tuple[int, int]] = (1, 7)

    def deals_slowly(self, options: Options) -> bool:
        """Hands by other terms than the usual ones, or with words of another list, may be rare."""
        usual = options.model_copy(update=Choices().model_dump(exclude={"penalty", "penalize"}))
        return options.rack is None and (options != usual or options.lexicon.name != Library.default)

    def routers(self) -> "tuple[APIRouter, ...]":
        from app.rooms.scrabblet import api, pages  # noqa: PLC0415 - the terminal needs no web pages

        return (api.router, pages.router)

    def mode_title(self, mode: str) -> str:
        """The title, followed by "daily" for the daily."""
        return f"{self.title} daily" if mode == "daily" else self.title

    @property
    def move_type(self) -> Any:
        return _Moves

    def read_json_move(self, move: Mapping[str, Any], table: Table) -> Any:
        """As in other rooms, but errors name the moves as in the API."""
        ends = self.with_logged_ending(move) is not move
        return super().read_json_move(move, table) if ends else read_strictly(_MOVES, move)

    def shown_move(self, move: BaseModel) -> BaseModel:
        """The log has the old name ``quit`` for finishing, because checksums of records cover it."""
        return Finish() if isinstance(move, Quit) else move

    def share(self, analysis: dict[str, Any], score: int) -> str:
        """A square per rank above the first, the rank reached, the percentage, and the words found."""
        found = [word for word in analysis["found"] if word["required"]]
        points, total = sum(word["points"] for word in found), analysis["required_total"]
        reached = rank_of(points, total)
        squares = "🟩" * reached + "⬜" * (len(ranks()) - 1 - reached)
        counts = [f"{len(found)} of {format_count(analysis['required'], 'word')}"]
        extra = {
            "bonus word": len(analysis["found"]) - len(found),
            "pangram": sum(word["pangram"] for word in found),
        }
        counts += [format_count(number, name) for name, number in extra.items() if number]
        share = f" {format_rounded(100 * points / total)}%" if total else ""
        return f"{squares} {ranks()[reached].name}{share}\n{', '.join(counts)}"

    def preview_tiles(self, view: View) -> Tiles:
        return tile_rows((view.rack,))

    def rules(self) -> dict[str, Any]:
        from app.rooms.scrabblet.rules_data import rules_data  # noqa: PLC0415 - only the page needs it

        return rules_data()

    def describe_score(self, view: View, seat: int) -> str:
        return f"{format_count(view.score, 'point')}, {view.rank.name}"

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        move: dict[str, Any] = {name: value for name, value in fields.items() if value}
        if move.get("type") == "guess" and not _is_letters(move.get("word", "")):
            raise IllegalMove("type a word of the letters a to z")
        found: Move = checked(table.game.move_adapter, move)
        return found


ROOM: Final = ScrabbletRoom()


def _is_letters(word: str) -> bool:
    word = word.strip()
    return word.isascii() and word.isalpha()
