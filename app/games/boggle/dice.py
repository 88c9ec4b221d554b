"""The dice of the board games: 16 for the classic game, 25 for the big one."""

import tomllib
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.resources import resource

FACES: Final = 6


@cache
def dice(cells: int) -> NDArray[np.uint8]:
    """(dice, 6): the faces, as letter numbers, of the set that a board of ``cells`` is thrown from.

    Boards of up to 16 cells take the dice of the classic game and boards of up to 25 those of the big one, of
    which a smaller board leaves some out; a larger board takes the big set as often as it must.
    """
    tables: dict[str, list[str]] = tomllib.loads(
        (resource("data") / "boggle-dice.toml").read_text(encoding="utf-8")
    )
    chosen = tables["classic"] if cells <= len(tables["classic"]) else tables["big"]
    sets = -(-cells // len(chosen))
    letters = "".join(chosen * sets).encode("ascii")
    faces = np.frombuffer(letters, np.uint8).reshape(-1, FACES) - np.uint8(ord("a"))
    faces.flags.writeable = False
    return faces
