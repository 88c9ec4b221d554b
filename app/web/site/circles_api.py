"""The API of circles."""

from fastapi import Request, Response
from pydantic import ConfigDict

from app.store.circles import clean_name
from app.web.guard.limits import limited
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, ServicesDep
from app.web.site.circles import CircleAnswer, ListedCircleAnswer, circle_answer

router = api_router("/api/circles", "profile")


class CircleName(Documented):
    """The name of a circle."""

    model_config = ConfigDict(extra="forbid")

    name: str
    """1 to 40 visible characters."""


class CircleInvitation(Documented):
    """The secret part of a circle's link."""

    model_config = ConfigDict(extra="forbid")

    invitation: str
    """The last part of the link."""


@router.get("", response_model=list[ListedCircleAnswer], summary="List your circles")
def list_circles(services: ServicesDep, player: Player) -> list[ListedCircleAnswer]:
    """The circles you are a member of, by name."""
    found = services.circles.of_player(player) if player else []
    return [ListedCircleAnswer.model_validate(each, from_attributes=True) for each in found]


@router.post(
    "",
    response_model=CircleAnswer,
    status_code=201,
    summary="Open a circle",
    dependencies=[limited("names", "guests")],
)
def open_circle(
    body: JsonBody[CircleName], request: Request, response: Response, services: ServicesDep
) -> CircleAnswer:
    """Open a private circle that you own; others can join with its link.

    A player may be in 20 circles, and a circle may have 50 members.
    """
    name, now = clean_name(body.name), services.clock()  # before a guest is created
    player = services.guests.welcome(request, response, now)
    circle_id = services.circles.open(name, player, now)
    return circle_answer(services, services.circles.read(circle_id, player), player)


@router.get("/{circle_id}", response_model=CircleAnswer, summary="Get a circle")
def see_circle(circle_id: str, services: ServicesDep, player: Player) -> CircleAnswer:
    """Get a circle's members with their points, today's dailies, open challenges and finished games.

    404 if you are not a member.
    """
    return circle_answer(services, services.circles.read(circle_id, player), player or "")


@router.put(
    "/{circle_id}/name",
    response_model=CircleAnswer,
    summary="Rename a circle",
    dependencies=[limited("names")],
)
def rename_circle(
    circle_id: str, body: JsonBody[CircleName], services: ServicesDep, player: Player
) -> CircleAnswer:
    """Rename a circle that you own."""
    services.circles.rename(circle_id, player or "", body.name, services.clock())
    return circle_answer(services, services.circles.read(circle_id, player), player or "")


@router.post(
    "/{circle_id}/members",
    response_model=CircleAnswer,
    summary="Join a circle",
    dependencies=[limited("names", "guests")],
)
def join_circle(
    circle_id: str,
    body: JsonBody[CircleInvitation],
    request: Request,
    response: Response,
    services: ServicesDep,
) -> CircleAnswer:
    """Become a member with the circle's link; no effect if you are one. 404 if the link is not valid."""
    services.circles.invited(circle_id, body.invitation)  # before a guest is created
    now = services.clock()
    player = services.guests.welcome(request, response, now)
    services.circles.join(circle_id, body.invitation, player, now)
    return circle_answer(services, services.circles.read(circle_id, player), player)


@router.delete(
    "/{circle_id}/members/{number}",
    status_code=204,
    response_class=Response,
    summary="Leave a circle, or remove a member",
)
def remove_member(circle_id: str, number: int, services: ServicesDep, player: Player) -> None:
    """Leave, with your own number, or remove another member as the owner.

    If the owner leaves, the member who joined first becomes the owner. Without members, the circle is closed.
    """
    circle = services.circles.read(circle_id, player)
    if circle.member(player or "").number == number:
        services.circles.leave(circle_id, player or "")
    else:
        services.circles.remove(circle_id, player or "", number)


@router.delete("/{circle_id}", status_code=204, response_class=Response, summary="Close a circle")
def close_circle(circle_id: str, services: ServicesDep, player: Player) -> None:
    """Close a circle that you own, for all members. Their games and results stay."""
    services.circles.close(circle_id, player or "")
