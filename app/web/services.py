"""The services that routes depend on, created once by ``create_app``."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from fastapi import Depends, Request

from app.games.rulebook import Rulebook
from app.store.audit import Audit
from app.store.blocks import Blocks
from app.store.bot_accounts import BotAccounts
from app.store.cards import Cards
from app.store.challenges import Challenges
from app.store.channels import Channels
from app.store.circle_activity import CircleActivity
from app.store.circles import Circles
from app.store.dailies import Dailies
from app.store.days import day_of
from app.store.devices import Devices
from app.store.direct_challenges import DirectChallenges
from app.store.games import GameStore
from app.store.imports import Imports
from app.store.lessons import Lessons
from app.store.levels import Levels
from app.store.lobby import Lobby
from app.store.mail_addresses import MailAddresses
from app.store.merging import Merging
from app.store.moderation import Moderation
from app.store.operators import Operators
from app.store.outbox import Outbox
from app.store.own_puzzles import OwnPuzzles
from app.store.pairing import Pairing
from app.store.passkeys import Passkeys
from app.store.phrases import Phrases
from app.store.players import PlayerStore
from app.store.puzzle_rushes import PuzzleRushes
from app.store.puzzles import PuzzleStore
from app.store.rankings import Rankings
from app.store.ratings import Ratings
from app.store.records import Records
from app.store.remarks import Remarks
from app.store.rematches import Rematches
from app.store.reports import Reports
from app.store.results import ResultStore
from app.store.sanctions import Sanctions
from app.store.seating import Seating
from app.store.shown_hints import ShownHints
from app.store.study_boards import StudyBoards
from app.store.tokens import Tokens
from app.store.word_votes import WordVotes
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
    sanctions: Sanctions
    reports: Reports
    moderation: Moderation
    audit: Audit
    operators: Operators
    operator_token: OperatorToken
    lobby: Lobby
    lessons: Lessons
    shown: ShownHints
    levels: Levels
    word_votes: WordVotes
    records: Records
    imports: Imports
    players: PlayerStore
    devices: Devices
    phrases: Phrases
    tokens: Tokens
    bot_accounts: BotAccounts
    known_tokens: KnownTokens
    circles: Circles
    circle_activity: CircleActivity
    blocks: Blocks
    cards: Cards
    pairing: Pairing
    puzzles: PuzzleStore
    rushes: PuzzleRushes
    own_puzzles: OwnPuzzles
    study_boards: StudyBoards
    replayed: Replayed
    passkeys: Passkeys
    mail_addresses: MailAddresses
    mailer: Mailer | None
    """None if the operator configured no mail server."""
    channels: Channels
    outbox: Outbox
    push: WebPush | None
    """None if the operator has not configured the site's URL: then no notifications are sent."""
    private_webhooks: bool
    """Whether channels may be at private addresses."""
    unsubscribe: UnsubscribeLinks
    merging: Merging
    results: ResultStore
    rankings: Rankings
    ratings: Ratings
    dailies: Dailies
    challenges: Challenges
    direct_challenges: DirectChallenges
    guests: Guests
    address_digests: AddressDigests
    quiz_tokens: QuizTokens
    pool: EnginePool
    rates: Rates
    longest_budget_ms: int
    """Longest time budget of an engine request, in milliseconds."""
    analyst: Analyst
    missed_words: MissedWords
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
    guest_days: int
    """Days after a guest's last visit until their study boards and cards are removed."""
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
