"""What a game of Boggle consists of: options, rounds, moves and view, as immutable values."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, TypeAdapter, field_validator, model_validator

from app.games.boggle.board import Board, parse_board
from app.games.game import Frozen, LexiconRef
from app.games.grid import LONGEST_SIDE, SHORTEST_SIDE
from app.words.library import Library

Richness: TypeAlias = Literal["plain", "fair", "rich"]
Cells: TypeAlias = Annotated[tuple[int, ...], Field(min_length=1, max_length=LONGEST_SIDE**2)]
TypedWord: TypeAlias = Annotated[str, Field(min_length=1, max_length=2 * LONGEST_SIDE**2)]
Seconds: TypeAlias = Annotated[int, Field(ge=10, le=3600)]
MinLength: TypeAlias = Annotated[int, Field(ge=2, le=8)]

_Side: TypeAlias = Annotated[int, Field(ge=SHORTEST_SIDE, le=LONGEST_SIDE)]


class Choices(Frozen):
    """How a game is set up, but for the lexicon."""

    rows: _Side = 4
    """By default those of ``board``, where one is given."""
    columns: _Side = 4
    """Likewise."""
    richness: Richness = "fair"
    """How many words the board has for one of its size."""
    seconds: Seconds | None = 180
    """How long each seat's round lasts; None is as long as it likes."""
    min_length: MinLength = 3
    """How many letters a word must have."""
    qu: bool = False
    """Whether q is the face Qu, two letters in one cell."""
    cancel: bool = False
    """Whether a word that several seats have found counts for none of them."""
    board: tuple[str, ...] | None = None
    """Rows of letters, as a list or as one text; None deals a board from the seed."""

    @model_validator(mode="after")
    def _board_fits(self) -> "Choices":
        if self.board is not None:
            grid = Board(self.board).grid
            if (grid.rows, grid.columns) != (self.rows, self.columns):
                raise ValueError(
                    f"the board is {grid.rows}x{grid.columns}, but rows and columns say "
                    f"{self.rows}x{self.columns}: leave rows and columns out, or give those of the board"
                )
        return self


class Setup(Choices):
    """The options as a caller gives them: the lexicon by its name; a board that is given brings its size."""

    lexicon: str = Library.default

    @model_validator(mode="before")
    @classmethod
    def _size_of_board(cls, given: Any) -> Any:
        if not isinstance(given, dict) or given.get("board") is None:
            return given
        try:
            grid = parse_board(given["board"]).grid
        except (AttributeError, TypeError, ValueError):
            return given  # the field says what is wrong with it
        return {"rows": grid.rows, "columns": grid.columns, **given}

    @field_validator("board", mode="before")
    @classmethod
    def _in_rows(cls, given: Any) -> Any:
        is_text = isinstance(given, str) or (
            isinstance(given, list | tuple) and all(isinstance(row, str) for row in given)
        )
        return parse_board(given).rows if is_text else given


class Options(Choices):
    """What a game keeps: the lexicon pinned by its content."""

    lexicon: LexiconRef


class Found(Frozen):
    """A word that a seat has found."""

    word: str
    cells: tuple[int, ...]
    points: int
    at: float
    """When, in seconds since the epoch."""


class Report(Frozen):
    """What came of a seat's latest word."""

    result: Literal["scored", "too_short", "not_on_board", "not_a_word", "repeated"]
    word: str
    cells: tuple[int, ...] = ()
    """Where it lies; empty where it is not on the board."""
    points: int = 0


class Round(Frozen):
    """One seat's own round on the board that all share."""

    started_at: float | None = None
    """When its clock began to run; until then the seat sees no board."""
    found: tuple[Found, ...] = ()
    """In the order they were found."""
    report: Report | None = None
    finished_at: float | None = None
    reason: str | None = None
    """Why it ended."""

    @property
    def running(self) -> bool:
        """Whether words may be found."""
        return self.started_at is not None and self.finished_at is None


class State(Frozen):
    """A game between two moves."""

    options: Options
    seed: str
    board: tuple[str, ...]
    """Rows of letters."""
    rounds: tuple[Round, ...]
    """Per seat."""
    ply: int = 0

    @property
    def lexicon(self) -> LexiconRef:
        """The lexicon the game is pinned to."""
        return self.options.lexicon

    @property
    def over(self) -> bool:
        """Whether every seat has finished."""
        return all(one.finished_at is not None for one in self.rounds)


class Start(Frozen):
    """See the board; the seat's clock, if any, runs from here."""

    type: Literal["start"] = "start"


class Word(Frozen):
    """A word, as the cells that spell it in order or as it was typed."""

    type: Literal["word"] = "word"
    cells: Cells | None = None
    word: TypedWord | None = None

    @model_validator(mode="after")
    def _is_one_of_both(self) -> "Word":
        if (self.cells is None) == (self.word is None):
            raise ValueError("a word is either cells or a text")
        return self


class HandIn(Frozen):
    """A whole round at once, by who has not started: how bots play theirs."""

    type: Literal["hand_in"] = "hand_in"
    words: Annotated[tuple[TypedWord, ...], Field(max_length=10_000)]


class Finish(Frozen):
    """End the seat's round, or do without one."""

    type: Literal["finish"] = "finish"


class TimeUp(Frozen):
    """The seat's clock ran out.

    Its player may say so once it has; else it happens after some seconds of grace.
    """

    type: Literal["time_up"] = "time_up"


Move: TypeAlias = Annotated[Start | Word | HandIn | Finish | TimeUp, Field(discriminator="type")]
MOVES: TypeAdapter[Move] = TypeAdapter(Move)


class FoundView(Frozen):
    """A word that a seat has found, as others may see it."""

    word: str
    cells: tuple[int, ...]
    points: int
    """0 where it is cancelled."""
    cancelled: bool
    """Whether another seat whose words the viewer may see has found it too, where that counts."""
    seconds: float
    """How long after its round began the seat found it."""


class RoundView(Frozen):
    """One seat's round, as the viewer may see it."""

    started_at: float | None
    ends_at: float | None
    """When its clock runs out, in seconds since the epoch; None before the start and without a clock."""
    finished_at: float | None
    reason: str | None
    words: tuple[FoundView, ...] | None
    """In the order they were found; None while it is not the viewer's to know."""
    score: int | None
    """What they are worth so far; None likewise."""


class BoardWord(Frozen):
    """A word of the board."""

    word: str
    points: int
    cells: tuple[int, ...]
    seats: tuple[int, ...]
    """Who has found it, among the rounds that the viewer may see."""


class View(Frozen):
    """What a seat, or a watcher, may see of a game."""

    rows: int
    columns: int
    richness: Richness
    seconds: int | None
    min_length: int
    qu: bool
    cancel: bool
    lexicon: str
    ply: int
    seat: int | None
    """Whose view it is; None for a watcher."""
    to_move: int | None
    """The viewer's own seat until it has finished, then the first that has not; None after the end."""
    board: tuple[str, ...] | None
    """Rows of letters; None until the viewer has started, for a watcher until every seat has."""
    rounds: tuple[RoundView, ...]
    """Per seat."""
    report: Report | None
    """What came of the viewer's latest word."""
    solution: tuple[BoardWord, ...] | None
    """All words fit to be shown, and those found, most points first; None until the viewer, or
    for a watcher everybody, has finished."""
    over: bool
