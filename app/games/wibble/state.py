"""Positions of a game of Wibble, as immutable values."""

from enum import StrEnum
from typing import Literal

from app.games.clock import Clocks
from app.games.departures import Departure
from app.games.game import Frozen, LexiconRef
from app.games.wibble.levels import Progress
from app.games.wibble.options import Options


class Phase(StrEnum):
    """The states of the state machine; see ``machine.py``."""

    TITLE = "title"
    IDLE = "play.idle"
    CHAINING = "play.chaining"
    CLEANUP = "play.cleanup"
    FINISHED = "finished"


class Bonus(Frozen):
    """A cell that multiplies its letter's value, or the whole word."""

    cell: int
    factor: int


class Board(Frozen):
    """The board; cell ``i`` is row ``i // size``, column ``i % size``."""

    letters: str
    """``.`` for a wall."""
    gems: tuple[int, ...] = ()
    """The cells with a gem, ascending."""
    letter_bonus: Bonus | None = None
    word_bonus: Bonus | None = None


class Turn(Frozen):
    """A turn: a scored word, or no word if the seat passed or ran out of time."""

    seat: int
    round: int
    word: str
    """Empty for a passed turn."""
    cells: tuple[int, ...]
    points: int
    gems: int = 0
    """Gems collected with the word."""
    hinted: bool = False
    """Whether a hint was visible when the word was played."""


class Suggestion(Frozen):
    """A word that a player shows to the partner whose turn it is."""

    seat: int
    """The seat that shows it."""
    word: str
    cells: tuple[int, ...]
    points: int


class Report(Frozen):
    """The result of the latest move other than a suggestion, visible to all."""

    result: Literal[
        "started",
        "scored",
        "not_a_word",
        "repeated",
        "dropped",
        "shuffled",
        "swapped",
        "hinted",
        "passed",
        "resigned",
        "out_of_time",
        "not_begun",
        "finished",
    ]
    seat: int = 0
    """The seat that made the move."""
    word: str = ""
    cells: tuple[int, ...] = ()
    """The cells concerned: the chain, the swapped tile, or the hint."""
    points: int = 0
    gems: int = 0
    replaced: bool = False
    """Whether the tiles of a chain that is not a word were replaced, under the option ``replace``."""


class State(Frozen):
    """A position of the game."""

    options: Options
    seed: str
    ply: int = 0
    phase: Phase = Phase.TITLE
    board: Board | None = None
    """None until the game starts, so that the board cannot be studied before the clock runs."""
    chain: tuple[int, ...] = ()
    to_move: int = 0
    round: int = 0
    """1 or more once the game has started."""
    scores: tuple[int, ...] = (0,)
    gems: tuple[int, ...] = (0,)
    turns: tuple[Turn, ...] = ()
    hint: tuple[int, ...] | None = None
    suggestions: tuple[Suggestion, ...] = ()
    """The words that partners show in this turn, on this board: the latest of each seat."""
    suggested: tuple[int, ...] = ()
    """The seats that have shown a word in this turn, once for each word."""
    latest_suggestions: int = 0
    """The number of consecutive latest moves that were suggestions; they do not affect the seat to move."""
    report: Report | None = None
    resigned: tuple[int, ...] = ()
    """The seats that left the table or ran out of time."""
    departures: tuple[Departure, ...] = ()
    started_at: float | None = None
    turn_started_at: float | None = None
    clocks: Clocks | None = None
    """None without a clock per player."""
    adventure: Progress | None = None
    """None outside Adventure, and before the start."""
    reason: str | None = None
    """Why the game ended."""

    @property
    def lexicon(self) -> LexiconRef:
        """The lexicon of the game, pinned by its content."""
        return self.options.lexicon
