"""The protocol every game implements.

A game is a fold: ``state = apply(apply(start(options, seats, seed), 0, move1, at1), 0, move2, at2) ...``.
States and moves are immutable. The options, the seed and the timestamped moves alone determine the game, so
it can be replayed, shared, analysed and verified from its log.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, Literal, Protocol, Self, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from app.words.lexicon import Lexicon

FINISHED_EARLY: Final = "finished early"
"""The reason of a game ended by its only player."""

OptionsT = TypeVar("OptionsT", bound=BaseModel)
StateT = TypeVar("StateT", bound=BaseModel)
MoveT = TypeVar("MoveT", bound=BaseModel)
ViewT = TypeVar("ViewT", bound=BaseModel)
AnalysisT = TypeVar("AnalysisT", bound="GameAnalysis")


class Frozen(BaseModel):
    """An immutable value object; unknown fields are rejected."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


STORED: Final = ConfigDict(validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)
"""Configuration of options with renamed fields: their aliases are the names in stored games and in records,
whose checksums cover them."""


class Forfeit(Frozen):
    """Leave the game: another player claims it, as no move was made in time. Only the server makes it."""

    type: Literal["forfeit"] = "forfeit"
    began: bool = True
    """Whether the player has made a move that counts as playing."""


class IllegalMove(ValueError):
    """A move the rules reject. The message is for the player; the state is unchanged.

    ``index`` is the position of the error within the move (such as a cell in a chain), if there is one.
    """

    def __init__(self, reason: str, index: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.index = index


class NotAWord(IllegalMove):
    """A move with ``words`` (lower case) that are not in the game's list."""

    def __init__(self, *words: str) -> None:
        named, are = " and ".join(words).upper(), "is" if len(words) == 1 else "are"
        super().__init__(f"{named.replace(' AND ', ' and ')} {are} not in the word list")
        self.words = words


class OutOfTurn(IllegalMove):
    """A move that may be legal, but not now: wrong turn, phase over, or game finished."""


class UnknownLevel(LookupError):
    """A level that the game does not have."""


class LevelResult(Frozen):
    """A level that was won."""

    level: str
    """The level's name."""
    stars: int
    """1 to 3."""
    moves: int
    """The moves it took; fewer are better."""


class LexiconRef(Frozen):
    """The game's lexicon, pinned by content hash so that replays survive changes to the list."""

    name: str = Field(pattern="^[a-z][a-z0-9-]{0,31}$")
    sha256: str = Field(pattern="^[0-9a-f]{64}$")

    @classmethod
    def of(cls, lexicon: Lexicon) -> Self:
        """Return the reference to this lexicon."""
        return cls(name=lexicon.name, sha256=lexicon.sha256)


class Setup(Protocol):
    """A game's options as the caller supplies them."""

    @property
    def lexicon(self) -> str:
        """The lexicon's name."""
        ...

    def model_dump(self) -> dict[str, Any]:
        """All options by name."""
        ...


class Outcome(Frozen):
    """The result of a finished game."""

    scores: tuple[int, ...]
    """Per seat; in a game of teams, the score of its team."""
    winners: tuple[int, ...]
    """The seats with the best score; several if tied, or in a team. In a solo game the only seat; none in a
    lost level."""
    reason: str
    """Why the game ended, as shown to players: ``five rounds played``, ``time’s up``, ``finished early``."""
    teams: tuple[tuple[int, ...], ...] = ()
    """The seats of each team; empty if everyone plays for themselves."""

    @property
    def side_scores(self) -> tuple[int, ...]:
        """The score of each team, or without teams of each seat."""
        return tuple(self.scores[team[0]] for team in self.teams) or self.scores

    @property
    def is_decided(self) -> bool:
        """Whether one seat, or one team, has the best score alone."""
        return len(self.winners) == 1 or any(set(self.winners) <= set(team) for team in self.teams)

    def won(self, seat: int) -> bool:
        """Whether this seat won, alone or with its team."""
        return self.is_decided and seat in self.winners


class Summary(Frozen):
    """The statistics kept for one seat of a finished game."""

    mode: str
    score: int
    words: int
    best_word: str
    """Empty if no word was played."""
    best_points: int
    longest_word: str


class Measure(Frozen):
    """How well a game was played, in percent. A mode has at most one such measure, besides the score."""

    title: str
    """A heading: ``Accuracy``, ``Of all points``."""
    phrase: str
    """The text after the number: ``82% accuracy``, ``12% of all points``."""
    definition: str
    """One sentence: what is divided by what."""


class SeatAnalysis(Frozen):
    """One seat's game compared with the best possible play."""

    accuracy: float | None
    """0 to 100, as defined by the game's Analysis: the mode's Measure. None if no move counts towards it, and
    in Blitz, where the score is the only measure."""
    score: int
    best_score: int
    """The total of the best word of each position, or of all words on the board or in the hand."""
    best_word: str
    """The highest-scoring word played; empty if no word was played."""
    best_points: int
    mistake_index: float | None = None
    """0.2 per inaccuracy, 0.5 per mistake and 1 per blunder, added up. None if no turn is judged."""
    performance: int | None = None
    """The rating of players with this accuracy on average. None if no turn is judged."""


class GameAnalysis(Frozen):
    """A finished game compared with the best possible play; each game adds its own turns."""

    seats: tuple[SeatAnalysis, ...]
    key_moments: tuple[int, ...] = ()
    """Indices of the turns that lost most, in order of play: at most five."""
    searched: int = 0
    """The number of turns judged by searching deeper so far."""
    to_search: int = 0
    """The number of turns to be judged by searching deeper, one by one after the first answer; 0 in most
    games."""


@dataclass(frozen=True, slots=True)
class Due(Generic[MoveT]):
    """A move made by the clock."""

    seat: int
    move: MoveT
    at: float
    """Deadline, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Thought(Generic[MoveT]):
    """A bot's move, and how long a person would have taken over it."""

    move: MoveT
    seconds: float


class Game(ABC, Generic[OptionsT, StateT, MoveT, ViewT, AnalysisT]):
    """The rules of one kind of game over one lexicon: pure functions of state, move and time.

    ``at`` is always the caller's time, in seconds since the epoch.
    """

    kind: ClassVar[str]
    bots: ClassVar[tuple[str, ...]]
    """Bot names, weakest first."""
    setup_type: ClassVar[type[Any]]
    """The options as the caller supplies them; the field ``lexicon`` is the lexicon's name."""

    options_type: ClassVar[type[Any]]
    """The options as the game stores them; the field ``lexicon`` is a LexiconRef. This and the next four are
    the class's type arguments."""
    state_type: ClassVar[type[Any]]
    move_type: ClassVar[Any]
    """The discriminated union of the game's moves."""
    view_type: ClassVar[type[Any]]
    analysis_type: ClassVar[type[Any]]
    move_adapter: ClassVar[TypeAdapter[Any]]
    """Parses and serialises moves."""

    accuracy: ClassVar[Measure]
    """What ``accuracy`` measures in this game's analyses."""
    resignation: ClassVar[Any]
    """The move that resigns the game."""
    forfeits: ClassVar[bool] = False
    """Whether Forfeit is a move of the game; if not, a player whose game is claimed resigns."""
    reserved: ClassVar[tuple[Any, ...]] = (Forfeit,)
    """Move types that only the server, the clock or a bot may make."""
    secret: ClassVar[tuple[Any, ...]] = ()
    """Move types that would reveal hidden information to opponents while the game is running."""

    def __init_subclass__(cls) -> None:
        for base in getattr(cls, "__orig_bases__", ()):
            if get_origin(base) is Game:
                types = get_args(base)
                cls.options_type, cls.state_type, cls.move_type, cls.view_type, cls.analysis_type = types
                cls.move_adapter = TypeAdapter(cls.move_type)

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def prepare(self) -> None:
        """Build in advance what the first move would otherwise have to wait for. Callable from any thread."""

    @abstractmethod
    def start(self, options: OptionsT, seats: int, seed: str) -> StateT:
        """Return the state before the first move."""

    def start_before(self, _stop: Callable[[], bool], options: OptionsT, seats: int, seed: str, /) -> StateT:
        """As ``start``. Where dealing may take long, raises IllegalMove once the first argument is true."""
        return self.start(options, seats, seed)

    @abstractmethod
    def apply(self, state: StateT, seat: int, move: MoveT, at: float) -> StateT:
        """Return the state after ``seat`` makes ``move``.

        Raises IllegalMove, or OutOfTurn if only the timing is wrong.
        """

    @classmethod
    @abstractmethod
    def seats(cls, options: Any) -> range:
        """Return the allowed numbers of seats for these options or this setup."""

    @classmethod
    def start_time_limit(cls, options: OptionsT) -> int | None:  # noqa: ARG003 - few games have it
        """Return the seconds for a move while no clock runs, after which the game may be claimed.

        Only for tables without a limit of their own. None for no limit.
        """
        return None

    @abstractmethod
    def opening(self, options: OptionsT) -> tuple[MoveT, ...]:
        """Return the moves made for seat 0 as soon as all seats are taken."""

    def without_deal(self, options: OptionsT) -> OptionsT:
        """Return the options for another game like this one, without its fixed board or hand."""
        return options

    def logged(self, state: StateT, move: MoveT) -> MoveT:  # noqa: ARG002 - few games need the state
        """Return the form in which a move accepted by ``apply`` is logged: with nothing left to parse."""
        return move

    @abstractmethod
    def to_move(self, state: StateT) -> int | None:
        """Return the seat to move; None before the start and after the end."""

    def movers(self, state: StateT) -> tuple[int, ...]:
        """Return the seats that may move now; several where all play at once."""
        seat = self.to_move(state)
        return () if seat is None else (seat,)

    def unchanged_since(self, state: StateT) -> int:
        """Return the earliest ply since which the position has not changed for the seat to move.

        A move made in a position since then is not stale.
        """
        position: Any = state
        return int(position.ply)

    @abstractmethod
    def due(self, state: StateT, at: float) -> Due[MoveT] | None:
        """Return the move the clock makes by ``at`` (such as a timeout), if any.

        The caller applies and records it like any other move, at its ``at``.
        """

    @abstractmethod
    def bot(self, state: StateT, seat: int, level: int) -> Thought[MoveT]:
        """Return the move of a bot of this level (1 to 5) on ``seat``. Deterministic for a given state."""

    @abstractmethod
    def daily(self, seeds: Iterator[str]) -> tuple[OptionsT, str]:
        """Return the options of a daily game, and one of ``seeds`` that makes it typical."""

    more_dailies: ClassVar[tuple[str, ...]] = ()
    """Names of the dailies besides the one named after the kind, such as those of other modes."""

    def extra_daily(self, name: str, seeds: Iterator[str]) -> tuple[OptionsT, str]:  # noqa: ARG002 - few games have more
        """Return the options and seed of one of ``more_dailies``. Raises ValueError for any other name."""
        raise ValueError(f"{self.kind} has no daily named {name!r}")

    @abstractmethod
    def summary(self, state: StateT, seat: int) -> Summary:
        """Return the statistics of this seat's finished game."""

    def turn_words(self, state: StateT, seat: int) -> tuple[str, ...]:  # noqa: ARG002 - few games lack words
        """Return the word of each turn this seat has had, in order; empty for a turn without a word."""
        return ()

    def level_result(self, state: StateT) -> LevelResult | None:  # noqa: ARG002 - few games have levels
        """Return the level won in this finished game; None if it is lost, or the game has no levels."""
        return None

    @classmethod
    def has_levels(cls, options: OptionsT) -> bool:  # noqa: ARG003 - few games have levels
        """Return whether the game is a level, which is won or lost and whose scores are not compared."""
        return False

    @classmethod
    def measure(cls, mode: str) -> Measure | None:  # noqa: ARG003 - Wibble's modes differ
        """Return what ``accuracy`` measures in ``mode``, a Summary's mode; None if only the score counts."""
        return cls.accuracy

    @abstractmethod
    def view(self, state: StateT, seat: int | None) -> ViewT:
        """Return what ``seat`` may see (None: a spectator): never the seed, nor tiles still to be drawn."""

    def reveal(self, state: StateT) -> ViewT:
        """Return a position of a finished game for review, with hidden information shown."""
        return self.view(state, None)

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """Return the result, or None while the game is running."""

    @abstractmethod
    def seat_count(self, state: StateT) -> int:
        """Return the number of seats."""

    @abstractmethod
    def fingerprint(self, state: StateT) -> str:
        """Return the position as players see it, as text. Must not change while the rules stay the same."""

    @abstractmethod
    def analyse(self, states: tuple[StateT, ...]) -> AnalysisT:
        """Compare a finished game with the best possible play. ``states``: all of them, in order."""

    def deepen(
        self,
        states: tuple[StateT, ...],  # noqa: ARG002 - few games search deeper
        analysis: AnalysisT,
        late: Callable[[], bool],  # noqa: ARG002
    ) -> AnalysisT:
        """Return the analysis with one more turn judged by searching deeper: see GameAnalysis.to_search.

        ``late`` returns whether the time for this turn is up. Returns the same analysis if no turn is left,
        or if the kernels are still being compiled.
        """
        return analysis


AnyGame = Game[Any, Any, Any, Any, Any]
