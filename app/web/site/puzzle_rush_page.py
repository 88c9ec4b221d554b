"""The pages of a rush: three minutes of puzzles, without a reload where scripts run."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Header, Request, Response
from fastapi.responses import RedirectResponse

from app.games.game import IllegalMove
from app.games.puzzles import Given
from app.store.puzzle_rushes import Rush, RushOver
from app.web.guard.limits import CallerDep, limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.puzzles import RushAnswer, answer_rush, open_rush, posed, puzzle_room
from app.web.site.puzzles_page import NOTHING_TYPED, Cells, Tiles, Typed, Word, board_context, read_answer
from app.web.templating import templates

router = APIRouter(prefix="/puzzles/rush", include_in_schema=False, dependencies=[limited("engines")])

Kind = Annotated[str, Form(max_length=32)]
Fragment = Annotated[bool, Header(alias="X-Fragment")]
"""Whether the page's script made the request, and needs only the part that changes."""


@router.post("", dependencies=[limited("guests")])
def start(request: Request, services: ServicesDep, kind: Kind) -> Response:
    """Start a rush and go to it."""
    puzzle_room(services, kind)
    response = RedirectResponse("/puzzles", status_code=303)
    player = services.guests.welcome(request, response, services.clock())
    response.headers["Location"] = f"/puzzles/rush/{open_rush(services, player, kind).id}"
    return response


@router.get("/{rush_id}")
def rush_page(
    rush_id: str,
    request: Request,
    services: ServicesDep,
    player: Player,
    fragment: Fragment = False,  # noqa: FBT002 - a header
) -> Response:
    """The current puzzle of a rush, or its result."""
    return _show(request, services, services.rushes.find(player, rush_id), fragment=fragment)


@router.post("/{rush_id}")
def answer(
    rush_id: str,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    word: Word = "",
    cells: Cells = "",
    tiles: Tiles = "",
    skip: Annotated[bool, Form()] = False,  # noqa: FBT002 - a form field
    puzzle: Annotated[str | None, Form(max_length=64)] = None,
    fragment: Fragment = False,  # noqa: FBT002 - a header
) -> Response:
    """Answer the current puzzle and show the next. An impossible answer shows an error and does not count.

    An answer to an earlier ``puzzle``, sent again by a reload or a second press, does not count.
    """
    rush = services.rushes.find(caller.player, rush_id)
    try:
        given = Given() if skip else read_answer(word, cells, tiles)
        if given.is_empty and not skip:
            raise IllegalMove("type a word, or tap its tiles")
        answered = answer_rush(services, caller, rush, given, puzzle)
    except IllegalMove as refused:
        typed = Typed(word, cells, tiles)
        return _show(request, services, rush, fragment=fragment, refused=refused.reason, typed=typed)
    except RushOver:
        return RedirectResponse(f"/puzzles/rush/{rush_id}", status_code=303)
    return _show(request, services, answered.rush if answered else rush, fragment=fragment, latest=answered)


def _show(
    request: Request,
    services: Services,
    rush: Rush,
    *,
    fragment: bool,
    refused: str = "",
    typed: Typed = NOTHING_TYPED,
    latest: RushAnswer | None = None,
) -> Response:
    now = services.clock()
    over = rush.is_over(now)
    asked = None if over or rush.current is None else posed(services, None, rush.current)
    room = puzzle_room(services, rush.kind)
    context: dict[str, Any] = {
        "rush": rush,
        "room": room,
        "over": over,
        "left": max(0.0, rush.ends_at - now),
        "best": services.rushes.best(services.guests.identify(request), rush.kind),
        "refused": refused,
        "typed": typed,
        "latest": latest,
        "latest_solution": latest.asked.board.described(latest.asked.puzzle.solution) if latest else "",
        "styles": room.puzzle_board.styles if room.puzzle_board else (),
        **({"asked": None} if asked is None else board_context(asked)),
    }
    return templates.TemplateResponse(
        request,
        "site/puzzle_rush.html",
        context,
        headers={"Cache-Control": "no-store", "Vary": "X-Fragment"},
        block_name="rush" if fragment else None,
    )
