"""Fribble's page texts, and parsing of the move form."""

from collections.abc import Mapping
from typing import Any, ClassVar

from app.games.fribble.rules import Fribble
from app.games.fribble.state import Move, View
from app.games.game import IllegalMove
from app.store.models import Table
from app.web.rooms.room import Room, cell_numbers, checked


class FribbleRoom(Room):
    """The room of Fribble."""

    kind: ClassVar[str] = Fribble.kind
    title: ClassVar[str] = "Fribble"
    blurb: ClassVar[str] = "The crossword game: seven tiles, and every square counts."
    address: ClassVar[str] = "/fribble"
    invitation: ClassVar[str] = "Take turns laying words on the board with the seven tiles of your rack."

    def standing(self, view: View, seat: int) -> str:
        """The scores, this seat's first."""
        others = [score for other, score in enumerate(view.scores) if other != seat]
        return " : ".join(map(str, (view.scores[seat], *others)))

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        """The form has the move's fields, with comma-separated cells."""
        move: dict[str, Any] = {name: value for name, value in fields.items() if value}
        if "cells" in move:
            move["cells"] = cell_numbers(move["cells"])
        if move.get("type") == "exchange":
            move["tiles"] = move.get("tiles", "").upper()
            if not move["tiles"]:
                raise IllegalMove("choose the tiles that go back")
        found: Move = checked(table.game.move_adapter, move)
        return found
