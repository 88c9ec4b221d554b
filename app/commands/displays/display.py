"""What every kind of game offers a terminal."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import BaseModel
from rich.console import RenderableType

from app.commands.board import cell_name


class Display(ABC):
    """One kind of game. ``view`` is what the player sees of it, ``names`` are those of the seats.

    Each subclass annotates ``view`` as what its ``read_view`` returns.
    """

    view_type: ClassVar[type[BaseModel]]
    setup_type: ClassVar[type[BaseModel]]
    """The options with which a game is opened."""
    case_matters: ClassVar[bool] = False
    """Whether ``move`` gets capitals as they were typed; else everything is in lower case."""
    simultaneous: ClassVar[bool] = False
    """Whether all play at once, so that a move stays good when another player has moved."""

    def read_view(self, document: Mapping[str, Any]) -> Any:
        """The view in an answer, without the fields of later versions. Raises ValidationError."""
        return self.view_type.model_validate(document, extra="ignore")

    def fewest_players(self, options: Mapping[str, Any]) -> int:  # noqa: ARG002 - Wibble has modes
        """How many players a game with these options needs."""
        return 1

    @abstractmethod
    def title(self, view: Any) -> str:
        """What is played, for a headline."""

    @abstractmethod
    def board(self, view: Any, names: Sequence[str]) -> RenderableType:
        """The position, the scores and what the player holds."""

    @abstractmethod
    def position(self, view: Any) -> object:
        """What the board is shown again for when it has changed."""

    @abstractmethod
    def changes(self, before: Any, after: Any, names: Sequence[str]) -> list[str]:
        """What has happened between two views, a line each."""

    @abstractmethod
    def move(self, typed: str, view: Any) -> BaseModel | None:
        """The move that was typed; None where ``answer`` has one.

        Raises ValueError saying what is accepted.
        """

    def answer(self, typed: str, view: Any) -> RenderableType | None:  # noqa: ARG002 - few have any
        """What is shown for a command that makes no move; None where it is none."""
        return None

    @abstractmethod
    def introduction(self, view: Any) -> str:
        """What may be typed besides commands, in a line."""

    @abstractmethod
    def commands(self, view: Any) -> dict[str, tuple[str, str]]:
        """What ``move`` and ``answer`` take besides, each with its arguments and its meaning."""

    def explain(self, refusal: str, view: Any) -> str:  # noqa: ARG002 - few number their cells
        """Why the server refuses a move, with the names that the board shows."""
        return refusal

    def start(self, view: Any) -> BaseModel | None:  # noqa: ARG002 - few games wait for it
        """The move that starts the player's clock, where the game waits for it."""
        return None

    def may_move(self, view: Any) -> bool:
        """Whether it is the player's turn."""
        return view.seat is not None and view.to_move == view.seat

    def ends_at(self, view: Any) -> float | None:
        """When the clock that runs for the player runs out, in seconds since the epoch."""
        ends_at: float | None = getattr(view, "ends_at", None)
        return ends_at


class AnalysisDisplay(ABC):
    """What a display of a kind is besides where a terminal shows the analysis of a game that is over."""

    analysis_type: ClassVar[type[BaseModel]]

    @abstractmethod
    def analysis(self, found: Any, names: Sequence[str]) -> RenderableType:
        """What was played beside the best there was; ``found`` is of the type above."""


def named_cells(typed: str, rows: int, columns: int) -> tuple[int, ...] | None:
    """The cells in ``a1 b2 b3``; None where the text is no list of cells.

    Raises ValueError for a name that the board does not have.
    """
    names = typed.split()
    if not names or not all(re.fullmatch("[a-z][0-9]+", name) for name in names):
        return None
    cells = {cell_name(cell, columns): cell for cell in range(rows * columns)}
    for name in names:
        if name not in cells:
            last = cell_name(rows * columns - 1, columns)
            raise ValueError(f"{name} is not on the board: tiles are a1 to {last}")
    return tuple(cells[name] for name in names)


def a_word(typed: str) -> str | None:
    """The word that was typed; None where it is none."""
    match = re.fullmatch("[a-z]+", typed)
    return typed if match else None


def not_understood(typed: str) -> ValueError:
    """The refusal of what is neither a word, tiles nor a command."""
    return ValueError(f"{typed!r} is no word, no tiles and no command; help says what is accepted")
