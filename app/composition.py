"""Builds the services of the application from the settings."""

import logging
import os
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from pydantic import SecretStr

from app.rooms.registry import Registry
from app.settings import Settings
from app.store.bot_accounts import BotAccounts
from app.store.challenges import Challenges
from app.store.dailies import Dailies
from app.store.database import Database
from app.store.direct_challenges import DirectChallenges
from app.store.games import GameStore
from app.store.imports import ImportLimits, Imports
from app.store.lessons import Lessons
from app.store.listed_tables import ListingLimits
from app.store.lobby import Lobby
from app.store.models import Table
from app.store.moderation import Moderation
from app.store.pairing import Pairing
from app.store.players import PlayerStore
from app.store.records import Records
from app.store.remarks import Remarks
from app.store.rematches import Rematches
from app.store.results import ResultStore
from app.store.retention import games_by_status
from app.store.seating import Seating
from app.store.stores import Stores
from app.web.guard.address_digest import AddressDigests
from app.web.guard.bearer import KnownTokens
from app.web.guard.connections import Connections
from app.web.guard.guests import Guests
from app.web.guard.operator_token import OperatorToken
from app.web.guard.rates import counting
from app.web.live import stream
from app.web.live.bus import Bus
from app.web.live.player_events import PAIRED, publish_turns
from app.web.live.presence import Presence
from app.web.live.stream_limiter import StreamLimiter
from app.web.notices.unsubscribing import UnsubscribeLinks
from app.web.notices.web_push import WebPush
from app.web.ops.load import LoadMonitor
from app.web.ops.mailer import mailer_of
from app.web.ops.metrics import SHARED, Metrics
from app.web.pool import EnginePool
from app.web.room import quick_setups
from app.web.services import Services
from app.web.site.quiz_tokens import QuizTokens
from app.web.study.replay_cache import Replayed
from app.web.table.analyst import Analyst
from app.web.table.bot_thinking import thinking_in
from app.web.table.kinds import Kinds
from app.web.table.missed_words import MissedWords
from app.web.table.replay_cache import Replays

REPLAY_BYTES = 64 * 1024 * 1024
"""Approximate size of the cache of replayed positions."""

log = logging.getLogger("uvicorn.error.wibble")


class Composition(NamedTuple):
    """The services, and what the application opens and closes itself."""

    services: Services
    database: Database
    connections: Connections


def compose(
    settings: Settings, rooms: Registry, clock: Callable[[], float], seeds: Callable[[], str]
) -> Composition:
    """Build all services; see ``create_app`` for the arguments."""
    for warning in rooms.load_custom(settings.data_dir):
        log.warning(warning)
    library = settings.library()
    rulebook = rooms.rulebook(library)
    bus = Bus()

    connections, load = Connections(settings), LoadMonitor()
    metrics = Metrics(os.environ.get(SHARED))
    pool = EnginePool(settings.engine_threads, settings.engine_queue, metrics.computed)
    rates = counting(settings.rates, settings.rate_address_share, settings.redis_url, clock)

    database = Database(settings.store_url)
    stores = Stores.of(database)
    key = settings.signing_key()
    games = GameStore(
        database,
        rulebook,
        partial(_announce, bus),
        most_open=settings.open_games,
        seeds=seeds,
        start_thinking=thinking_in(pool, bus),
        listing=ListingLimits(settings.listed_per_player, settings.listed_per_address),
    )
    players = PlayerStore(database, bus.look_again)
    results = ResultStore(database, bus.look_again)
    seating = Seating(games)
    dailies = Dailies(database, rulebook, games)
    importing = ImportLimits(settings.imports_per_address, settings.imports_per_player)
    missed_words = MissedWords(library, rooms, games, stores.cards, players, clock)
    metrics.watch(pool, rates, bus, load, connections, partial(games_by_status, database))

    services = Services(
        **vars(stores),
        # Words and rules
        library=library,
        dictionary=settings.dictionary(),
        rooms=rooms,
        kinds=Kinds(rooms),
        rulebook=rulebook,
        # Tables
        games=games,
        seating=seating,
        remarks=Remarks(games),
        rematches=Rematches(games, seating),
        lobby=Lobby(games),
        pairing=Pairing(games, quick_setups(rooms), partial(_announce_pair, bus)),
        direct_challenges=DirectChallenges(games, bus.notify_player, partial(_announce_pair, bus)),
        lessons=Lessons(games),
        dailies=dailies,
        challenges=Challenges(games, dailies),
        # Finished games
        results=results,
        records=Records(games, importing),
        imports=Imports(database, importing),
        import_days=settings.keep_imported_days,
        analyst=Analyst(games, results, pool, settings.review_seconds, missed_words.add_wanted),
        missed_words=missed_words,
        replays=Replays(games, REPLAY_BYTES),
        replayed=Replayed(),
        # Players and operators
        players=players,
        guests=Guests(key, players, stores.devices, clock, secure=settings.cookie_secure),
        guest_days=settings.keep_guest_days,
        known_tokens=KnownTokens(stores.tokens, clock),
        bot_accounts=BotAccounts(database, bus.look_again),
        quiz_tokens=QuizTokens(key),
        address_digests=AddressDigests(key),
        moderation=Moderation(database, stores.sanctions, bus.look_again),
        operator_token=OperatorToken(
            _secret(settings.admin_token), key, clock, secure=settings.cookie_secure
        ),
        # Live updates and messages
        bus=bus,
        presence=Presence(bus),
        stream_limiter=StreamLimiter(settings.streams_per_player, settings.streams_per_address),
        longest_stream=settings.longest_stream,
        mailer=mailer_of(settings),
        push=WebPush(key, settings.site_url) if settings.site_url else None,
        private_webhooks=settings.private_webhooks,
        unsubscribe=UnsubscribeLinks(key),
        # Engines and operation
        pool=pool,
        longest_budget_ms=settings.longest_budget_ms,
        rates=rates,
        load=load,
        metrics=metrics,
        metrics_token=_secret(settings.metrics_token),
        clock=clock,
    )
    return Composition(services, database, connections)


def _secret(setting: SecretStr | None) -> str | None:
    return None if setting is None else setting.get_secret_value()


def _announce(bus: Bus, table: Table, before: Table | None) -> None:
    """Publish a change of a table to its pages and, after a move or a seat taken, to its players."""
    bus.publish(table.id, stream.TABLE, stream.announce(table, before), table.stage)
    if before is not None:
        publish_turns(bus, table, before.movers)


def _announce_pair(bus: Bus, table: Table) -> None:
    """Notify two players that they have been paired, and the one whose turn it is."""
    for seat in table.seats:
        if seat.player_id is not None:
            bus.notify_player(seat.player_id, PAIRED, table.id)
    publish_turns(bus, table)
