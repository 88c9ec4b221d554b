"""Interface of the terminal displays."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import BaseModel
from rich.console import RenderableType

from app.games.game import AnyGame, Outcome
from app.grammar import plural


class Display(ABC):
    """Displays one kind of game. ``view`` is the player's view, ``names`` are the names by seat."""

    game: ClassVar[type[AnyGame]]
    """The rules."""
    case_matters: ClassVar[bool] = False
    """Whether ``move`` gets the line as typed; otherwise in lower case."""
    simultaneous: ClassVar[bool] = False
    """Whether all play at once, so that a move stays valid after another player's move."""

    def read_view(self, document: Mapping[str, Any]) -> Any:
        """Parse the view in a response, ignoring unknown fields. Raises ValidationError."""
        return self.game.view_type.model_validate(document, extra="ignore")

    @abstractmethod
    def title(self, view: Any) -> str:
        """Return the headline of the game."""

    @abstractmethod
    def board(self, view: Any, names: Sequence[str]) -> RenderableType:
        """Render the position, the scores and the player's tiles."""

    @abstractmethod
    def position(self, view: Any) -> object:
        """Return a value that changes when the board must be drawn again."""

    @abstractmethod
    def changes(self, before: Any, after: Any, names: Sequence[str]) -> list[str]:
        """Describe what happened between two views, one line per event."""

    @abstractmethod
    def move(self, typed: str, view: Any) -> BaseModel | None:
        """Parse a move; None for a command that ``answer`` handles.

        Raises ValueError naming what is accepted.
        """

    def answer(self, typed: str, view: Any) -> RenderableType | None:
        """Return the output of a command that is not a move; None if it is not such a command."""
        return None

    @abstractmethod
    def introduction(self, view: Any) -> str:
        """Explain in one line what may be typed besides commands."""

    @abstractmethod
    def commands(self, view: Any) -> dict[str, tuple[str, str]]:
        """Return the commands of ``move`` and ``answer``, with arguments and help text."""

    def explain(self, refusal: str, view: Any) -> str:
        """Return the server's reason for refusing a move with cell names instead of numbers."""
        return refusal

    def start(self, view: Any) -> BaseModel | None:
        """Return the move that starts the player's clock, if the game waits for it."""
        return None

    def may_move(self, view: Any) -> bool:
        """Return whether it is the player's turn."""
        return view.seat is not None and view.to_move == view.seat

    def ends_at(self, view: Any) -> float | None:
        """Return when the player's clock runs out, in seconds since the epoch."""
        ends_at: float | None = getattr(view, "ends_at", None)
        return ends_at


class AnalysisDisplay(ABC):
    """Mixin of displays that can show the analysis of a finished game."""

    @abstractmethod
    def analysis(self, found: Any, names: Sequence[str]) -> RenderableType:
        """Render the moves and the best moves; ``found`` is the rules' analysis."""


def a_word(typed: str) -> str | None:
    """Return the typed word; None if it has characters other than a to z."""
    match = re.fullmatch("[a-z]+", typed)
    return typed if match else None


def not_understood(typed: str) -> ValueError:
    """Return the error for input that is not a word, a list of tiles or a command."""
    return ValueError(f"{typed!r} is not a word, a list of tiles or a command; see help")


def ending(outcome: Outcome, names: Sequence[str]) -> str:
    """Describe how the game ended and who won."""
    sides = [" and ".join(names[seat] for seat in team) for team in outcome.teams] or names
    scores = ", ".join(f"{side} {score}" for side, score in zip(sides, outcome.side_scores, strict=True))
    end = f"{outcome.reason[0].upper()}{outcome.reason[1:]}. {scores}."
    if len(names) == 1:
        return end
    result = plural(len(outcome.winners), "Winner") if outcome.is_decided else "A draw between"
    winners = " and ".join(names[seat] for seat in outcome.winners)
    return f"{end} {result}: {winners}."
