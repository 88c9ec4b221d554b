"""What the routes call: made once by ``create_app`` and handed to each request."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from fastapi import Depends, Request

from app.games.rulebook import Rulebook
from app.store.dailies import Dailies
from app.store.days import day_of
from app.store.games import GameStore
from app.store.imports import Imports
from app.store.lobby import Lobby
from app.store.players import PlayerStore
from app.store.rankings import Rankings
from app.store.records import Records
from app.store.remarks import Remarks
from app.store.rematches import Rematches
from app.store.results import ResultStore
from app.store.seating import Seating
from app.web.guard.address_digest import Origins
from app.web.guard.guests import Guests
from app.web.guard.rates import Rates
from app.web.live.bus import Bus
from app.web.live.presence import Presence
from app.web.live.stream_limiter import StreamLimiter
from app.web.ops.load import LoadMonitor
from app.web.ops.metrics import Metrics
from app.web.pool import EnginePool
from app.web.table.analyst import Analyst
from app.web.table.replay_cache import Replays
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
    seating: Seating
    rematches: Rematches
    remarks: Remarks
    lobby: Lobby
    records: Records
    imports: Imports
    players: PlayerStore
    results: ResultStore
    rankings: Rankings
    dailies: Dailies
    guests: Guests
    origins: Origins
    pool: EnginePool
    rates: Rates
    longest_budget_ms: int
    """Milliseconds that a question may let an engine think."""
    analyst: Analyst
    replays: Replays
    stream_limiter: StreamLimiter
    bus: Bus
    presence: Presence
    longest_stream: float
    """Seconds after which an event stream ends, to begin anew."""
    metrics: Metrics
    load: LoadMonitor
    metrics_token: str | None
    """Lets who shows it read the metrics from elsewhere."""
    import_days: int
    """Days after which an imported game goes that nobody keeps."""
    clock: Callable[[], float]
    """Seconds since the epoch."""

    def today(self) -> date:
        """The day it is everywhere, by UTC."""
        return day_of(self.clock())


async def get_services(request: Request) -> Services:
    """The services of the application that answers ``request``.

    Async like ``player``, because neither waits for anything: a plain function would cost a thread each.
    """
    found: Services = request.app.state.services
    return found


ServicesDep = Annotated[Services, Depends(get_services)]


async def lexicons(request: Request) -> Library:
    """The lexicons alone: who asks for no more needs no store and no engine."""
    found: Library = request.app.state.services.library
    return found


Lexicons = Annotated[Library, Depends(lexicons)]


async def player(request: Request, services: ServicesDep) -> str | None:
    """Who asks, by their cookie; None for somebody never seen."""
    return services.guests.identify(request)


Player = Annotated[str | None, Depends(player)]
