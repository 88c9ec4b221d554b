"""Scrabblet's room: a hand of tiles and the words in it."""

from collections.abc import Mapping
from typing import Any, ClassVar

from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Move, View
from app.store.tables import Table
from app.web.rooms.room import Room, checked


class ScrabbletRoom(Room):
    """Words from a dealt hand."""

    kind: ClassVar[str] = Scrabblet.kind
    title: ClassVar[str] = "Scrabblet"
    blurb: ClassVar[str] = "A hand of tiles, every word in it; letters may repeat."
    address: ClassVar[str] = "/scrabblet"
    invitation: ClassVar[str] = "Find the words in a hand of tiles; letters may repeat."
    daily: ClassVar[str | None] = "/scrabblet/daily"
    daily_terms: ClassVar[str] = (
        "One hand of seven tiles for everybody: find the words that most people know."
    )

    def standing(self, view: View, seat: int) -> str:  # noqa: ARG002 - there is one seat
        """The points and the rank."""
        return f"{view.score} points, {view.rank.name}"

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        """The fields are the move's own."""
        move: dict[str, Any] = {name: value for name, value in fields.items() if value}
        found: Move = checked(table.game.move_adapter, move)
        return found
