"""Letterpress's front page with the start form."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Setup
from app.games.letterpress.territory import CELLS
from app.store.models import BadField
from app.web.clock_fields import ClockFields
from app.web.guard.limits import limited
from app.web.room import Opponent, TableSettingsFields
from app.web.services import Player, ServicesDep
from app.web.table.opening import StartPage, back_to
from app.words.letters import ALPHABET

router = APIRouter(prefix="/letterpress", include_in_schema=False)


class PlayForm(ClockFields, Setup, TableSettingsFields):
    """The form for starting a game."""

    opponent: Opponent
    """The other seat: an invited friend or a bot level."""

    board: str | None = None
    """Its letters in any case, also with spaces; empty for a random board."""

    def setup(self) -> Setup:
        """The game's options. Raises BadField if ``board`` is not 25 letters."""
        chosen = self.model_dump(include=set(Setup.model_fields))
        return Setup.model_validate(chosen | {"board": _letters(self.board or "")})


def _letters(board: str) -> str | None:
    """The letters of a board as typed; None for a random one. Raises BadField."""
    letters = "".join(board.lower().split())
    for position, letter in enumerate(letters, start=1):
        if letter not in ALPHABET:
            raise BadField(f"letter {position} of the board is {letter!r}: only a to z are tiles", "board")
    if letters and len(letters) != CELLS:
        raise BadField(f"a board has {CELLS} letters, not {len(letters)}", "board")
    return letters or None


_PAGE = StartPage(Letterpress.kind, "letterpress/home.html")


@router.get("")
def front_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """The front page: start form and unfinished games."""
    return _PAGE.show(request, services, player, PlayForm(opponent="friend"))


router.get("/play")(back_to("/letterpress"))


@router.post("/play", dependencies=[limited("games", "guests")])
def play(
    form: Annotated[PlayForm, Form()], request: Request, services: ServicesDep, player: Player
) -> Response:
    """Open a game and go to its table."""
    return _PAGE.open(
        request, services, player, form, lambda: (form.setup(), (form.opponent,), form.settings())
    )
