"""What the routes call: made once by ``create_app`` and handed to each request."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from fastapi import Depends, Request

from app.games.rulebook import Rulebook
from app.store.dailies import Dailies
from app.store.days import day_of
from app.store.games import GameStore
from app.store.players import PlayerStore
from app.store.results import ResultStore
from app.web.analyst import Analyst
from app.web.guests import Guests
from app.web.live.bus import Bus
from app.web.live.presence import Presence
from app.web.metrics import Metrics
from app.web.pool import EnginePool
from app.words.definitions import Dictionary
from app.words.library import Library


@dataclass(frozen=True, slots=True)
class Services:
    """The floors below, as one installation has set them up."""

    library: Library
    dictionary: Dictionary
    """What words mean, where the files for that are installed."""
    rulebook: Rulebook
    games: GameStore
    players: PlayerStore
    results: ResultStore
    dailies: Dailies
    guests: Guests
    pool: EnginePool
    analyst: Analyst
    replay: Callable[[str], tuple[Any, ...]]
    """All states of the finished game with this identifier, from memory if it was asked for lately."""
    bus: Bus
    presence: Presence
    metrics: Metrics
    metrics_token: str | None
    """Lets who shows it read the metrics from elsewhere."""
    clock: Callable[[], float]
    """Seconds since the epoch."""

    def today(self) -> date:
        """The day it is everywhere, by UTC."""
        return day_of(self.clock())


async def services(request: Request) -> Services:
    """The services of the application that answers ``request``.

    Async like ``player``, because neither waits for anything: a plain function would cost a thread each.
    """
    found: Services = request.app.state.services
    return found


House = Annotated[Services, Depends(services)]


async def player(request: Request, house: House) -> str | None:
    """Who asks, by their cookie; None for somebody never seen."""
    return house.guests.identify(request)


Player = Annotated[str | None, Depends(player)]
