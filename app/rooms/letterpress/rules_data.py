"""Data for the page with Letterpress's rules: sizes and an example, computed by the game."""

from typing import Any, Final

from app.games.letterpress.anagrams import SHORTEST
from app.games.letterpress.territory import CELLS, MAJORITY, SIDE, Territory, lay, mask_of, protected
from app.rooms.letterpress.room import ROOM
from app.web.rules import DrawnTile, spoken

_BOARD: Final = "prestwlohkaeindgcmuybtfiv"
_BEFORE: Final = Territory(ours=36079, theirs=32399360)
_WORD: Final = "kindly"


def rules_data() -> dict[str, Any]:
    """The context of the template."""
    cells = lay(_WORD, _BOARD, _BEFORE)
    after = _BEFORE.after(mask_of(cells))
    return {
        "shortest": SHORTEST,
        "cells": CELLS,
        "majority": MAJORITY,
        "columns": SIDE,
        "word": _WORD.upper(),
        "closed": _WORD.removesuffix("ly").upper(),
        "kept": "".join(_BOARD[cell] for cell in cells if after.theirs >> cell & 1).upper(),
        "gained": after.lead - _BEFORE.lead,
        "before": _position(_BEFORE),
        "after": _position(after, cells),
    }


def _position(territory: Territory, used: tuple[int, ...] = ()) -> dict[str, Any]:
    """A position: its tiles and the counts of each side."""
    ours, theirs = territory.ours, territory.theirs
    tiles = [
        DrawnTile(tile.letter, owner=tile.owner or "", protected=tile.protected, used=tile.cell in used)
        for tile in ROOM.tiles(_BOARD, ours, theirs)
    ]
    sides = (("Yours", "ours"), ("theirs", "theirs"), ("free", ""))
    named = [f"{name}: {spoken(tile for tile in tiles if tile.owner == side)}" for name, side in sides]
    named.append(f"protected: {spoken(tile for tile in tiles if tile.protected)}")
    return {
        "tiles": tiles,
        "spoken": "; ".join(named),
        "ours": ours.bit_count(),
        "theirs": theirs.bit_count(),
        "protected": protected(ours).bit_count(),
        "their_protected": protected(theirs).bit_count(),
    }
