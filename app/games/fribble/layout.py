"""The premium squares of a board of 15 by 15."""

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
"""What each sign multiplies: the letter, and the word."""


def _checked(rows: tuple[str, ...]) -> tuple[str, ...]:
    if len(rows) != SIDE or any(len(row) != SIDE for row in rows):
        raise ValueError(f"a layout has {SIDE} rows of {SIDE} squares")
    for number, row in enumerate(rows, start=1):
        for sign in row:
            if sign not in _PREMIUMS:
                raise ValueError(f"row {number} has {sign!r}: the signs are {' '.join(_PREMIUMS)}")
    return rows


class Layout(Frozen):
    """Where letters and words count double or triple."""

    rows: Annotated[tuple[str, ...], AfterValidator(_checked)]
    """15 rows of 15 signs: ``=`` triple word, ``-`` double word, ``"`` triple letter, ``'`` double letter."""

    @cached_property
    def letter_multipliers(self) -> NDArray[np.uint8]:
        """(225,): what multiplies the value of a tile laid on each square; read-only."""
        return self._column(0)

    @cached_property
    def word_multipliers(self) -> NDArray[np.uint8]:
        """(225,): what multiplies a word with a tile laid on each square; read-only."""
        return self._column(1)

    def _column(self, which: int) -> NDArray[np.uint8]:
        signs = "".join(self.rows)
        factors = np.array([_PREMIUMS[sign][which] for sign in signs], np.uint8)
        factors.flags.writeable = False
        return factors
