"""Letterpress in a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rich.console import Group, RenderableType

from app.commands import letterpress_board as shown
from app.commands.board import with_names
from app.commands.displays.display import Display, a_word, named_cells, not_understood
from app.games.letterpress.state import Move, Pass, Play, Resign, Setup, View
from app.games.letterpress.territory import SIDE, Territory, lay


class LetterpressDisplay(Display):
    """25 tiles between two."""

    view_type: ClassVar[type[View]] = View
    setup_type: ClassVar[type[Setup]] = Setup

    def fewest_players(self, options: Mapping[str, Any]) -> int:  # noqa: ARG002 - whatever they are
        """Two."""
        return 2

    def title(self, view: View) -> str:
        """The game and its word list."""
        return f"Letterpress, {view.lexicon}"

    def board(self, view: View, names: Sequence[str]) -> RenderableType:
        """The tiles and whose they are; those of the latest word stand out."""
        latest = view.turns[-1].cells if view.turns else ()
        return Group(shown.board(view.board, view.owned, latest), shown.legend(view.owned, names))

    def position(self, view: View) -> object:
        """Who owns what and whose turn it is."""
        return view.owned, view.to_move

    def changes(self, before: View, after: View, names: Sequence[str]) -> list[str]:
        """The turns, and who resigned."""
        turns = after.turns[len(before.turns) :]
        lines = [f"{names[turn.seat]}: {shown.played(turn)}" for turn in turns]
        if after.resigned is not None and before.resigned is None:
            lines.append(f"{names[after.resigned]}: resigned")
        return lines

    def move(self, typed: str, view: View) -> Move:
        """A word, tiles, a pass, or the end."""
        if typed == "/pass":
            return Pass()
        if typed == "/resign":
            return Resign()
        if cells := named_cells(typed, SIDE, SIDE):
            return Play(cells=cells)
        if word := a_word(typed):
            mine = view.seat or 0
            territory = Territory(ours=view.owned[mine], theirs=view.owned[1 - mine])
            return Play(cells=lay(word, view.board, territory))
        raise not_understood(typed)

    def explain(self, refusal: str, view: View) -> str:  # noqa: ARG002
        """With the names of tiles instead of numbers."""
        return with_names(refusal, SIDE)

    def introduction(self, view: View) -> str:  # noqa: ARG002 - the same for every game
        """Words and tiles."""
        return "Type a word: its tiles are chosen so that most turn. Or name its tiles: a1 b2 b3."

    def commands(self, view: View) -> dict[str, tuple[str, str]]:  # noqa: ARG002 - likewise
        """How to leave a turn or the game."""
        return {
            "/pass": ("", "let the turn go by; two passes in a row end the game"),
            "/resign": ("", "give the game up"),
        }
