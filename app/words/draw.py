"""Weighted random letters: inverse transform sampling from a discrete distribution, by bisection."""

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate, pairwise
from math import isfinite
from typing import Final, NamedTuple

from app.words.letters import ALPHABET

ROUNDING: Final = Decimal("0.01")
"""The maximum difference of the sum of published shares from 1."""


class Interval(NamedTuple):
    """The part of (0, 1] that draws ``letter``: above ``low``, up to and including ``high``."""

    letter: str
    low: float
    high: float


class LetterDraw:
    """Maps numbers in (0, 1] to letters with the given frequencies.

    ``frequencies`` are the shares of a to z. The sum of a rounded table may differ slightly from 1: if it is
    less, the shares are scaled up; if it is more, the commonest letter's share is cut, as in "Wibble: Day 4".
    Raises ValueError unless there are 26 shares, none negative, with a sum within 0.01 of 1.
    """

    intervals: tuple[Interval, ...]
    """Rarest letter first, ties alphabetically; letters with share 0 are left out."""

    def __init__(self, frequencies: Sequence[float]) -> None:
        if len(frequencies) != 26 or not all(isfinite(share) and share >= 0 for share in frequencies):
            raise ValueError(f"letter frequencies are 26 shares, none negative; got {list(frequencies)}")
        # Decimal of the printed digits, so that sums of published shares have no binary rounding error.
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
        """Return the letter whose interval contains ``u``.

        Raises ValueError unless 0 < u <= 1. For a random number in [0, 1), pass 1 minus it.
        """
        if not 0 < u <= 1:
            raise ValueError(f"a draw is a number above 0 and up to 1, not {u!r}")
        return self.intervals[bisect_left(self._highs, u)].letter
