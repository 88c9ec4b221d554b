"""A side's tiles as numbers in a text, as in a query or on the command line."""

import re
from typing import Final

from app.games.letterpress.territory import CELLS

_NUMBERS: Final = re.compile(
    r"\s*(?:(?P<form>cells|mask)\s*:)?(?P<numbers>\s*-?\d{1,12}\s*(?:,\s*-?\d{1,12}\s*)*)"
)


def parse_tiles(text: str, *, number_is_mask: bool = False) -> list[int] | int | None:
    """Parse ``cells:0,1,5`` to a list of cells and ``mask:35`` to a bit mask; None for any other text.

    Without ``cells:`` or ``mask:``, several numbers are cells, a number above 24 is a mask and 0 is no tiles.
    Raises ValueError for a single number from 1 to 24, which could be either. With ``number_is_mask`` every
    single number is a mask, and raises ValueError for several without ``cells:``.
    """
    found = _NUMBERS.fullmatch(text)
    if found is None:
        return None
    form = found["form"]
    first, *more = numbers = [int(number) for number in found["numbers"].split(",")]
    if more and not form and number_is_mask:
        raise ValueError(f"{text} is not one mask: for cells write cells:{text}")
    if form == "cells" or (more and not form):
        return numbers
    if more:
        return None
    if not (form or number_is_mask) and 0 < first < CELLS:
        raise ValueError(f"{first} could be a cell or a mask: write cells:{first} or mask:{first}")
    return first
