"""Letterpress's front page, and the form on it that opens a game."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from pydantic import field_validator

from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Setup
from app.games.letterpress.territory import CELLS
from app.web.guard.limits import limited
from app.web.rooms.room import Opponent, TableSettingsFields
from app.web.services import Player, ServicesDep
from app.web.site.home import open_games, open_table
from app.web.templating import templates
from app.words.letters import ALPHABET

router = APIRouter(prefix="/letterpress", include_in_schema=False)


class PlayForm(Setup, TableSettingsFields):
    """The fields of the form that opens a game."""

    opponent: Opponent
    """Who sits at the other seat: a friend with the invitation, or a bot of that level."""

    @field_validator("board", mode="before")
    @classmethod
    def _typed(cls, board: str) -> str | None:
        """Letters as people write them; an empty field asks for a drawn board."""
        letters = "".join(board.lower().split())
        for position, letter in enumerate(letters, start=1):
            if letter not in ALPHABET:
                raise ValueError(f"letter {position} of the board is {letter!r}: only a to z are tiles")
        if letters and len(letters) != CELLS:
            raise ValueError(f"a board has {CELLS} letters, not {len(letters)}")
        return letters or None

    def setup(self) -> Setup:
        """The game without its company."""
        return Setup.model_validate(self.model_dump(include=set(Setup.model_fields)))


@router.get("")
def front_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """What the game is, whom to play it with, and the games left open."""
    context = {
        "bots": Letterpress.bots,
        "lexicons": [info.name for info in services.library.names()],
        "open_games": open_games(services, player, Letterpress.kind),
    }
    return templates.TemplateResponse(request, "letterpress/home.html", context)


@router.post("/play", dependencies=[limited("games", "guests")])
def play(form: Annotated[PlayForm, Form()], request: Request, services: ServicesDep) -> Response:
    """Open a game and go to its table."""
    return open_table(services, request, Letterpress.kind, form.setup(), (form.opponent,), form.settings())
