"""The premium squares of a 15x15 board."""

from functools import cached_property
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator

from app.games.game import Frozen

SIDE: Final = 15
CELLS: Final = SIDE * SIDE
"""Squares are numbered row by row from 0."""
CENTRE: Final = CELLS // 2
"""The square that the first word must cover."""

_PREMIUMS: Final = {".": (1, 1), "'": (2, 1), '"': (3, 1), "-": (1, 2), "=": (1, 3)}
"""By sign: the letter multiplier and the word multiplier."""


def _checked(rows: tuple[str, ...]) -> tuple[str, ...]:
    if len(rows) != SIDE or any(len(row) != SIDE for row in rows):
        raise ValueError(f"a layout has {SIDE} rows of {SIDE} squares")
    for number, row in enumerate(rows, start=1):
        for sign in row:
            if sign not in _PREMIUMS:
                raise ValueError(f"row {number} has {sign!r}: the signs are {' '.join(_PREMIUMS)}")
    return rows


class Layout(Frozen):
    """The premium squares of a board."""

    rows: Annotated[tuple[str, ...], AfterValidator(_checked)]
    """15 rows of 15 signs: ``=`` triple word, ``-`` double word, ``"`` triple letter, ``'`` double letter."""

    @cached_property
    def letter_multipliers(self) -> NDArray[np.uint8]:
        """(225,): the letter multiplier of each square; read-only."""
        return self._column(0)

    @cached_property
    def word_multipliers(self) -> NDArray[np.uint8]:
        """(225,): the word multiplier of each square; read-only."""
        return self._column(1)

    def _column(self, index: int) -> NDArray[np.uint8]:
        signs = "".join(self.rows)
        factors = np.array([_PREMIUMS[sign][index] for sign in signs], np.uint8)
        factors.flags.writeable = False
        return factors
