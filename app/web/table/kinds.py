"""API models that depend on the rooms: requests to open a game, and unions of all moves, views and analyses.

Routes are declared before the rooms are known. So a route takes such a request as a dict, and its
documentation is completed by ``Kinds.documented`` when the OpenAPI document is built.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any, Final, Literal, TypeAlias, Union

from fastapi.exceptions import RequestValidationError
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    SerializeAsAny,
    Tag,
    TypeAdapter,
    ValidationError,
    create_model,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from app.grammar import format_count, format_range, plural, there_are
from app.validation import field_fault
from app.web.model import Documented, read_strictly
from app.web.room import OtherEnding, Room, Rooms, TurnLimit

BotLevel = Annotated[int, Field(ge=1, le=5)]


class NewTable(Documented):
    """The seats and settings of a new game."""

    model_config = ConfigDict(extra="forbid")

    kind: str
    options: Any
    seats: Annotated[int | None, Field(ge=1, le=6)] = None
    """Number of seats, by default the fewest. You take the first and ``bots`` the last; the others are free
    for invited players."""
    bots: list[BotLevel] = Field(default=[])
    """The bots' levels, 1 to 5."""
    turn_limit: TurnLimit | None = None
    """Seconds after which the game may be claimed from a player who does not move. It does not apply while
    the game's own clock runs. null for the default: no limit without a clock; before a clock starts, its
    time, but at least ten minutes; in Boggle three days."""
    listed: bool = False
    """Whether the table is in the lobby, so that anyone may take a free seat without an invitation."""
    rated: bool = False
    """Whether the result changes the players' ratings; otherwise the game is casual. For games with two seats
    or more, not on a chosen board. It cannot be changed later."""
    seed: Annotated[str | None, Field(pattern=r"^[!-~]{1,64}$", examples=["20b4"])] = None
    """For games with one seat: the same seed, options and moves make the same game. Random by default, and
    always random with several seats, because a player who knows the seed knows the tiles to come."""


class Kinds:
    """The API models of the given rooms."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms: Final = rooms
        self._default: Final = next(iter(rooms))
        games = [room.game for room in rooms.values()]
        logged = [_titled(room, room.move_type) for room in rooms.values()]
        requested = [_titled(room, *room.sent_moves) for room in rooms.values()]
        self.types: Final[dict[str, Any]] = {
            "new game": self._new_game_type(),
            "move": Union[tuple(logged)],  # noqa: UP007 - of a tuple
            "requested move": Union[(*requested, OtherEnding)],
            "view": Union[tuple(game.view_type for game in games)],  # noqa: UP007
            "analysis": Union[tuple(game.analysis_type for game in games)],  # noqa: UP007
        }
        self._new_game: Final[TypeAdapter[NewTable]] = TypeAdapter(self.types["new game"])

    def read_new_game(self, body: dict[str, Any], within: tuple[str, ...] = ("body",)) -> NewTable:
        """Parse a request to open a game, found at ``within``. Raises RequestValidationError."""
        try:
            return read_strictly(self._new_game, body)
        except ValidationError as error:
            whole: Any = body
            for name in reversed(within[1:]):
                whole = {name: whole}
            raise RequestValidationError(
                [each | {"loc": (*within, *each["loc"])} for each in error.errors()], body=whole
            ) from None

    @contextmanager
    def documented(self) -> Iterator[None]:
        """Within the block, JSON schemas of routes have these rooms' moves, views, analyses and options."""
        token = _documented.set(self)
        try:
            yield
        finally:
            _documented.reset(token)

    def _new_game_type(self) -> Any:
        tagged = tuple(Annotated[self._model(room), Tag(kind)] for kind, room in self._rooms.items())
        fault = field_fault("kind", f"there is no such kind of game: choose from {', '.join(self._rooms)}")
        return Annotated[
            Union[tagged],  # noqa: UP007
            Discriminator(
                self._kind,
                custom_error_type=fault.type,
                custom_error_message=fault.message_template,
                custom_error_context=fault.context,
            ),
            AfterValidator(self._check_seats),
        ]

    def _model(self, room: Room) -> type[NewTable]:
        bots = "\n\nWith as many ``bots`` as seats, the bots play each other while a player watches."
        examples = [{"kind": room.kind, **example} for example in room.examples]
        setup = room.game.setup_type
        fields: dict[str, Any] = {
            "kind": (Literal[room.kind], room.kind if room.kind == self._default else ...),
            "options": (setup, setup()),
        }
        return create_model(
            f"New{room.title}",
            __base__=NewTable,
            __doc__=f"A new game of {room.title}.{bots if room.bots_only else ''}",
            __cls_kwargs__={"json_schema_extra": {"examples": examples}},
            **fields,
        )

    def _kind(self, body: Any) -> Any:
        """The discriminator: the kind of game, by default the first."""
        return body.get("kind", self._default) if isinstance(body, dict) else getattr(body, "kind", None)

    def _check_seats(self, new: NewTable) -> NewTable:
        room = self._rooms[new.kind]
        possible = room.game.seats(new.options)
        seats = possible.start if new.seats is None else new.seats
        if seats not in possible:
            title = room.mode_title(getattr(new.options, "mode", new.kind))
            raise field_fault("seats", f"a game of {title} has {format_range(possible, 'seat')}, not {seats}")
        if new.seed is not None and seats > 1:
            raise field_fault(
                "seed",
                f"a seed is for a game with one seat, this one has {seats}: "
                "with opponents, the tiles to come are secret",
            )
        known = len(room.game.bots)
        if new.bots and max(new.bots) > known:
            levels = f"levels are 1 to {known}" if known else "it has no bots"
            raise field_fault("bots", f"{room.title} has no bot of level {max(new.bots)}: {levels}")
        bots = len(new.bots)
        if bots >= seats + room.bots_only:
            more = f", and there may be up to {possible[-1]}" if seats < possible[-1] else ""
            raise field_fault(
                "bots",
                f"{format_count(bots, 'bot')} {plural(bots, 'leaves', 'leave')} no seat for you: "
                f"{there_are(seats, 'seat')}{more}",
            )
        return new.model_copy(update={"seats": seats})


def _titled(room: Room, *types: Any) -> Any:
    """A union of moves whose schema has the name of its game as its title."""
    return Annotated[Union[types], Field(title=room.title, discriminator="type")]  # noqa: UP007


_documented: ContextVar[Kinds] = ContextVar("documented")


class DocumentedAs:
    """Metadata of a type that is documented as one of ``Kinds.types``."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The type's schema for the rooms being documented; outside ``documented``, the plain one."""
        kinds = _documented.get(None)
        return handler(schema if kinds is None else TypeAdapter(kinds.types[self._name]).core_schema)


UnreadNewGame: TypeAlias = Annotated[dict[str, Any], DocumentedAs("new game")]
"""A request to open a game, parsed by ``Kinds.read_new_game``."""
UnreadMove: TypeAlias = Annotated[dict[str, Any], DocumentedAs("requested move")]
"""A move that is parsed once its game is known."""
AnyMove: TypeAlias = Annotated[SerializeAsAny[BaseModel], DocumentedAs("move")]
AnyView: TypeAlias = Annotated[SerializeAsAny[BaseModel], DocumentedAs("view")]
AnyAnalysis: TypeAlias = Annotated[SerializeAsAny[BaseModel], DocumentedAs("analysis")]
