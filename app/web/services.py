"""The services that routes depend on, created once by ``create_app``."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from fastapi import Depends, Request

from app.games.rulebook import Rulebook
from app.store.challenges import Challenges
from app.store.circle_activity import CircleActivity
from app.store.circles import Circles
from app.store.dailies import Dailies
from app.store.days import day_of
from app.store.devices import Devices
from app.store.games import GameStore
from app.store.imports import Imports
from app.store.lessons import Lessons
from app.store.levels import Levels
from app.store.lobby import Lobby
from app.store.mail_addresses import MailAddresses
from app.store.merging import Merging
from app.store.passkeys import Passkeys
from app.store.phrases import Phrases
from app.store.players import PlayerStore
from app.store.rankings import Rankings
from app.store.records import Records
from app.store.remarks import Remarks
from app.store.rematches import Rematches
from app.store.results import ResultStore
from app.store.seating import Seating
from app.store.shown import Shown
from app.store.word_votes import WordVotes
from app.web.guard.address_digest import Origins
from app.web.guard.guests import Guests
from app.web.guard.rates import Rates
from app.web.live.bus import Bus
from app.web.live.presence import Presence
from app.web.live.stream_limiter import StreamLimiter
from app.web.ops.load import LoadMonitor
from app.web.ops.mailer import Mailer
from app.web.ops.metrics import Metrics
from app.web.pool import EnginePool
from app.web.room import Rooms
from app.web.site.quiz_tokens import QuizTokens
from app.web.table.analyst import Analyst
from app.web.table.kinds import Kinds
from app.web.table.replay_cache import Replays
from app.words.definitions import Dictionary
from app.words.library import Library


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a route may use."""

    library: Library
    dictionary: Dictionary
    """Empty if the WordNet files are not installed."""
    rooms: Rooms
    kinds: Kinds
    rulebook: Rulebook
    games: GameStore
    seating: Seating
    rematches: Rematches
    remarks: Remarks
    lobby: Lobby
    lessons: Lessons
    shown: Shown
    levels: Levels
    word_votes: WordVotes
    records: Records
    imports: Imports
    players: PlayerStore
    devices: Devices
    phrases: Phrases
    circles: Circles
    circle_activity: CircleActivity
    passkeys: Passkeys
    mail_addresses: MailAddresses
    mailer: Mailer | None
    """None if the operator configured no mail server."""
    merging: Merging
    results: ResultStore
    rankings: Rankings
    dailies: Dailies
    challenges: Challenges
    guests: Guests
    origins: Origins
    quiz_tokens: QuizTokens
    pool: EnginePool
    rates: Rates
    longest_budget_ms: int
    """Longest time budget of an engine request, in milliseconds."""
    analyst: Analyst
    replays: Replays
    stream_limiter: StreamLimiter
    bus: Bus
    presence: Presence
    longest_stream: float
    """Seconds after which an event stream ends and the page reconnects."""
    metrics: Metrics
    load: LoadMonitor
    metrics_token: str | None
    """Bearer token for reading the metrics from another machine."""
    import_days: int
    """Days after which an imported game is removed unless a player keeps it."""
    clock: Callable[[], float]
    """Seconds since the epoch."""

    def today(self) -> date:
        """The current UTC day."""
        return day_of(self.clock())


async def get_services(request: Request) -> Services:
    """The services of the application.

    Async, like the other dependencies here, because FastAPI would run a sync function in a thread.
    """
    found: Services = request.app.state.services
    return found


ServicesDep = Annotated[Services, Depends(get_services)]


async def lexicons(request: Request) -> Library:
    """The lexicons, for routes that need neither the database nor the engines."""
    found: Library = request.app.state.services.library
    return found


Lexicons = Annotated[Library, Depends(lexicons)]


async def dictionary(request: Request) -> Dictionary:
    """The meanings of words, for such routes."""
    found: Dictionary = request.app.state.services.dictionary
    return found


DictionaryDep = Annotated[Dictionary, Depends(dictionary)]


async def player(request: Request, services: ServicesDep) -> str | None:
    """The ID of the requesting player, from the cookie; None without one."""
    return await services.guests.identified(request)


Player = Annotated[str | None, Depends(player)]
