"""Boggle's front page, and the form on it that opens a game."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from pydantic import ConfigDict, Field, field_validator

from app.games.boggle.board import Board, parse_board
from app.games.boggle.board_request import parse_size
from app.games.boggle.rules import MOST_SEATS, Boggle
from app.games.boggle.state import MinLength, Richness, Seconds, Setup
from app.web.guard.limits import limited
from app.web.rooms import ROOMS
from app.web.rooms.room import Opponent, TableSettingsFields
from app.web.services import Player, ServicesDep
from app.web.site.daily import daily_state
from app.web.site.home import open_games, open_table
from app.web.templating import templates
from app.words.library import Library

router = APIRouter(prefix="/boggle", include_in_schema=False)


class PlayForm(TableSettingsFields):
    """The fields of the form that opens a game."""

    model_config = ConfigDict(extra="forbid")

    size: str = "4x4"
    """Rows x columns, where no board is given."""
    richness: Richness = "fair"
    seconds: Seconds | None = 180
    """``none`` for a round without a clock: a field left empty has its usual value."""
    min_length: MinLength = 3
    qu: bool = False
    cancel: bool = False
    lexicon: str = Library.default
    board: str = ""
    """Rows of letters; an empty field asks for a dealt board."""
    opponents: Annotated[tuple[Opponent, ...], Field(max_length=MOST_SEATS - 1)] = ()
    """Who sits at the other seats: a friend with the invitation, or a bot of that level."""

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
        """The game without its company."""
        board = parse_board(self.board) if self.board else None
        shape = board.grid if board else parse_size(self.size)
        return Setup(
            rows=shape.rows,
            columns=shape.columns,
            board=board.rows if board else None,
            **self.model_dump(include={"richness", "seconds", "min_length", "qu", "cancel", "lexicon"}),
        )


@router.get("")
def front_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """What the game is, how and whom to play it with, today's daily and the games left open."""
    context = {
        "bots": Boggle.bots,
        "lexicons": [info.name for info in services.library.names()],
        "open_games": open_games(services, player, Boggle.kind),
        "daily": daily_state(services, ROOMS[Boggle.kind], player),
        "demo": Board(("chos", "arei", "ltnd", "wges")),
    }
    return templates.TemplateResponse(request, "boggle/home.html", context)


@router.post("/play", dependencies=[limited("games", "guests")])
def play(form: Annotated[PlayForm, Form()], request: Request, services: ServicesDep) -> Response:
    """Open a game and go to its table."""
    return open_table(services, request, Boggle.kind, form.setup(), form.opponents, form.settings())
