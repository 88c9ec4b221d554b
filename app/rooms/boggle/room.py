"""Boggle's page texts, points table, share text, and parsing of the move form."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Final

from app.games.boggle.finding import DAILY, MODE, HintRules, hint_rules
from app.games.boggle.puzzles import BogglePuzzles
from app.games.boggle.rules import Boggle
from app.games.boggle.scoring import classic_points
from app.games.boggle.state import BoardWord, FoundView, Move, View
from app.games.game import AnyGame, Measure
from app.games.puzzles import PuzzleRules
from app.grammar import format_count, format_rounded
from app.rooms.boggle.lesson import BoggleLesson
from app.rooms.boggle.puzzle import BoggleBoard
from app.rooms.boggle.study import BoggleStudyRoom
from app.store.models import Table
from app.web.lesson import Lesson
from app.web.puzzle_board import PuzzleBoard
from app.web.room import QuickGame, Room, cell_numbers, checked
from app.web.share.tiles import Tiles, tile_rows
from app.web.study.study_room import StudyRoom

if TYPE_CHECKING:
    from fastapi import APIRouter


class BoggleRoom(Room):
    """The room of Boggle."""

    game: ClassVar[type[AnyGame]] = Boggle
    title: ClassVar[str] = "Boggle"
    blurb: ClassVar[str] = "One board, three minutes, every word you see."
    has_words_to_learn: ClassVar[bool] = True
    quick_games: ClassVar[tuple[QuickGame, ...]] = (QuickGame("blitz", "3 minutes", {"seconds": 180}),)
    lesson: ClassVar[Lesson | None] = BoggleLesson()
    puzzles: ClassVar[PuzzleRules | None] = BogglePuzzles()
    puzzle_board: ClassVar[PuzzleBoard | None] = BoggleBoard()
    study: ClassVar[StudyRoom | None] = BoggleStudyRoom()
    address: ClassVar[str] = "/boggle"
    invitation: ClassVar[str] = "Everyone plays the same board. Find more words."
    examples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"options": {"richness": "rich", "seconds": 180}},
        {"options": {"find_all": True, "richness": "plain"}},
    )
    daily: ClassVar[str | None] = "/boggle/daily"
    daily_terms: ClassVar[str] = "Three minutes. The same board for everyone."
    daily_board: ClassVar[tuple[int, int]] = (4, 4)

    def routers(self) -> "tuple[APIRouter, ...]":
        from app.rooms.boggle import api, generate_api, generator_page, pages  # noqa: PLC0415 - the terminal needs no web pages

        return (api.router, generate_api.router, pages.router, generator_page.router)

    def title_of(self, view: View) -> str:
        return self.mode_title(MODE if view.find_all else "")

    def mode_title(self, mode: str) -> str:
        return "Find them all" if mode == MODE else self.title

    def more_dailies(self) -> tuple[Room, ...]:
        return (FindAllDaily(),)

    def daily_of(self, view: View) -> str | None:
        return FindAllDaily.daily if view.find_all else self.daily

    @property
    def hint_rules(self) -> HintRules:
        """The costs of hints."""
        return hint_rules()

    def points_by_length(self, min_length: int) -> list[tuple[str, int]]:
        """Points by word length, equal points grouped: ``("3-4", 1), ("5", 2) ... ("8+", 11)``."""
        table = classic_points()
        lengths = groupby(range(min_length, len(table)), key=table.__getitem__)
        spans = [(list(group), points) for points, group in lengths]
        last = len(table) - 1
        return [(_span(group[0], group[-1], last), points) for group, points in spans]

    def points_of(self, words: Iterable[BoardWord | FoundView]) -> int:
        """Sum of the words' points. Template filters would take 2 ms for the 3,500 words of a large board."""
        return sum(word.points for word in words)

    @property
    def points(self) -> str:
        """Points by number of letters, from 0, such as ``0,0,0,1,1,2``; longer words score as the last."""
        return ",".join(map(str, classic_points()))

    def share(self, analysis: dict[str, Any], score: int) -> str:
        """Points, number of words, length of the longest, and percentage of the board's points."""
        lengths = [len(word["word"]) for word in analysis["words"] if word["seats"]]
        found = format_count(score, "point")
        if not lengths:
            return found
        accuracy = analysis["seats"][0]["accuracy"]
        words, longest = format_count(len(lengths), "word"), format_count(max(lengths), "letter")
        return f"{found} with {words}, up to {longest}\n{format_rounded(accuracy)}% of all points"

    def preview_tiles(self, view: View) -> Tiles:
        return tile_rows(view.board or ())

    def rules(self) -> dict[str, Any]:
        from app.rooms.boggle.rules_data import rules_data  # noqa: PLC0415 - only the page needs it

        return rules_data()

    def describe_score(self, view: View, seat: int) -> str:
        """The points, once the round has started."""
        score = view.rounds[seat].score
        return "not started" if score is None else format_count(score, "point")

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        """A word is given by its comma-separated cells or as typed text."""
        move: dict[str, Any] = {name: value for name, value in fields.items() if value}
        if "cells" in move:
            move["cells"] = cell_numbers(move["cells"])
            move.pop("word", None)
        found: Move = checked(table.game.move_adapter, move)
        return found


class FindAllDaily(BoggleRoom):
    """The daily of Find them all."""

    title: ClassVar[str] = "Find them all"
    daily: ClassVar[str | None] = f"/{DAILY}/daily"
    daily_terms: ClassVar[str] = "No clock, with hints. The same board for everyone."
    unit: ClassVar[str] = "common word"

    @property
    def daily_name(self) -> str:
        return DAILY

    def more_dailies(self) -> tuple[Room, ...]:
        return ()

    def measure(self, mode: str) -> Measure | None:
        return super().measure(MODE)

    def share(self, analysis: dict[str, Any], score: int) -> str:
        """The share of the common words, the number of bonus words, and the hints used."""
        seat = analysis["seats"][0]
        bonus = sum(bool(word["seats"]) and not word["common"] for word in analysis["words"])
        found = f"{format_rounded(seat['accuracy'] or 0)}% of {format_count(seat['best_score'], self.unit)}"
        hints = f"{analysis['hints'][0]} of {hint_rules().budget} hints"
        return f"{found}\n{format_count(bonus, 'bonus word')}, {hints}"


ROOM: Final = BoggleRoom()


def _span(first: int, final: int, last: int) -> str:
    """A range of word lengths as text, such as ``3-4``, or ``8+`` if it ends at the table's ``last``."""
    if final == last:
        return f"{first}+"
    return str(first) if first == final else f"{first}\N{EN DASH}{final}"
