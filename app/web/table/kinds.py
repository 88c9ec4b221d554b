"""API models per kind of game: requests to open one, and unions of all moves, views and analyses."""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Tag,
    TypeAdapter,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from app.games.boggle import state as boggle
from app.games.boggle.analysis import Analysis as BoggleAnalysis
from app.games.fribble import state as fribble
from app.games.fribble.analysis import Analysis as FribbleAnalysis
from app.games.letterpress import state as letterpress
from app.games.letterpress.analysis import Analysis as LetterpressAnalysis
from app.games.rulebook import GAMES
from app.games.scrabblet import state as scrabblet
from app.games.scrabblet.analysis import Analysis as ScrabbletAnalysis
from app.games.wibble import state as wibble
from app.games.wibble.analysis import Analysis as WibbleAnalysis
from app.grammar import format_count, plural, there_are
from app.web.model import Documented
from app.web.rooms import ROOMS
from app.web.rooms.room import TurnLimit

BotLevel = Annotated[int, Field(ge=1, le=5)]


class NewTable(Documented):
    """The seats and settings of a new game."""

    model_config = ConfigDict(extra="forbid")

    plays_itself: ClassVar[bool] = False
    """Whether bots may take every seat."""

    seats: Annotated[int | None, Field(ge=1, le=6)] = None
    """Number of seats, by default the fewest. You take the first and ``bots`` the last; the others are free
    for invited players."""
    bots: list[BotLevel] = Field(default=[])
    """The bots' levels, 1 to 5."""
    turn_limit: TurnLimit | None = None
    """Seconds after which the game may be claimed from a player who does not move; null for no limit."""
    listed: bool = False
    """Whether the table is in the lobby, so that anyone may take a free seat without an invitation."""


class NewWibble(NewTable):
    """A new game of Wibble."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"kind": "wibble", "options": {"mode": "classic"}},
                {
                    "kind": "wibble",
                    "options": {"mode": "versus", "turn_seconds": 30},
                    "seats": 3,
                    "bots": [2],
                },
            ]
        },
    )

    kind: Literal["wibble"] = "wibble"
    options: wibble.Setup = wibble.Setup()


class NewLetterpress(NewTable):
    """A new game of Letterpress."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kind": "letterpress", "bots": [3]}]})

    kind: Literal["letterpress"]
    options: letterpress.Setup = letterpress.Setup()


class NewBoggle(NewTable):
    """A new game of Boggle."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"kind": "boggle", "options": {"richness": "rich", "seconds": 180}}]}
    )

    kind: Literal["boggle"]
    options: boggle.Setup = boggle.Setup()


class NewFribble(NewTable):
    """A new game of Fribble.

    With as many ``bots`` as seats, the bots play each other while somebody watches.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"kind": "fribble", "options": {"preset": "wwf"}, "bots": [3]},
                {"kind": "fribble", "bots": [5, 4]},
            ]
        }
    )

    plays_itself: ClassVar[bool] = True

    kind: Literal["fribble"]
    options: fribble.Setup = fribble.Setup()


class NewScrabblet(NewTable):
    """A new game of Scrabblet."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kind": "scrabblet"}]})

    kind: Literal["scrabblet"]
    options: scrabblet.Setup = scrabblet.Setup()


def _kind(body: Any) -> Any:
    """The discriminator: the kind of game, by default Wibble."""
    return body.get("kind", "wibble") if isinstance(body, dict) else getattr(body, "kind", None)


def _check_seats(new: "NewGame") -> "NewGame":
    possible = GAMES[new.kind].seats(new.options)
    seats = possible.start if new.seats is None else new.seats
    if seats not in possible:
        title = ROOMS[new.kind].mode_title(getattr(new.options, "mode", new.kind))
        span = " to ".join(map(str, sorted({possible[0], possible[-1]})))
        raise ValueError(f"a game of {title} has {span} seats, not {seats}")
    bots = len(new.bots)
    if bots >= seats + new.plays_itself:
        raise ValueError(
            f"{format_count(bots, 'bot')} {plural(bots, 'leaves', 'leave')} no seat for you: "
            f"{there_are(seats, 'seat')}"
        )
    return new.model_copy(update={"seats": seats})


NewGame: TypeAlias = Annotated[
    Annotated[NewWibble, Tag("wibble")]
    | Annotated[NewLetterpress, Tag("letterpress")]
    | Annotated[NewBoggle, Tag("boggle")]
    | Annotated[NewFribble, Tag("fribble")]
    | Annotated[NewScrabblet, Tag("scrabblet")],
    Discriminator(
        _kind,
        custom_error_type="kind",
        custom_error_message=f"there is no such kind of game: choose from {', '.join(GAMES)}",
    ),
    AfterValidator(_check_seats),
]
AnyMove: TypeAlias = wibble.Move | letterpress.Move | boggle.Move | fribble.Move | scrabblet.Move
AnyView: TypeAlias = wibble.View | letterpress.View | boggle.View | fribble.View | scrabblet.View
AnyAnalysis: TypeAlias = (
    WibbleAnalysis | LetterpressAnalysis | BoggleAnalysis | FribbleAnalysis | ScrabbletAnalysis
)


class UnreadMove(dict[str, Any]):
    """A move that is parsed once its game is known; documented as a move of any game."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return handler(dict[str, Any])

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(TypeAdapter(AnyMove).core_schema)
