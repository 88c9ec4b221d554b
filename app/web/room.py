"""A room: what the site needs to know about a kind of game besides its rules."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, field_validator

from app.games.game import AnyGame, IllegalMove, Measure
from app.grammar import format_count
from app.store.models import Seat, Table, TableSettings
from app.web.lesson import Lesson
from app.web.model import read_strictly
from app.web.share.tiles import Tiles

if TYPE_CHECKING:
    from fastapi import APIRouter

Opponent = Literal["friend", "1", "2", "3", "4", "5"]
"""Who takes another seat: an invited friend, or a bot of that level."""


_ENDINGS: Final = ("resign", "finish", "quit")

T = TypeVar("T")

TurnLimit = Literal[600, 3600, 86_400, 259_200]
"""Seconds: ten minutes, an hour, a day, or three days."""


class Room(ABC):
    """A kind of game on the site.

    Its templates are in the folder named after the kind: ``table.html``, ``replay.html`` and
    ``_analysis.html`` are needed.
    """

    game: ClassVar[type[AnyGame]]
    """The rules."""
    title: ClassVar[str]
    blurb: ClassVar[str]
    """One line about the game."""
    address: ClassVar[str]
    """Path of the page for starting a game."""
    invitation: ClassVar[str]
    """Text about the game on the invitation page."""
    daily: ClassVar[str | None] = None
    """Path of the daily, if there is one."""
    daily_terms: ClassVar[str] = ""
    """One sentence about the daily."""
    daily_board: ClassVar[tuple[int, int]] = (5, 5)
    """Rows and columns of the daily's board."""
    unit: ClassVar[str] = "point"
    """Unit of scores, singular."""
    bots_only: ClassVar[bool] = False
    """Whether bots may take every seat."""
    review_link: ClassVar[str] = "Show missed words"
    """Text of the link to the review of a finished game."""
    examples: ClassVar[tuple[dict[str, Any], ...]] = ({},)
    """Examples of a request to open a game, without its ``kind``, for the API's documentation."""
    lesson: ClassVar[Lesson | None] = None
    """A first game that teaches, if there is one."""
    templates: ClassVar[Path | None] = None
    """A folder of templates besides the shipped one, for rooms outside this repository."""

    @property
    def kind(self) -> str:
        """The game's kind."""
        return self.game.kind

    def routers(self) -> "Iterable[APIRouter]":
        """Return the room's own routes: its pages and its engine's API."""
        return ()

    def load_custom(self, data_dir: Path) -> list[str]:  # noqa: ARG002 - few rooms have custom files
        """Load what the user added to the data folder. Returns a warning for each ignored file."""
        return []

    def title_of(self, view: Any) -> str:  # noqa: ARG002 - used by rooms with modes
        """The title of the game or mode at this table."""
        return self.title

    def mode_title(self, mode: str) -> str:  # noqa: ARG002 - likewise
        """The title of a mode, for statistics."""
        return self.title

    def measure(self, mode: str) -> Measure | None:
        """The definition of accuracy in a mode; None if there is only the score."""
        return self.game.measure(mode)

    def rules(self) -> dict[str, Any] | None:
        """The data of the template ``_rules.html``, which explains the game; None if there are no rules."""
        return None

    @property
    def daily_name(self) -> str:
        """The daily's name in addresses, the API and the store."""
        return self.kind

    def more_dailies(self) -> "tuple[Room, ...]":
        """Further dailies of the game: each a room of the same game with a ``daily_name`` of its own."""
        return ()

    def daily_of(self, view: Any) -> str | None:  # noqa: ARG002 - few rooms have several dailies
        """The path of the daily that this game belongs to, if it is one."""
        return self.daily

    @property
    def has_rules(self) -> bool:
        """Whether the room explains its rules."""
        return type(self).rules is not Room.rules

    def share(self, analysis: dict[str, Any], score: int) -> str:
        """The share text of a finished daily: one or two lines without spoilers."""
        accuracy = analysis["seats"][0]["accuracy"]
        scored = format_count(score, self.unit)
        return scored if accuracy is None else f"{scored}, {accuracy:.0f}% accuracy"

    def preview_tiles(self, view: Any) -> Tiles:  # noqa: ARG002 - rooms with boards use it
        """The board of a finished game for the picture of a shared link; empty for none."""
        return ()

    @abstractmethod
    def standing(self, view: Any, seat: int) -> str:
        """The current score of an unfinished game in a few words, for a seat."""

    @property
    def move_type(self) -> Any:
        """The union of the game's moves in the API: as in the rules, but for the name of the ending."""
        return self.game.move_type

    def shown_move(self, move: BaseModel) -> BaseModel:
        """A logged move as the API answers it."""
        return move

    def with_logged_ending(self, move: Mapping[str, T]) -> Mapping[str, T | str]:
        """The fields of a move; one that ends the game, under any name, has the type that the log uses."""
        return {**move, "type": self.game.resignation.type} if move.get("type") in _ENDINGS else move

    typed_moves: ClassVar[tuple[type[BaseModel], ...]] = ()
    """Moves that ``read_json_move`` accepts besides the game's own, for the API's documentation."""

    def read_json_move(self, move: Mapping[str, Any], table: Table) -> Any:
        """Parse a move from JSON. Raises ValidationError, IllegalMove."""
        return read_strictly(table.game.move_adapter, self.with_logged_ending(move))

    @abstractmethod
    def read_move(self, fields: Mapping[str, str], table: Table) -> Any:
        """Parse a move from a form. Raises IllegalMove."""


Rooms = Mapping[str, Room]
"""Rooms by kind of game, in display order; the first is the default of requests that name none."""


def checked(adapter: TypeAdapter[Any], fields: Mapping[str, Any]) -> Any:
    """Validate the fields of a move. Raises IllegalMove."""
    try:
        return adapter.validate_python(fields)
    except ValidationError as error:
        reason = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise IllegalMove(reason) from None


def cell_numbers(text: str) -> tuple[int, ...]:
    """Parse comma-separated cells such as ``0,6,7``. Raises IllegalMove."""
    try:
        return tuple(int(cell) for cell in text.split(","))
    except ValueError:
        raise IllegalMove("a word is a list of cell numbers separated by commas, like 0,6,7") from None


class OtherEnding(BaseModel):
    """Another name of the move that ends a game: ``resign`` where somebody loses, otherwise ``finish``."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"deprecated": True})

    type: Literal["resign", "finish", "quit"]


class TableSettingsFields(BaseModel):
    """Form fields for the settings of a new table."""

    turn_limit: TurnLimit | None = None
    """Seconds after which the game may be claimed from an idle seat."""
    listed: bool = False
    """Whether to list the table in the lobby."""

    @field_validator("turn_limit", mode="before")
    @classmethod
    def _no_limit(cls, value: object) -> object:
        return int(value) if isinstance(value, str) and value.isdecimal() else value or None

    def settings(self) -> TableSettings:
        """The table settings."""
        return TableSettings(self.turn_limit, self.listed)


def seats(opponents: tuple[Opponent, ...]) -> list[Seat]:
    """The seats of a new table: a free one for the opener, then one for each opponent."""
    others = [Seat() if each == "friend" else Seat(bot_level=int(each)) for each in opponents]
    return [Seat(), *others]
