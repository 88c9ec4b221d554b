"""Parses Wibble moves typed in a terminal."""

import re
from collections.abc import Callable
from typing import Final

from app.games.wibble.moves import Chain, Hint, Move, Pass, Resign, Shuffle, Swap
from app.games.wibble.options import Power
from app.terminal.cells import cell_number, named_cells

_SIMPLE: Final[dict[str, type[Shuffle | Hint | Pass | Resign]]] = {
    "/shuffle": Shuffle,
    "/hint": Hint,
    "/pass": Pass,
    "/resign": Resign,
}
POWERS: Final[dict[Power, tuple[str, str]]] = {
    "shuffle": ("", "shuffle the tiles"),
    "swap": ("b3 e", "change the tile b3 to E"),
    "hint": ("", "show the best word"),
}
"""Arguments and help text of each power."""


def typed_move(typed: str, size: int, trace: Callable[[str], tuple[int, ...] | None]) -> Move | None:
    """Parse a move typed in lower case; None if it is not a move.

    ``trace`` finds the path of a word. Raises ValueError for an impossible move on the board.
    """
    command, *arguments = typed.split() or [""]
    if command == "/swap":
        if len(arguments) != 2 or not re.fullmatch("[a-z]", arguments[1]):
            raise ValueError("name a tile and its new letter: /swap b3 e")
        return Swap(cell=cell_number(arguments[0], size, size), letter=arguments[1])
    if command in _SIMPLE and not arguments:
        return _SIMPLE[command]()
    if cells := named_cells(typed, size, size):
        return Chain(cells=cells)
    if not arguments and re.fullmatch("[a-z]+", command):
        path = trace(command)
        if not path:
            raise ValueError(f"{command.upper()} cannot be traced here: each tile must touch the one before")
        return Chain(cells=path)
    return None
