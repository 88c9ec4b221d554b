"""What the API knows of each kind of game: how one is opened, and what are its moves, views and analyses."""

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
    """Who sits at a game to be opened."""

    model_config = ConfigDict(extra="forbid")

    plays_itself: ClassVar[bool] = False
    """Whether bots may take every seat."""

    seats: Annotated[int | None, Field(ge=1, le=6)] = None
    """Seats in all, by default the fewest. Who asks takes the first, ``bots`` the last; the others are free
    for who is invited."""
    bots: list[BotLevel] = Field(default=[])
    """The levels of the bots, 1 to 5."""
    turn_limit: TurnLimit | None = None
    """Seconds after which a seat that does not move may be claimed by who waits; null waits for ever."""
    listed: bool = False
    """Whether anybody may take a free seat, without the invitation."""


class NewWibble(NewTable):
    """A game of Wibble to be opened."""

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
    """A game of Letterpress to be opened."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kind": "letterpress", "bots": [3]}]})

    kind: Literal["letterpress"]
    options: letterpress.Setup = letterpress.Setup()


class NewBoggle(NewTable):
    """A game of Boggle to be opened."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"kind": "boggle", "options": {"richness": "rich", "seconds": 180}}]}
    )

    kind: Literal["boggle"]
    options: boggle.Setup = boggle.Setup()


class NewFribble(NewTable):
    """A game of Fribble to be opened.

    As many ``bots`` as seats play by themselves, as long as somebody looks; who asks watches.
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
    """A game of Scrabblet to be opened."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kind": "scrabblet"}]})

    kind: Literal["scrabblet"]
    options: scrabblet.Setup = scrabblet.Setup()


def _kind(body: Any) -> Any:
    """What tells new games apart; Wibble where it is not said."""
    return body.get("kind", "wibble") if isinstance(body, dict) else getattr(body, "kind", None)


def _seats_suit(new: "NewGame") -> "NewGame":
    possible = GAMES[new.kind].seats(new.options)
    seats = possible.start if new.seats is None else new.seats
    if seats not in possible:
        what = ROOMS[new.kind].mode_title(getattr(new.options, "mode", new.kind))
        span = " to ".join(map(str, sorted({possible[0], possible[-1]})))
        raise ValueError(f"a game of {what} has {span} seats, not {seats}")
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
        custom_error_message=f"there is no such kind of game: there are {', '.join(GAMES)}",
    ),
    AfterValidator(_seats_suit),
]
AnyMove: TypeAlias = wibble.Move | letterpress.Move | boggle.Move | fribble.Move | scrabblet.Move
AnyView: TypeAlias = wibble.View | letterpress.View | boggle.View | fribble.View | scrabblet.View
AnyAnalysis: TypeAlias = (
    WibbleAnalysis | LetterpressAnalysis | BoggleAnalysis | FribbleAnalysis | ScrabbletAnalysis
)


class UnreadMove(dict[str, Any]):
    """A move before it is known what game it is for; documented as the move of any game."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return handler(dict[str, Any])

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(TypeAdapter(AnyMove).core_schema)
