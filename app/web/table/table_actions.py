"""Table actions: join, claim, skip a bot's wait, remark, rematch, close."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from app.store.models import NotYourSeat, Table, TooEarly
from app.web.guard.limits import CallerDep, limited
from app.web.guard.problems import STATUSES
from app.web.services import Player, ServicesDep
from app.web.table.join_page import take_seat
from app.web.table.opening import join_rematch
from app.web.table.page import HtmxRequest, act, show_table
from app.web.table.remark_lines import lines

router = APIRouter(include_in_schema=False)


@router.post("/games/{game_id}/seats", dependencies=[limited("guests")])
def join(game_id: str, request: Request, services: ServicesDep) -> Response:
    """Take a seat at a listed table."""
    now = services.clock()
    response = RedirectResponse(f"/games/{game_id}", status_code=303)
    table = services.games.load(game_id, now)
    table.admit(None)
    return take_seat(request, response, services, table, None)


@router.post("/games/{game_id}/claim")
def claim(
    game_id: str,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Claim a game whose other player has exceeded the turn limit or has been erased."""

    def claimed() -> Table:
        return services.seating.claim(game_id, caller.player, services.clock())

    stale_notice = "the other player has just moved"
    return act(request, services, caller, game_id, claimed, fragment=is_htmx, stale_notice=stale_notice)


@router.post("/games/{game_id}/skip")
def skip_wait(
    game_id: str,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Show the move of a bot that is thinking without waiting for it."""

    def skipped() -> Table:
        return services.games.skip_wait(game_id, caller.player, services.clock())

    return act(request, services, caller, game_id, skipped, fragment=is_htmx)


@router.post("/games/{game_id}/remarks")
def say(
    game_id: str,
    line: Annotated[int, Form(ge=0, lt=len(lines()))],
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Make a remark."""

    def said() -> Table:
        return services.remarks.say(game_id, caller.player, line, services.clock())

    return act(request, services, caller, game_id, said, fragment=is_htmx)


@router.post("/games/{game_id}/rematch", dependencies=[limited("games")])
def rematch(game_id: str, request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """Join the rematch of a finished game, or open it."""

    def joined() -> Table:
        return join_rematch(services, game_id, caller.player, services.clock())

    return act(request, services, caller, game_id, joined)


@router.post("/games/{game_id}/close")
def close(game_id: str, request: Request, services: ServicesDep, player: Player) -> Response:
    """Close a table that has not begun, as ``Seating.close`` allows."""
    try:
        services.seating.close(game_id, player)
    except (TooEarly, NotYourSeat) as refused:
        table = services.games.load(game_id, services.clock())
        status = STATUSES[type(refused)]
        return show_table(request, services, table, player, notice=str(refused), status=status)
    return RedirectResponse("/lobby", status_code=303)
