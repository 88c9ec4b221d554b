"""The home page, with Wibble's start form."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field, field_validator

from app.games.wibble.levels import levels
from app.games.wibble.modes import modes
from app.games.wibble.options import Setup
from app.games.wibble.rules import Wibble
from app.web.clock_fields import ClockFields
from app.web.guard.limits import limited
from app.web.room import Opponent, TableSettingsFields, read_number
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily import todays_dailies
from app.web.table.opening import back_to, open_or_ask_again, open_table, start_context
from app.web.templating import templates

router = APIRouter(include_in_schema=False)


class PlayForm(ClockFields, Setup, TableSettingsFields):
    """The form for starting a game of Wibble."""

    opponents: Annotated[tuple[Opponent, ...], Field(max_length=5)] = ()
    """The other seats: an invited friend or a bot level each."""

    @field_validator("opponents", mode="before")
    @classmethod
    def _without_empty_seats(cls, opponents: Any) -> Any:
        return tuple(filter(None, opponents)) if isinstance(opponents, list | tuple) else opponents

    @field_validator("values", "turn_seconds", mode="before")
    @classmethod
    def _empty_is_none(cls, value: Any) -> Any:
        return read_number(value)

    def setup(self) -> Setup:
        """The game's options; ``replace`` applies only to Zen."""
        chosen = self.model_dump(include=set(Setup.model_fields))
        return Setup.model_validate(chosen if self.mode == "zen" else chosen | {"replace": "words"})


@router.get("/")
def home(request: Request, services: ServicesDep, player: Player) -> Response:
    """The home page: start form, today's daily and unfinished games."""
    return _home(request, services, player)


@router.get("/wibble")
def go_home(request: Request) -> Response:
    """Redirect ``/wibble`` to the home page, which is Wibble's front page."""
    query = request.url.query
    return RedirectResponse(f"/?{query}" if query else "/", status_code=301)


router.get("/play")(back_to("/"))


@router.post("/play", dependencies=[limited("games", "guests")])
def play(
    form: Annotated[PlayForm, Form()], request: Request, services: ServicesDep, player: Player
) -> Response:
    """Open a game of Wibble and go to its table."""

    def opened() -> Response:
        return open_table(services, request, Wibble.kind, form.setup(), form.opponents, form.settings())

    return open_or_ask_again(opened, partial(_home, request, services, player, form))


def _home(
    request: Request,
    services: Services,
    player: str | None,
    form: PlayForm | None = None,
    errors: dict[str, str] | None = None,
    status: int = 200,
) -> Response:
    context = start_context(services, Wibble.kind, player, all_games=True) | {
        "modes": mode_choices(),
        "levels": len(levels()),
        "dailies": todays_dailies(services, player),
        "cards_due": services.cards.number_due(player, services.clock()) if player else 0,
        "form": form,
        "errors": errors or {},
    }
    return templates.TemplateResponse(request, "wibble/home.html", context, status_code=status)


def mode_choices() -> list[dict[str, Any]]:
    """Wibble's modes for the start form."""
    return [
        {"mode": name, "title": mode.title, "blurb": mode.blurb, "seats": mode.seats}
        for name, mode in modes().items()
        if name != "adventure"  # has a page of its own
    ]
