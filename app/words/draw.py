"""The weighted draw of letters: a discrete cumulative distribution, searched by bisection."""

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate, pairwise
from math import isfinite
from typing import Final, NamedTuple

from app.words.letters import ALPHABET

ROUNDING: Final = Decimal("0.01")
"""By how much published shares may miss a sum of 1."""


class Interval(NamedTuple):
    """The part of (0, 1] that draws ``letter``: above ``low``, up to and including ``high``."""

    letter: str
    low: float
    high: float


class LetterDraw:
    """Draws letters with given frequencies from numbers in (0, 1].

    ``frequencies`` are the shares of a to z. Rounded tables add up to 1 only nearly: one that falls short is
    scaled up; one that goes beyond is cut off at 1, at the expense of the commonest letter, as in the seed
    ("Wibble: Day 4"). Raises ValueError for anything but 26 shares, none negative, that add up to 1 within a
    hundredth.
    """

    intervals: tuple[Interval, ...]
    """Rarest letter first, equally common ones by the alphabet; letters that never occur are left out."""

    def __init__(self, frequencies: Sequence[float]) -> None:
        if len(frequencies) != 26 or not all(isfinite(share) and share >= 0 for share in frequencies):
            raise ValueError(f"letter frequencies are 26 shares, none negative; got {list(frequencies)}")
        # Decimal, from the digits a share prints with: sums of published shares stay free of binary rounding.
        shares = [
            (Decimal(repr(float(share))), letter) for share, letter in zip(frequencies, ALPHABET, strict=True)
        ]
        total = sum((share for share, _ in shares), Decimal(0))
        if abs(total - 1) > ROUNDING:
            raise ValueError(f"letter frequencies are shares that add up to 1; these add up to {total}")

        ascending = sorted((share, letter) for share, letter in shares if share)
        sums = accumulate((share for share, _ in ascending[:-1]), initial=Decimal(0))
        bounds = [*(sum_ / min(total, Decimal(1)) for sum_ in sums), Decimal(1)]
        self.intervals = tuple(
            Interval(letter, float(low), float(high))
            for (_, letter), (low, high) in zip(ascending, pairwise(bounds), strict=True)
        )
        self._highs = [interval.high for interval in self.intervals]

    def __call__(self, u: float) -> str:
        """The letter whose interval holds ``u``.

        Raises ValueError unless 0 < u <= 1: whoever has a random number in [0, 1) passes 1 minus it.
        """
        if not 0 < u <= 1:
            raise ValueError(f"a draw is a number above 0 and up to 1, not {u!r}")
        return self.intervals[bisect_left(self._highs, u)].letter
