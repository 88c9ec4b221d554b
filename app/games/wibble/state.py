"""What a game of Wibble consists of: options, board, state, moves and view, as immutable values."""

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from app.games.game import Frozen, LexiconRef
from app.words.library import Library

Mode: TypeAlias = Literal["zen", "classic", "blitz", "versus"]
Power: TypeAlias = Literal["shuffle", "swap", "hint"]
Replace: TypeAlias = Literal["words", "releases"]
Letter: TypeAlias = Annotated[str, Field(pattern="^[a-z]$")]


class Phase(StrEnum):
    """Where the state machine stands; ``machine.py`` has the transitions."""

    TITLE = "title"
    IDLE = "play.idle"
    CHAINING = "play.chaining"
    CLEANUP = "play.cleanup"
    FINISHED = "finished"


class Choices(Frozen):
    """How a game of Wibble is set up, but for the lexicon."""

    mode: Mode = "zen"
    size: Annotated[int, Field(ge=4, le=7)] = 5
    """Tiles along a side of the board."""
    values: Literal["scrabble", "spellcast"] | None = None
    """The table of letter values; None takes the mode's own (SpellCast's for Classic, else Scrabble's)."""
    frequencies: Literal["prose", "dictionary", "lexicon"] = "prose"
    """How often each letter falls: as in English prose, as in a dictionary, or as in the lexicon played."""
    minimum_words: Annotated[int, Field(ge=0, le=100)] = 20
    """A deal that leaves fewer words than this on the board is drawn again."""
    replace: Replace = "words"
    """Zen only: whether just the tiles of scored words are replaced, or those of every chain released."""
    turn_seconds: Literal[30, 300] | None = None
    """How long a seat may take for its turn, in modes with rounds; None is as long as it likes."""


class Setup(Choices):
    """What who opens a game asks for: the lexicon by its name."""

    lexicon: str = Library.default


class Options(Choices):
    """What a game keeps: the lexicon pinned by its content."""

    lexicon: LexiconRef


class Bonus(Frozen):
    """A cell that multiplies: its letter's value, or the whole word."""

    cell: int
    factor: int


class Board(Frozen):
    """The tiles on the table; cell ``i`` is row ``i // size``, column ``i % size``."""

    letters: str
    gems: tuple[int, ...] = ()
    """The cells that carry a gem, ascending."""
    letter_bonus: Bonus | None = None
    word_bonus: Bonus | None = None


class Turn(Frozen):
    """One turn: a scored word, or none where the seat passed or its clock ran out."""

    seat: int
    round: int
    word: str
    """Empty for a turn that was passed."""
    cells: tuple[int, ...]
    points: int
    gems: int = 0
    """Gems gathered with the word."""
    hinted: bool = False
    """A hint lay open when the word was played."""


class Report(Frozen):
    """What came of the latest move, for all at the table to see."""

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
        "finished",
    ]
    seat: int = 0
    """Who made the move."""
    word: str = ""
    cells: tuple[int, ...] = ()
    """The cells concerned: of the chain, the swapped tile, or the hint."""
    points: int = 0
    gems: int = 0
    replaced: bool = False
    """A chain that is no word had its tiles replaced, as the option ``replace`` asked for."""


class State(Frozen):
    """A game of Wibble between two moves."""

    options: Options
    seed: str
    ply: int = 0
    phase: Phase = Phase.TITLE
    board: Board | None = None
    """None until the game starts, so that nobody studies the board before the clock runs."""
    chain: tuple[int, ...] = ()
    to_move: int = 0
    round: int = 0
    """From 1 once the game has started."""
    scores: tuple[int, ...] = (0,)
    gems: tuple[int, ...] = (0,)
    turns: tuple[Turn, ...] = ()
    hint: tuple[int, ...] | None = None
    report: Report | None = None
    resigned: tuple[int, ...] = ()
    """The seats that left a table which plays on without them."""
    started_at: float | None = None
    turn_started_at: float | None = None
    reason: str | None = None
    """Why the game ended."""

    @property
    def lexicon(self) -> LexiconRef:
        """The lexicon the game is pinned to."""
        return self.options.lexicon


class Start(Frozen):
    """Leave the title: the board is dealt and the clock, if any, runs."""

    type: Literal["start"] = "start"


class Add(Frozen):
    """Add one tile to the chain; adding the second-to-last tile again backs up one."""

    type: Literal["add"] = "add"
    cell: int


class Back(Frozen):
    """Take the chain's last tile off."""

    type: Literal["back"] = "back"


class Release(Frozen):
    """Let go: the chain is judged and the board cleaned up."""

    type: Literal["release"] = "release"


class Chain(Frozen):
    """A whole chain as the browser sends it: every tile in order, then the release."""

    type: Literal["chain"] = "chain"
    cells: Annotated[tuple[int, ...], Field(min_length=1)]


class Shuffle(Frozen):
    """Mix the tiles of the board."""

    type: Literal["shuffle"] = "shuffle"


class Swap(Frozen):
    """Replace the letter of one tile."""

    type: Literal["swap"] = "swap"
    cell: int
    letter: Letter


class Hint(Frozen):
    """Show the best word there is."""

    type: Literal["hint"] = "hint"


class Pass(Frozen):
    """Let the turn go by without a word, in modes with rounds."""

    type: Literal["pass"] = "pass"


class TimeUp(Frozen):
    """The clock ran out: of the game, which ends, or of the turn, which is passed.

    The player on turn may say so once it has; else it happens after some seconds of grace.
    """

    type: Literal["time_up"] = "time_up"


class Resign(Frozen):
    """Finish the game here; a table of several plays on while two are left."""

    type: Literal["resign"] = "resign"


Move: TypeAlias = Annotated[
    Start | Add | Back | Release | Chain | Shuffle | Swap | Hint | Pass | TimeUp | Resign,
    Field(discriminator="type"),
]
MOVES: TypeAdapter[Move] = TypeAdapter(Move)


class TileView(Frozen):
    """One tile as a player sees it."""

    cell: int
    letter: Letter
    value: int
    """Points of the letter before any bonus."""
    gem: bool
    letter_factor: int
    """1, or 2 (DL) or 3 (TL)."""
    word_factor: int
    """1, or 2 (2x)."""


class PowerView(Frozen):
    """A power the mode has, what it costs, and whether the seat to move can pay for it now."""

    power: Power
    cost: int
    """In gems; 0 is free."""
    affordable: bool


class View(Frozen):
    """What a seat, or a watcher, may see of a game."""

    mode: Mode
    size: int
    values: Literal["scrabble", "spellcast"]
    frequencies: Literal["prose", "dictionary", "lexicon"]
    replace: Replace
    """Which chains have their tiles replaced: scored words, or all that are released."""
    turn_seconds: int | None
    """The turn clock; None where there is none."""
    lexicon: str
    ply: int
    phase: Phase
    seat: int | None
    """Whose view it is; None for a watcher."""
    to_move: int
    tiles: tuple[TileView, ...]
    """Row by row; empty until the game starts."""
    chain: tuple[int, ...]
    round: int
    rounds: int | None
    """How many rounds the mode has; None is endless."""
    scores: tuple[int, ...]
    gems: tuple[int, ...] | None
    """Per seat; None where the mode has no gems."""
    powers: tuple[PowerView, ...]
    long_word_length: int | None
    """Words of at least this length get the bonus; None where the mode has none."""
    long_word_bonus: int
    turns: tuple[Turn, ...]
    hint: tuple[int, ...] | None
    """The path of the hint, for the seat that asked."""
    report: Report | None
    resigned: tuple[int, ...]
    started_at: float | None
    ends_at: float | None
    """When the clock of the game or of the turn runs out, in seconds since the epoch; None without one."""
    reason: str | None
