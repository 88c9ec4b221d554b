"""Preview pictures at fixed URLs, for messengers that show a shared link."""

from datetime import date
from typing import Any

from fastapi import APIRouter, Response

from app.games.game import Outcome
from app.grammar import format_count
from app.web.guard.limits import CallerDep, limited
from app.web.guard.rates import Caller
from app.web.room import Room
from app.web.services import Services, ServicesDep
from app.web.share.preview import Preview, render
from app.web.share.tiles import Tiles, tile_rows
from app.web.site.daily_calendar import PageRoom, check_day
from app.web.table.record import check_secret
from app.web.table.replay import replay_context

router = APIRouter(include_in_schema=False, dependencies=[limited("engines")])

_SECONDS = 600
"""Seconds for which a picture may be cached: that of a table changes as people join and play."""


@router.get("/games/{game_id}/preview.png")
def table_preview(game_id: str, services: ServicesDep, caller: CallerDep) -> Response:
    """A table as an invitation, a game in progress or a result."""
    table = services.games.load_or_read(game_id, services.clock())
    check_secret(services, table, caller.player)
    room = services.rooms[table.kind]
    outcome = table.game.outcome(table.state)
    view = table.game.reveal(table.state) if outcome else table.view(None)
    tiles = () if table.day or not outcome else room.preview_tiles(view)
    status = "Game in progress" if table.is_full else "You are invited"
    line = _result(outcome, room) if outcome else status
    return picture(services, caller, room, _title(room, view), line, tiles)


@router.get("/challenges/{challenge_id}/preview.png")
def challenge_preview(challenge_id: str, services: ServicesDep, caller: CallerDep) -> Response:
    """A challenge, without its board."""
    table = services.games.read(services.challenges.read(challenge_id).game_id)
    room = services.rooms[table.kind]
    return picture(services, caller, room, _title(room, table.view(None)), "Same letters, your turn")


@router.get("/games/{game_id}/plies/{ply}/preview.png")
def replay_preview(game_id: str, ply: int, services: ServicesDep, caller: CallerDep) -> Response:
    """The board after ``ply`` moves of a finished game."""
    table = services.games.read(game_id)
    room = services.rooms[table.kind]
    if table.finished_at is None:
        return table_preview(game_id, services, caller)
    found = replay_context(services, caller, table, ply)
    tiles = () if table.day else room.preview_tiles(found["view"])
    line = f"Replay, move {ply} of {found['last_ply']}"
    return picture(services, caller, room, _title(room, found["view"]), line, tiles)


@router.get("/daily/{day}/preview.png")
@router.get("/{kind}/daily/{day}/preview.png")
def daily_preview(day: date, room: PageRoom, services: ServicesDep, caller: CallerDep) -> Response:
    """The daily of a day, without its board."""
    check_day(services, room.daily_name, day)
    return picture(services, caller, room, f"{room.title} daily", f"{day.day} {day.strftime('%B %Y')}")


def picture(
    services: Services, caller: Caller, room: Room, title: str, line: str, tiles: Tiles = ()
) -> Response:
    """A picture with these texts; without tiles, the room's title is spelled with tiles."""
    preview = Preview(title, line, tiles or tile_rows((room.title,)))
    png = services.pool.run_long(caller, "preview", render, preview)
    return Response(png, media_type="image/png", headers={"Cache-Control": f"private, max-age={_SECONDS}"})


def _result(outcome: Outcome, room: Room) -> str:
    """The scores; a single score with the room's unit."""
    if len(outcome.scores) == 1:
        return format_count(outcome.scores[0], room.unit)
    return " : ".join(map(str, outcome.side_scores))


def _title(room: Room, view: Any) -> str:
    mode = room.title_of(view)
    return mode if mode == room.title else f"{room.title} {mode}"
