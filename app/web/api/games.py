"""Games over HTTP: open, sit down, look, move, read the log, replay, analyse, take away and bring back."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.games.game import Outcome
from app.games.record import read
from app.games.wibble.analysis import Analysis
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Move, Setup, View
from app.store.tables import Refused, Seat, StalePly, Table
from app.web.history import record_of, replay_context
from app.web.problems import describe, problem_response
from app.web.seating import SeatView, seat_views
from app.web.services import House, Player

router = APIRouter(prefix="/api/games", tags=["games"], responses=describe(422))

Level = Annotated[int, Field(ge=1, le=5)]


class NewGame(BaseModel):
    """A game to be opened."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"kind": "wibble", "options": {"mode": "classic"}},
                {
                    "kind": "wibble",
                    "options": {"mode": "versus", "turn_seconds": 30},
                    "seats": 3,
                    "bots": [2],
                },
            ]
        },
    )

    kind: Annotated[str, Field(pattern="^wibble$")] = Wibble.kind
    options: Setup = Setup()
    seats: Annotated[int, Field(ge=1, le=6)] = 1
    """Seats in all. Who asks takes the first, ``bots`` the last; the others are free for who is invited."""
    bots: list[Level] = []
    """The levels of the bots, 1 to 5."""

    @model_validator(mode="after")
    def _seats_suit(self) -> "NewGame":
        fewest, most = modes()[self.options.mode].seats
        if not fewest <= self.seats <= most:
            raise ValueError(f"a game of {self.options.mode} has {fewest} to {most} seats, not {self.seats}")
        if len(self.bots) >= self.seats:
            raise ValueError(f"{len(self.bots)} bots leave no seat for you: there are {self.seats}")
        return self


class MoveRequest(BaseModel):
    """A move, and the position it is meant for."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"move": {"type": "start"}},
                {"ply": 1, "move": {"type": "chain", "cells": [0, 6, 7]}},
            ]
        },
    )

    ply: Annotated[int | None, Field(ge=0)] = None
    """The ``ply`` of the view the mover saw; where given, a move for another position is refused with 409."""
    move: Move


class Invitation(BaseModel):
    """The token that whoever invites passes on."""

    invitation: str = Field(max_length=64)


class NewBot(BaseModel):
    """A bot to sit down."""

    level: Level


class GameAnswer(BaseModel):
    """A game as who asks may see it."""

    id: str
    kind: str
    seat: int | None
    """Where who asks sits; null for a watcher."""
    seats: list[SeatView]
    invitation: str | None
    """What lets others take a seat; told only to those who sit, and while a seat is free."""
    created_at: float
    finished_at: float | None
    outcome: Outcome | None
    view: View


class LoggedMoveAnswer(BaseModel):
    """One move of the log."""

    ply: int
    seat: int
    move: Move
    at: float
    """Seconds since the epoch."""


class Log(BaseModel):
    """Every move of a game in order."""

    moves: list[LoggedMoveAnswer]


class PlyAnswer(BaseModel):
    """A finished game after some of its moves."""

    ply: int
    last_ply: int
    view: View


@router.post(
    "",
    status_code=201,
    response_model=GameAnswer,
    responses=describe(403, 413, 422, 503),
    summary="Open a game",
)
def open_game(body: NewGame, request: Request, response: Response, house: House) -> GameAnswer:
    """Open a game; who asks takes seat 0 and is known by the cookie of the answer from then on.

    It begins as soon as every seat is taken; a game against the clock waits for the move
    ``{"type": "start"}``. A bot's move appears after a pause, when anybody next looks at the game.
    """
    now = house.clock()
    player_id = house.guests.welcome(request, response, now)
    free = body.seats - 1 - len(body.bots)
    taken = [
        Seat(player_id=player_id),
        *(Seat() for _ in range(free)),
        *(Seat(bot_level=level) for level in body.bots),
    ]
    table = house.games.open(body.kind, body.options, taken, now)
    response.headers["Location"] = f"/api/games/{table.id}"
    return game_answer(table, player_id)


@router.post(
    "/import",
    status_code=201,
    response_model=GameAnswer,
    responses=describe(403, 413, 422, 503),
    summary="Bring a recorded game back",
)
def import_game(
    text: Annotated[
        str, Body(media_type="text/plain", description="As ``GET /api/games/{game_id}/record`` gives it.")
    ],
    response: Response,
    house: House,
    player: Player,
) -> GameAnswer:
    """Verify a recorded game ply by ply and keep it to be replayed and analysed; nobody sits at it."""
    table = house.games.keep_record(read(text), house.clock())
    response.headers["Location"] = f"/api/games/{table.id}"
    return game_answer(table, player)


@router.get("/{game_id}", response_model=GameAnswer, responses=describe(404), summary="See a game")
def see_game(game_id: str, house: House, player: Player) -> GameAnswer:
    """The game as it stands, as who asks may see it."""
    return game_answer(house.games.load(game_id, house.clock()), player)


@router.post(
    "/{game_id}/seats",
    response_model=GameAnswer,
    responses=describe(403, 404, 413, 422, 503),
    summary="Take a seat by invitation",
)
def sit_down(
    game_id: str, body: Invitation, request: Request, response: Response, house: House
) -> GameAnswer:
    """Take the next free seat; where none is free any more the answer's ``seat`` is null, and one watches."""
    now = house.clock()
    house.games.load(game_id, now)
    player_id = house.guests.welcome(request, response, now)
    return game_answer(house.games.sit_down(game_id, body.invitation, player_id, now), player_id)


@router.post(
    "/{game_id}/bots",
    response_model=GameAnswer,
    responses=describe(403, 404, 413, 422, 503),
    summary="Put a bot on a free seat",
)
def add_bot(game_id: str, body: NewBot, house: House, player: Player) -> GameAnswer:
    """Put a bot on the next free seat of a table one sits at."""
    return game_answer(house.games.add_bot(game_id, player, body.level, house.clock()), player)


@router.post(
    "/{game_id}/moves",
    response_model=GameAnswer,
    responses=describe(403, 404, 409, 413, 422, 503),
    summary="Make a move",
)
def make_move(game_id: str, body: MoveRequest, house: House, player: Player) -> GameAnswer | Response:
    """Make a move; it is kept on disk before it is answered.

    A word that is not in the lexicon is a legal move that scores nothing: see ``view.report``. A 409 carries
    the game as it stands in the member ``game``.
    """
    try:
        table = house.games.play(game_id, player, body.move, house.clock(), body.ply)
    except (StalePly, Refused) as late:
        game = game_answer(late.table, player).model_dump(mode="json")
        return problem_response(409, str(late), game=game)
    if table.finished_at is not None:
        house.analyst.prepare(table)
    return game_answer(table, player)


@router.get("/{game_id}/moves", response_model=Log, responses=describe(404), summary="The log of a game")
def read_log(game_id: str, house: House) -> dict[str, Any]:
    """Every move that was made, in order."""
    lines = house.games.log(game_id)
    return {
        "moves": [{"ply": line.ply, "seat": line.seat, "move": line.move, "at": line.at} for line in lines]
    }


@router.get(
    "/{game_id}/plies/{ply}",
    response_model=PlyAnswer,
    responses=describe(404, 409),
    summary="A finished game after some of its moves",
)
def replay_game(game_id: str, ply: int, house: House, player: Player) -> dict[str, Any] | Response:
    """The position after the first ``ply`` moves; 0 is before the first."""
    table = house.games.load(game_id, house.clock())
    if table.finished_at is None:
        return _goes_on(table, player, "it is replayed when it is finished")
    shown = replay_context(house, table, ply)
    return {"ply": ply, "last_ply": shown["last_ply"], "view": shown["view"]}


@router.get(
    "/{game_id}/record",
    response_class=PlainTextResponse,
    responses=describe(404, 409),
    summary="A finished game as a text",
)
def take_record(game_id: str, house: House) -> str:
    """Kind, options, seed and moves: enough to replay the game anywhere, and to verify it.

    409 while the game goes on, and for today's daily until the day is over: the seed tells the tiles to come.
    """
    return record_of(house, game_id)


@router.get(
    "/{game_id}/analysis",
    response_model=Analysis,
    responses=describe(404, 409, 503),
    summary="What the best play was",
)
def analyse_game(game_id: str, house: House, player: Player) -> Response:
    """A finished game turn by turn against the best there was."""
    table = house.games.load(game_id, house.clock())
    if table.finished_at is None:
        return _goes_on(table, player, "it is analysed when it is finished")
    return Response(house.analyst.analysis(table), media_type="application/json")


def _goes_on(table: Table, player: str | None, instead: str) -> Response:
    game = game_answer(table, player).model_dump(mode="json")
    return problem_response(409, f"the game goes on: {instead}", game=game)


def game_answer(table: Table, player: str | None) -> GameAnswer:
    """The game as ``player`` may see it."""
    seat = table.seat_of(player)
    return GameAnswer(
        id=table.id,
        kind=table.kind,
        seat=seat,
        seats=seat_views(table, player),
        invitation=table.invitation if seat is not None and not table.is_full else None,
        created_at=table.created_at,
        finished_at=table.finished_at,
        outcome=table.game.outcome(table.state),
        view=table.view(player),
    )
