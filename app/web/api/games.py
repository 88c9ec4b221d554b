"""Games over HTTP: open, look, move, read the log, analyse."""

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.games.game import Outcome
from app.games.wibble.analysis import Analysis
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Move, Setup, View
from app.store.games import Refused, StalePly, Table
from app.web.problems import describe, problem_response
from app.web.services import House, Player

router = APIRouter(prefix="/api/games", tags=["games"])


class NewGame(BaseModel):
    """A game to be opened."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"kind": "wibble", "options": {"mode": "classic"}, "seats": 1}]},
    )

    kind: Annotated[str, Field(pattern="^wibble$")] = Wibble.kind
    options: Setup = Setup()
    seats: Annotated[int, Field(ge=Wibble.seats.start, le=Wibble.seats.stop - 1)] = 1


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


class GameAnswer(BaseModel):
    """A game as who asks may see it."""

    id: str
    kind: str
    seat: int | None
    """Where who asks sits; null for a watcher."""
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


@router.post(
    "",
    status_code=201,
    response_model=GameAnswer,
    responses=describe(403, 413, 422, 503),
    summary="Open a game",
)
def open_game(body: NewGame, request: Request, response: Response, house: House) -> GameAnswer:
    """Open a game; who asks takes seat 0 and is known by the cookie of the answer from then on.

    The game stands at its title until the move ``{"type": "start"}``.
    """
    now = house.clock()
    player_id = house.guests.welcome(request, response, now)
    table = house.games.open(body.kind, body.options, [player_id], now)
    response.headers["Location"] = f"/api/games/{table.id}"
    return game_answer(table, player_id)


@router.get("/{game_id}", response_model=GameAnswer, responses=describe(404), summary="See a game")
def see_game(game_id: str, house: House, player: Player) -> GameAnswer:
    """The game as it stands, as who asks may see it."""
    return game_answer(house.games.load(game_id, house.clock()), player)


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
    return game_answer(table, player)


@router.get("/{game_id}/moves", response_model=Log, responses=describe(404), summary="The log of a game")
def read_log(game_id: str, house: House) -> dict[str, Any]:
    """Every move that was made, in order."""
    lines = house.games.log(game_id)
    return {
        "moves": [{"ply": line.ply, "seat": line.seat, "move": line.move, "at": line.at} for line in lines]
    }


@router.get(
    "/{game_id}/analysis",
    response_model=Analysis,
    responses=describe(404, 409, 503),
    summary="What the best play was",
)
def analyse_game(game_id: str, house: House, player: Player) -> Analysis | Response:
    """A finished game turn by turn against the best there was."""
    table = house.games.load(game_id, house.clock())
    if table.finished_at is None:
        game = game_answer(table, player).model_dump(mode="json")
        return problem_response(409, "the game goes on: it is analysed when it is finished", game=game)
    analysis: Analysis = house.analyse(game_id)
    return analysis


def game_answer(table: Table, player: str | None) -> GameAnswer:
    """The game as ``player`` may see it."""
    return GameAnswer(
        id=table.id,
        kind=table.kind,
        seat=table.seat_of(player),
        created_at=table.created_at,
        finished_at=table.finished_at,
        outcome=table.game.outcome(table.state),
        view=table.view(player),
    )
