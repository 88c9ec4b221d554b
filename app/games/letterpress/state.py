"""Options, state, moves and view of a game of Letterpress, as immutable values."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from app.games.clock import ClockChoices, Clocks
from app.games.departures import Departure, Departures
from app.games.game import Forfeit, Frozen, LexiconRef
from app.games.letterpress.boards import Letters
from app.games.letterpress.territory import CELLS
from app.words.library import Library


class Choices(ClockChoices):
    """The options of a game, without the lexicon."""

    board: Annotated[str, Field(pattern=f"^[a-z]{{{CELLS}}}$")] | None = None
    """25 letters, row by row; None draws them from the seed."""
    letters: Letters = "usual"
    """How they are drawn: by their frequency in words, or with equal probability among vowels and among
    consonants."""


class Setup(Choices):
    """The options for a new game, with the lexicon's name."""

    lexicon: str = Library.default


class Options(Choices):
    """The options of a game, with the lexicon pinned by its content."""

    letters: Letters = "even"
    """The default for games stored before this option existed."""
    lexicon: LexiconRef


class Turn(Frozen):
    """A word played, or a pass."""

    seat: int
    word: str
    """Empty for a pass."""
    cells: tuple[int, ...]
    gained: int
    """The increase of the seat's lead, in tiles."""


class State(Frozen):
    """A position of the game."""

    options: Options
    seed: str
    board: str
    ply: int = 0
    owned: tuple[int, int] = (0, 0)
    """Per seat: its tiles, as a mask with bit ``i`` for cell ``i``."""
    turns: tuple[Turn, ...] = ()
    resigned: int | None = None
    """The seat that resigned or ran out of time."""
    departures: tuple[Departure, ...] = ()
    clocks: Clocks | None = None
    """None without a clock per player. They start after the first turn."""
    reason: str | None = None
    """Why the game ended; None while it is running."""

    @property
    def to_move(self) -> int:
        """The seat to move while the game is running; seat 0 begins."""
        return len(self.turns) % 2

    @property
    def played(self) -> tuple[str, ...]:
        """The words played so far, in order."""
        return tuple(turn.word for turn in self.turns if turn.word)

    @property
    def passed(self) -> bool:
        """Whether the latest turn was a pass."""
        return bool(self.turns) and not self.turns[-1].word


class Play(Frozen):
    """Play the word that these cells spell, in order."""

    type: Literal["word"] = "word"
    cells: Annotated[tuple[int, ...], Field(max_length=CELLS)]


class Pass(Frozen):
    """Pass the turn; two passes in a row end the game."""

    type: Literal["pass"] = "pass"


class TimeUp(Frozen):
    """The time of the player to move has run out: the other wins."""

    type: Literal["time_up"] = "time_up"


class Resign(Frozen):
    """Resign the game."""

    type: Literal["resign"] = "resign"


Move: TypeAlias = Annotated[Play | Pass | TimeUp | Forfeit | Resign, Field(discriminator="type")]


class View(Departures):
    """The game as seen by everyone; nothing is hidden."""

    board: str
    lexicon: str
    ply: int
    seat: int | None
    """The seat whose view this is; None for a spectator."""
    to_move: int | None
    """None once the game is over."""
    owned: tuple[int, int]
    """Per seat: its tiles, as a mask."""
    protected: tuple[int, int]
    """Per seat: its protected tiles, as a mask."""
    tiles: tuple[int, int]
    turns: tuple[Turn, ...]
    resigned: int | None
    """The seat that resigned or ran out of time."""
    clock_seconds: int | None = None
    """Each player's time for the whole game; None for no clock per player."""
    increment_seconds: int = 0
    """Seconds a player gains with each completed turn."""
    clocks: Clocks | None = None
    """The players' clocks; None if the game has none."""
    ends_at: float | None = None
    """When the time of the player to move runs out, in seconds since the epoch; None if no clock runs."""
    reason: str | None
