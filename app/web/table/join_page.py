"""Invitations to a table: the page, and taking a seat."""

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from app.store.models import Table, WrongInvitation
from app.store.players import BadNickname, clean_nickname
from app.web.guard.limits import get_caller, limited
from app.web.services import Player, Services, ServicesDep
from app.web.table.page import FormFields, table_context
from app.web.templating import templates

router = APIRouter(include_in_schema=False, dependencies=[Depends(get_caller)])


@router.get("/games/{game_id}/join/{invitation}")
def invited(
    game_id: str, invitation: str, request: Request, services: ServicesDep, player: Player
) -> Response:
    """The page of an invitation link; redirects to the table if the player has a seat.

    A GET request takes no seat, because messengers fetch links to preview them. The page asks players without
    a name for one; for others its script posts at once. It also says if the link is invalid or the game full.
    """
    table = services.games.load_or_read(game_id, services.clock())
    valid = table.invitation == invitation
    if valid and table.seat_of(player) is not None:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    if valid and table.is_full:
        return too_late(request, services, table, player)
    return _join_page(request, services, table, player, invitation if valid else None)


def _join_page(
    request: Request,
    services: Services,
    table: Table,
    player: str | None,
    invitation: str | None,
    *,
    nickname: str = "",
    notice: str = "",
) -> Response:
    """The page of an invitation, which may not be valid.

    ``nickname`` is a name that was refused, and ``notice`` the reason.
    """
    context = {
        "join_url": f"/games/{table.id}/join/{invitation}" if invitation else None,
        "taken": False,
        "asks_name": player is None or services.players.nickname(player) is None,
        "typed": nickname,
        "name_notice": notice,
        **table_context(services, table, player),
    }
    status = 422 if notice else 200
    return templates.TemplateResponse(request, "table/join.html", context, status_code=status)


@router.post("/games/{game_id}/join/{invitation}", dependencies=[limited("guests")])
def sit_down(
    game_id: str, invitation: str, fields: FormFields, request: Request, services: ServicesDep
) -> Response:
    """Take a free seat, with a name if one is given, and go to the table, or show that it is full."""
    now = services.clock()
    nickname = fields.get("nickname", "").strip()
    response = RedirectResponse(f"/games/{game_id}", status_code=303)
    table = services.games.load(game_id, now)
    try:
        table.admit(invitation)
    except WrongInvitation:
        return RedirectResponse(f"/games/{game_id}/join/{invitation}", status_code=303)
    try:
        name = clean_nickname(nickname) if nickname else None
    except BadNickname as refused:
        player = services.guests.identify(request)
        return _join_page(
            request, services, table, player, invitation, nickname=nickname, notice=str(refused)
        )
    wanted = {str(seat): seat for seat in range(len(table.seats))}.get(fields.get("seat", ""))
    return take_seat(request, response, services, table, invitation, name, wanted)


def take_seat(
    request: Request,
    response: Response,
    services: Services,
    table: Table,
    invitation: str | None,
    nickname: str | None = None,
    wanted: int | None = None,
) -> Response:
    """Give the player the seat they want, or another, and a name, or show that no seat is free."""
    player = services.guests.identify(request)
    if not table.is_full:
        now = services.clock()
        player = services.guests.welcome(request, response, now)
        if nickname:
            services.players.rename(player, nickname, now)
        table = services.seating.sit_down(table.id, invitation, player, now, wanted)
    return too_late(request, services, table, player) if table.seat_of(player) is None else response


def too_late(request: Request, services: Services, table: Table, player: str | None) -> Response:
    """The page that says that every seat is taken."""
    context = {"join_url": None, "taken": True, **table_context(services, table, player)}
    return templates.TemplateResponse(request, "table/join.html", context)
