"""Options, board, state, moves and view of a game of Wibble, as immutable values."""

from collections.abc import Mapping
from enum import StrEnum
from math import isqrt
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias

from pydantic import Field, field_validator, model_validator

from app.games.clock import ClockChoices, Clocks
from app.games.game import STORED, Frozen, LexiconRef
from app.games.wibble.levels import Level, LevelView, Obstacle, Progress, find_level
from app.renamed import Renamed
from app.words.library import Library
from app.words.vocabulary import Counted

Mode: TypeAlias = Literal["zen", "classic", "blitz", "versus", "teams", "adventure"]
Power: TypeAlias = Literal["shuffle", "swap", "hint"]
Frequencies: TypeAlias = Literal["prose", "dictionary", "lexicon"]
"""Letter frequencies: of English prose, of a dictionary, or of the lexicon in play."""
Replace: TypeAlias = Literal["words", "releases"]
Letter: TypeAlias = Annotated[str, Field(pattern="^[a-z]$")]
MinWords: TypeAlias = Annotated[int, Field(ge=0, le=100)]
SMALLEST: Final = 4
LARGEST: Final = 7
"""Sides of the board."""


class Phase(StrEnum):
    """The states of the state machine; see ``machine.py``."""

    TITLE = "title"
    IDLE = "play.idle"
    CHAINING = "play.chaining"
    CLEANUP = "play.cleanup"
    FINISHED = "finished"


class Choices(ClockChoices):
    """The options of a game, without the lexicon."""

    mode: Mode = "zen"
    size: Annotated[int, Field(ge=SMALLEST, le=LARGEST)] = 5
    """The side of the board, in tiles; by default, that of ``board`` if given."""
    values: Literal["scrabble", "spellcast"] | None = None
    """The table of letter values; None for the mode's default (SpellCast's for Classic, otherwise
    Scrabble's)."""
    frequencies: Frequencies = "prose"
    """Letter frequencies: of English prose, of a dictionary, or of the lexicon in play."""
    min_words: MinWords = 20
    """The minimum number of words on the board; a deal with fewer is drawn again."""
    counted: Counted = "common"
    """Which words count for ``min_words``."""
    replace: Replace = "words"
    """Zen only: replace the tiles of scored words, or of every released chain."""
    turn_seconds: Literal[30, 300] | None = None
    """Time limit per turn, in modes with rounds; None for no limit."""
    board: Annotated[str, Field(pattern="^[a-z]+$", max_length=LARGEST**2)] | None = None
    """The letters of the first board, row by row, as one text or a list of rows; None deals them from the
    seed. The tiles that replace them are drawn."""

    @model_validator(mode="after")
    def _board_fits(self) -> Self:
        if self.board is not None and len(self.board) != self.size**2:
            raise ValueError(
                f"a board of size {self.size} has {self.size**2} letters, this one has {len(self.board)}"
            )
        return self


class Setup(Renamed, Choices):
    """The options for a new game, with the lexicon's name; a given board determines the size."""

    old_names: ClassVar[Mapping[str, str]] = {"minimum_words": "min_words"}

    lexicon: str = Library.default
    level: Annotated[str, Field(max_length=40)] | None = None
    """Adventure only: the level, by name or number. It determines size, letters and the minimum of words."""

    @field_validator("level", mode="before")
    @classmethod
    def _named(cls, given: Any) -> Any:
        return str(given) if isinstance(given, int) and not isinstance(given, bool) else given

    @model_validator(mode="after")
    def _has_level(self) -> Self:
        _check_level(self)
        if self.level is not None:
            find_level(self.level)  # UnknownLevel is no error of validation: there is no such thing
        return self

    @field_validator("board", mode="before")
    @classmethod
    def _one_text(cls, given: Any) -> Any:
        return _letters(given)

    @model_validator(mode="before")
    @classmethod
    def _size_of_board(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "size" in given:
            return given
        letters = _letters(given.get("board"))
        side = isqrt(len(letters)) if isinstance(letters, str) else 0
        square = SMALLEST <= side <= LARGEST and side * side == len(letters)
        return {**given, "size": side} if square else given


def _letters(board: Any) -> Any:
    """A board as one text of small letters, given as a text with any blanks or as a list of rows."""
    if isinstance(board, list | tuple) and all(isinstance(row, str) for row in board):
        board = "".join(board)
    return "".join(board.split()).lower() if isinstance(board, str) else board


class Options(Choices):
    """The options of a game, with the lexicon pinned by its content."""

    model_config = STORED

    min_words: Annotated[MinWords, Field(alias="minimum_words")] = 20
    """Stored and recorded under its name from before."""
    counted: Counted = "everything"
    """The default for games stored before this option existed."""
    lexicon: LexiconRef
    level: Level | None = None
    """The whole level, so that the game stays as it was when the data changes."""

    @model_validator(mode="before")
    @classmethod
    def _from_level(cls, given: Any) -> Any:
        """Look up a level given by name, and take from it what it determines."""
        if not isinstance(given, dict) or not isinstance(given.get("level"), str):
            return given
        level = find_level(given["level"])
        return given | {"level": level, "size": level.size, "min_words": level.min_words, "counted": "common"}

    @model_validator(mode="after")
    def _fits_level(self) -> Self:
        _check_level(self)
        if self.level is not None and self.level.size != self.size:
            raise ValueError(f"the level {self.level.name} has size {self.level.size}, not {self.size}")
        return self


def _check_level(options: "Setup | Options") -> None:
    if (options.mode == "adventure") != (options.level is not None):
        raise ValueError("mode adventure takes a level, by name or number; other modes take none")
    if options.level is not None and options.board is not None:
        raise ValueError("a level has its own board: leave out board")


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
    """A turn: a scored word, or none if the seat passed or ran out of time."""

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
    """A word that a player shows to the partner on turn."""

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
    """How many of the latest moves were suggestions, which change nothing for the seat to move."""
    report: Report | None = None
    resigned: tuple[int, ...] = ()
    """The seats that left the table or ran out of time."""
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


class Start(Frozen):
    """Start the game: deal the board and start the clock, if any."""

    type: Literal["start"] = "start"


class Add(Frozen):
    """Add a tile to the chain; adding the second-to-last tile again removes the last."""

    type: Literal["add"] = "add"
    cell: int


class Back(Frozen):
    """Remove the last tile of the chain."""

    type: Literal["back"] = "back"


class Release(Frozen):
    """Release the chain: validate it and clean up the board."""

    type: Literal["release"] = "release"


class Chain(Frozen):
    """A complete chain, as sent by the browser: all tiles in order, then the release."""

    type: Literal["chain"] = "chain"
    cells: Annotated[tuple[int, ...], Field(min_length=1)]


class Shuffle(Frozen):
    """Shuffle the tiles of the board."""

    type: Literal["shuffle"] = "shuffle"


class Swap(Frozen):
    """Change the letter of one tile."""

    type: Literal["swap"] = "swap"
    cell: int
    letter: Letter


class Hint(Frozen):
    """Show the best word."""

    type: Literal["hint"] = "hint"


class Suggest(Frozen):
    """Show the partner on turn a word, in Teams. Only the team sees it, until the game is over."""

    type: Literal["suggest"] = "suggest"
    cells: Annotated[tuple[int, ...], Field(min_length=1)]


class Pass(Frozen):
    """Pass the turn, in modes with rounds."""

    type: Literal["pass"] = "pass"


class TimeUp(Frozen):
    """A time limit has expired.

    The game ends by its limit; the turn is passed by its own; by the player's clock the player is out. The
    player to move may submit it once the limit has passed; otherwise it is made after a grace period, or with
    a clock per player at once.
    """

    type: Literal["time_up"] = "time_up"


class Resign(Frozen):
    """Finish the game; if several opponents remain, they continue."""

    type: Literal["resign"] = "resign"


Move: TypeAlias = Annotated[
    Start | Add | Back | Release | Chain | Shuffle | Swap | Hint | Suggest | Pass | TimeUp | Resign,
    Field(discriminator="type"),
]


class TileView(Frozen):
    """A tile as players see it."""

    cell: int
    letter: Annotated[str, Field(pattern="^[a-z.]$")]
    """``.`` for a wall."""
    value: int
    """Points of the letter, without bonuses."""
    gem: bool
    letter_factor: int
    """1, or 2 (DL) or 3 (TL)."""
    word_factor: int
    """1, or 2 (2x)."""
    obstacle: Obstacle | None = None
    """What is on the tile in Adventure; words cannot use a wall or a frozen tile."""
    obstacle_count: int = 0
    """Layers of ice, or words until the bomb goes off."""


class PowerView(Frozen):
    """A power of the mode, its cost, and whether the seat to move can afford it."""

    power: Power
    cost: int
    """In gems; 0 is free."""
    affordable: bool


class View(Frozen):
    """What a seat, or a spectator, may see of the game."""

    mode: Mode
    size: int
    values: Literal["scrabble", "spellcast"]
    frequencies: Frequencies
    replace: Replace
    """Which chains have their tiles replaced: scored words, or all released chains."""
    turn_seconds: int | None
    """The time limit per turn; None for no limit."""
    lexicon: str
    ply: int
    phase: Phase
    seat: int | None
    """The seat whose view this is; None for a spectator."""
    to_move: int
    tiles: tuple[TileView, ...]
    """Row by row; empty until the game starts."""
    chain: tuple[int, ...]
    round: int
    rounds: int | None
    """The number of rounds; None for no limit."""
    scores: tuple[int, ...]
    """Per seat: the points of its own words."""
    teams: tuple[tuple[int, ...], ...] = ()
    """The seats of each team; empty if everyone plays for themselves."""
    team_scores: tuple[int, ...] = ()
    """Per team; empty without teams."""
    gems: tuple[int, ...] | None
    """Per seat; None if the mode has no gems."""
    powers: tuple[PowerView, ...]
    long_word_length: int | None
    """The minimum length of a word for the bonus; None if the mode has no such bonus."""
    long_word_bonus: int
    turns: tuple[Turn, ...]
    hint: tuple[int, ...] | None
    """The path of the hint, shown only to the seat that asked for it and its partners."""
    suggestions: tuple[Suggestion, ...] = ()
    """The words shown to the partner on turn, visible only to the team; the latest of each seat."""
    suggestions_left: int = 0
    """How many words you may still show to the partner on turn; 0 if no partner is on turn."""
    unchanged_since: int = 0
    """The ply since which only words were shown to partners; a move for any ply from this one on is not
    stale."""
    report: Report | None
    resigned: tuple[int, ...]
    started_at: float | None
    clock_seconds: int | None = None
    """Each player's time for the whole game; None for no clock per player."""
    increment_seconds: int = 0
    """Seconds a player gains with each completed turn."""
    clocks: Clocks | None = None
    """The players' clocks; None if the game has none."""
    ends_at: float | None
    """When the time limit of the game or the turn expires or the clock of the player to move runs out, in
    seconds since the epoch; None if none runs."""
    level: LevelView | None = None
    """The level in Adventure; None in other modes."""
    reason: str | None
