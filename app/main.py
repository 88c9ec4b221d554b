"""Creates the FastAPI application from the settings."""

import asyncio
import gc
import logging
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from operator import attrgetter
from threading import Thread

from anyio import to_thread
from fastapi import Depends, FastAPI
from pydantic import SecretStr
from starlette_compress import CompressMiddleware, remove_compress_type

from app import __version__
from app.games.kernel import warm_up
from app.games.rulebook import Rulebook
from app.resources import resource
from app.rooms import ROOMS
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
from app.store.games import GameStore, secret_seed
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
from app.web import openapi
from app.web.files import Files
from app.web.guard import connections as connection_limits
from app.web.guard import problems
from app.web.guard.address_digest import AddressDigests
from app.web.guard.bearer import KnownTokens
from app.web.guard.concurrency import ConcurrencyLimit
from app.web.guard.content_types import MOST_FIELDS, MOST_FILES, check_content_type
from app.web.guard.cookie_check import CookieCheck
from app.web.guard.costly_headers import CostlyHeaders
from app.web.guard.guests import Guests
from app.web.guard.methods import CrossOrigin, CrossOriginReads, HeadRequests
from app.web.guard.operator_token import OperatorToken
from app.web.guard.rates import counting
from app.web.guard.security import BodyLimit, SameOriginWrites, SecurityHeaders, TrustedHostMiddleware
from app.web.guard.token_check import BearerTokens
from app.web.guard.token_scopes import TokenScopes
from app.web.guard.zero_characters import ZeroCharacters
from app.web.live import stream
from app.web.live.bus import Bus
from app.web.live.player_events import PAIRED, publish_turns
from app.web.live.presence import Presence
from app.web.live.shutdown import ENGINES_STOP_AFTER, PROCESS_ENDS_AFTER, after, on_stop
from app.web.live.stream_limiter import StreamLimiter
from app.web.notices.sender import send_messages
from app.web.notices.unsubscribing import UnsubscribeLinks
from app.web.notices.web_push import WebPush
from app.web.ops.background import keep_running
from app.web.ops.load import LoadMonitor
from app.web.ops.mailer import mailer_of
from app.web.ops.memory import keep_trimming
from app.web.ops.metrics import SHARED, Metrics
from app.web.ops.request_log import RequestLog
from app.web.ops.retention_sweep import sweep
from app.web.pool import EnginePool
from app.web.room import quick_setups
from app.web.routes import all_routers
from app.web.services import Services
from app.web.site import word_studies_api
from app.web.site.card_files import MOST_BYTES
from app.web.site.quiz_tokens import QuizTokens
from app.web.study.replay_cache import Replayed
from app.web.table.analyst import Analyst
from app.web.table.bot_thinking import thinking_in
from app.web.table.kinds import Kinds
from app.web.table.missed_words import MissedWords
from app.web.table.replay_cache import Replays
from app.web.templating import load_templates, use_templates
from app.words.library import DEFAULT_LEXICON

REPLAY_BYTES = 64 * 1024 * 1024
"""Approximate size of the cache of replayed positions."""
SWITCH_INTERVAL = 0.0005
"""Interpreter switch interval in seconds. With Python's default of 0.005, the median page took several times
as long next to two running engines."""
FULL_COLLECTION = 500
"""Collections of the second generation per full collection. With hundreds of tables a full collection takes
tens of milliseconds, during which every request to the worker waits."""
LARGER_BODIES = dict.fromkeys(("/cards/import", "/api/cards/import"), MOST_BYTES)
"""Maximum body size in bytes of the paths that import files."""

log = logging.getLogger("uvicorn.error.wibble")


def create_app(
    settings: Settings | None = None,
    rooms: Registry = ROOMS,
    clock: Callable[[], float] = time.time,
    seeds: Callable[[], str] = secret_seed,
    once_warm: Callable[[], object] = lambda: None,
    cut_off: Callable[[], None] = lambda: None,
) -> FastAPI:
    """Create the application, by default with the settings of the environment and all rooms.

    ``clock`` gives seconds since the epoch, ``seeds`` the games' seeds. ``once_warm`` is called when lexicon
    and engines are ready, ``cut_off`` if the process still runs when it should have shut down.
    """
    settings = settings or Settings()
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
    players, devices = PlayerStore(database), Devices(database)
    tokens, sanctions = Tokens(database), Sanctions(database)
    known_tokens = KnownTokens(tokens, clock)
    rates = counting(settings.rates, settings.rate_address_share, settings.redis_url, clock)
    load = LoadMonitor()
    connections = connection_limits.Connections(settings)
    metrics.watch(pool, rates, bus, load, connections, partial(games_by_status, database))

    results = ResultStore(database, bus.look_again)
    cards = Cards(database)
    missed_words = MissedWords(library, rooms, games, cards, players, clock)
    key = settings.signing_key()
    seating = Seating(games)
    dailies = Dailies(database, rulebook, games)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, object]]:
        database.migrate()
        bus.open()
        # Each request waiting for an engine holds a thread: add as many, so that others still get one.
        to_thread.current_default_thread_limiter().total_tokens += pool.places
        Thread(target=_prepare, args=(rulebook, once_warm), name="warm-up", daemon=True).start()
        async with _relaying(settings.redis_url, bus, presence):
            background: tuple[Callable[[], Awaitable[None]], ...] = (
                partial(sweep, database, settings.retention, clock),
                metrics.keep_updating,
                load.run,
                keep_trimming,
                connections.keep_watching,
                app.state.services.guests.keep_checking,
                partial(send_messages, app.state.services),
            )
            tasks = [asyncio.create_task(keep_running(each)) for each in background]
            with (
                on_stop(bus.close),
                on_stop(after(ENGINES_STOP_AFTER, pool.stop)),
                on_stop(after(PROCESS_ENDS_AFTER, cut_off)),
            ):
                yield {connection_limits.STATE: connections}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        pool.close()
        database.close()

    app = openapi.Application(
        title="Wibble",
        version=__version__,
        description="Word games and their engines. Open, play and read games as JSON. The cookie set when "
        "you open a game, or an API token, identifies you as its player. Every error is a problem document "
        "(RFC 9457). "
        "Query parameters may write booleans as true and false or as 1 and 0.",
        lifespan=lifespan,
        generate_unique_id_function=attrgetter("name"),
        openapi_url=None,  # app.web.openapi serves it, building it in a thread
        docs_url=None,  # FastAPI's pages load scripts from other sites
        redoc_url=None,
        form_limits={"max_fields": MOST_FIELDS, "max_files": MOST_FILES},
    )
    app.state.services = Services(
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
    use_templates(rooms.values(), settings.cache_dir)
    routers = tuple(all_routers(rooms))
    of_rooms = [router for room in rooms.values() for router in room.routers()]
    scopes = TokenScopes([*of_rooms, word_studies_api.router])
    _add_middleware(app, settings, CrossOrigin(routers, settings.cors_origins), scopes, metrics)
    problems.install(app)
    # Mounted first, because routes are matched in order: each of a page's dozens of files would otherwise be
    # compared with hundreds of routes.
    app.mount("/static", Files(directory=resource("static")), name="static")
    app.mount("/vendor/htmx", Files(packages=[("js_lib_htmx", "static/htmx")]), name="htmx")
    for router in routers:
        app.include_router(router, dependencies=[Depends(check_content_type)])
    return app


def _add_middleware(
    app: FastAPI, settings: Settings, cross_origin: CrossOrigin, scopes: TokenScopes, metrics: Metrics
) -> None:
    """Add the middleware, the innermost first."""
    remove_compress_type("text/event-stream")  # each open stream would keep a compressor in memory
    app.add_middleware(CompressMiddleware, zstd=False, brotli_quality=5, gzip_level=5)
    app.add_middleware(CookieCheck)
    app.add_middleware(ZeroCharacters)
    app.add_middleware(HeadRequests)
    app.add_middleware(BodyLimit, most=settings.largest_body, larger=LARGER_BODIES)
    app.add_middleware(SameOriginWrites, allowed=cross_origin)
    app.add_middleware(BearerTokens, known=app.state.services.known_tokens, scopes=scopes)
    app.add_middleware(TrustedHostMiddleware, names=settings.host_names)
    app.add_middleware(CostlyHeaders)
    app.add_middleware(problems.ServerErrorMiddleware)
    app.add_middleware(CrossOriginReads, allowed=cross_origin)
    app.add_middleware(SecurityHeaders, https=settings.cookie_secure)
    app.add_middleware(ConcurrencyLimit, most=settings.requests_per_address)
    app.add_middleware(RequestLog, answered=metrics.answered)


def _secret(setting: SecretStr | None) -> str | None:
    return None if setting is None else setting.get_secret_value()


def create_served_app() -> FastAPI:
    """The application for a server process: tunes the interpreter and may exit the process."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    return create_app(once_warm=_finish_start, cut_off=partial(os._exit, 0))


def _finish_start() -> None:
    """Load all templates. Exclude long-lived objects from garbage collection; collect in full less often."""
    load_templates()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION)


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


@asynccontextmanager
async def _relaying(redis_url: str | None, bus: Bus, presence: Presence) -> AsyncIterator[None]:
    """Within the block, relay events between worker processes if Redis is configured."""
    if redis_url is None:
        yield
        return
    from app.web.live.redis_relay import RedisRelay  # noqa: PLC0415 - Redis is an optional dependency

    bus.relay = relay = RedisRelay(redis_url, bus, presence)
    await relay.open()
    yield
    await relay.close()


def _prepare(rulebook: Rulebook, once_warm: Callable[[], object]) -> None:
    """Load lexicons and compile engines, in a background thread of the running server."""
    began = time.perf_counter()
    log.info("Loading the word list; building it the first time takes a few seconds")
    rulebook.library.load()
    later = [kind for kind in rulebook.games if rulebook.usual_lexicon(kind) != DEFAULT_LEXICON]
    for kind in rulebook.games.keys() - later:
        rulebook.usual(kind).prepare()
    log.info("Compiling the engines; games are playable meanwhile")
    warm_up()
    once_warm()
    log.info("Ready at full speed after %.1f s", time.perf_counter() - began)
    for kind in later:  # these use other word lists, which must not delay the first page
        rulebook.usual(kind).prepare()
