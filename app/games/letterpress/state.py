"""What a game of Letterpress consists of: options, state, moves and view, as immutable values."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from app.games.game import Frozen, LexiconRef
from app.games.letterpress.territory import CELLS
from app.words.library import Library


class Choices(Frozen):
    """How a game is set up, but for the lexicon."""

    board: Annotated[str, Field(pattern=f"^[a-z]{{{CELLS}}}$")] | None = None
    """25 letters row by row; None draws them from the seed."""


class Setup(Choices):
    """What who opens a game asks for: the lexicon by its name."""

    lexicon: str = Library.default


class Options(Choices):
    """What a game keeps: the lexicon pinned by its content."""

    lexicon: LexiconRef


class Turn(Frozen):
    """A word that was played, or a pass."""

    seat: int
    word: str
    """Empty for a pass."""
    cells: tuple[int, ...]
    gained: int
    """By how many tiles the seat's lead grew."""


class State(Frozen):
    """A game between two moves."""

    options: Options
    seed: str
    board: str
    ply: int = 0
    owned: tuple[int, int] = (0, 0)
    """Per seat: its tiles, as a mask with bit ``i`` for cell ``i``."""
    turns: tuple[Turn, ...] = ()
    resigned: int | None = None
    """The seat that gave up."""
    reason: str | None = None
    """Why the game ended; None while it goes on."""

    @property
    def to_move(self) -> int:
        """Whose turn it is, while the game goes on: seat 0 begins."""
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
    """Let the turn go by; two passes in a row end the game."""

    type: Literal["pass"] = "pass"


class Resign(Frozen):
    """Give the game up."""

    type: Literal["resign"] = "resign"


Move: TypeAlias = Annotated[Play | Pass | Resign, Field(discriminator="type")]
MOVES: TypeAdapter[Move] = TypeAdapter(Move)


class View(Frozen):
    """What everybody may see of a game: there is nothing hidden in it."""

    board: str
    lexicon: str
    ply: int
    seat: int | None
    """Whose view it is; None for a watcher."""
    to_move: int | None
    """None once the game is over."""
    owned: tuple[int, int]
    """Per seat, as a mask."""
    protected: tuple[int, int]
    """Per seat: its tiles that cannot be taken."""
    tiles: tuple[int, int]
    turns: tuple[Turn, ...]
    resigned: int | None
    reason: str | None
