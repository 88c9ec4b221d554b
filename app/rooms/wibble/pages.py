"""The home page, with Wibble's start form."""

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
from app.web.table.opening import StartPage, back_to

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


def _context(services: Services, player: str | None) -> dict[str, Any]:
    return {
        "modes": mode_choices(),
        "levels": len(levels()),
        "dailies": todays_dailies(services, player),
        "cards_due": services.cards.number_due(player, services.clock()) if player else 0,
    }


_PAGE = StartPage(Wibble.kind, "wibble/home.html", _context, all_games=True)


@router.get("/")
def home(request: Request, services: ServicesDep, player: Player) -> Response:
    """The home page: start form, today's daily and unfinished games."""
    return _PAGE.show(request, services, player)


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
    return _PAGE.open(
        request, services, player, form, lambda: (form.setup(), form.opponents, form.settings())
    )


def mode_choices() -> list[dict[str, Any]]:
    """Wibble's modes for the start form."""
    return [
        {"mode": name, "title": mode.title, "blurb": mode.blurb, "seats": mode.seats}
        for name, mode in modes().items()
        if name != "adventure"  # has a page of its own
    ]
