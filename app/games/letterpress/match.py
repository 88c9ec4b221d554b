"""Matches between engines, with each board played from both seats."""

from collections.abc import Iterator
from math import sqrt
from typing import Final, NamedTuple

from app.games.game import LexiconRef
from app.games.letterpress.bot import Bot, choose
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Options

MOST_TURNS: Final = 200
"""A longer game, in which both sides only retake tiles, is a draw."""
_CONFIDENT: Final = 1.96
"""Standard errors on either side of a 95% confidence interval."""


class Score(NamedTuple):
    """The first engine's result."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self)

    @property
    def share(self) -> float:
        """Wins plus half the draws, as a share of all games, 0 to 1."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def error(self) -> float:
        """Half the width of the share's 95% confidence interval (Wilson); never quite 0."""
        games, squared = self.games, _CONFIDENT**2
        spread = self.share * (1 - self.share) / games + squared / (4 * games**2)
        return _CONFIDENT * sqrt(spread) / (1 + squared / games)


def match(game: Letterpress, first: Bot, second: Bot, games: int, seed: str) -> Iterator[Score]:
    """Yield the score after each game. Consecutive pairs of games share a board, with seats swapped."""
    score = Score()
    for number in range(games):
        seat = number % 2
        winner = _winner(game, (first, second) if seat == 0 else (second, first), f"{seed}/{number // 2}")
        if winner is None:
            score = score._replace(draws=score.draws + 1)
        elif winner == seat:
            score = score._replace(wins=score.wins + 1)
        else:
            score = score._replace(losses=score.losses + 1)
        yield score


def _winner(game: Letterpress, seats: tuple[Bot, Bot], seed: str) -> int | None:
    state = game.start(Options(letters="usual", lexicon=LexiconRef.of(game.lexicon)), 2, seed)
    while (outcome := game.outcome(state)) is None:
        if len(state.turns) == MOST_TURNS:
            return None
        state = game.apply(state, state.to_move, choose(state, seats[state.to_move], game.solver), 0.0)
    return outcome.winners[0] if len(outcome.winners) == 1 else None
