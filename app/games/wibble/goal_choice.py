"""The word that helps most towards the goals of a level: for bots, hints and measuring its difficulty."""

import numpy as np
from numpy.typing import NDArray

from app.games.wibble.adventure import near, open_board, reached
from app.games.wibble.levels import Level, Progress
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import FoundWord, Solver
from app.games.wibble.state import State

URGENCY = 2.0
"""Added to the value of defusing a bomb, divided by the words left until it goes off; 1 is a whole goal."""
POINTS = 1e-4
"""The value of a point if points are not a goal: breaks ties between words."""


def best_for_goals(
    state: State, solver: Solver, scoring: Scoring, allowed: NDArray[np.uint8] | None = None
) -> FoundWord | None:
    """Return the allowed word with the highest value for the goals; None if there is none."""
    found = words_for_goals(state, solver, scoring, allowed)
    return found[0][1] if found else None


def words_for_goals(
    state: State, solver: Solver, scoring: Scoring, allowed: NDArray[np.uint8] | None = None
) -> list[tuple[float, FoundWord]]:
    """Return all words that can be played, each with its value for the goals, best first.

    The value is the sum, over the goals not yet reached, of the share of the goal that the word adds; a bomb
    counts more the sooner it goes off. Raises ValueError before the start and outside Adventure.
    """
    level, progress = state.options.level, state.adventure
    if level is None or progress is None:
        raise ValueError("no level is under way")
    found = solver.words(open_board(state), state.options.size, scoring, allowed=allowed)
    value = _Value(level, progress, state)
    return sorted(((value(word), word) for word in found), key=lambda each: -each[0])


class _Value:
    """The value of words for the goals of a level in one position."""

    def __init__(self, level: Level, progress: Progress, state: State) -> None:
        left = {goal: level.target(goal) - reached(level, goal, progress, state) for goal in level.goals}
        shares = {goal: 1 / level.target(goal) for goal in level.goals if left[goal]}
        of_type = {goal.type: share for goal, share in shares.items()}
        lacking = {goal.type: left[goal] for goal in shares}
        self._size = level.size
        self._words = [(goal.length or 1, share) for goal, share in shares.items() if goal.type == "words"]
        self._points, self._points_left = of_type.get("points", 0.0), lacking.get("points", 0)
        self._gem, self._gems_left = of_type.get("gems", 0.0), lacking.get("gems", 0)
        bomb, mark = of_type.get("bombs", 0.0), of_type.get("marked", 0.0)
        self._cells = {cell: bomb + URGENCY / ticks for cell, ticks in progress.bombs}
        self._cells |= dict.fromkeys(progress.marked, mark)
        self._layer = of_type.get("frozen", 0.0)
        self._frozen = {cell for cell, _ in progress.frozen} if self._layer else set()

    def __call__(self, word: FoundWord) -> float:
        value = POINTS * word.points + self._points * min(word.points, self._points_left)
        value += self._gem * min(word.gems, self._gems_left)
        for length, share in self._words:
            value += share * (len(word.cells) >= length)
        if self._cells:
            value += sum(self._cells[cell] for cell in word.cells if cell in self._cells)
        if self._frozen:
            value += self._layer * len(self._frozen & near(self._size, word.cells))
        return value
