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
from starlette_compress import CompressMiddleware, remove_compress_type

from app import __version__
from app.composition import Composition, compose
from app.games.kernel import warm_up
from app.games.rulebook import Rulebook
from app.resources import resource
from app.rooms import ROOMS
from app.rooms.registry import Registry
from app.settings import Settings
from app.store.games import secret_seed
from app.web import openapi
from app.web.files import Files
from app.web.guard import connections as connection_limits
from app.web.guard import problems
from app.web.guard.concurrency import ConcurrencyLimit
from app.web.guard.content_types import MOST_FIELDS, MOST_FILES, check_content_type
from app.web.guard.cookie_check import CookieCheck
from app.web.guard.costly_headers import CostlyHeaders
from app.web.guard.methods import CrossOrigin, CrossOriginReads, HeadRequests
from app.web.guard.security import BodyLimit, SameOriginWrites, SecurityHeaders, TrustedHostMiddleware
from app.web.guard.token_check import BearerTokens
from app.web.guard.token_scopes import TokenScopes
from app.web.guard.zero_characters import ZeroCharacters
from app.web.live.bus import Bus
from app.web.live.presence import Presence
from app.web.live.shutdown import ENGINES_STOP_AFTER, PROCESS_ENDS_AFTER, after, on_stop
from app.web.notices.sender import send_messages
from app.web.ops.background import keep_running
from app.web.ops.memory import keep_trimming
from app.web.ops.request_log import RequestLog
from app.web.ops.retention_sweep import sweep
from app.web.room import check_room
from app.web.routes import all_routers
from app.web.services import Services
from app.web.site import word_studies_api
from app.web.site.card_files import MOST_BYTES
from app.web.templating import load_templates, use_templates
from app.words.library import DEFAULT_LEXICON

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
    for kind, room in rooms.items():
        check_room(kind, room)
    parts = compose(settings, rooms, clock, seeds)
    app = openapi.Application(
        title="Wibble",
        version=__version__,
        description="Word games and their engines. Open, play and read games as JSON. The cookie set when "
        "you open a game, or an API token, identifies you as its player. Every error is a problem document "
        "(RFC 9457). "
        "Query parameters may write booleans as true and false or as 1 and 0, and lists by repeating the "
        "parameter.\n\n"
        "To play, open a game with ``POST /api/games``. Its ``view`` has the position, and the seat on turn "
        "as ``to_move``; make your moves with ``POST /api/games/{game_id}/moves``. Against others, "
        "``GET /api/events`` says when it is your turn.\n\n"
        "Pages of other sites may use the engines and the words (CORS), without the cookie, unless the "
        "server is set to refuse them. All else is for programs and for the server's own pages.",
        lifespan=lambda _app: _lifespan(parts, settings, once_warm, cut_off),
        generate_unique_id_function=attrgetter("name"),
        openapi_url=None,  # app.web.openapi serves it, building it in a thread
        docs_url=None,  # FastAPI's pages load scripts from other sites
        redoc_url=None,
        form_limits={"max_fields": MOST_FIELDS, "max_files": MOST_FILES},
    )
    app.state.services = parts.services
    use_templates(rooms.values(), settings.cache_dir)
    routers = tuple(all_routers(rooms))
    of_rooms = [router for room in rooms.values() for router in room.routers()]
    scopes = TokenScopes([*of_rooms, word_studies_api.router])
    _add_middleware(app, settings, CrossOrigin(routers, settings.cors_origins), scopes)
    problems.install(app)
    # Mounted first, because routes are matched in order: each of a page's dozens of files would otherwise be
    # compared with hundreds of routes.
    app.mount("/static", Files(directory=resource("static")), name="static")
    app.mount("/vendor/htmx", Files(packages=[("js_lib_htmx", "static/htmx")]), name="htmx")
    for router in routers:
        app.include_router(router, dependencies=[Depends(check_content_type)])
    return app


@asynccontextmanager
async def _lifespan(
    parts: Composition, settings: Settings, once_warm: Callable[[], object], cut_off: Callable[[], None]
) -> AsyncIterator[dict[str, object]]:
    """Open and close what the services use, and run the background tasks within the block."""
    services, database, connections = parts
    database.migrate()
    services.bus.open()
    # Each request waiting for an engine holds a thread: add as many, so that others still get one.
    to_thread.current_default_thread_limiter().total_tokens += services.pool.places
    Thread(target=_prepare, args=(services.rulebook, once_warm), name="warm-up", daemon=True).start()
    async with _relaying(settings.redis_url, services.bus, services.presence):
        background: tuple[Callable[[], Awaitable[None]], ...] = (
            partial(sweep, database, settings.retention, services.clock),
            services.metrics.keep_updating,
            services.load.run,
            keep_trimming,
            connections.keep_watching,
            services.guests.keep_checking,
            partial(send_messages, services),
        )
        tasks = [asyncio.create_task(keep_running(each)) for each in background]
        with (
            on_stop(services.bus.close),
            on_stop(after(ENGINES_STOP_AFTER, services.pool.stop)),
            on_stop(after(PROCESS_ENDS_AFTER, cut_off)),
        ):
            yield {connection_limits.STATE: connections}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    services.pool.close()
    database.close()


def _add_middleware(app: FastAPI, settings: Settings, cross_origin: CrossOrigin, scopes: TokenScopes) -> None:
    """Add the middleware, the innermost first."""
    services: Services = app.state.services
    remove_compress_type("text/event-stream")  # each open stream would keep a compressor in memory
    app.add_middleware(CompressMiddleware, zstd=False, brotli_quality=5, gzip_level=5)
    app.add_middleware(CookieCheck)
    app.add_middleware(ZeroCharacters)
    app.add_middleware(HeadRequests)
    app.add_middleware(BodyLimit, most=settings.largest_body, larger=LARGER_BODIES)
    app.add_middleware(SameOriginWrites, allowed=cross_origin)
    app.add_middleware(BearerTokens, known=services.known_tokens, scopes=scopes)
    app.add_middleware(TrustedHostMiddleware, names=settings.host_names)
    app.add_middleware(CostlyHeaders)
    app.add_middleware(problems.ServerErrorMiddleware)
    app.add_middleware(CrossOriginReads, allowed=cross_origin)
    app.add_middleware(SecurityHeaders, https=settings.cookie_secure)
    app.add_middleware(ConcurrencyLimit, most=settings.requests_per_address)
    app.add_middleware(RequestLog, answered=services.metrics.answered)


def create_served_app(rooms: Registry = ROOMS) -> FastAPI:
    """The application for a server process: tunes the interpreter and may exit the process."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    return create_app(rooms=rooms, once_warm=_finish_start, cut_off=partial(os._exit, 0))


def _finish_start() -> None:
    """Load all templates. Exclude long-lived objects from garbage collection; collect in full less often."""
    load_templates()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION)


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
