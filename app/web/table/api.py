"""Games over HTTP: open, sit down, look, move, read the log, replay, analyse, take away and bring back."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from fastapi import Body, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, StreamingResponse
from pydantic import (
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidationError,
)

from app.games.game import Outcome
from app.store.models import Refused, Seat, StalePly, Table, TableSettings
from app.web.guard.limits import CallerDep, limited
from app.web.guard.problems import describe, problem_response
from app.web.model import Documented, JsonBody, read_strictly
from app.web.router import api_router
from app.web.services import Player, Services, ServicesDep
from app.web.table.kinds import AnyAnalysis, AnyMove, AnyView, BotLevel, NewGame, UnreadMove
from app.web.table.remark_lines import RemarkView, lines, said
from app.web.table.replay import goes_at, imported, record_of, replay_context, streamed
from app.web.table.seat_views import SeatView, seat_views

router = api_router("/api/games", "games")

MOST_LISTED = 40


class MoveRequest(Documented):
    """A move, and the position it is meant for."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"move": {"type": "start"}},
                {"ply": 1, "move": {"type": "chain", "cells": [0, 6, 7]}},
                {"ply": 0, "move": {"type": "word", "cells": [3, 17, 4, 24]}},
            ]
        },
    )

    ply: Annotated[int | None, Field(ge=0)] = None
    """The ``ply`` of the view the mover saw; where given, a move for another position is refused with 409."""
    move: UnreadMove


class Invitation(Documented):
    """The token that whoever invites passes on."""

    invitation: Annotated[str | None, Field(max_length=64)] = None
    """Not needed at a table that is listed."""


class NewRemark(Documented):
    """A line to be said."""

    model_config = ConfigDict(extra="forbid")

    line: Annotated[int, Field(ge=0, lt=len(lines()), description=f"One of {dict(enumerate(lines()))}.")]


class NewBot(Documented):
    """A bot to sit down."""

    level: BotLevel


class RematchAnswer(Documented):
    """A table where another game like the finished one waits, or is played."""

    game_id: str
    seats: list[int]
    """The seats of the finished game whose players sit there."""


class GameAnswer(Documented):
    """A game as who asks may see it."""

    id: str
    kind: str
    seat: int | None
    """Where who asks sits; null for a watcher."""
    seats: list[SeatView]
    invitation: str | None
    """What lets others take a seat; told only to those who sit, and while a seat is free."""
    turn_limit: int | None
    listed: bool
    claimable_at: float | None
    """When who waits may claim the game; null where the mover has for ever."""
    remarks: list[RemarkView]
    created_at: float
    finished_at: float | None
    goes_at: float | None
    """When an imported game is removed, in seconds since the epoch; null for one that a player keeps, and for
    any other game."""
    outcome: Outcome | None
    rematch: RematchAnswer | None
    """Of a finished game, told to those who sat there: the rematch that they sit at, or may join."""
    view: SerializeAsAny[AnyView]  # written as what it is: without that, JSON of all kinds is tried in turn


@dataclass(frozen=True, slots=True)  # a log may have 10,000 of them, and models take ten times as long
class LoggedMoveAnswer:
    """One move of the log."""

    __pydantic_config__: ClassVar = Documented.model_config

    ply: int
    seat: int
    move: SerializeAsAny[AnyMove] | None
    """Null where it tells what the view hides from who asks, as long as the game goes on."""
    at: float
    """Seconds since the epoch."""


class Log(Documented):
    """Every move of a game in order."""

    moves: list[LoggedMoveAnswer]


class PlyAnswer(Documented):
    """A finished game after some of its moves."""

    ply: int
    last_ply: int
    view: SerializeAsAny[AnyView]


@router.post(
    "",
    status_code=201,
    response_model=GameAnswer,
    summary="Open a game",
    dependencies=[limited("games", "guests")],
)
def open_game(
    body: JsonBody[NewGame], request: Request, response: Response, services: ServicesDep, caller: CallerDep
) -> GameAnswer:
    """Open a game; who asks takes seat 0 and is known by the cookie of the answer from then on.

    It begins as soon as every seat is taken; a game against the clock waits for the move
    ``{"type": "start"}``. A bot's move appears after a pause, when anybody next looks at the game.
    A player and an address may have only so many tables in the lobby; others are opened without ``listed``.
    """
    now = services.clock()
    people = (body.seats or 1) - len(body.bots)
    taken = [*(Seat() for _ in range(people)), *(Seat(bot_level=level) for level in body.bots)]
    settings = TableSettings(body.turn_limit, body.listed)
    draft = services.games.draft(body.kind, body.options, taken, now, settings)  # a refusal makes no guest
    origin = services.origins.of(caller.address)
    if body.listed:
        services.games.check_listing(caller.player, origin, now)
    player_id = services.guests.welcome(request, response, now)
    table = services.games.keep(draft.opened_by(player_id), origin)
    response.headers["Location"] = f"/api/games/{table.id}"
    return game_answer(services, table, player_id)


@router.get("", response_model=list[GameAnswer], summary="Tables that anybody may join")
def list_joinable(services: ServicesDep, player: Player) -> list[GameAnswer]:
    """The listed tables with a free seat, the latest opened first."""
    return [
        game_answer(services, table, player)
        for table in services.lobby.joinable(MOST_LISTED, services.clock())
    ]


@router.post(
    "/import",
    status_code=201,
    response_model=GameAnswer,
    summary="Bring a recorded game back",
    dependencies=[limited("imports")],
)
def import_game(
    text: Annotated[
        str, Body(media_type="text/plain", description="As ``GET /api/games/{game_id}/record`` gives it.")
    ],
    response: Response,
    services: ServicesDep,
    player: Player,
    caller: CallerDep,
) -> GameAnswer:
    """Verify a recorded game ply by ply and keep it to be replayed and analysed; nobody sits at it.

    It is removed at ``goes_at`` unless a player keeps it. An address may have only so many of them.
    """
    table = imported(services, caller, text)
    response.headers["Location"] = f"/api/games/{table.id}"
    return game_answer(services, table, player)


@router.post("/{game_id}/keep", response_model=GameAnswer, summary="Keep an imported game")
def keep_import(game_id: str, services: ServicesDep, player: Player) -> GameAnswer:
    """Keep an imported game as long as any finished one, as a player with a seat at some table here.

    It changes nothing at other games, or where somebody keeps it already. A player may keep only so many.
    """
    table = services.games.read(game_id)
    services.imports.keep(game_id, player)
    return game_answer(services, table, player)


@router.get("/{game_id}", response_model=GameAnswer, summary="See a game")
def see_game(game_id: str, services: ServicesDep, player: Player) -> GameAnswer:
    """The game as it stands, as who asks may see it."""
    return game_answer(services, services.games.look(game_id, services.clock()), player)


@router.delete("/{game_id}", status_code=204, response_class=Response, summary="Close a table that waits")
def close(game_id: str, services: ServicesDep, player: Player) -> Response:
    """Take a table away for good, as who has opened it and as long as nobody but bots has sat down there."""
    services.seating.close(game_id, player)
    return Response(status_code=204)


@router.post(
    "/{game_id}/seats",
    response_model=GameAnswer,
    summary="Take a seat by invitation",
    dependencies=[limited("guests")],
)
def sit_down(
    game_id: str,
    body: JsonBody[Invitation],
    request: Request,
    response: Response,
    services: ServicesDep,
    player: Player,
) -> GameAnswer:
    """Take the next free seat; where none is free any more the answer's ``seat`` is null, and one watches."""
    now = services.clock()
    table = services.games.load(game_id, now)
    table.admit(body.invitation)
    if table.is_full:
        return game_answer(services, table, player)
    player_id = services.guests.welcome(request, response, now)
    return game_answer(
        services, services.seating.sit_down(game_id, body.invitation, player_id, now), player_id
    )


@router.post(
    "/{game_id}/bots",
    response_model=GameAnswer,
    summary="Put a bot on a free seat",
)
def add_bot(game_id: str, body: JsonBody[NewBot], services: ServicesDep, player: Player) -> GameAnswer:
    """Put a bot on the next free seat of a table one sits at."""
    return game_answer(
        services, services.seating.add_bot(game_id, player, body.level, services.clock()), player
    )


@router.post(
    "/{game_id}/remarks",
    response_model=GameAnswer,
    summary="Say something at the table",
)
def say(game_id: str, body: JsonBody[NewRemark], services: ServicesDep, player: Player) -> GameAnswer:
    """Say one of a few lines; there is no other chat."""
    return game_answer(services, services.remarks.say(game_id, player, body.line, services.clock()), player)


@router.post(
    "/{game_id}/claim",
    response_model=GameAnswer,
    summary="Claim a game that was left lying",
)
def claim(game_id: str, services: ServicesDep, player: Player, caller: CallerDep) -> GameAnswer | Response:
    """Where a seat has not moved for longer than the table's ``turn_limit``, it gives the game up."""
    try:
        table = services.seating.claim(game_id, player, services.clock())
    except StalePly as late:
        game = game_answer(services, late.table, player).model_dump(mode="json")
        return problem_response(409, "the move was made after all", game=game)
    if table.finished_at is not None:
        services.analyst.prepare(table, caller)
    return game_answer(services, table, player)


@router.post(
    "/{game_id}/rematch",
    response_model=GameAnswer,
    summary="Play a finished game's company again",
    dependencies=[limited("games")],
)
def rematch(game_id: str, services: ServicesDep, player: Player) -> GameAnswer:
    """Take a seat at the rematch that others who sat at the finished game have asked for, or ask for it.

    The answer is the table of the rematch: a new one where there is none to join, as the finished one was, on
    tiles of its own. Who asked first sits at seat 0, bots come along, and no invitation is needed.
    """
    return game_answer(services, services.rematches.join(game_id, player, services.clock()), player)


@router.post(
    "/{game_id}/moves",
    response_model=GameAnswer,
    summary="Make a move",
)
def make_move(
    game_id: str, body: JsonBody[MoveRequest], services: ServicesDep, player: Player, caller: CallerDep
) -> GameAnswer | Response:
    """Make a move; it is kept on disk before it is answered.

    A word that is not in the lexicon is a legal move that scores nothing: see ``view.report``. A 409 carries
    the game as it stands in the member ``game``.
    """

    def read(table: Table) -> Any:
        try:
            return read_strictly(table.game.move_adapter, body.move)
        except ValidationError as error:
            raise RequestValidationError(
                [one | {"loc": ("body", "move", *one["loc"])} for one in error.errors()]
            ) from None

    try:
        table = services.games.play_as_read(game_id, player, read, services.clock(), body.ply)
    except (StalePly, Refused) as late:
        game = game_answer(services, late.table, player).model_dump(mode="json")
        return problem_response(409, str(late), game=game)
    if table.finished_at is not None:
        services.analyst.prepare(table, caller)
    return game_answer(services, table, player)


@router.get("/{game_id}/moves", response_model=Log, summary="The log of a game")
def read_log(game_id: str, services: ServicesDep, player: Player) -> Log:
    """Every move that was made, in order.

    As long as the game goes on, ``move`` is null where it would tell who asks what the view hides: a word of
    another's at Boggle, which tiles another exchanged at Fribble.
    """
    table = services.games.look(game_id, services.clock())
    seat, secret = table.seat_of(player), table.game.secret if table.finished_at is None else ()
    moves = []
    for line in services.games.log(game_id):
        hidden = line.seat != seat and isinstance(line.move, secret)
        move = None if hidden else line.move
        moves.append(LoggedMoveAnswer(ply=line.ply, seat=line.seat, move=move, at=line.at))
    return Log(moves=moves)


@router.get(
    "/{game_id}/plies/{ply}",
    response_model=PlyAnswer,
    responses=describe(409),
    summary="A finished game after some of its moves",
)
def replay_game(
    game_id: str, ply: int, services: ServicesDep, player: Player, caller: CallerDep
) -> dict[str, Any] | Response:
    """The position after the first ``ply`` moves; 0 is before the first."""
    table = services.games.look(game_id, services.clock())
    if table.finished_at is None:
        return _goes_on(services, table, player, "it is replayed when it is finished")
    shown = replay_context(services, caller, table, ply)
    return {"ply": ply, "last_ply": shown["last_ply"], "view": shown["view"]}


@router.get(
    "/{game_id}/record",
    response_class=PlainTextResponse,
    responses=describe(409),
    summary="A finished game as a text",
)
def take_record(game_id: str, services: ServicesDep, caller: CallerDep) -> StreamingResponse:
    """Kind, options, seed and moves: enough to replay the game anywhere, and to verify it.

    409 while the game goes on, and for today's daily until the day is over: the seed tells the tiles to come.
    """
    return streamed(record_of(services, caller, game_id))


@router.get(
    "/{game_id}/analysis",
    response_model=AnyAnalysis,
    responses=describe(409),
    summary="What the best play was",
)
async def analyse_game(game_id: str, services: ServicesDep, player: Player, caller: CallerDep) -> Response:
    """A finished game turn by turn against the best there was."""
    table = await run_in_threadpool(services.games.look, game_id, services.clock())
    if table.finished_at is None:
        return await run_in_threadpool(
            _goes_on, services, table, player, "it is analysed when it is finished"
        )
    return Response(await services.analyst.analysis(table, caller), media_type="application/json")


def _goes_on(services: Services, table: Table, player: str | None, instead: str) -> Response:
    game = game_answer(services, table, player).model_dump(mode="json")
    return problem_response(409, f"the game goes on: {instead}", game=game)


def game_answer(services: Services, table: Table, player: str | None) -> GameAnswer:
    """The game as ``player`` may see it."""
    seat = table.seat_of(player)
    rematch = services.rematches.of(table, player)
    return GameAnswer(
        id=table.id,
        kind=table.kind,
        seat=seat,
        seats=seat_views(table, player),
        invitation=table.invitation if seat is not None and not table.is_full else None,
        turn_limit=table.settings.turn_limit,
        listed=table.settings.listed,
        claimable_at=table.claimable_at,
        remarks=said(table),
        created_at=table.created_at,
        finished_at=table.finished_at,
        goes_at=goes_at(services, table),
        outcome=table.game.outcome(table.state),
        rematch=RematchAnswer(game_id=rematch.game_id, seats=list(rematch.wanted_by)) if rematch else None,
        view=table.view(player),
    )
