"""Options, state, moves and view of a game of Scrabblet, as immutable values."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from app.games.game import STORED, Frozen, LexiconRef
from app.games.scrabblet.hand import LARGEST, Tiles
from app.games.scrabblet.hints import Hints
from app.games.scrabblet.modes import Mode, Penalize
from app.games.scrabblet.solver import SHORTEST
from app.renamed import Renamed, old_name
from app.words.library import Library

LONGEST_GUESS = 64


class Choices(Frozen):
    """The options of a game, without the lexicon."""

    mode: Mode = "dealer"
    rack: Tiles | None = None
    """The tiles to play with; None deals them from the seed."""
    size: Annotated[int, Field(ge=2, le=LARGEST)] = 7
    """The number of tiles of a dealt hand."""
    max_vowels: Annotated[int, Field(ge=0, le=LARGEST)] = 3
    """The maximum number of vowels; a hand with more is drawn again."""
    min_words: Annotated[int, Field(ge=0, le=10_000)] = 25
    """The minimum number of words; a hand with fewer is drawn again."""
    min_required: Annotated[int, Field(ge=0, le=1_000)] = 20
    """The minimum number of required words; a hand with fewer is drawn again."""
    min_pangrams: Annotated[int, Field(ge=0, le=100)] = 1
    """The minimum number of required words with every letter; a hand with fewer is drawn again."""
    min_length: Annotated[int, Field(ge=2, le=15)] = SHORTEST
    """The minimum length of a word."""
    penalty: Annotated[int, Field(ge=0, le=100)] | None = None
    """The cost of a penalised guess in points; None for the mode's default."""
    penalize: Penalize = "non_words"
    """Which guesses cost the penalty: non-words only, or every wrong guess."""


class Setup(Renamed, Choices):
    """The options for a new game, with the lexicon's name."""

    old_names: ClassVar[Mapping[str, str]] = {"hand": "rack"}

    lexicon: str = Library.default


class Options(Choices):
    """The options of a game, with the lexicon pinned by its content."""

    model_config = STORED

    rack: Annotated[Tiles | None, Field(alias="hand")] = None
    """Stored and recorded under its old name."""
    min_required: Annotated[int, Field(ge=0, le=1_000)] = 0
    """The default for games stored before this option existed."""
    min_pangrams: Annotated[int, Field(ge=0, le=100)] = 0
    penalize: Penalize = "wrong_guesses"
    """The default for games stored before this option existed."""
    lexicon: LexiconRef


class Phase(StrEnum):
    """Whether the game is running."""

    PLAYING = "playing"
    FINISHED = "finished"


class Found(Frozen):
    """A word found."""

    word: str
    points: int
    required: bool
    """False for a bonus word."""
    pangram: bool
    """Whether it uses every letter of the hand."""


Result: TypeAlias = Literal[
    "scored", "duplicate", "too_short", "not_a_word", "not_dealt", "hinted", "finished"
]


class Report(Frozen):
    """The result of the latest move."""

    result: Result
    word: str = ""
    points: int = 0
    """Points won by the word."""
    lost: int = 0
    """Points lost for a wrong guess: the penalty, or the whole score if less."""
    required: bool = False
    pangram: bool = False


class State(Frozen):
    """A position of the game."""

    options: Options
    seed: str
    hand: str
    """The tiles as dealt or given."""
    ply: int = 0
    score: int = 0
    found: tuple[Found, ...] = ()
    """In the order found."""
    wrong: int = 0
    """The number of penalised guesses."""
    hinted: bool = False
    report: Report | None = None
    reason: str | None = None
    """Why the game ended; None while it is running."""

    @property
    def lexicon(self) -> LexiconRef:
        """The lexicon of the game, pinned by its content."""
        return self.options.lexicon


def _plain(word: object) -> object:
    return word.strip().lower() if isinstance(word, str) else word


class Guess(Frozen):
    """Guess a word. A wrong guess is a legal move, but may cost points."""

    type: Literal["guess"] = "guess"
    word: Annotated[
        str, Field(min_length=1, max_length=LONGEST_GUESS, pattern="^[a-z]+$"), BeforeValidator(_plain)
    ]


class Hint(Frozen):
    """Show the hints; they stay visible and follow the words found."""

    type: Literal["hint"] = "hint"


class Quit(Frozen):
    """Finish the game."""

    type: Literal["quit"] = "quit"


Move: TypeAlias = Annotated[Guess | Hint | Quit, Field(discriminator="type")]


class TileView(Frozen):
    """A tile of the hand."""

    letter: str
    """a-z, or ``?`` for a blank."""
    score: int


class Counts(Frozen):
    """The numbers of words, and of words found."""

    words: int
    found: int
    required: int
    required_found: int
    bonus_found: int
    pangrams: int
    """Among the required words."""
    pangrams_found: int
    """Among the required words."""
    wrong: int
    """Guesses of the penalised kinds, whether or not they cost points."""


class RankStep(Frozen):
    """A rank, and the points required for it in this game."""

    name: str
    percent: int
    points: int
    """Points from required words."""


class RankView(Frozen):
    """The player's rank. Only required words count; penalties do not."""

    name: str
    points: int
    """Points from required words found."""
    total: int
    """Points of all required words."""
    percent: float
    """``points`` as a percentage of ``total``; 0 if there are no required words."""
    next: RankStep | None
    """None at the highest rank, and if there are no required words."""
    steps: tuple[RankStep, ...]
    """All ranks, lowest first."""


class View(Frozen):
    """The game as seen by a seat or a spectator. Contains no word that was not found."""

    mode: Mode
    lexicon: str
    ply: int
    phase: Phase
    seat: int | None
    """The seat whose view this is; None for a spectator."""
    to_move: int | None
    """None once the game is over."""
    rack: str
    """The tiles as one text, ``?`` for a blank."""
    tiles: tuple[TileView, ...]
    min_length: int
    penalty: int
    """The cost of a penalised guess in points."""
    penalize: Penalize
    score: int
    found: tuple[Found, ...]
    """In the order found; hidden from spectators until the game is over."""
    counts: Counts
    rank: RankView
    hinted: bool
    hints: Hints | None
    """Shown to the player, once requested."""
    report: Report | None
    """The result of the latest move; without the word for spectators while the game is running."""
    reason: str | None
    hand: ClassVar[Any] = old_name("rack", str)
