"""Wires the floors together into one application."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from threading import Thread

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from app import __version__
from app.games.kernel import warm_up
from app.games.rulebook import GAMES, Rulebook
from app.resources import resource
from app.settings import Settings
from app.store.dailies import Dailies
from app.store.database import Database
from app.store.games import GameStore
from app.store.players import PlayerStore
from app.store.results import ResultStore
from app.store.retention import games_by_status
from app.web import health, problems
from app.web.analyst import Analyst
from app.web.api import boggle as boggle_api
from app.web.api import boggle_generate as boggle_generate_api
from app.web.api import fribble as fribble_api
from app.web.api import fribble_moves as fribble_moves_api
from app.web.api import games as games_api
from app.web.api import letterpress as letterpress_api
from app.web.api import life as life_api
from app.web.api import scrabblet as scrabblet_api
from app.web.api import wibble as wibble_api
from app.web.api import words as words_api
from app.web.guests import Guests
from app.web.live import stream
from app.web.live.bus import Bus
from app.web.live.presence import Presence
from app.web.live.shutdown import on_stop
from app.web.metrics import Metrics
from app.web.pages import (
    boggle,
    boggle_generator,
    company,
    daily,
    fribble,
    fribble_team,
    home,
    letterpress,
    letterpress_solver,
    me,
    replay,
    table,
    words,
)
from app.web.pages import scrabblet as scrabblet_pages
from app.web.pool import EnginePool
from app.web.requests import RequestLog
from app.web.rooms import ROOMS
from app.web.security import BodyLimit, SameOriginWrites, SecurityHeaders
from app.web.services import Services
from app.web.sweep import sweep
from app.web.templating import templates
from app.words.library import DEFAULT_LEXICON

REPLAYS_IN_MEMORY = 64
APIS = (
    stream,
    games_api,
    life_api,
    wibble_api,
    letterpress_api,
    boggle_api,
    boggle_generate_api,
    fribble_api,
    fribble_moves_api,
    scrabblet_api,
    words_api,
    health,
)
PAGES = (
    home,
    letterpress,
    letterpress_solver,
    fribble_team,
    scrabblet_pages,
    fribble,
    boggle,
    boggle_generator,
    table,
    company,
    replay,
    me,
    words,
    daily,  # the last: it is at /daily and at any other room's /KIND/daily
)

log = logging.getLogger("uvicorn.error.wibble")


def create_app(settings: Settings | None = None, clock: Callable[[], float] = time.time) -> FastAPI:
    """The application for these settings, by default those of the environment.

    ``clock`` gives seconds since the epoch.
    """
    settings = settings or Settings()
    library = settings.library()
    database = Database(settings.store_url)
    rulebook = Rulebook(library)
    bus = Bus()
    presence = Presence(bus)
    games = GameStore(
        database, rulebook, lambda table: bus.publish(table.id, stream.TABLE, stream.announce(table))
    )
    players = PlayerStore(database)
    metrics = Metrics()
    pool = EnginePool(settings.engine_threads, settings.engine_queue, metrics.computed)
    metrics.watch(pool, bus, partial(games_by_status, database))

    results = ResultStore(database)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        database.migrate()
        bus.open()
        Thread(target=_prepare, args=(rulebook,), name="warm-up", daemon=True).start()
        async with _relaying(settings.redis_url, bus, presence):
            sweeping = asyncio.create_task(sweep(database, settings.retention, clock))
            with on_stop(bus.close):
                yield
            sweeping.cancel()
        pool.close()
        database.close()

    app = FastAPI(
        title="Wibble",
        version=__version__,
        description="Word games and their engines. A game is opened, moved and read as JSON; who opens it is "
        "known by the cookie of the answer. Every error is a problem document (RFC 9457).",
        lifespan=lifespan,
        docs_url=None,  # the usual pages load scripts from elsewhere; the document itself is at /openapi.json
        redoc_url=None,
    )
    app.state.services = Services(
        library=library,
        dictionary=settings.dictionary(),
        rulebook=rulebook,
        games=games,
        players=players,
        results=results,
        dailies=Dailies(database, rulebook, games),
        guests=Guests(settings.signing_key(), players, secure=settings.cookie_secure),
        pool=pool,
        analyst=Analyst(games, results, pool),
        replay=lru_cache(maxsize=REPLAYS_IN_MEMORY)(games.states),
        bus=bus,
        presence=presence,
        metrics=metrics,
        metrics_token=settings.metrics_token.get_secret_value() if settings.metrics_token else None,
        clock=clock,
    )
    templates.env.globals["rooms"] = ROOMS
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=5)
    app.add_middleware(BodyLimit)
    app.add_middleware(SameOriginWrites)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog, answered=metrics.answered)
    problems.install(app)
    for part in (*APIS, *PAGES):
        app.include_router(part.router)
    app.mount("/static", StaticFiles(directory=resource("static")), name="static")
    app.mount("/vendor/htmx", StaticFiles(packages=[("js_lib_htmx", "static/htmx")]), name="htmx")
    return app


@asynccontextmanager
async def _relaying(redis_url: str | None, bus: Bus, presence: Presence) -> AsyncIterator[None]:
    """Pass news between processes for as long as the block runs, where there is a Redis to do it through."""
    if redis_url is None:
        yield
        return
    from app.web.live.redis_relay import RedisRelay  # noqa: PLC0415 - Redis is an optional dependency

    bus.relay = relay = RedisRelay(redis_url, bus, presence)
    await relay.open()
    yield
    await relay.close()


def _prepare(rulebook: Rulebook) -> None:
    """What makes the first words fast: done behind the running server, which answers meanwhile."""
    began = time.perf_counter()
    log.info("Reading the word list; the very first time it is built, which takes a few seconds")
    rulebook.library.load()
    for kind in GAMES:
        rulebook.game(kind, rulebook.ref(DEFAULT_LEXICON)).prepare()
    log.info("Compiling the engines; the game is playable meanwhile")
    warm_up()
    log.info("Ready at full speed after %.1f s", time.perf_counter() - began)
