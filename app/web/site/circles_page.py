"""The pages of circles: the player's circles, one circle, and the invitation to one."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from app.store.circles import BadCircle, clean_name
from app.web.guard.limits import limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.circles import FeedAnswer, circle_answer
from app.web.site.daily_calendar import daily_rooms
from app.web.site.open_games import ago
from app.web.templating import templates

router = APIRouter(prefix="/circles", include_in_schema=False)

Name: TypeAlias = Annotated[str, Form(max_length=200)]


def _to(circle_id: str = "") -> RedirectResponse:
    return RedirectResponse(f"/circles/{circle_id}".rstrip("/"), status_code=303)


@router.get("")
def my_circles(request: Request, services: ServicesDep, player: Player) -> Response:
    """The player's circles, and the form for opening one."""
    return _my_circles(request, services, player)


@router.post("", dependencies=[limited("names", "guests")])
def open_circle(request: Request, services: ServicesDep, player: Player, name: Name = "") -> Response:
    """Open a circle and go to it."""
    try:
        kept = clean_name(name)  # before a guest is created
    except BadCircle as refused:
        return _my_circles(request, services, player, notice=str(refused), typed=name, status=422)
    response, now = _to(), services.clock()
    circle_id = services.circles.open(kept, services.guests.welcome(request, response, now), now)
    response.headers["location"] = f"/circles/{circle_id}"
    return response


@router.get("/{circle_id}")
def circle_page(circle_id: str, request: Request, services: ServicesDep, player: Player) -> Response:
    """A circle, for its members."""
    return _circle(request, services, circle_id, player)


@router.get("/{circle_id}/join/{invitation}")
def invitation_page(
    circle_id: str, invitation: str, request: Request, services: ServicesDep, player: Player
) -> Response:
    """The page of a link to a circle. A GET joins nothing, because messengers fetch links to preview them."""
    circle = services.circles.invited(circle_id, invitation)
    if any(member.player_id == player for member in circle.members):
        return _to(circle.id)
    context = {
        "circle": circle,
        "nickname": services.players.nickname(player) if player else None,
    }
    return templates.TemplateResponse(request, "site/join_circle.html", context)


@router.post("/{circle_id}/join/{invitation}", dependencies=[limited("names", "guests")])
def join_circle(circle_id: str, invitation: str, request: Request, services: ServicesDep) -> Response:
    """Join a circle and go to it."""
    services.circles.invited(circle_id, invitation)  # before a guest is created
    response, now = _to(circle_id), services.clock()
    services.circles.join(circle_id, invitation, services.guests.welcome(request, response, now), now)
    return response


@router.post("/{circle_id}/name", dependencies=[limited("names")])
def rename_circle(
    circle_id: str, request: Request, services: ServicesDep, player: Player, name: Name = ""
) -> Response:
    """Rename a circle, as its owner."""
    try:
        services.circles.rename(circle_id, player or "", name, services.clock())
    except BadCircle as refused:
        return _circle(request, services, circle_id, player, notice=str(refused), status=422)
    return _to(circle_id)


@router.post("/{circle_id}/invitation", dependencies=[limited("names")])
def renew_invitation(circle_id: str, services: ServicesDep, player: Player) -> Response:
    """Replace the link with a new one, as the owner."""
    services.circles.renew(circle_id, player or "")
    return _to(circle_id)


@router.post("/{circle_id}/members/{number}/remove")
def remove_member(circle_id: str, number: int, services: ServicesDep, player: Player) -> Response:
    """Remove a member, as the owner."""
    services.circles.remove(circle_id, player or "", number)
    return _to(circle_id)


@router.post("/{circle_id}/leave")
def leave_circle(circle_id: str, services: ServicesDep, player: Player) -> Response:
    """Leave a circle."""
    services.circles.leave(circle_id, player or "")
    return _to()


@router.post("/{circle_id}/close")
def close_circle(circle_id: str, services: ServicesDep, player: Player) -> Response:
    """Close a circle, as its owner."""
    services.circles.close(circle_id, player or "")
    return _to()


def _my_circles(
    request: Request,
    services: Services,
    player: str | None,
    *,
    notice: str | None = None,
    typed: str = "",
    status: int = 200,
) -> Response:
    context = {
        "circles": services.circles.of_player(player) if player else [],
        "notice": notice,
        "typed": typed,
    }
    return templates.TemplateResponse(request, "site/circles.html", context, status_code=status)


def _games(feed: Iterable[FeedAnswer]) -> list[list[FeedAnswer]]:
    """The lines of a feed by game: the winner first, then by score."""
    games = defaultdict[str, list[FeedAnswer]](list)
    for line in feed:
        games[line.game_id].append(line)
    return [sorted(lines, key=lambda line: (not line.won, -line.score)) for lines in games.values()]


def _circle(
    request: Request,
    services: Services,
    circle_id: str,
    player: str | None,
    *,
    notice: str | None = None,
    status: int = 200,
) -> Response:
    circle, now = services.circles.read(circle_id, player), services.clock()
    answer = circle_answer(services, circle, player or "")
    context = {
        "circle": answer,
        "me": next(member for member in answer.members if member.you),
        "named": {member.number: member for member in answer.members},
        "daily_rooms": daily_rooms(services.rooms),
        "feed": [
            {"game": lines[0], "lines": lines, "ago": ago(now - lines[0].finished_at)}
            for lines in _games(answer.feed)
        ],
        "challenges": [{"challenge": one, "ago": ago(now - one.created_at)} for one in answer.challenges],
        "link": f"{str(request.base_url).rstrip('/')}{answer.invitation}",
        "nickname": services.players.nickname(player) if player else None,
        "notice": notice,
    }
    headers = {"Cache-Control": "no-store"}
    return templates.TemplateResponse(
        request, "site/circle.html", context, status_code=status, headers=headers
    )
