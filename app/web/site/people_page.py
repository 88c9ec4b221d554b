"""The pages for blocking players at a table or in a circle."""

from contextlib import suppress
from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.store.blocks import UnknownBlock
from app.web.guard.limits import limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.other_players import Named, members_of, numbered, players_at
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

Act = Literal["block", "unblock"]


@router.get("/games/{game_id}/people")
def people_at_table(game_id: str, request: Request, services: ServicesDep, player: Player) -> Response:
    """The other players at a table, with buttons to block them."""
    return _people(request, services, player, players_at(services, game_id, player), f"/games/{game_id}")


@router.post("/games/{game_id}/people/{seat}/{act}", dependencies=[limited("names")])
def act_at_table(game_id: str, seat: int, act: Act, services: ServicesDep, player: Player) -> Response:
    """Block or unblock the player in a seat."""
    other = numbered(players_at(services, game_id, player), seat, "at seat")
    return _act(services, player, other, act, f"/games/{game_id}")


@router.get("/circles/{circle_id}/people")
def people_in_circle(circle_id: str, request: Request, services: ServicesDep, player: Player) -> Response:
    """The other members of a circle, with buttons to block them."""
    others = members_of(services, circle_id, player)
    return _people(request, services, player, others, f"/circles/{circle_id}")


@router.post("/circles/{circle_id}/people/{number}/{act}", dependencies=[limited("names")])
def act_in_circle(circle_id: str, number: int, act: Act, services: ServicesDep, player: Player) -> Response:
    """Block or unblock a member."""
    other = numbered(members_of(services, circle_id, player), number, "with number")
    return _act(services, player, other, act, f"/circles/{circle_id}")


@router.post("/me/blocks/{block_id}/remove")
def unblock(block_id: str, services: ServicesDep, player: Player) -> Response:
    """Remove one of the player's blocks."""
    with suppress(UnknownBlock):  # pressed twice
        services.blocks.unblock(player, block_id)
    return RedirectResponse("/me", status_code=303)


def _people(
    request: Request, services: Services, player: str | None, others: list[Named], back: str
) -> Response:
    blocked = {block.blocked_id for block in services.blocks.of_player(player)}
    people = [
        {"number": each.number, "name": each.name, "blocked": each.player_id in blocked} for each in others
    ]
    context = {"people": people, "back": back, "in_circle": back.startswith("/circles/")}
    return templates.TemplateResponse(
        request, "site/people.html", context, headers={"Cache-Control": "no-store"}
    )


def _act(services: Services, player: str | None, other: Named, act: Act, back: str) -> Response:
    if act == "block":
        services.blocks.block(player or "", other.player_id, services.clock())
    else:
        for block in services.blocks.of_player(player):
            if block.blocked_id == other.player_id:
                services.blocks.unblock(player, block.id)
    return RedirectResponse(f"{back}/people", status_code=303)
