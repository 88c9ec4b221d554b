"""Best-first search for the turn that wins with the most draws from the bag, before the bag is empty.

Half of the effort is spent on new candidates, starting with those of high ``static`` equity and those that
leave few tiles, whose endgames are decided fastest. The other half continues with the candidates that seem to
win most; a draw that is hard to decide is searched a little at first and more each time its candidate is
selected. A candidate is given up once it cannot win more than another is certain to win; draws that refuted
other candidates are tried first.
"""

from collections import deque
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame import Stop
from app.games.fribble.movegen import Squares
from app.games.fribble.simulate import Candidate

_BEGINNING: Final = 256
"""The cost of starting a search, in positions searched in the same time."""


class Prospect(NamedTuple):
    """The result for a candidate."""

    candidate: Candidate
    win_share: float
    """Win probability, 0 to 1; draws count half. Draws of tiles that were not tried count as lost."""
    exact_share: float
    """The probability of the draws of tiles whose result is exact, 0 to 1."""
    tried_share: float
    """The probability of the draws that were tried, 0 to 1; below 1 if the candidate was given up."""

    @property
    def exact(self) -> bool:
        """Whether the win probability is exact."""
        return self.exact_share == 1.0

    @property
    def most(self) -> float:
        """The win probability if all draws that were not tried are won."""
        return self.win_share + 1 - self.tried_share


class Draw(NamedTuple):
    """A possible content of the bag."""

    counts: NDArray[np.int32]
    """(27,): the count of each kind of tile."""
    weight: int
    """The number of ways to draw them, with tiles of the same kind distinguished."""


class Trial:
    """A candidate's results so far, by draw. Amounts are numbers of ways to draw; drawn games count half."""

    def __init__(self, candidate: Candidate, ways: Sequence[Draw], *, empties: bool) -> None:
        self.candidate: Final = candidate
        self.empties: Final = empties
        """Whether the bag is empty after the candidate."""
        self.after: tuple[Squares, NDArray[np.int32]] | None = None
        """The board after the candidate, and the tiles left."""
        self.turns = 0
        self.cost = 0
        """Positions searched, plus _BEGINNING for each search."""
        self.open: Final = set(range(len(ways)))
        """The draws that may be searched further."""
        self.left = self._total = sum(way.weight for way in ways)
        self.won = 0.0
        self.certain = 0.0
        """The amount won by exact results alone."""
        self._exact = 0
        self._weights: Final = [way.weight for way in ways]
        self._seem: Final = [0.5] * len(ways)

    def learn(self, place: int, outcome: float, *, exact: bool, final: bool) -> None:
        """Record the outcome of a draw, which stays open unless the outcome is ``exact`` or ``final``."""
        self._seem[place] = outcome
        if exact or final:
            weight = self._weights[place]
            self.open.discard(place)
            self.left -= weight
            self.won += outcome * weight
            self.certain += exact * outcome * weight
            self._exact += exact * weight

    def order(self, refutations: Sequence[int]) -> list[int]:
        """Return the open draws: those that seem lost first, then those that refuted the most candidates."""
        return sorted(self.open, key=lambda place: (self._seem[place], -refutations[place], place))

    @property
    def expected(self) -> float:
        """The amount won if all open draws end as their last results suggest."""
        return self.won + sum(self._seem[place] * self._weights[place] for place in self.open)

    @property
    def prospect(self) -> Prospect:
        """The result so far."""
        tried = self._total - self.left
        shares = (amount / self._total for amount in (self.won, self._exact, tried))
        return Prospect(self.candidate, *shares)


class BestFirst:
    """The search for the candidate that wins with the most draws."""

    def __init__(
        self,
        ways: Sequence[Draw],
        search: Callable[[Trial, int, int, int], tuple[float, bool, int]],
        stop: Stop,
    ) -> None:
        """``search`` takes a trial, a draw's index, the positions to search, and those searched so far.

        It returns the outcome, whether that is exact, and the number of positions searched.
        """
        self._search: Final = search
        self._stop: Final = stop
        self._refutations: Final = [0] * len(ways)
        self._searched = 0
        self._best: Trial | None = None

    def run(self, trials: Sequence[Trial], efforts: Sequence[int]) -> None:
        """Search candidates, started in this order, until all are settled or given up, or ``stop`` is true.

        ``efforts`` are the positions to search per draw, by how often a candidate has been selected before.
        """
        fresh, begun = deque(enumerate(trials)), list[tuple[float, int, int, Trial]]()
        spent = [0, 0]
        while (fresh or begun) and not self._stop(self._searched):
            is_new = bool(fresh) and (not begun or spent[0] <= spent[1])
            rank, trial = fresh.popleft() if is_new else heappop(begun)[-2:]
            if self._is_beaten(trial):
                continue
            before = self._searched
            searches = self._continue(trial, efforts[trial.turns], final=trial.turns + 1 == len(efforts))
            cost = self._searched - before + searches * _BEGINNING
            spent[not is_new] += cost
            trial.cost += cost
            trial.turns += 1
            if trial.open and trial.turns < len(efforts):
                heappush(begun, (-trial.expected, trial.cost * (rank + 1), rank, trial))

    def _continue(self, trial: Trial, effort: int, *, final: bool) -> int:
        """Search the open draws until the candidate is beaten; return how many were searched."""
        order = trial.order(self._refutations)
        for count, place in enumerate(order):
            if self._is_beaten(trial) or self._stop(self._searched):
                return count
            outcome, exact, positions = self._search(trial, place, effort, self._searched)
            self._searched += positions
            trial.learn(place, outcome, exact=exact, final=final)
            if self._is_beaten(trial):
                self._refutations[place] += 1
            elif exact and (self._best is None or trial.certain > self._best.certain):
                self._best = trial
        return len(order)

    def _is_beaten(self, trial: Trial) -> bool:
        """Whether another candidate is certain to win as much as this one can."""
        best = self._best
        return best is not None and best is not trial and trial.won + trial.left <= best.certain
