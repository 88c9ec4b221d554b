"""Test data for the study boards of each room."""

from dataclasses import dataclass, field
from typing import Any, Final

import pytest


@dataclass(frozen=True)
class Trial:
    """Test data for the study boards of a room."""

    address: str
    """Of a board with a position whose engine finds moves."""
    moves: tuple[str, str]
    """Two moves, one after the other, as they are stored."""
    other: str
    """Another first move."""
    wrong: str
    """A first move that the rules refuse."""
    says: str
    known: dict[str, str]
    """What can be set after a move; empty for nothing."""
    options: dict[str, Any] = field(default_factory=dict)
    """Of a game that is opened."""
    seats: int = 2
    game_moves: tuple[dict[str, str], ...] = ({"kind": "pass"},)
    """The first player's moves in it, before everybody resigns."""
    game_nodes: tuple[str, ...] = ("pass",)
    """The moves of its board."""


TRIALS: Final = {
    "fribble": Trial(
        "/fribble/board?rack-1=BEFILRB",
        ("8H FRIBBLE", "H8 .RIENDS"),
        "8E FRIB",
        "8H ZOO",
        "The rack has no O",
        {"rack-1": "aeiou", "rack-2": ""},
    ),
    "letterpress": Trial(
        "/boards/new/letterpress?board=bnbdaetgreliegbcnhdlxmhoi",
        ("BREATHING 0 8 5 4 6 17 11 1 7", "MODAL 21 23 18 4 10"),
        "pass",
        "ZEBRA",
        "ZEBRA needs more of Z than this board has",
        {},
    ),
    "wibble": Trial(
        "/boards/new/wibble?board=catsxodogxwertyplanezzqzz&gems=0,9&x2=2&mode=versus",
        ("CATS 0 1 2 3", "swap 7 A DAG 6 7 8"),
        "shuffle",
        "DOGC 6 7 8 0",
        "Cell 0 does not touch",
        {"cells": "0,1,2,3", "fresh": "ab.d", "gems": "1,9", "dl": "", "tl": "4", "x2": "24"},
        {"mode": "versus"},
    ),
    "boggle": Trial(
        "/boards/new/boggle?board=chos+arei+ltnd+wges&players=2",
        ("1: CHAR 0 1 4 5", "2: REND 5 6 10 11"),
        "1: END 6 10 11",
        "ZEBRA",
        "ZEBRA is not on this board",
        {"turn": "2"},
        {"board": "chos arei ltnd wges", "seconds": None},
        2,
        ({"kind": "word", "word": "char"}, {"kind": "word", "word": "zebra"}),
        ("1: CHAR 0 1 4 5",),
    ),
    "scrabblet": Trial(
        "/boards/new/scrabblet?hand=CRPEI",
        ("CREEPIE", "PRICE"),
        "PIECE",
        "PLACE",
        "PLACE needs A, L: the hand has CRPEI",
        {},
        {"rack": "crpei"},
        1,
        ({"kind": "guess", "word": "creepie"}, {"kind": "guess", "word": "place"}),
        ("CREEPIE",),
    ),
}

EACH = pytest.mark.parametrize("kind", TRIALS)
