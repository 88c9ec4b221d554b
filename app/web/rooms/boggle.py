"""Boggle's room: rounds against the clock, and words as the page's form sends them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from app.games.boggle.rules import Boggle
from app.games.boggle.state import Move, View
from app.store.tables import Table
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

    def standing(self, view: View, seat: int) -> str:
        """The points, once the round has begun."""
        score = view.rounds[seat].score
        return "not begun" if score is None else f"{score} point{'' if score == 1 else 's'}"

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        """A word is its cells with commas, or the text that was typed."""
        move: dict[str, Any] = {name: value for name, value in fields.items() if value}
        if "cells" in move:
            move["cells"] = cell_numbers(move["cells"])
            move.pop("word", None)
        found: Move = checked(table.game.move_adapter, move)
        return found
