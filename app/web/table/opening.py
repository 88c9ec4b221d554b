"""Opening a game from a room's start form."""

from collections.abc import Callable
from typing import Any

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from app.games.game import Setup
from app.store.models import NO_TURN_LIMIT, TableSettings, TooMuch
from app.web.guard.fields import collecting_errors
from app.web.guard.limits import address_of
from app.web.room import Opponent, seats
from app.web.services import Services
from app.web.site.open_games import open_games
from app.web.table.lessons import offer_lesson


def back_to(page: str) -> Callable[[], Response]:
    """Return a route that redirects from the URL of a refused start form to the page with the form."""

    def go_back() -> Response:
        return RedirectResponse(page, status_code=303)

    return go_back


def start_context(
    services: Services, kind: str, player: str | None, *, all_games: bool = False
) -> dict[str, Any]:
    """Context of a room's page with a start form: bots, word lists, the lesson, the player's open games.

    The games are those of the room, or of all rooms.
    """
    return {
        "bots": services.rooms[kind].game.bots,
        "lexicons": [info.name for info in services.library.names()],
        "open_games": open_games(services, player, None if all_games else kind),
        "offered": offer_lesson(services, kind, player),
    }


def open_or_ask_again(
    opened: Callable[[], Response], ask_again: Callable[[dict[str, str], int], Response]
) -> Response:
    """Open a game. If that is refused, show the form with the errors by field: 422, or 429 at a limit."""
    errors: dict[str, str] = {}
    try:
        with collecting_errors(errors):
            return opened()
    except TooMuch as limit:
        return ask_again({"": str(limit)}, 429)
    return ask_again(errors, 422)


def open_table(
    services: Services,
    request: Request,
    kind: str,
    setup: Setup,
    opponents: tuple[Opponent, ...] = (),
    settings: TableSettings = NO_TURN_LIMIT,
) -> Response:
    """Open a game and redirect the player to its table."""
    now = services.clock()
    draft = services.games.draft(
        kind, setup, seats(opponents), now, settings
    )  # validate before creating a guest
    response = RedirectResponse(f"/games/{draft.id}", status_code=303)
    origin = services.origins.digest(address_of(request))
    if settings.listed:
        services.games.check_listing(services.guests.identify(request), origin, now)
    services.games.keep(draft.opened_by(services.guests.welcome(request, response, now)), origin)
    return response
