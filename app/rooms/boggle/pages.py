"""Boggle's front page with the start form."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from pydantic import ConfigDict, Field, field_validator

from app.games.boggle.board import Board, parse_board, parse_size
from app.games.boggle.rules import MOST_SEATS, Boggle
from app.games.boggle.state import MinLength, Richness, Seconds, Setup
from app.rooms.boggle.room import ROOM
from app.web.guard.limits import limited
from app.web.room import Opponent, TableSettingsFields
from app.web.services import Player, ServicesDep
from app.web.site.daily import daily_state
from app.web.site.open_games import open_games
from app.web.table.lessons import offer_lesson
from app.web.table.opening import open_table
from app.web.templating import templates
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
    """Whether to find all words, for which ``seconds`` and ``cancel`` do not count."""
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

    @field_validator("board")
    @classmethod
    def _is_a_board(cls, board: str) -> str:
        return " ".join(parse_board(board).rows) if board.strip() else ""

    def setup(self) -> Setup:
        """The game's options."""
        board = parse_board(self.board).rows if self.board else None
        unclocked = {"seconds": None, "cancel": False} if self.find_all else {}
        chosen = {"richness", "seconds", "min_length", "qu", "cancel", "find_all", "lexicon"}
        return Setup(
            size=None if board else self.size,
            board=board,
            **{**self.model_dump(include=chosen), **unclocked},
        )


@router.get("")
def front_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """The front page: start form, today's daily and unfinished games."""
    context = {
        "bots": Boggle.bots,
        "lexicons": [info.name for info in services.library.names()],
        "open_games": open_games(services, player, Boggle.kind),
        "offered": offer_lesson(services, Boggle.kind, player),
        "daily": daily_state(services, ROOM, player),
        "demo": Board(("chos", "arei", "ltnd", "wges")),
    }
    return templates.TemplateResponse(request, "boggle/home.html", context)


@router.post("/play", dependencies=[limited("games", "guests")])
def play(form: Annotated[PlayForm, Form()], request: Request, services: ServicesDep) -> Response:
    """Open a game and go to its table."""
    return open_table(services, request, Boggle.kind, form.setup(), form.opponents, form.settings())
