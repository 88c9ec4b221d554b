"""Builds the services of the application from the settings."""

import logging
import os
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from pydantic import SecretStr

from app.rooms.registry import Registry
from app.settings import Settings
from app.store.audit import Audit
from app.store.blocks import Blocks
from app.store.bot_accounts import BotAccounts
from app.store.cards import Cards
from app.store.challenges import Challenges
from app.store.channels import Channels
from app.store.circle_activity import CircleActivity
from app.store.circles import Circles
from app.store.dailies import Dailies
from app.store.database import Database
from app.store.devices import Devices
from app.store.direct_challenges import DirectChallenges
from app.store.games import GameStore
from app.store.imports import ImportLimits, Imports
from app.store.lessons import Lessons
from app.store.levels import Levels
from app.store.listed_tables import ListingLimits
from app.store.lobby import Lobby
from app.store.mail_addresses import MailAddresses
from app.store.merging import Merging
from app.store.models import Table
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
from app.store.retention import games_by_status
from app.store.sanctions import Sanctions
from app.store.seating import Seating
from app.store.shown_hints import ShownHints
from app.store.study_boards import StudyBoards
from app.store.tokens import Tokens
from app.store.word_votes import WordVotes
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
    library = settings.library()
    for warning in rooms.load_custom(settings.data_dir):
        log.warning(warning)
    database = Database(settings.store_url)
    rulebook = rooms.rulebook(library)
    bus = Bus()
    presence = Presence(bus)
    metrics = Metrics(os.environ.get(SHARED))
    pool = EnginePool(settings.engine_threads, settings.engine_queue, metrics.computed)
    games = GameStore(
        database,
        rulebook,
        partial(_announce, bus),
        most_open=settings.open_games,
        seeds=seeds,
        start_thinking=thinking_in(pool, bus),
        listing=ListingLimits(settings.listed_per_player, settings.listed_per_address),
    )
    importing = ImportLimits(settings.imports_per_address, settings.imports_per_player)
    players, devices = PlayerStore(database, bus.look_again), Devices(database)
    tokens, sanctions = Tokens(database), Sanctions(database)
    known_tokens = KnownTokens(tokens, clock)
    rates = counting(settings.rates, settings.rate_address_share, settings.redis_url, clock)
    load = LoadMonitor()
    connections = Connections(settings)
    metrics.watch(pool, rates, bus, load, connections, partial(games_by_status, database))

    results = ResultStore(database, bus.look_again)
    cards = Cards(database)
    missed_words = MissedWords(library, rooms, games, cards, players, clock)
    key = settings.signing_key()
    seating = Seating(games)
    dailies = Dailies(database, rulebook, games)
    services = Services(
        library=library,
        dictionary=settings.dictionary(),
        rooms=rooms,
        kinds=Kinds(rooms),
        rulebook=rulebook,
        games=games,
        seating=seating,
        rematches=Rematches(games, seating),
        remarks=Remarks(games),
        sanctions=sanctions,
        reports=Reports(database),
        moderation=Moderation(database, sanctions, bus.look_again),
        audit=Audit(database),
        operators=Operators(database),
        operator_token=OperatorToken(
            _secret(settings.admin_token), key, clock, secure=settings.cookie_secure
        ),
        lobby=Lobby(games),
        lessons=Lessons(games),
        shown=ShownHints(database),
        levels=Levels(database),
        word_votes=WordVotes(database),
        records=Records(games, importing),
        imports=Imports(database, importing),
        players=players,
        devices=devices,
        phrases=Phrases(database),
        tokens=tokens,
        bot_accounts=BotAccounts(database, bus.look_again),
        known_tokens=known_tokens,
        circles=Circles(database),
        circle_activity=CircleActivity(database),
        blocks=Blocks(database),
        cards=cards,
        pairing=Pairing(games, quick_setups(rooms), partial(_announce_pair, bus)),
        puzzles=PuzzleStore(database),
        rushes=PuzzleRushes(database),
        own_puzzles=OwnPuzzles(database),
        study_boards=StudyBoards(database),
        replayed=Replayed(),
        passkeys=Passkeys(database),
        mail_addresses=MailAddresses(database),
        mailer=mailer_of(settings),
        channels=Channels(database),
        outbox=Outbox(database),
        push=WebPush(key, settings.site_url) if settings.site_url else None,
        private_webhooks=settings.private_webhooks,
        unsubscribe=UnsubscribeLinks(key),
        merging=Merging(database),
        results=results,
        rankings=Rankings(database),
        ratings=Ratings(database),
        dailies=dailies,
        challenges=Challenges(games, dailies),
        direct_challenges=DirectChallenges(games, bus.notify_player, partial(_announce_pair, bus)),
        guests=Guests(key, players, devices, clock, secure=settings.cookie_secure),
        address_digests=AddressDigests(key),
        quiz_tokens=QuizTokens(key),
        pool=pool,
        rates=rates,
        longest_budget_ms=settings.longest_budget_ms,
        analyst=Analyst(games, results, pool, settings.review_seconds, missed_words.add_wanted),
        missed_words=missed_words,
        replays=Replays(games, REPLAY_BYTES),
        stream_limiter=StreamLimiter(settings.streams_per_player, settings.streams_per_address),
        bus=bus,
        presence=presence,
        longest_stream=settings.longest_stream,
        metrics=metrics,
        load=load,
        metrics_token=_secret(settings.metrics_token),
        import_days=settings.keep_imported_days,
        guest_days=settings.keep_guest_days,
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
