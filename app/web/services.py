"""The services that routes depend on, created once by ``create_app``."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from fastapi import Depends, Request

from app.games.rulebook import Rulebook
from app.store.bot_accounts import BotAccounts
from app.store.challenges import Challenges
from app.store.dailies import Dailies
from app.store.days import day_of
from app.store.direct_challenges import DirectChallenges
from app.store.games import GameStore
from app.store.imports import Imports
from app.store.lessons import Lessons
from app.store.lobby import Lobby
from app.store.moderation import Moderation
from app.store.pairing import Pairing
from app.store.players import PlayerStore
from app.store.records import Records
from app.store.remarks import Remarks
from app.store.rematches import Rematches
from app.store.results import ResultStore
from app.store.seating import Seating
from app.store.stores import Stores
from app.web.guard.address_digest import AddressDigests
from app.web.guard.bearer import KnownTokens
from app.web.guard.guests import Guests
from app.web.guard.operator_token import OperatorToken
from app.web.guard.rates import Rates
from app.web.live.bus import Bus
from app.web.live.presence import Presence
from app.web.live.stream_limiter import StreamLimiter
from app.web.notices.unsubscribing import UnsubscribeLinks
from app.web.notices.web_push import WebPush
from app.web.ops.load import LoadMonitor
from app.web.ops.mailer import Mailer
from app.web.ops.metrics import Metrics
from app.web.pool import EnginePool
from app.web.room import Rooms
from app.web.site.quiz_tokens import QuizTokens
from app.web.study.replay_cache import Replayed
from app.web.table.analyst import Analyst
from app.web.table.kinds import Kinds
from app.web.table.missed_words import MissedWords
from app.web.table.replay_cache import Replays
from app.words.definitions import Dictionary
from app.words.library import Library


@dataclass(frozen=True, kw_only=True)
class Services(Stores):
    """Everything a route may use: the stores, and what is composed of them."""

    # Words and rules
    library: Library
    dictionary: Dictionary
    """Empty if the WordNet files are not installed."""
    rooms: Rooms
    kinds: Kinds
    rulebook: Rulebook

    # Tables
    games: GameStore
    seating: Seating
    remarks: Remarks
    rematches: Rematches
    lobby: Lobby
    pairing: Pairing
    direct_challenges: DirectChallenges
    lessons: Lessons
    dailies: Dailies
    challenges: Challenges

    # Finished games
    results: ResultStore
    records: Records
    imports: Imports
    import_days: int
    """Days after which an imported game is removed unless a player keeps it."""
    analyst: Analyst
    missed_words: MissedWords
    replays: Replays
    replayed: Replayed

    # Players and operators
    players: PlayerStore
    guests: Guests
    guest_days: int
    """Days after a guest's last visit until their study boards and cards are removed."""
    known_tokens: KnownTokens
    bot_accounts: BotAccounts
    quiz_tokens: QuizTokens
    address_digests: AddressDigests
    moderation: Moderation
    operator_token: OperatorToken

    # Live updates and messages
    bus: Bus
    presence: Presence
    stream_limiter: StreamLimiter
    longest_stream: float
    """Seconds after which an event stream ends and the page reconnects."""
    mailer: Mailer | None
    """None if the operator configured no mail server."""
    push: WebPush | None
    """None if the operator has not configured the site's URL: then no notifications are sent."""
    private_webhooks: bool
    """Whether channels may be at private addresses."""
    unsubscribe: UnsubscribeLinks

    # Engines and operation
    pool: EnginePool
    longest_budget_ms: int
    """Longest time budget of an engine request, in milliseconds."""
    rates: Rates
    load: LoadMonitor
    metrics: Metrics
    metrics_token: str | None
    """Bearer token for reading the metrics from another machine."""
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
    """The meanings of words, for the same routes."""
    found: Dictionary = request.app.state.services.dictionary
    return found


DictionaryDep = Annotated[Dictionary, Depends(dictionary)]


async def player(request: Request) -> str | None:
    """The ID of the requesting player, from the token or the cookie; None without one."""
    return await (await get_services(request)).guests.identified(request)


Player = Annotated[str | None, Depends(player)]
