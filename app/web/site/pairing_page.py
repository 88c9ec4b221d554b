"""Play now: the buttons' target, and the page on which a player waits to be paired."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from app.store.waiting_players import Wait
from app.web.guard.limits import CallerDep, limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.pairing_api import PairingRequest, begin_waiting
from app.web.table.page import HtmxRequest
from app.web.templating import templates

router = APIRouter(prefix="/play-now", include_in_schema=False)

_ROUNDED: int = 50
"""Rating points to which the page rounds the width of the search."""


class PlayNowForm(BaseModel):
    """The form behind the buttons "Play now"."""

    game: Annotated[str, Field(pattern=r"^[a-z]{1,32} (blitz|rapid)$")]
    """Kind of game and speed: ``fribble rapid``."""
    rated: bool = False
    """A box that is not ticked sends nothing."""

    def request(self) -> PairingRequest:
        """The request to wait for this game."""
        kind, speed = self.game.split()
        return PairingRequest.model_validate({"kind": kind, "speed": speed, "rated": self.rated})


@router.post("", dependencies=[limited("games", "guests")])
def play_now(
    form: Annotated[PlayNowForm, Form()], request: Request, services: ServicesDep, caller: CallerDep
) -> Response:
    """Wait for a game, or go to its table if there is an opponent."""
    response = RedirectResponse("/play-now", status_code=303)
    wait = begin_waiting(services, request, response, caller.player, form.request(), "game")
    if wait.game_id is not None:
        response.headers["location"] = f"/games/{wait.game_id}"
    return response


@router.get("")
def waiting_page(
    request: Request,
    services: ServicesDep,
    player: Player,
    offered: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """The page of a waiting player, or its fragment; redirects to the table once they have been paired.

    With ``offered``, the page already shows the bot.
    """
    now = services.clock()
    wait = services.pairing.ask(player, now)
    headers = {"Cache-Control": "no-store"}
    if wait is None or wait.game_id is not None:
        address = "/lobby" if wait is None else f"/games/{wait.game_id}"
        if is_htmx:
            return Response(headers=headers | {"HX-Redirect": address})
        return RedirectResponse(address, status_code=303)
    return templates.TemplateResponse(
        request,
        "site/play_now.html",
        _context(services, wait, now) | {"fragment": is_htmx, "offered": offered},
        headers=headers,
        block_name="search" if is_htmx else None,
    )


@router.post("/cancel")
def cancel(services: ServicesDep, player: Player) -> Response:
    """Stop waiting; shows the game if one has just begun."""
    game = services.pairing.stop(player)
    return RedirectResponse("/lobby" if game is None else f"/games/{game}", status_code=303)


@router.post("/bot", dependencies=[limited("games")])
def play_bot(services: ServicesDep, player: Player) -> Response:
    """Play the bot that is offered."""
    game = services.pairing.play_bot(player, services.clock())
    return RedirectResponse(f"/games/{game}", status_code=303)


def _context(services: Services, wait: Wait, now: float) -> dict[str, Any]:
    pool, window = wait.pool, wait.window(now)
    room = services.rooms[pool.kind]
    level = services.pairing.bot_level(wait, now)
    return {
        "room": room,
        "terms": next(quick.terms for quick in room.quick_games if quick.speed == pool.speed),
        "speed": pool.speed,
        "rated": pool.rated,
        "seconds": int(wait.seconds(now)),
        "points": None if window is None else _ROUNDED * round(window / _ROUNDED),
        "bot": None if level is None else room.game.bots[level - 1],
        "bot_level": level,
    }
