"""Glicko-2: the strength of a player as a value, its deviation (uncertainty) and its volatility.

The formulas and the names of the steps are those of Mark Glickman's "Example of the Glicko-2 system" (2012,
http://www.glicko.net/glicko/glicko2.pdf). A rating period is one game. Between games the deviation grows with
time, by fractions of ``PERIOD_SECONDS``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

MEAN: Final = 1500.0
SCALE: Final = 173.7178
"""Rating points per unit of the formulas."""
LARGEST_DEVIATION: Final = 350.0
"""The deviation of a player without a game."""
SMALLEST_DEVIATION: Final = 45.0
"""The lower limit, so that the rating of a player with many games can still change."""
PROVISIONAL_DEVIATION: Final = 110.0
"""A rating with a larger deviation is provisional."""
VOLATILITY: Final = 0.06
_TAU: Final = 0.5
"""How fast the volatility changes."""
_TOLERANCE: Final = 0.000001
PERIOD_SECONDS: Final = 4.665 * 86_400.0
"""Chosen so that in a year without a game a deviation of 60 becomes 110, with the usual volatility."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of a player, bot or puzzle."""

    value: float = MEAN
    deviation: float = LARGEST_DEVIATION
    """The true strength is within two deviations of the value with a probability of 95%."""
    volatility: float = VOLATILITY

    @property
    def is_provisional(self) -> bool:
        """Whether it is based on too few games, or on old ones."""
        return self.deviation > PROVISIONAL_DEVIATION

    def later(self, seconds: float) -> "Rating":
        """Return the rating after this time without a game: its deviation has grown."""
        return replace(self, deviation=_bounded(_grown(self.deviation, self.volatility, seconds)))

    def expected(self, other: "Rating") -> float:
        """Return the expected score against another, 0 to 1, as if this rating's value were exact."""
        return _expected(_mu(self), _mu(other), _g(other))

    def after(self, results: Sequence[tuple["Rating", float]], seconds: float = 0.0) -> "Rating":
        """Return the rating after one period: scores of 0 to 1 against opponents.

        ``seconds`` is the time since the last period. Opponents' ratings are as of the game: see ``later``.
        """
        if not results:
            return self.later(seconds)
        mu, phi = _mu(self), self.deviation / SCALE
        terms = [(_g(other), _expected(mu, _mu(other), _g(other)), score) for other, score in results]
        variance = 1.0 / math.fsum(g * g * expected * (1.0 - expected) for g, expected, _ in terms)
        improvement = math.fsum(g * (score - expected) for g, expected, score in terms)
        volatility = _new_volatility(phi, self.volatility, variance, variance * improvement)
        before = _grown(self.deviation, volatility, seconds) / SCALE
        after = 1.0 / math.sqrt(1.0 / (before * before) + 1.0 / variance)
        return Rating(
            value=SCALE * (mu + after * after * improvement) + MEAN,
            deviation=_bounded(SCALE * after),
            volatility=volatility,
        )


def _bounded(deviation: float) -> float:
    return min(LARGEST_DEVIATION, max(SMALLEST_DEVIATION, deviation))


def _mu(rating: Rating) -> float:
    return (rating.value - MEAN) / SCALE


def _g(rating: Rating) -> float:
    phi = rating.deviation / SCALE
    return 1.0 / math.sqrt(1.0 + 3.0 * phi * phi / (math.pi * math.pi))


def _expected(mu: float, other: float, g: float) -> float:
    return 1.0 / (1.0 + math.exp(-g * (mu - other)))


def _grown(deviation: float, volatility: float, seconds: float) -> float:
    """Step 6, for a fraction of a period, in rating points."""
    periods, growth = max(0.0, seconds) / PERIOD_SECONDS, SCALE * volatility
    return math.sqrt(deviation * deviation + periods * growth * growth)


def _new_volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Step 5: solve for the new volatility with the Illinois algorithm."""
    start = math.log(sigma * sigma)

    def f(x: float) -> float:
        e = math.exp(x)
        total = phi * phi + variance + e
        return e * (delta * delta - total) / (2.0 * total * total) - (x - start) / (_TAU * _TAU)

    low = start
    if delta * delta > phi * phi + variance:
        high = math.log(delta * delta - phi * phi - variance)
    else:
        k = 1
        while f(start - k * _TAU) < 0.0:
            k += 1
        high = start - k * _TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0.0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = middle, at_middle
    return math.exp(low / 2.0)
