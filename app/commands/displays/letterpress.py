"""Terminal display of Letterpress."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rich.console import Group, RenderableType

from app.commands import letterpress_board as shown
from app.commands.board import with_names
from app.games.letterpress.state import Move, Pass, Play, Resign, Setup, View
from app.games.letterpress.territory import SIDE, Territory, lay
from app.terminal.display import Display, a_word, named_cells, not_understood


class LetterpressDisplay(Display):
    """Displays Letterpress."""

    view_type: ClassVar[type[View]] = View
    setup_type: ClassVar[type[Setup]] = Setup

    def fewest_players(self, options: Mapping[str, Any]) -> int:  # noqa: ARG002 - the same for all options
        """Return 2."""
        return 2

    def title(self, view: View) -> str:
        """Return the word list."""
        return f"Letterpress, {view.lexicon}"

    def board(self, view: View, names: Sequence[str]) -> RenderableType:
        """Render the tiles and their owners, with the last word highlighted."""
        latest = view.turns[-1].cells if view.turns else ()
        return Group(shown.board(view.board, view.owned, latest), shown.legend(view.owned, names))

    def position(self, view: View) -> object:
        """Return the owned tiles and the player to move."""
        return view.owned, view.to_move

    def changes(self, before: View, after: View, names: Sequence[str]) -> list[str]:
        """Describe the turns and a resignation."""
        turns = after.turns[len(before.turns) :]
        lines = [f"{names[turn.seat]}: {shown.played(turn)}" for turn in turns]
        if after.resigned is not None and before.resigned is None:
            lines.append(f"{names[after.resigned]}: resigned")
        return lines

    def move(self, typed: str, view: View) -> Move:
        """Parse a word, tiles, a pass or a resignation."""
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
        """Replace cell numbers with names."""
        return with_names(refusal, SIDE)

    def introduction(self, view: View) -> str:  # noqa: ARG002 - the same for every game
        """Explain input."""
        return "Type a word to play it with the tiles that gain most, or its tiles: a1 b2 b3."

    def commands(self, view: View) -> dict[str, tuple[str, str]]:  # noqa: ARG002 - the same for every game
        """Return pass and resign."""
        return {
            "/pass": ("", "pass; two passes in a row end the game"),
            "/resign": ("", "resign"),
        }
