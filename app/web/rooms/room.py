"""What a room tells the pages that all games share."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, TypeAdapter, ValidationError, field_validator

from app.games.game import IllegalMove, Measure
from app.games.rulebook import GAMES
from app.grammar import format_count
from app.store.models import Seat, Table, TableSettings

Opponent = Literal["friend", "1", "2", "3", "4", "5"]
"""Who sits at another seat: a friend with the invitation, or a bot of that level."""


TurnLimit = Literal[600, 3600, 86_400, 259_200]
"""Seconds: ten minutes, an hour, a day, three days."""


class Room(ABC):
    """One kind of game as pages show it. Its templates are in the folder of its kind."""

    kind: ClassVar[str]
    title: ClassVar[str]
    blurb: ClassVar[str]
    """One line that says what one does here."""
    address: ClassVar[str]
    """The page where a game is begun."""
    invitation: ClassVar[str]
    """What somebody who is invited is told about the game."""
    daily: ClassVar[str | None] = None
    """The page of its daily, where it has one."""
    daily_terms: ClassVar[str] = ""
    """What one plays there, in a sentence."""
    unit: ClassVar[str] = "point"
    """What scores are counted in."""

    def title_of(self, view: Any) -> str:  # noqa: ARG002 - a room with modes tells them apart
        """What is played at this table, for a headline."""
        return self.title

    def mode_title(self, mode: str) -> str:  # noqa: ARG002 - likewise
        """The name, for people, of a mode that statistics are kept for."""
        return self.title

    def measure(self, mode: str) -> Measure | None:
        """What accuracy is in a mode; None where the score is the only measure."""
        return GAMES[self.kind].measure(mode)

    def share(self, analysis: dict[str, Any], score: int) -> str:
        """A finished daily in a line or two that spoil nothing."""
        accuracy = analysis["seats"][0]["accuracy"]
        scored = format_count(score, self.unit)
        return scored if accuracy is None else f"{scored}, {accuracy:.0f}% accuracy"

    @abstractmethod
    def standing(self, view: Any, seat: int) -> str:
        """How an open game stands for a seat, in a few words."""

    @abstractmethod
    def read_move(self, fields: Mapping[str, str], table: Table) -> Any:
        """The move that a form's fields ask for. Raises IllegalMove where they make none."""


def checked(adapter: TypeAdapter[Any], fields: Mapping[str, Any]) -> Any:
    """The move of these fields. Raises IllegalMove where they make none."""
    try:
        return adapter.validate_python(fields)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise IllegalMove(wrong) from None


def cell_numbers(text: str) -> tuple[int, ...]:
    """Cells as a form sends them, ``0,6,7``. Raises IllegalMove where they are none."""
    try:
        return tuple(int(cell) for cell in text.split(","))
    except ValueError:
        raise IllegalMove("a word is cell numbers with commas between them, like 0,6,7") from None


class TableSettingsFields(BaseModel):
    """What a form that opens a table may say of how to play together."""

    turn_limit: TurnLimit | None = None
    """Seconds after which an idle seat may be claimed."""
    listed: bool = False
    """Whether anybody may take a free seat."""

    @field_validator("turn_limit", mode="before")
    @classmethod
    def _no_limit(cls, value: object) -> object:
        return int(value) if isinstance(value, str) and value.isdecimal() else value or None

    def settings(self) -> TableSettings:
        """The same for the store."""
        return TableSettings(self.turn_limit, self.listed)


def seats(opponents: tuple[Opponent, ...]) -> list[Seat]:
    """The seats of a new table: the one that waits for its opener, then one for each opponent."""
    others = [Seat() if one == "friend" else Seat(bot_level=int(one)) for one in opponents]
    return [Seat(), *others]
