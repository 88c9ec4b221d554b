"""Matches between two players: pairs of games in which each bag is played from both seats."""

from collections.abc import Iterable, Iterator
from math import sqrt
from typing import Final, NamedTuple

from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.presets import Preset
from app.games.fribble.selfplay import Player, play
from app.games.randomness import generator as generator_of
from app.grammar import format_count, round_half_up

_CONFIDENT: Final = 1.96
"""Standard errors on either side of a 95% confidence interval."""


class Score(NamedTuple):
    """The first player's result in a match, accumulated by pairs of games."""

    pairs: int = 0
    wins: int = 0
    draws: int = 0
    share_squares: float = 0.0
    """Sum over pairs of the squared share of points won."""
    spread: int = 0
    """Own points minus the opponent's, over all games."""
    spread_squares: float = 0.0
    """Sum over pairs of the squared spread."""
    turns: int = 0
    """Turns by both players."""

    def __add__(self, other: object) -> "Score":
        """Return both matches combined."""
        if not isinstance(other, Score):
            return NotImplemented
        return Score._make(mine + more for mine, more in zip(self, other, strict=True))

    @property
    def games(self) -> int:
        """Games played."""
        return 2 * self.pairs

    @property
    def losses(self) -> int:
        """Games lost."""
        return self.games - self.wins - self.draws

    @property
    def share(self) -> float:
        """Wins plus half the draws, as a share of all games, 0 to 1."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def share_error(self) -> float:
        """Half the width of the share's 95% confidence interval; the games of a pair are not independent."""
        return _CONFIDENT * sqrt(max(0.0, self.share_squares / self.pairs - self.share**2) / self.pairs)

    @property
    def mean_spread(self) -> float:
        """Average spread per game."""
        return self.spread / self.games

    @property
    def spread_error(self) -> float:
        """Half the width of the mean spread's 95% confidence interval."""
        variance = self.spread_squares / self.pairs / 4 - self.mean_spread**2
        return _CONFIDENT * sqrt(max(0.0, variance) / self.pairs)

    def __str__(self) -> str:
        """Return the result on one line."""
        counts = (
            f"{format_count(self.games, 'game')}: {self.wins} won, {self.draws} drawn, {self.losses} lost"
        )
        share = f"{round_half_up(self.share, 3):.1%} ± {self.share_error:.1%}"
        spread = round_half_up(self.mean_spread, 1)
        return f"{counts}, {share}, spread {spread:+.1f} ± {self.spread_error:.1f}"


def match(
    generator: MoveGenerator, preset: Preset, first: Player, second: Player, bags: Iterable[int]
) -> Iterator[Score]:
    """Yield the score after each pair of games; ``bags`` are the seeds of the pairs."""
    score = Score()
    for bag in bags:
        score += pair(generator, preset, first, second, bag)
        yield score


def pair(generator: MoveGenerator, preset: Preset, first: Player, second: Player, bag: int) -> Score:
    """Return the score of two games with the same bag, one started by each player."""
    out = play(generator, preset, (first, second), generator_of(f"bag {bag}", 0))
    back = play(generator, preset, (second, first), generator_of(f"bag {bag}", 0))
    spreads = (out.scores[0] - out.scores[1], back.scores[1] - back.scores[0])
    wins = sum(spread > 0 for spread in spreads)
    draws = sum(spread == 0 for spread in spreads)
    return Score(
        pairs=1,
        wins=wins,
        draws=draws,
        share_squares=((wins + draws / 2) / 2) ** 2,
        spread=sum(spreads),
        spread_squares=float(sum(spreads) ** 2),
        turns=out.turns + back.turns,
    )
