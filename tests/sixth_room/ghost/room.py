"""The room of Ghost: its page, and reading its move form."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Final

from fastapi import APIRouter, Form, Request, Response

from app.games.game import AnyGame
from app.store.models import Table
from app.web.guard.limits import limited
from app.web.room import Opponent, Room, checked
from app.web.services import ServicesDep
from app.web.table.opening import open_table
from app.web.templating import templates
from tests.sixth_room.ghost.rules import Ghost, Move, Setup, View

router = APIRouter(prefix="/ghost", include_in_schema=False)


class GhostRoom(Room):
    """The room of Ghost."""

    game: ClassVar[type[AnyGame]] = Ghost
    title: ClassVar[str] = "Ghost"
    blurb: ClassVar[str] = "Add letters, but do not complete a word."
    address: ClassVar[str] = "/ghost"
    invitation: ClassVar[str] = "Take turns adding a letter. Completing a word of four letters loses."
    templates: ClassVar[Path | None] = Path(__file__).parent / "templates"

    def routers(self) -> tuple[APIRouter, ...]:
        return (router,)

    def describe_score(self, view: View, seat: int) -> str:
        return view.fragment.upper() or "no letters yet"

    def read_move(self, fields: Mapping[str, str], table: Table) -> Move:
        move = {name: value.strip().lower() for name, value in fields.items() if value}
        found: Move = checked(table.game.move_adapter, move)
        return found


ROOM: Final = GhostRoom()


@router.get("")
def home(request: Request) -> Response:
    """The page for starting a game."""
    return templates.TemplateResponse(request, "ghost/home.html", {"room": ROOM})


@router.post("/play", dependencies=[limited("games", "guests")])
def play(friends: Annotated[int, Form(ge=1, le=3)], request: Request, services: ServicesDep) -> Response:
    """Open a table for this many friends."""
    opponents: list[Opponent] = ["friend"] * friends
    return open_table(services, request, ROOM.kind, Setup(), tuple(opponents))
