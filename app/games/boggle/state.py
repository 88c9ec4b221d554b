"""Options, rounds, moves and view of a game of Boggle, as immutable values."""

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError, ValidationInfo, field_validator, model_validator

from app.games.boggle.board import Board, parse_board, parse_size
from app.games.boggle.finding import Hints, Kind, Progress
from app.games.departures import ENDINGS
from app.games.game import Forfeit, Frozen, LexiconRef
from app.games.grid import LONGEST_SIDE, SHORTEST_SIDE, Grid
from app.renamed import OLD_NAME
from app.words.library import Library
from app.words.vocabulary import Counted

Richness: TypeAlias = Literal["plain", "fair", "rich"]
Cells: TypeAlias = Annotated[tuple[int, ...], Field(min_length=1, max_length=LONGEST_SIDE**2)]
TypedWord: TypeAlias = Annotated[str, Field(min_length=1, max_length=2 * LONGEST_SIDE**2)]
Seconds: TypeAlias = Annotated[int, Field(ge=10, le=3600)]
MinLength: TypeAlias = Annotated[int, Field(ge=2, le=8)]

_Side: TypeAlias = Annotated[int, Field(ge=SHORTEST_SIDE, le=LONGEST_SIDE)]
_FLAG: Final = TypeAdapter(bool)


class Choices(Frozen):
    """The options of a game, without the lexicon."""

    rows: _Side = 4
    columns: _Side = 4
    richness: Richness = "fair"
    """How many words the board has, for its size."""
    seconds: Seconds | None = 180
    """The time limit of each seat's round; None for no limit."""
    min_length: MinLength = 3
    """The minimum length of a word."""
    qu: bool = False
    """Whether q is the Qu face: two letters in one cell."""
    counted: Counted = "common"
    """Which words' points make a board rich."""
    cancel: bool = False
    """Whether words found by several seats count for none of them."""
    find_all: bool = False
    """Find them all: the goal is the common words, without a clock and with hints. Each of them scores one
    point, other words none. ``seconds`` is then null, which is also its default, and ``cancel`` is false."""
    board: tuple[str, ...] | None = None
    """Rows of letters, as a list or as one text; None deals a board from the seed."""

    @model_validator(mode="after")
    def _board_fits(self) -> "Choices":
        if self.board is not None:
            grid = Board(self.board).grid
            if (grid.rows, grid.columns) != (self.rows, self.columns):
                raise ValueError(
                    f"the board is {grid.rows}x{grid.columns}, but the size is {self.rows}x{self.columns}: "
                    "leave the size out, or give the board's"
                )
        return self

    @model_validator(mode="before")
    @classmethod
    def _unclocked(cls, given: Any) -> Any:
        try:
            find_all = isinstance(given, dict) and _FLAG.validate_python(given.get("find_all", False))
        except ValidationError:
            return given  # reported by the field's own validation
        return {"seconds": None, **given} if find_all else given

    @field_validator("find_all")
    @classmethod
    def _without_clock(cls, find_all: bool, info: ValidationInfo) -> bool:  # noqa: FBT001
        if find_all and info.data.get("seconds") is not None:
            raise ValueError("is played without a clock: leave seconds out, or give null")
        if find_all and info.data.get("cancel"):
            raise ValueError("counts the words of every player: leave cancel out, or give false")
        return find_all


class Setup(Choices):
    """The options for a new game, with the lexicon's name; a given board determines the size."""

    size: Annotated[str | None, Field(max_length=20, exclude=True, examples=["4", "4x5"])] = None
    """One number for a square, otherwise rows x columns. Sides are 2 to 8. By default that of ``board`` if
    given, otherwise 4x4."""
    rows: Annotated[_Side, OLD_NAME] = 4
    """Old name of the first number of `size`."""
    columns: Annotated[_Side, OLD_NAME] = 4
    """Old name of the second number of `size`."""
    lexicon: str = Library.default

    @field_validator("size")
    @classmethod
    def _is_a_size(cls, size: str | None) -> str | None:
        return size and _named(parse_size(size))

    @model_validator(mode="before")
    @classmethod
    def _sides_of_size(cls, given: Any) -> Any:
        if not isinstance(given, dict) or not isinstance(given.get("size"), str):
            return given
        if "rows" in given or "columns" in given:
            raise ValueError("rows and columns are the old names of size: give only one of them")
        try:
            grid = parse_size(given["size"])
        except ValueError:
            return given  # reported by the field's own validation
        return {**given, "rows": grid.rows, "columns": grid.columns}

    @model_validator(mode="before")
    @classmethod
    def _size_of_board(cls, given: Any) -> Any:
        if not isinstance(given, dict) or given.get("board") is None or given.get("size") is not None:
            return given
        try:
            grid = parse_board(given["board"]).grid
        except (AttributeError, TypeError, ValueError):
            return given  # reported by the field's own validation
        return {"rows": grid.rows, "columns": grid.columns, **given}

    @field_validator("board", mode="before")
    @classmethod
    def _in_rows(cls, given: Any) -> Any:
        is_text = isinstance(given, str) or (
            isinstance(given, list | tuple) and all(isinstance(row, str) for row in given)
        )
        return parse_board(given).rows if is_text else given


def _named(grid: Grid) -> str:
    return f"{grid.rows}x{grid.columns}"


class Options(Choices):
    """The options of a game, with the lexicon pinned by its content."""

    counted: Counted = "everything"
    """The default for games stored before this option existed."""
    lexicon: LexiconRef


class Found(Frozen):
    """A word that a seat has found."""

    word: str
    cells: tuple[int, ...]
    points: int
    at: float
    """Time found, in seconds since the epoch."""


class Report(Frozen):
    """The result of a seat's latest word or hint."""

    result: Literal["scored", "too_short", "not_on_board", "not_a_word", "repeated", "hinted"]
    word: str
    """The word played; after a hint the letters shown, empty after the counts."""
    cells: tuple[int, ...] = ()
    """The word's path; empty if it is not on the board."""
    points: int = 0


class Round(Frozen):
    """One seat's round on the shared board."""

    started_at: float | None = None
    """When the seat's clock started; until then it cannot see the board."""
    found: tuple[Found, ...] = ()
    """In the order found."""
    report: Report | None = None
    hints: Hints = Hints()
    finished_at: float | None = None
    reason: str | None = None
    """Why it ended."""

    @property
    def running(self) -> bool:
        """Whether the seat can find words now."""
        return self.started_at is not None and self.finished_at is None


class State(Frozen):
    """A position of the game."""

    options: Options
    seed: str
    board: tuple[str, ...]
    """Rows of letters."""
    rounds: tuple[Round, ...]
    """Per seat."""
    ply: int = 0

    @property
    def lexicon(self) -> LexiconRef:
        """The lexicon of the game, pinned by its content."""
        return self.options.lexicon

    @property
    def over(self) -> bool:
        """Whether all seats have finished."""
        return not self.unfinished

    @property
    def unfinished(self) -> tuple[int, ...]:
        """The seats that have not finished."""
        return tuple(seat for seat, round_ in enumerate(self.rounds) if round_.finished_at is None)

    @property
    def to_move(self) -> int | None:
        """The first seat that has not finished."""
        return next(iter(self.unfinished), None)


class Start(Frozen):
    """Show the board and start the seat's clock, if any."""

    type: Literal["start"] = "start"


class Word(Frozen):
    """A word, either as its path of cells or as typed text."""

    type: Literal["word"] = "word"
    cells: Cells | None = None
    word: TypedWord | None = None

    @model_validator(mode="after")
    def _is_one_of_both(self) -> "Word":
        if (self.cells is None) == (self.word is None):
            raise ValueError("a word is either cells or a text")
        return self


class HandIn(Frozen):
    """A complete round by a seat that has not started; used by bots."""

    type: Literal["hand_in"] = "hand_in"
    words: Annotated[tuple[TypedWord, ...], Field(max_length=10_000)]


class Finish(Frozen):
    """End the seat's round, or skip it."""

    type: Literal["finish"] = "finish"


class Hint(Frozen):
    """Take a hint in Find them all; its cost comes from the seat's budget.

    ``counts`` shows how many common words are left by length and first letter, and keeps them up to date.
    ``letter`` shows the next letter of one of them.
    """

    type: Literal["hint"] = "hint"
    about: Kind
    """Which hint to take."""


class TimeUp(Frozen):
    """The round's time limit has expired.

    Its player may submit it once the limit has passed; otherwise it is made after a grace period.
    """

    type: Literal["time_up"] = "time_up"


Move: TypeAlias = Annotated[
    Start | Word | HandIn | Hint | Finish | TimeUp | Forfeit, Field(discriminator="type")
]


class FoundView(Frozen):
    """A word that a seat has found, as the viewer may see it."""

    word: str
    cells: tuple[int, ...]
    points: int
    """0 if cancelled."""
    cancelled: bool
    """Whether another seat visible to the viewer has found it too, if the rules cancel such words."""
    common: bool
    """Whether it is a common word; others are bonus words."""
    seconds: float
    """Seconds from the start of the round."""


class RoundView(Frozen):
    """One seat's round, as the viewer may see it."""

    started_at: float | None
    ends_at: float | None
    """When its time limit expires, in seconds since the epoch; None before the start and without a limit."""
    finished_at: float | None
    reason: str | None
    words: tuple[FoundView, ...] | None
    """In the order found; None while hidden from the viewer."""
    score: int | None
    """Total points so far; None while hidden."""
    progress: Progress | None
    """The progress in Find them all; None while hidden, before the start and in other games."""


class BoardWord(Frozen):
    """A word on the board."""

    word: str
    points: int
    cells: tuple[int, ...]
    seats: tuple[int, ...]
    """The seats that found it, among the rounds visible to the viewer."""
    common: bool
    """Whether it is a common word; others are bonus words."""


class View(Frozen):
    """The game as seen by a seat or a spectator."""

    size: str
    """Rows x columns, such as ``4x5``."""
    rows: Annotated[int, OLD_NAME]
    """Old name of the first number of `size`."""
    columns: Annotated[int, OLD_NAME]
    """Old name of the second number of `size`."""
    richness: Richness
    seconds: int | None
    min_length: int
    qu: bool
    cancel: bool
    find_all: bool
    """Whether this is Find them all: common words score one point each, without a clock."""
    lexicon: str
    ply: int
    seat: int | None
    """The seat whose view this is; None for a spectator."""
    to_move: int | None
    """The viewer's own seat until it has finished, then the first unfinished one; None after the end."""
    board: tuple[str, ...] | None
    """Rows of letters; None until the viewer has started or, for a spectator, all seats have."""
    rounds: tuple[RoundView, ...]
    """Per seat."""
    report: Report | None
    """The result of the viewer's latest word."""
    solution: tuple[BoardWord, ...] | None
    """All words on the board without profanity, and those found, most points first; None until the viewer or,
    for a spectator, all seats have finished."""
    over: bool

    @property
    def gone(self) -> dict[int, str]:
        """What each seat did whose round was claimed."""
        ended = {seat: round_.reason for seat, round_ in enumerate(self.rounds)}
        return {seat: how for seat, reason in ended.items() for how in ENDINGS if ENDINGS[how] == reason}
