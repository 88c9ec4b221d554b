"""Lessons: their page, opening one, its current step, skipping a step, and declining the offer."""

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from app.web.guard.limits import limited
from app.web.lesson import Lesson
from app.web.room import Room
from app.web.services import Player, Services, ServicesDep
from app.web.table.lessons import coach, draft_lesson, lesson_mark, tip_mark
from app.web.table.page import HtmxRequest
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

GameId = Annotated[str | None, Form(pattern="^[A-Za-z0-9_-]{1,32}$")]


@router.get("/learn/{kind}")
def lesson_page(kind: str, request: Request, services: ServicesDep) -> Response:
    """The page of a lesson: its contents, and a button to start it."""
    room, lesson = _lesson(services, kind)
    context = {"room": room, "script": lesson.script}
    return templates.TemplateResponse(request, "site/learn.html", context)


@router.post("/learn/{kind}", dependencies=[limited("games", "guests")])
def open_lesson(kind: str, request: Request, services: ServicesDep) -> Response:
    """Open a lesson and go to its table. It is not offered again."""
    room, lesson = _lesson(services, kind)
    draft = draft_lesson(services, room, lesson)
    response = RedirectResponse(f"/games/{draft.id}", status_code=303)
    player = services.guests.welcome(request, response, services.clock())
    services.lessons.keep(draft.opened_by(player))
    services.shown.note(player, lesson_mark(kind))
    return response


@router.post("/learn/{kind}/decline", dependencies=[limited("guests")])
def decline_lesson(kind: str, request: Request, services: ServicesDep, table: GameId = None) -> Response:
    """Do not offer a lesson again, and go back to the ``table`` or the room's page."""
    room, _ = _lesson(services, kind)
    response = RedirectResponse(f"/games/{table}" if table else room.address, status_code=303)
    player = services.guests.welcome(request, response, services.clock())
    services.shown.note(player, lesson_mark(kind))
    return response


@router.get("/games/{game_id}/lesson")
def current_step(
    game_id: str,
    request: Request,
    services: ServicesDep,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """The current step of a lesson, as a fragment; the page of the table for browsers."""
    if not is_htmx:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    return _show_step(request, services, game_id)


@router.post("/games/{game_id}/lesson")
def skip_step(
    game_id: str,
    step: Annotated[int, Form(ge=1)],
    request: Request,
    services: ServicesDep,
    player: Player,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Skip a step of a lesson; no effect if the lesson is at another step."""
    table = services.games.load(game_id, services.clock())
    progress = coach(services, table)
    if progress is None or progress.number == step:
        services.lessons.skip(table, player)
    if not is_htmx:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    return _show_step(request, services, game_id)


@router.post("/learn/{kind}/tips")
def note_tip(
    kind: str, name: Annotated[str, Form(max_length=16)], services: ServicesDep, player: Player
) -> Response:
    """Do not show a hint again."""
    _, lesson = _lesson(services, kind)
    if player is not None and any(tip.name == name for tip in lesson.script.tips):
        services.shown.note(player, tip_mark(kind, name))
    return Response(status_code=204)


def _show_step(request: Request, services: Services, game_id: str) -> Response:
    table = services.games.load_or_read(game_id, services.clock())
    progress = coach(services, table)
    if progress is None:
        raise HTTPException(404, "this game is not a lesson")
    context = {"coach": progress, "room": services.rooms[table.kind], "game": {"id": game_id}}
    return templates.TemplateResponse(
        request, "table/_coach.html", context, headers={"Cache-Control": "no-store"}
    )


def _lesson(services: Services, kind: str) -> tuple[Room, Lesson]:
    """The room of a kind and its lesson. Raises HTTPException."""
    room = services.rooms.get(kind)
    if room is None or room.lesson is None:
        raise HTTPException(404, f"there is no lesson of {kind!r}")
    return room, room.lesson
