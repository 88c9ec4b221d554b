"""Opening a game from a room's start form."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from app.games.game import Setup
from app.store.challenges import Challenge
from app.store.models import NO_TURN_LIMIT, Seat, Table, TableSettings, TooMuch
from app.web.guard.fields import collecting_errors
from app.web.guard.limits import address_of, current_caller
from app.web.room import Opponent, seats
from app.web.services import Services
from app.web.site.open_games import open_games
from app.web.table.lessons import offer_lesson
from app.web.templating import templates

Chosen = tuple[Setup, tuple[Opponent, ...], TableSettings]
"""What a start form asks for."""
LONGEST_DEAL_MS: Final = 2_000
"""Limit for a deal in the engine pool, in milliseconds of computing."""


def back_to(page: str) -> Callable[[], Response]:
    """Return a route that redirects from the URL of a refused start form to the page with the form."""

    def go_back() -> Response:
        return RedirectResponse(page, status_code=303)

    return go_back


@dataclass(frozen=True)
class StartPage:
    """A room's page with a start form."""

    kind: str
    template: str
    context: Callable[[Services, str | None], dict[str, Any]] = lambda _services, _player: {}
    """What the template needs besides the form, the bots, the word lists, the lesson and the open games."""
    all_games: bool = False
    """Whether it lists the player's open games in all rooms."""

    def show(
        self,
        request: Request,
        services: Services,
        player: str | None,
        form: Any = None,
        errors: dict[str, str] | None = None,
        status: int = 200,
    ) -> Response:
        """Show the page, with the form as filled in, and errors by field."""
        context = {
            "bots": services.rooms[self.kind].game.bots,
            "lexicons": [info.name for info in services.library.names()],
            "open_games": open_games(services, player, None if self.all_games else self.kind),
            "offered": offer_lesson(services, self.kind, player),
            "form": form,
            "errors": errors or {},
        }
        context |= self.context(services, player)
        return templates.TemplateResponse(request, self.template, context, status_code=status)

    def open(
        self,
        request: Request,
        services: Services,
        player: str | None,
        form: Any,
        chosen: Callable[[], Chosen],
    ) -> Response:
        """Open the chosen game. If it is refused, show the form with the errors: 422, or 429 at a limit."""
        errors: dict[str, str] = {}
        try:
            with collecting_errors(errors):
                return open_table(services, request, self.kind, *chosen())
        except TooMuch as limit:
            return self.show(request, services, player, form, {"": str(limit)}, 429)
        return self.show(request, services, player, form, errors, 422)


def draft(
    services: Services,
    kind: str,
    setup: Setup,
    taken: Sequence[Seat],
    at: float,
    settings: TableSettings,
    seed: str | None = None,
) -> Table:
    """Create a game without storing it; a deal that may take long, in the engine pool with a time limit.

    Raises PoolFull, UnknownLexicon, and as ``GameStore.deal``.
    """
    options = services.rulebook.pin(kind, setup)
    deal = partial(services.games.deal, kind, options, taken, at, seed or services.games.seeds(), settings)
    return _in_pool_if_slow(services, kind, options, deal)


def draft_challenge(services: Services, challenge: Challenge, at: float) -> Table:
    """Create a player's game in a challenge, as ``draft`` does, but without a limit: its deal exists.

    Raises PoolFull, and as ``Challenges.draft``.
    """
    table = services.games.read(challenge.game_id)
    deal = partial(services.challenges.draft, challenge, at)
    return _in_pool_if_slow(services, table.kind, table.state.options, lambda **_stop: deal())


def join_rematch(services: Services, game_id: str, player_id: str | None, at: float) -> Table:
    """Join the rematch of a game, or open it. Raises PoolFull, and as ``Rematches.join``."""
    table = services.games.read(game_id)
    options = table.game.without_deal(table.state.options)
    join = partial(services.rematches.join, game_id, player_id, at)
    return _in_pool_if_slow(services, table.kind, options, join)


def _in_pool_if_slow(services: Services, kind: str, options: Any, deal: Callable[..., Table]) -> Table:
    """Deal a game with these options; in the engine pool with a time limit, if that may take long."""
    if services.rooms[kind].deals_slowly(options):
        return services.pool.run_long(
            current_caller.get(), kind, lambda: deal(stop=services.pool.computing_limit(LONGEST_DEAL_MS))
        )
    return deal()


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
    table = draft(services, kind, setup, seats(opponents), now, settings)  # validate before creating a guest
    response = RedirectResponse(f"/games/{table.id}", status_code=303)
    origin = services.address_digests.digest(address_of(request))
    if settings.listed:
        services.games.check_listing(services.guests.identify(request), origin, now)
    services.games.keep(table.opened_by(services.guests.welcome(request, response, now)), origin)
    return response
