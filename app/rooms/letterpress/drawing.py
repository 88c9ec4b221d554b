"""Terminal rendering of Letterpress: the board with the owners of tiles, and turns."""

from collections.abc import Collection, Sequence
from typing import Final

from rich.text import Text

from app.games.letterpress.analysis import BestMove, TurnAnalysis
from app.games.letterpress.state import Turn
from app.games.letterpress.territory import SIDE, protected
from app.terminal.cells import path

_MARKS: Final = ("()", "[]")
_COLOURS: Final = ("blue", "red")


def board(letters: str, owned: Sequence[int], marked: Collection[int] = ()) -> Text:
    """Render the tiles and their owners, readable without colour; ``marked`` cells are highlighted."""
    picture = Text("   " + "  ".join("abcde") + "\n", style="dim")
    for cell, letter in enumerate(letters):
        if cell % SIDE == 0:
            picture.append(f"{cell // SIDE + 1} ")
        owner = next((seat for seat, own in enumerate(owned) if own >> cell & 1), None)
        safe = owner is not None and protected(owned[owner]) >> cell & 1
        left, right = _MARKS[owner] if owner is not None else "  "
        colour = _COLOURS[owner] if owner is not None else "default"
        style = f"not dim {colour}{' bold' if safe else ''}{' reverse' if cell in marked else ''}"
        picture.append(f"{left}{letter.upper() if safe else letter}{right}", style)
        if cell % SIDE == SIDE - 1:
            picture.append("\n")
    return picture


def legend(owned: Sequence[int], names: Sequence[str]) -> Text:
    """Render how each player's tiles are marked and how many there are."""
    tiles = ", ".join(
        f"{marks[0]}a{marks[1]} {name} {own.bit_count()}"
        for marks, name, own in zip(_MARKS, names, owned, strict=True)
    )
    return Text(f"{tiles}; capitals are protected", style="bold")


def played(turn: Turn | TurnAnalysis | BestMove) -> str:
    """Format a turn: ``HORSE +3  (a1 b2 ...)``."""
    return f"{turn.word.upper()} {turn.gained:+}  ({path(turn.cells, SIDE)})" if turn.word else "passed"
