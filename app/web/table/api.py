"""The games API: open, join, view, play, replay and analyse games, and import and export records."""

from typing import Annotated, Any

from fastapi import Body, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, StreamingResponse
from pydantic import (
    ConfigDict,
    Field,
    ValidationError,
)

from app.games.game import IllegalMove
from app.store.models import Refused, Seat, StalePly, Table, TableSettings
from app.web.guard.fields import FieldError, invalid_field
from app.web.guard.limits import CallerDep, get_caller, limited
from app.web.guard.problems import describe, problem_response
from app.web.model import Documented, JsonBody
from app.web.router import PLAYER_COOKIE, api_router
from app.web.services import Player, Services, ServicesDep
from app.web.table.game_answers import GameAnswer, Log, LoggedMoveAnswer, PlyAnswer, game_answer
from app.web.table.kinds import AnyAnalysis, BotLevel, UnreadMove, UnreadNewGame
from app.web.table.opening import draft, join_rematch
from app.web.table.record import check_secret, record_of, store_record, streaming_text
from app.web.table.remark_lines import lines
from app.web.table.replay import replay_context
from app.words.library import DamagedLexicon, UnknownLexicon

router = api_router("/api/games", "games", [Depends(get_caller)])

MOST_LISTED = 40


class MoveRequest(Documented):
    """A move, and the position that it is made in."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"move": {"type": "start"}},
                {"ply": 1, "move": {"type": "chain", "cells": [0, 6, 7]}},
                {"ply": 1, "move": {"type": "word", "word": "tones"}},
                {"ply": 0, "move": {"type": "word", "cells": [3, 17, 4, 24]}},
            ]
        },
    )

    ply: Annotated[int | None, Field(ge=0)] = None
    """The ``ply`` of the view you saw. If given, the move is refused with 409 in any other position."""
    move: UnreadMove


class Invitation(Documented):
    """An invitation token, and the seat to take."""

    model_config = ConfigDict(extra="forbid")

    invitation: Annotated[str | None, Field(max_length=64)] = None
    """Not needed at a listed table."""
    seat: Annotated[int | None, Field(ge=0, le=5)] = None
    """The preferred seat, which decides the team in a game of teams; by default, and if it is taken, the
    next free one."""


class NewRemark(Documented):
    """A remark to make."""

    model_config = ConfigDict(extra="forbid")

    line: Annotated[int, Field(ge=0, lt=len(lines()), description=f"One of {dict(enumerate(lines()))}.")]


class NewBot(Documented):
    """A bot to add."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"level": 3}, {"level": 2, "seat": 2, "free": 3}]}
    )

    level: BotLevel
    seat: Annotated[int | None, Field(ge=0, le=5)] = None
    """The preferred seat, which decides the team in a game of teams; by default, and if it is taken, the
    next free one."""
    free: Annotated[int | None, Field(ge=1, le=5)] = None
    """The number of free seats that you have seen. If it is another by now, no bot is added, so that a
    request sent twice adds one bot."""


@router.post(
    "",
    status_code=201,
    response_model=GameAnswer,
    responses=describe(404),
    summary="Open a game",
    dependencies=[limited("games", "guests")],
)
def open_game(
    body: JsonBody[UnreadNewGame],
    request: Request,
    response: Response,
    services: ServicesDep,
    caller: CallerDep,
) -> GameAnswer:
    """Open a game and take seat 0. The cookie in the answer identifies you as its player.

    The game begins when every seat is taken; a timed game waits for the move ``{"type": "start"}``. A bot's
    move appears after a pause, when the game is next requested. The number of ``listed`` tables per player
    and per address is limited. 404 for a level of Adventure that does not exist.

    A game with one seat may be given a ``seed``: the same seed, options and moves make the same game. Only
    dailies are ranked among games with one seat, but your own statistics count all of them.
    """
    now, new = services.clock(), services.kinds.read_new_game(body)
    people = (new.seats or 1) - len(new.bots)
    taken = [*(Seat() for _ in range(people)), *(Seat(bot_level=level) for level in new.bots)]
    settings = TableSettings(new.turn_limit, new.listed, new.rated)
    try:  # before a guest is created: a refused request must not create one
        drafted = draft(services, new.kind, new.options, taken, now, settings, new.seed)
    except (UnknownLexicon, DamagedLexicon) as error:
        raise invalid_field(str(error), "body", "options", "lexicon") from error
    origin = services.address_digests.digest(caller.address)
    if new.listed:
        services.games.check_listing(caller.player, origin, now)
    player_id = services.guests.welcome(request, response, now)
    table = services.games.keep(drafted.opened_by(player_id), origin)
    response.headers["Location"] = f"/api/games/{table.id}"
    return game_answer(services, table, player_id)


@router.get("", response_model=list[GameAnswer], summary="List open tables")
def list_joinable(services: ServicesDep, player: Player) -> list[GameAnswer]:
    """The listed tables with a free seat, newest first."""
    return [
        game_answer(services, table, player)
        for table in services.lobby.joinable(MOST_LISTED, services.clock(), player)
    ]


@router.post(
    "/import",
    status_code=201,
    response_model=GameAnswer,
    summary="Import a game record",
    dependencies=[limited("imports")],
)
def import_game(
    text: Annotated[
        str, Body(media_type="text/plain", description="As returned by ``GET /api/games/{game_id}/record``.")
    ],
    response: Response,
    services: ServicesDep,
    player: Player,
    caller: CallerDep,
) -> GameAnswer:
    """Verify a record move by move and store it as a finished game without players, to replay and analyse.

    It is removed at ``goes_at`` unless a player keeps it. The number of imports per address is limited.
    """
    table = store_record(services, caller, text)
    response.headers["Location"] = f"/api/games/{table.id}"
    return game_answer(services, table, player)


@router.post(
    "/{game_id}/keep",
    response_model=GameAnswer,
    openapi_extra={"security": [PLAYER_COOKIE, {}]},
    summary="Keep an imported game",
)
def keep_import(game_id: str, services: ServicesDep, player: Player) -> GameAnswer:
    """Keep an imported game as long as other finished games. You need a seat at some table of this site.

    No effect on other games, or if a player already keeps it. The number of kept games per player is limited.
    """
    table = services.games.read(game_id)
    services.imports.keep(game_id, player)
    return game_answer(services, table, player)


@router.get("/{game_id}", response_model=GameAnswer, responses=describe(409), summary="Get a game")
def see_game(game_id: str, services: ServicesDep, player: Player) -> GameAnswer:
    """The current game, as shown to you.

    409 for another player's game in a challenge that you have not finished.
    """
    return game_answer(services, services.games.load_or_read(game_id, services.clock()), player)


@router.delete("/{game_id}", status_code=204, response_class=Response, summary="Close a table")
def close(game_id: str, services: ServicesDep, player: Player) -> Response:
    """Delete a table that you opened, as long as no other player has joined.

    If the player who opened it has left, any of its players can delete it while a seat is free.
    """
    services.seating.close(game_id, player)
    return Response(status_code=204)


@router.post(
    "/{game_id}/seats",
    response_model=GameAnswer,
    summary="Take a seat",
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
    """Take a free seat. If none is free, ``seat`` in the answer is null, and you can only watch."""
    now = services.clock()
    table = services.games.load(game_id, now)
    table.admit(body.invitation)
    table.check_seat(body.seat)
    if table.is_full:
        return game_answer(services, table, player)
    player_id = services.guests.welcome(request, response, now)
    seated = services.seating.sit_down(game_id, body.invitation, player_id, now, body.seat)
    return game_answer(services, seated, player_id)


@router.post(
    "/{game_id}/bots",
    response_model=GameAnswer,
    summary="Add a bot",
)
def add_bot(game_id: str, body: JsonBody[NewBot], services: ServicesDep, player: Player) -> GameAnswer:
    """Put a bot on a free seat of a table where you have a seat."""
    now = services.clock()
    table = services.seating.add_bot(game_id, player, body.level, now, body.seat, body.free)
    return game_answer(services, table, player)


@router.post(
    "/{game_id}/remarks",
    response_model=GameAnswer,
    summary="Make a remark",
)
def say(game_id: str, body: JsonBody[NewRemark], services: ServicesDep, player: Player) -> GameAnswer:
    """Make one of the remarks in ``GET /api/remarks``; there is no other chat."""
    return game_answer(services, services.remarks.say(game_id, player, body.line, services.clock()), player)


@router.post(
    "/{game_id}/claim",
    response_model=GameAnswer,
    summary="Claim a game",
)
def claim(game_id: str, services: ServicesDep, player: Player, caller: CallerDep) -> GameAnswer | Response:
    """Make the player to move forfeit the game, if they have not moved by ``claimable_at``."""
    try:
        table = services.seating.claim(game_id, player, services.clock())
    except StalePly as stale:
        game = game_answer(services, stale.table, player).model_dump(mode="json")
        return problem_response(409, "the other player has just moved", game=game)
    if table.finished_at is not None:
        services.analyst.prepare(table, caller)
    return game_answer(services, table, player)


@router.post(
    "/{game_id}/rematch",
    response_model=GameAnswer,
    summary="Join or open a rematch",
    dependencies=[limited("games")],
)
def rematch(game_id: str, services: ServicesDep, player: Player) -> GameAnswer:
    """Take a seat at the rematch of a finished game that you played; open it if there is none.

    The answer is the rematch's table. A new one has the finished game's settings and bots, and a new seed.
    The player who opens it gets seat 0. No invitation is needed.
    """
    return game_answer(services, join_rematch(services, game_id, player, services.clock()), player)


@router.post(
    "/{game_id}/moves",
    response_model=GameAnswer,
    summary="Make a move",
)
def make_move(
    game_id: str, body: JsonBody[MoveRequest], services: ServicesDep, player: Player, caller: CallerDep
) -> GameAnswer | Response:
    """Make a move. It is stored before you get the answer.

    A word that is not in the lexicon is a legal move that scores nothing: see ``view.report``. A 409 includes
    the current game as ``game``.
    """

    def read(table: Table) -> Any:
        try:
            return services.rooms[table.kind].read_json_move(body.move, table)
        except ValidationError as error:
            raise RequestValidationError(
                [each | {"loc": ("body", "move", *each["loc"])} for each in error.errors()],
                body={"move": body.move},
            ) from None

    try:
        table = services.games.play_as_read(game_id, player, read, services.clock(), body.ply)
    except (StalePly, Refused) as refused:
        game = game_answer(services, refused.table, player).model_dump(mode="json")
        return problem_response(409, str(refused), game=game)
    except IllegalMove as refused:
        cell = () if refused.index is None else ("cells", refused.index)
        place = cell or (("word",) if "word" in body.move else ())
        fault = FieldError(location=["body", "move", *place], message=refused.reason)
        return problem_response(422, refused.reason, [fault])
    if table.finished_at is not None:
        services.analyst.prepare(table, caller)
    return game_answer(services, table, player)


@router.get("/{game_id}/moves", response_model=Log, responses=describe(409), summary="Get a game's moves")
def read_log(game_id: str, services: ServicesDep, player: Player) -> Log:
    """All moves, in order.

    While the game is in progress, ``move`` is null if it would reveal what your view hides: another player's
    word in Boggle, the tiles that another player exchanged in Fribble, or a word shown to a partner in Teams.
    """
    table = services.games.load_or_read(game_id, services.clock())
    check_secret(services, table, player)
    room, seat = services.rooms[table.kind], table.seat_of(player)
    secret = table.game.secret if table.finished_at is None else ()
    moves = []
    for line in services.games.log(game_id):
        hidden = line.seat != seat and isinstance(line.move, secret)
        move = None if hidden else room.shown_move(line.move)
        moves.append(LoggedMoveAnswer(ply=line.ply, seat=line.seat, move=move, at=line.at))
    return Log(moves=moves)


@router.get(
    "/{game_id}/plies/{ply}",
    response_model=PlyAnswer,
    responses=describe(409),
    summary="Get a position of a finished game",
)
def replay_game(
    game_id: str, ply: int, services: ServicesDep, player: Player, caller: CallerDep
) -> dict[str, Any] | Response:
    """The position after the first ``ply`` moves; 0 is before the first."""
    table = services.games.load_or_read(game_id, services.clock())
    if table.finished_at is None:
        return _in_progress(services, table, player, "it can be replayed when it is finished")
    shown = replay_context(services, caller, table, ply)
    return {"ply": ply, "last_ply": shown["last_ply"], "view": shown["view"]}


@router.get(
    "/{game_id}/record",
    response_class=PlainTextResponse,
    responses=describe(409),
    summary="Export a game record",
)
def take_record(game_id: str, services: ServicesDep, caller: CallerDep) -> StreamingResponse:
    """A finished game's kind, options, seed and moves, as text. This is enough to replay and verify the game.

    409 while the game is in progress, and for a daily until its day is over: the seed reveals tiles to come.
    """
    return streaming_text(record_of(services, caller, game_id))


@router.get(
    "/{game_id}/analysis",
    response_model=AnyAnalysis,
    responses=describe(409),
    summary="Analyse a finished game",
)
async def analyse_game(game_id: str, services: ServicesDep, player: Player, caller: CallerDep) -> Response:
    """Compare each turn of a finished game with the best possible one."""
    table = await run_in_threadpool(services.games.load_or_read, game_id, services.clock())
    if table.finished_at is None:
        return await run_in_threadpool(
            _in_progress, services, table, player, "it can be analysed when it is finished"
        )
    await run_in_threadpool(check_secret, services, table, caller.player)
    return Response(await services.analyst.analysis(table, caller), media_type="application/json")


def _in_progress(services: Services, table: Table, player: str | None, hint: str) -> Response:
    game = game_answer(services, table, player).model_dump(mode="json")
    return problem_response(409, f"the game is still in progress: {hint}", game=game)
