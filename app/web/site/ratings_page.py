"""The page of a rating with its graph and rated games, and hiding the ratings."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from app.grammar import round_half_up
from app.store.ratings import RatedGame, Speed
from app.web.guard.limits import limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.open_games import ago
from app.web.site.ratings_api import check_kind
from app.web.templating import templates

router = APIRouter(prefix="/me/ratings", include_in_schema=False)

LISTED = 50
DRAWN = 500
"""Most games in the graph."""


@router.get("/{kind}/{speed}")
def rating_page(kind: str, speed: Speed, request: Request, services: ServicesDep, player: Player) -> Response:
    """The player's rating in one kind of game at one speed. 404 for an unknown kind."""
    check_kind(services, kind)
    now = services.clock()
    played = services.ratings.history(player, kind, speed, DRAWN)
    rated = next(
        (
            each
            for each in services.ratings.of_player(player, now)
            if (each.kind, each.speed) == (kind, speed)
        ),
        None,
    )
    context = {
        "room": services.rooms[kind],
        "speed": speed,
        "rated": rated,
        "graph": _graph(played) if len(played) > 1 else None,
        "games": [
            {"game": each, "ago": ago(now - each.at), "opponents": _names(services, kind, each)}
            for each in played[:LISTED]
        ],
    }
    return templates.TemplateResponse(request, "site/rating.html", context)


@router.post("/hidden", dependencies=[limited("names")])
def hide(services: ServicesDep, player: Player, hidden: Annotated[bool, Form()] = False) -> Response:  # noqa: FBT002
    """Hide the player's ratings from others, or show them."""
    services.ratings.hide(player, hidden=hidden)
    return RedirectResponse("/me#ratings", status_code=303)


def _graph(played: list[RatedGame]) -> dict[str, Any]:
    """The points of the graph, game by game, with a band of two deviations."""
    in_order = played[::-1]
    values = [in_order[0].before, *(each.after for each in in_order)]
    spread = [2 * each.deviation for each in in_order]
    # Early bands are wider than the graph, so that its line is not flat.
    latest = values[-1]
    low, high = min(*values, latest - spread[-1]) - 10, max(*values, latest + spread[-1]) + 10
    scale = 100 / (high - low)

    def y(value: float) -> float:
        return round(min(100.0, max(0.0, (high - value) * scale)), 2)

    points = " ".join(f"{place},{y(value)}" for place, value in enumerate(values))
    above = [
        f"{place},{y(each.after + wide)}"
        for place, (each, wide) in enumerate(zip(in_order, spread, strict=True), 1)
    ]
    below = [
        f"{place},{y(each.after - wide)}"
        for place, (each, wide) in enumerate(zip(in_order, spread, strict=True), 1)
    ]
    return {
        "games": len(in_order),
        "points": points,
        "band": " ".join(above + below[::-1]),
        "low": round_half_up(low),
        "high": round_half_up(high),
        "best": round_half_up(max(values[1:])),
    }


def _names(services: Services, kind: str, game: RatedGame) -> list[str]:
    bots = services.rooms[kind].game.bots
    return [
        bots[other.bot_level - 1] if other.bot_level is not None else other.nickname or "a guest"
        for other in game.opponents
    ]
