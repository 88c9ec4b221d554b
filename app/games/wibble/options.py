"""The options of a game of Wibble, as requested and as stored."""

from collections.abc import Mapping
from math import isqrt
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias

from pydantic import Field, field_validator, model_validator

from app.games.clock import ClockChoices
from app.games.game import STORED, LexiconRef
from app.games.wibble.levels import Level, find_level
from app.renamed import Renamed
from app.words.library import Library
from app.words.vocabulary import Counted

Mode: TypeAlias = Literal["zen", "classic", "blitz", "versus", "teams", "adventure"]
Power: TypeAlias = Literal["shuffle", "swap", "hint"]
Frequencies: TypeAlias = Literal["prose", "dictionary", "lexicon"]
"""Letter frequencies: of English prose, of a dictionary, or of the lexicon in play."""
Replace: TypeAlias = Literal["words", "releases"]
MinWords: TypeAlias = Annotated[int, Field(ge=0, le=100)]
SMALLEST: Final = 4
LARGEST: Final = 7
"""The smallest and largest side of the board."""


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
            find_level(self.level)  # UnknownLevel is not a validation error: the level does not exist
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
    """A board as one lower-case text, from a text with any whitespace or a list of rows."""
    if isinstance(board, list | tuple) and all(isinstance(row, str) for row in board):
        board = "".join(board)
    return "".join(board.split()).lower() if isinstance(board, str) else board


class Options(Choices):
    """The options of a game, with the lexicon pinned by its content."""

    model_config = STORED

    min_words: Annotated[MinWords, Field(alias="minimum_words")] = 20
    """Stored and recorded under its old name."""
    counted: Counted = "everything"
    """The default for games stored before this option existed."""
    lexicon: LexiconRef
    level: Level | None = None
    """A copy of the level, so that changes of the data do not affect the game."""

    @model_validator(mode="before")
    @classmethod
    def _from_level(cls, given: Any) -> Any:
        """Look up a level given by name, and set the options that it determines."""
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
