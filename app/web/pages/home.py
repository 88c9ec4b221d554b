"""The home page, and the forms on it that open a game."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field, field_validator

from app.games.wibble.bot import bots
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Setup
from app.store.tables import Seat, Table
from app.web.pages.daily import daily_state
from app.web.services import House, Player
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

OPEN_GAMES_SHOWN = 6
Opponent = Literal["friend", "1", "2", "3", "4", "5"]


class PlayForm(Setup):
    """The fields of the form that opens a game."""

    opponents: Annotated[tuple[Opponent, ...], Field(max_length=5)] = ()
    """Who sits at the other seats: a friend with the invitation, or a bot of that level."""

    @field_validator("values", "turn_seconds", mode="before")
    @classmethod
    def _empty_is_none(cls, value: str) -> str | int | None:
        return int(value) if value.isdecimal() else value or None

    def setup(self) -> Setup:
        """The game without its company."""
        return Setup.model_validate(self.model_dump(exclude={"opponents"}))


@router.get("/")
def home(request: Request, house: House, player: Player) -> Response:
    """What this is, one big Play, today's daily and the games left open."""
    now = house.clock()
    tables = house.games.unfinished(player, OPEN_GAMES_SHOWN, now) if player else []
    context = {
        "modes": mode_choices(),
        "bots": [bot.name for bot in bots()],
        "lexicons": [info.name for info in house.library.names()],
        "open_games": [_open_game(table, player, now) for table in tables],
        "daily": daily_state(house, player),
    }
    return templates.TemplateResponse(request, "home.html", context)


@router.post("/play")
def play(form: Annotated[PlayForm, Form()], request: Request, house: House) -> Response:
    """Open a game and go to its table; the game waits there for its player, or for friends to sit down."""
    now = house.clock()
    response = RedirectResponse("/", status_code=303)
    player = house.guests.welcome(request, response, now)
    others = [Seat() if one == "friend" else Seat(bot_level=int(one)) for one in form.opponents]
    table = house.games.open(Wibble.kind, form.setup(), [Seat(player_id=player), *others], now)
    response.headers["Location"] = f"/games/{table.id}"
    return response


def mode_choices() -> list[dict[str, Any]]:
    """The modes as a page offers them."""
    return [
        {"mode": name, "title": mode.title, "blurb": mode.blurb, "seats": mode.seats}
        for name, mode in modes().items()
    ]


def _open_game(table: Table, player: str | None, now: float) -> dict[str, Any]:
    view = table.view(player)
    seat = table.seat_of(player)
    return {
        "id": table.id,
        "mode_title": modes()[view.mode].title,
        "score": view.scores[seat or 0],
        "round": view.round,
        "rounds": view.rounds,
        "seats": len(table.seats),
        "waiting": not table.is_full,
        "your_turn": len(table.seats) > 1 and table.game.to_move(table.state) == seat,
        "ago": ago(now - table.moved_at),
    }


def ago(seconds: float) -> str:
    """How long ago something was, in one rounded unit."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        count = int(seconds // length)
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"
