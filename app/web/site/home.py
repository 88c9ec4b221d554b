"""The home page with Wibble's start form, and helpers for opening and listing games."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field, field_validator

from app.games.game import Setup as AnySetup
from app.games.wibble.bot import bots
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Setup
from app.grammar import format_count
from app.store.models import NO_TURN_LIMIT, Table, TableSettings
from app.web.guard.limits import address_of, limited
from app.web.rooms import ROOMS
from app.web.rooms.room import Opponent, TableSettingsFields, seats
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily import daily_state
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

OPEN_GAMES_SHOWN = 6


class PlayForm(Setup, TableSettingsFields):
    """The form for starting a game of Wibble."""

    opponents: Annotated[tuple[Opponent, ...], Field(max_length=5)] = ()
    """The other seats: an invited friend or a bot level each."""

    @field_validator("values", "turn_seconds", mode="before")
    @classmethod
    def _empty_is_none(cls, value: str) -> str | int | None:
        return int(value) if value.isdecimal() else value or None

    def setup(self) -> Setup:
        """The game's options; ``replace`` applies to Zen only."""
        chosen = self.model_dump(include=set(Setup.model_fields))
        return Setup.model_validate(chosen if self.mode == "zen" else chosen | {"replace": "words"})


@router.get("/")
def home(request: Request, services: ServicesDep, player: Player) -> Response:
    """The home page: start form, today's daily and unfinished games."""
    context = {
        "modes": mode_choices(),
        "bots": [bot.name for bot in bots()],
        "lexicons": [info.name for info in services.library.names()],
        "open_games": open_games(services, player),
        "daily": daily_state(services, ROOMS[Wibble.kind], player),
    }
    return templates.TemplateResponse(request, "home.html", context)


@router.post("/play", dependencies=[limited("games", "guests")])
def play(form: Annotated[PlayForm, Form()], request: Request, services: ServicesDep) -> Response:
    """Open a game of Wibble and go to its table."""
    return open_table(services, request, Wibble.kind, form.setup(), form.opponents, form.settings())


def mode_choices() -> list[dict[str, Any]]:
    """Wibble's modes for the start form."""
    return [
        {"mode": name, "title": mode.title, "blurb": mode.blurb, "seats": mode.seats}
        for name, mode in modes().items()
    ]


def open_table(
    services: Services,
    request: Request,
    kind: str,
    setup: AnySetup,
    opponents: tuple[Opponent, ...] = (),
    settings: TableSettings = NO_TURN_LIMIT,
) -> Response:
    """Open a game and redirect the player to its table."""
    now = services.clock()
    draft = services.games.draft(
        kind, setup, seats(opponents), now, settings
    )  # validate before creating a guest
    response = RedirectResponse(f"/games/{draft.id}", status_code=303)
    origin = services.origins.digest(address_of(request))
    if settings.listed:
        services.games.check_listing(services.guests.identify(request), origin, now)
    services.games.keep(draft.opened_by(services.guests.welcome(request, response, now)), origin)
    return response


def open_games(
    services: Services, player: str | None, kind: str | None = None, most: int = OPEN_GAMES_SHOWN
) -> list[dict[str, Any]]:
    """The player's unfinished games of one or all kinds, most recently changed first."""
    now = services.clock()
    tables = services.lobby.unfinished(player, most, now, kind) if player else []
    return [_open_game(table, player, now) for table in tables]


def _open_game(table: Table, player: str | None, now: float) -> dict[str, Any]:
    room, view, seat = ROOMS[table.kind], table.view(player), table.seat_of(player)
    return {
        "id": table.id,
        "room": room,
        "mode_title": room.title_of(view),
        "standing": room.standing(view, seat or 0),
        "seats": len(table.seats),
        "waiting": not table.is_full,
        "your_turn": len(table.seats) > 1 and table.finished_at is None and view.to_move == seat,
        "ago": ago(now - table.moved_at),
    }


def ago(seconds: float) -> str:
    """A time in the past as text, rounded down to one unit, such as ``3 hours ago``."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        count = int(seconds // length)
        if count:
            return f"{format_count(count, unit)} ago"
    return "just now"
