"""The one protocol that every game keeps.

A game is a fold: ``state = apply(apply(start(options, seats, seed), 0, move1, at1), 0, move2, at2) ...``.
States and moves are immutable, and nothing but the options, the seed and the moves with their times decides
what happens, so a game can be replayed, shared, analysed and verified from its log.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from app.words.lexicon import Lexicon

OptionsT = TypeVar("OptionsT", bound=BaseModel)
StateT = TypeVar("StateT", bound=BaseModel)
MoveT = TypeVar("MoveT", bound=BaseModel)
ViewT = TypeVar("ViewT", bound=BaseModel)
AnalysisT = TypeVar("AnalysisT", bound="GameAnalysis")


class Frozen(BaseModel):
    """A value: immutable, and closed to fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class IllegalMove(ValueError):
    """The rules refuse a move; the text is for the player, and the state stays as it was.

    ``index`` is the place of the fault inside the move (of a cell in a chain, say), where there is one.
    """

    def __init__(self, reason: str, index: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.index = index


class OutOfTurn(IllegalMove):
    """The move may be sound, but not now: another's turn, a phase that is over, a game that is finished."""


class LexiconRef(Frozen):
    """The lexicon a game is played with, pinned by content so that a replay holds when a list is changed."""

    name: str = Field(pattern="^[a-z][a-z0-9-]{0,31}$")
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class Setup(Protocol):
    """The options of a game as a caller gives them."""

    @property
    def lexicon(self) -> str:
        """The lexicon's name."""
        ...

    def model_dump(self) -> dict[str, Any]:
        """All options by name."""
        ...


class Outcome(Frozen):
    """How a finished game ended."""

    scores: tuple[int, ...]
    """Per seat."""
    winners: tuple[int, ...]
    """The seats with the best score, several where the win is shared; of a game for one, that seat."""
    reason: str
    """Why it ended, for people: ``five rounds played``, ``time’s up``, ``finished by the player``."""


class Summary(Frozen):
    """What is kept of one seat's finished game."""

    mode: str
    score: int
    words: int
    best_word: str
    """Empty where no word was played."""
    best_points: int
    longest_word: str


class Measure(Frozen):
    """How well a game was played, in percent: each mode has one measure at most, beside the score."""

    title: str
    """A heading: ``Accuracy``, ``Of all points``."""
    phrase: str
    """What follows the figure: ``82% accuracy``, ``12% of all points``."""
    definition: str
    """A sentence that says what is divided by what."""


class SeatAnalysis(Frozen):
    """One seat's whole game against the best there was."""

    accuracy: float | None
    """0 to 100, as the game's Analysis defines it: the one measure of a mode beside the score. None where
    nothing that counts was played, and in Blitz, where the score is the only measure."""
    score: int
    best_score: int
    """What the best word of each position would have scored, or all words of the board or hand together."""
    best_word: str
    """The word that scored most; empty where no word was played."""
    best_points: int


class GameAnalysis(Frozen):
    """A finished game against the best there was; each game adds what its turns consist of."""

    seats: tuple[SeatAnalysis, ...]


@dataclass(frozen=True, slots=True)
class Due(Generic[MoveT]):
    """A move that time makes."""

    seat: int
    move: MoveT
    at: float
    """When it fell due, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Thought(Generic[MoveT]):
    """What a bot plays, and how long a person would have taken over it."""

    move: MoveT
    seconds: float


class Game(ABC, Generic[OptionsT, StateT, MoveT, ViewT, AnalysisT]):
    """The rules of one kind of game over one lexicon: pure functions of state, move and time.

    ``at`` is always seconds since the epoch, as the caller's clock has it.
    """

    kind: ClassVar[str]
    bots: ClassVar[tuple[str, ...]]
    """The names of the bots, weakest first."""
    setup_type: ClassVar[type[Any]]
    """The options as a caller gives them, with the lexicon's name in the field ``lexicon``."""
    options_type: ClassVar[type[Any]]
    """The options as a game keeps them, with a LexiconRef in the field ``lexicon``."""
    state_type: ClassVar[type[Any]]
    move_adapter: ClassVar[TypeAdapter[Any]]
    """Reads and writes the discriminated union of the game's moves."""

    accuracy: ClassVar[Measure]
    """What the accuracy of its analyses says."""
    resignation: ClassVar[Any]
    """The move that gives the game up."""
    reserved: ClassVar[tuple[Any, ...]] = ()
    """The moves that only time and bots make."""
    secret: ClassVar[tuple[Any, ...]] = ()
    """The moves that tell others what the view hides from them as long as the game goes on."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def prepare(self) -> None:
        """Build what the first move would else wait for; it may be called from any thread."""

    @abstractmethod
    def start(self, options: OptionsT, seats: int, seed: str) -> StateT:
        """The state before the first move."""

    @abstractmethod
    def apply(self, state: StateT, seat: int, move: MoveT, at: float) -> StateT:
        """The state after ``seat`` made ``move``.

        Raises IllegalMove, or OutOfTurn where only the moment is wrong.
        """

    @classmethod
    @abstractmethod
    def seats(cls, options: Any) -> range:
        """How many seats a game with these options, or this setup, may have."""

    @abstractmethod
    def opening(self, options: OptionsT) -> tuple[MoveT, ...]:
        """The moves that are made for seat 0 as soon as every seat is taken."""

    def anew(self, options: OptionsT) -> OptionsT:
        """The options of another game like it: a board or hand that was given is left to the seed."""
        return options

    def logged(self, state: StateT, move: MoveT) -> MoveT:  # noqa: ARG002 - few games read texts
        """A move that ``apply`` has taken as the log keeps it: with nothing left to be read in a text."""
        return move

    @abstractmethod
    def to_move(self, state: StateT) -> int | None:
        """The seat whose turn it is; None before the start and after the end."""

    @abstractmethod
    def due(self, state: StateT, at: float) -> Due[MoveT] | None:
        """The move that time itself makes by ``at`` (a clock that ran out), if any.

        Whoever keeps the game applies and records it like any other move, at the time it fell due.
        """

    @abstractmethod
    def bot(self, state: StateT, seat: int, level: int) -> Thought[MoveT]:
        """What a bot of this level (1 to 5) plays on ``seat``; the same state gives the same answer."""

    @abstractmethod
    def daily(self, seeds: Iterator[str]) -> tuple[OptionsT, str]:
        """The options of a day's game and that of ``seeds`` which makes a day like any other."""

    @abstractmethod
    def summary(self, state: StateT, seat: int) -> Summary:
        """What the player's statistics keep of this seat's finished game."""

    @classmethod
    def measure(cls, mode: str) -> Measure | None:  # noqa: ARG003 - Wibble's modes differ
        """What ``accuracy`` is in a mode, named as in a Summary; None where the score is the only measure."""
        return cls.accuracy

    @abstractmethod
    def view(self, state: StateT, seat: int | None) -> ViewT:
        """What ``seat`` may see (None: a watcher): never the seed, nor anything yet to be drawn."""

    def reveal(self, state: StateT) -> ViewT:
        """A position of a finished game as it is looked back at, with what was hidden from others."""
        return self.view(state, None)

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def seat_count(self, state: StateT) -> int:
        """How many seats the table has."""

    @abstractmethod
    def fingerprint(self, state: StateT) -> str:
        """A text of what players see of the position, as long as the rules mean the same by it."""

    @abstractmethod
    def analyse(self, states: tuple[StateT, ...]) -> AnalysisT:
        """What was played against the best there was, from all the states of a finished game in order."""
