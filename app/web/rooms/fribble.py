"""Fribble's room: the crossword game, and placements as the page's form sends them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from app.games.fribble.rules import Fribble
from app.games.fribble.state import Move, View
from app.games.game import IllegalMove
from app.store.models import Table
from app.web.rooms.room import Room, cell_numbers, checked


class FribbleRoom(Room):
    """Words that cross."""

    kind: ClassVar[str] = Fribble.kind
    title: ClassVar[str] = "Fribble"
    blurb: ClassVar[str] = "The crossword game: seven tiles, and every square counts."
    address: ClassVar[str] = "/fribble"
    invitation: ClassVar[str] = "Lay words across the board, by turns, with the seven tiles of your rack."

    def standing(self, view: View, seat: int) -> str:
        """Who has how many points, one's own first."""
        others = [score for other, score in enumerate(view.scores) if other != seat]
        return " : ".join(map(str, (view.scores[seat], *others)))

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        """The fields are the move's own; the cells of a placement have commas between them."""
        move: dict[str, Any] = {name: value for name, value in fields.items() if value}
        if "cells" in move:
            move["cells"] = cell_numbers(move["cells"])
        if move.get("type") == "exchange":
            move["tiles"] = move.get("tiles", "").upper()
            if not move["tiles"]:
                raise IllegalMove("choose the tiles that go back")
        found: Move = checked(table.game.move_adapter, move)
        return found
