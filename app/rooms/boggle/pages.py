"""Boggle's front page with the start form."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from pydantic import ConfigDict, Field, field_validator

from app.games.boggle.board import Board, parse_size
from app.games.boggle.rules import MOST_SEATS, Boggle
from app.games.boggle.state import MinLength, Richness, Seconds, Setup
from app.rooms.boggle.room import ROOM
from app.web.guard.limits import limited
from app.web.room import Opponent, TableSettingsFields
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily import daily_state
from app.web.table.opening import StartPage, back_to
from app.words.library import Library

router = APIRouter(prefix="/boggle", include_in_schema=False)


class PlayForm(TableSettingsFields):
    """The form for starting a game."""

    model_config = ConfigDict(extra="forbid")

    size: str = "4x4"
    """Rows x columns; ignored if a board is given."""
    richness: Richness = "fair"
    seconds: Seconds | None = 180
    """``none`` for a round without a clock; an empty field means the default."""
    min_length: MinLength = 3
    qu: bool = False
    cancel: bool = False
    find_all: bool = False
    """Whether to play Find them all, which ignores ``seconds`` and ``cancel``."""
    lexicon: str = Library.default
    board: str = ""
    """Rows of letters; empty for a generated board."""
    opponents: Annotated[tuple[Opponent, ...], Field(max_length=MOST_SEATS - 1)] = ()
    """The other seats: an invited friend or a bot level each."""

    @field_validator("seconds", mode="before")
    @classmethod
    def _no_clock(cls, value: object) -> object:
        return None if value == "none" else value

    @field_validator("size")
    @classmethod
    def _is_a_size(cls, size: str) -> str:
        parse_size(size)
        return size

    def setup(self) -> Setup:
        """The game's options. Raises ValidationError if ``board`` is not a board."""
        board = self.board.strip() or None
        unclocked = {"seconds": None, "cancel": False} if self.find_all else {}
        chosen = {"richness", "seconds", "min_length", "qu", "cancel", "find_all", "lexicon"}
        size = {"board": board} if board else {"size": self.size}
        return Setup.model_validate({**size, **self.model_dump(include=chosen), **unclocked})


def _context(services: Services, player: str | None) -> dict[str, Any]:
    demo = Board(("chos", "arei", "ltnd", "wges"))
    return {"daily": daily_state(services, ROOM, player), "demo": demo}


_PAGE = StartPage(Boggle.kind, "boggle/home.html", _context)


@router.get("")
def front_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """The front page: start form, today's daily and unfinished games."""
    return _PAGE.show(request, services, player, PlayForm())


router.get("/play")(back_to("/boggle"))


@router.post("/play", dependencies=[limited("games", "guests")])
def play(
    form: Annotated[PlayForm, Form()], request: Request, services: ServicesDep, player: Player
) -> Response:
    """Open a game and go to its table."""
    return _PAGE.open(
        request, services, player, form, lambda: (form.setup(), form.opponents, form.settings())
    )
