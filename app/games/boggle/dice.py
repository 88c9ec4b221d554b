"""The dice of the board games: 16 for classic Boggle, 25 for Big Boggle."""

import tomllib
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.resources import resource

FACES: Final = 6


@cache
def dice(cells: int) -> NDArray[np.uint8]:
    """(dice, 6): the faces, as letter numbers, of the dice for a board of ``cells``.

    Up to 16 cells use the classic dice and up to 25 the big ones, some left out on smaller boards; larger
    boards use the big set several times.
    """
    tables: dict[str, list[str]] = tomllib.loads(
        (resource("data") / "boggle" / "dice.toml").read_text(encoding="utf-8")
    )
    chosen = tables["classic"] if cells <= len(tables["classic"]) else tables["big"]
    sets = -(-cells // len(chosen))
    letters = "".join(chosen * sets).encode("ascii")
    faces = np.frombuffer(letters, np.uint8).reshape(-1, FACES) - np.uint8(ord("a"))
    faces.flags.writeable = False
    return faces
