"""The events of a game of Wibble, and the context of its guards and actions."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from app.games.wibble.modes import ModeRules
from app.games.wibble.options import Options, Power
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import Solver, solver_of
from app.words.draw import LetterDraw
from app.words.lexicon import Lexicon
from app.words.vocabulary import common_words


class Trigger(StrEnum):
    """The events of a game."""

    START = "start"
    ADD = "add"
    BACK = "back"
    RELEASE = "release"
    CLEANED = "cleaned"
    PASS = "pass"  # noqa: S105 - a move
    SHUFFLE = "shuffle"
    SWAP = "swap"
    HINT = "hint"
    SUGGEST = "suggest"
    TIME_UP = "time_up"
    RESIGN = "resign"
    FORFEIT = "forfeit"


POWERS: dict[Trigger, Power] = {Trigger.SHUFFLE: "shuffle", Trigger.SWAP: "swap", Trigger.HINT: "hint"}


@dataclass(frozen=True, slots=True)
class Event:
    """An event, with its tile and letter, or its tiles, if any."""

    trigger: Trigger
    cell: int = -1
    letter: str = ""
    cells: tuple[int, ...] = ()
    began: bool = True
    """Whether the player who is late has played before."""


@dataclass(frozen=True, slots=True)
class Context:
    """The inputs of guards and actions besides the state and the event."""

    lexicon: Lexicon
    solver: Solver
    mode: ModeRules
    scoring: Scoring
    draw: LetterDraw
    random: Random
    seat: int
    """The seat that makes the move: the seat to move, except for a suggestion or a resignation."""
    at: float

    def count(self, options: Options) -> "BoardCounter":
        """Return a counter of the words that count for the minimum on boards of this size."""
        common = options.counted == "common"
        solver = solver_of(common_words(self.lexicon)) if common else self.solver
        return BoardCounter(solver, options.size)


@dataclass(frozen=True, slots=True)
class BoardCounter:
    """Counts words on boards of one size."""

    solver: Solver
    size: int

    def __call__(self, letters: str, enough: int) -> int:
        """Return the number of words on the board, counted up to ``enough``."""
        return self.solver.count(letters, self.size, enough=enough)
