"""Boggle's room: rounds against the clock, and words as the page's form sends them."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any, ClassVar

from app.games.boggle.rules import Boggle
from app.games.boggle.scoring import classic_points
from app.games.boggle.state import Move, View
from app.grammar import format_count
from app.store.models import Table
from app.web.rooms.room import Room, cell_numbers, checked


class BoggleRoom(Room):
    """All words of one board."""

    kind: ClassVar[str] = Boggle.kind
    title: ClassVar[str] = "Boggle"
    blurb: ClassVar[str] = "One board, three minutes, every word you see."
    address: ClassVar[str] = "/boggle"
    invitation: ClassVar[str] = "The same board for everybody, and a round for each: find more words."
    daily: ClassVar[str | None] = "/boggle/daily"
    daily_terms: ClassVar[str] = "Three minutes on a board that is the same for everybody."

    def worths(self, min_length: int) -> list[tuple[str, int]]:
        """What words are worth, those worth as much in one line: ``("3-4", 1), ("5", 2) ... ("8+", 11)``."""
        table = classic_points()
        lengths = groupby(range(min_length, len(table)), key=table.__getitem__)
        spans = [(list(same), points) for points, same in lengths]
        last = len(table) - 1
        return [(_span(same[0], same[-1], last), points) for same, points in spans]

    @property
    def points(self) -> str:
        """Points by number of letters from 0 on, as in ``0,0,0,1,1,2``; longer words score as the last."""
        return ",".join(map(str, classic_points()))

    def share(self, analysis: dict[str, Any], score: int) -> str:
        """Points, how many words and how long the longest, and the share of what the board had."""
        lengths = [len(word["word"]) for word in analysis["words"] if word["seats"]]
        found = format_count(score, "point")
        if not lengths:
            return found
        accuracy = analysis["seats"][0]["accuracy"]
        words, longest = format_count(len(lengths), "word"), format_count(max(lengths), "letter")
        return f"{found} with {words}, up to {longest}\n{accuracy:.0f}% of what the board had"

    def standing(self, view: View, seat: int) -> str:
        """The points, once the round has begun."""
        score = view.rounds[seat].score
        return "not begun" if score is None else format_count(score, "point")

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        """A word is its cells with commas, or the text that was typed."""
        move: dict[str, Any] = {name: value for name, value in fields.items() if value}
        if "cells" in move:
            move["cells"] = cell_numbers(move["cells"])
            move.pop("word", None)
        found: Move = checked(table.game.move_adapter, move)
        return found


def _span(first: int, final: int, last: int) -> str:
    """Lengths ``first`` to ``final`` in short; from the ``last`` on longer words are worth as much."""
    if final == last:
        return f"{first}+"
    return str(first) if first == final else f"{first}\N{EN DASH}{final}"
