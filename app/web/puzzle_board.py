"""How a room shows the position of a puzzle. The template is ``_puzzle.html`` in the room's folder."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

from app.games.puzzles import Answer
from app.web.share.tiles import Tiles

Entry = Literal["path", "tiles", "letters", "squares"]
"""How a word is entered: along neighbouring tiles, with any tiles at most once, with tiles that may repeat,
or by laying tiles of a rack on squares."""


class PuzzleBoard(ABC):
    """The presentation of a room's puzzles."""

    entry: ClassVar[Entry]
    typed: ClassVar[str] = "Your word"
    """The label of the field for typing an answer."""
    styles: ClassVar[tuple[str, ...]]
    """The style sheets of the board."""

    @abstractmethod
    def context(self, position: Any) -> dict[str, Any]:
        """The variables of the room's template for a position."""

    @abstractmethod
    def facts(self, position: Any) -> tuple[str, ...]:
        """Facts about a position that the board does not show, each in a few words."""

    @abstractmethod
    def tiles(self, position: Any) -> Tiles:
        """The position for the picture of a shared link."""

    def swaps(self, position: Any, answer: Answer) -> tuple[int, ...]:  # noqa: ARG002 - few games have swaps
        """The cells whose letters an answer changes."""
        return ()

    def described(self, answer: Answer) -> str:
        """An answer as text, in capitals."""
        return answer.word.upper()
