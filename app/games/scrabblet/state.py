"""What a game of Scrabblet consists of: options, state, moves and view, as immutable values."""

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field, TypeAdapter

from app.games.game import Frozen, LexiconRef
from app.games.scrabblet.hand import LARGEST, Tiles
from app.games.scrabblet.hints import Hints
from app.games.scrabblet.modes import Mode, Penalize
from app.games.scrabblet.solver import SHORTEST
from app.words.library import Library

LONGEST_GUESS = 64


class Choices(Frozen):
    """How a game is set up, but for the lexicon."""

    mode: Mode = "dealer"
    hand: Tiles | None = None
    """The tiles to play with; None deals them from the seed."""
    size: Annotated[int, Field(ge=2, le=LARGEST)] = 7
    """Tiles of a dealt hand."""
    max_vowels: Annotated[int, Field(ge=0, le=LARGEST)] = 3
    """A hand with more vowels than this is drawn again."""
    min_words: Annotated[int, Field(ge=0, le=10_000)] = 25
    """A hand with fewer words than this is drawn again."""
    min_length: Annotated[int, Field(ge=2, le=15)] = SHORTEST
    """Letters of the shortest word that counts."""
    penalty: Annotated[int, Field(ge=0, le=100)] | None = None
    """Points that a penalised guess costs; None takes the mode's own."""
    penalize: Penalize = "non_words"
    """Which guesses cost the penalty: those that are no words, or every wrong guess."""


class Setup(Choices):
    """What who opens a game asks for: the lexicon by its name."""

    lexicon: str = Library.default


class Options(Choices):
    """What a game keeps: the lexicon pinned by its content."""

    penalize: Penalize = "wrong_guesses"
    """As in games stored before this was an option."""
    lexicon: LexiconRef


class Phase(StrEnum):
    """Whether there is still something to guess."""

    PLAYING = "playing"
    FINISHED = "finished"


class Found(Frozen):
    """A word that was found."""

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
    """What came of the latest move."""

    result: Result
    word: str = ""
    points: int = 0
    """Won by the word."""
    lost: int = 0
    """Taken off for a wrong guess: the penalty, or all there was."""
    required: bool = False
    pangram: bool = False


class State(Frozen):
    """A game between two moves."""

    options: Options
    seed: str
    hand: str
    """The tiles as they were dealt or given."""
    ply: int = 0
    score: int = 0
    found: tuple[Found, ...] = ()
    """In the order they were found."""
    wrong: int = 0
    """How many guesses were penalised."""
    hinted: bool = False
    report: Report | None = None
    reason: str | None = None
    """Why the game ended; None while it goes on."""

    @property
    def lexicon(self) -> LexiconRef:
        """The lexicon the game is pinned to."""
        return self.options.lexicon


def _plain(word: object) -> object:
    return word.strip().lower() if isinstance(word, str) else word


class Guess(Frozen):
    """Guess a word; a wrong guess is a legal move, which may cost points."""

    type: Literal["guess"] = "guess"
    word: Annotated[
        str, BeforeValidator(_plain), Field(min_length=1, max_length=LONGEST_GUESS, pattern="^[a-z]+$")
    ]


class Hint(Frozen):
    """Open the hints; they stay open and follow what is found."""

    type: Literal["hint"] = "hint"


class Quit(Frozen):
    """Finish the game here."""

    type: Literal["quit"] = "quit"


Move: TypeAlias = Annotated[Guess | Hint | Quit, Field(discriminator="type")]
MOVES: TypeAdapter[Move] = TypeAdapter(Move)


class TileView(Frozen):
    """A tile of the hand."""

    letter: str
    """a-z, or ``?`` for a blank."""
    score: int


class Counts(Frozen):
    """How many words there are and how many were found."""

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
    """Guesses that the game penalises, whether or not they cost anything."""


class RankStep(Frozen):
    """A rank and what earns it in this game."""

    name: str
    percent: int
    points: int
    """Of the required words."""


class RankView(Frozen):
    """How far the player has come: only the required words count here, and no penalty does."""

    name: str
    points: int
    """Of the required words found."""
    total: int
    """Of all required words."""
    percent: float
    """The former of the latter; 0 where nothing is required."""
    next: RankStep | None
    """None at the top, and where nothing is required."""
    steps: tuple[RankStep, ...]
    """All ranks, lowest first."""


class View(Frozen):
    """What a seat, or a watcher, may see of a game: never a word that was not found."""

    mode: Mode
    lexicon: str
    ply: int
    phase: Phase
    seat: int | None
    """Whose view it is; None for a watcher."""
    to_move: int | None
    """None once the game is over."""
    hand: str
    """The tiles in a row, ``?`` for a blank."""
    tiles: tuple[TileView, ...]
    min_length: int
    penalty: int
    """Points that a penalised guess costs."""
    penalize: Penalize
    score: int
    found: tuple[Found, ...]
    """In the order they were found; a watcher sees them when the game is over."""
    counts: Counts
    rank: RankView
    hinted: bool
    hints: Hints | None
    """For the seat, once it has asked."""
    report: Report | None
    """Of the latest move; a watcher is not told the word while the game goes on."""
    reason: str | None
