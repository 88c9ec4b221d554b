"""``wibble serve`` and ``wibble warm``."""

import logging
import os
import signal
import socket
import sqlite3
import sys
import time
from contextlib import closing
from functools import partial
from importlib import import_module
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as StoreBusy

from app.logs import JSON_LOG
from app.rooms.registry import Registry
from app.settings import BadKey, Settings, unknown_settings
from app.store.database import Database, NotMigrated, StoreDamaged, StoreInUse
from app.terminal import output
from app.terminal.arguments import fail

if TYPE_CHECKING:
    import uvicorn

console = Console()

_SEND_BUFFER_BYTES: Final = 256 * 1024
"""Size of a connection's send buffer in the kernel."""
_CLAIM_CHECKED_EVERY: Final = 5.0
"""Seconds between two checks that this process still holds the claim on the store."""

log = logging.getLogger("uvicorn.error.wibble")


def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on [default: 127.0.0.1].")] = None,
    port: Annotated[
        int | None, typer.Option(help="Port to listen on [default: 8000].", min=0, max=65535)
    ] = None,
    workers: Annotated[
        int, typer.Option(help="Number of worker processes; more than one requires Redis.", min=1, max=64)
    ] = 1,
) -> None:
    """Serve the web site and the API."""
    import uvicorn  # noqa: PLC0415 - keeps the other commands fast
    from uvicorn.config import LOGGING_CONFIG  # noqa: PLC0415

    from app.web.guard.connections import raise_file_limit  # noqa: PLC0415
    from app.web.live.shutdown import CONNECTIONS_CLOSE_AFTER  # noqa: PLC0415
    from app.web.ops.metrics import SHARED  # noqa: PLC0415

    settings = Settings()
    output.warn(unknown_settings())
    if settings.redis_url is None and workers > 1:
        fail(f"--workers {workers} requires Redis: set WIBBLE_REDIS_URL")
    if settings.redis_url is not None:
        _check_redis(settings.redis_url)
    _check_rooms(context.obj)
    store = _open_store(settings)
    listening = _listen(host or settings.host, settings.port if port is None else port)
    config = uvicorn.Config(
        partial(_create_app, context.obj),
        factory=True,
        workers=workers,
        access_log=False,  # app.web logs requests, without personal data
        log_config=JSON_LOG if settings.log_json else LOGGING_CONFIG,
        http="app.web.guard.connections:LimitedConnection",
        ws="none",
        forwarded_allow_ips=settings.trusted_proxies,
        server_header=False,
        timeout_graceful_shutdown=CONNECTIONS_CLOSE_AFTER,
        timeout_worker_healthcheck=30,  # a worker starts slowly on a busy machine
        timeout_keep_alive=settings.idle_timeout,
    )
    raise_file_limit()
    claim_lost, stopping = Event(), Event()
    for stop_signal in (signal.SIGTERM, signal.SIGINT):
        # Uvicorn re-raises the signal after its graceful shutdown.
        signal.signal(stop_signal, lambda *_: sys.exit(1 if claim_lost.is_set() else 0))
    console.print(
        f"\n  Wibble is at [bold cyan]{_address(listening)}[/]   (Ctrl+C stops it)", highlight=False
    )
    console.print(
        f"  Games are kept in {settings.shown_store}\n", style="dim", highlight=False, soft_wrap=True
    )
    with closing(store):  # holds the claim on the store
        if workers > 1:
            with TemporaryDirectory(prefix="wibble-metrics-") as os.environ[SHARED]:
                _serve_with_workers(config, listening)
        else:
            if settings.redis_url is None:
                Thread(target=_watch_claim, args=(store, stopping, claim_lost), daemon=True).start()
            try:
                uvicorn.Server(config).run(sockets=[listening])
            finally:
                stopping.set()


def _create_app(rooms: Registry) -> Any:
    """The application with these rooms, imported only by the processes that serve it."""
    return import_module("app.main").create_served_app(rooms)


def _watch_claim(store: Database, stopping: Event, claim_lost: Event) -> None:
    """Claim the store again whenever the connection with the claim is lost, until ``stopping``.

    If another process has claimed it meanwhile, set ``claim_lost`` and stop this one: pages of one process
    would not get moves made through the other.
    """
    held = True
    while not stopping.wait(_CLAIM_CHECKED_EVERY if held else 1.0):
        try:
            now_held = store.keep_claim()
        except StoreInUse:
            log.critical("Another Wibble process has claimed the database: stopping this one")
            claim_lost.set()
            os.kill(os.getpid(), signal.SIGTERM)
            return
        except (DBAPIError, StoreBusy):
            now_held = False
        if now_held is not held:
            log.warning("The database is claimed again" if now_held else "The claim on the database is lost")
        held = now_held


def _serve_with_workers(config: "uvicorn.Config", listening: socket.socket) -> None:
    """Serve with several worker processes; a stop signal ends all of them."""
    from uvicorn.config import STARTUP_FAILURE  # noqa: PLC0415
    from uvicorn.supervisors import Multiprocess  # noqa: PLC0415

    from app.web.live.shutdown import PROCESS_ENDS_AFTER  # noqa: PLC0415

    supervisor = Multiprocess(config, sockets=[listening])

    def end_workers() -> None:
        supervisor.should_exit.set()
        for worker in supervisor.processes:
            worker.process.terminate()
        time.sleep(PROCESS_ENDS_AFTER)
        for worker in supervisor.processes:
            worker.process.kill()

    for stop_signal in (signal.SIGTERM, signal.SIGINT):
        # Uvicorn would first wait for each worker's health check, for up to half a minute.
        signal.signal(stop_signal, lambda *_: Thread(target=end_workers, daemon=True).start())
    supervisor.run()
    if any(worker.exitcode == STARTUP_FAILURE for worker in supervisor.processes):
        sys.exit(STARTUP_FAILURE)


def _check_rooms(rooms: Registry) -> None:
    """Exit with an error if a room lacks something: workers would each fail, after half a minute."""
    from app.web.room import check_room  # noqa: PLC0415 - keeps the other commands fast

    for kind, room in rooms.items():
        try:
            check_room(kind, room)
        except TypeError as error:
            fail(str(error))


def _check_redis(url: str) -> None:
    """Exit with an error if the URL is invalid or Redis does not answer. Later outages are tolerated."""
    try:
        from redis import Redis, RedisCluster  # noqa: PLC0415 - Redis is an optional dependency
        from redis.cluster import ClusterNode  # noqa: PLC0415
        from redis.exceptions import RedisClusterException, RedisError  # noqa: PLC0415
    except ImportError:
        fail(
            "WIBBLE_REDIS_URL requires the Redis client, which is not installed: pip install 'wibble[redis]'"
        )
    from app.web.redis_address import parse_redis_url  # noqa: PLC0415

    try:
        address = parse_redis_url(url)
    except ValueError as error:
        fail(f"WIBBLE_REDIS_URL is not the address of a Redis: {error}")
    timeouts: dict[str, Any] = {"socket_connect_timeout": 2, "socket_timeout": 2}
    in_cluster = False
    try:
        if address.nodes:
            nodes = [ClusterNode(host, port) for host, port in address.nodes]  # type: ignore[no-untyped-call]
            with closing(RedisCluster(startup_nodes=nodes, **timeouts, **address.options)) as cluster:
                cluster.spublish("wibble:start", "")  # fails on Redis 6, which lacks the command
        else:
            with closing(Redis.from_url(url, **timeouts)) as redis:
                redis.ping()
                in_cluster = redis.info("cluster")["cluster_enabled"] == 1
    except (RedisError, RedisClusterException, ValueError) as error:
        fail(f"Redis does not answer (WIBBLE_REDIS_URL): {error}")
    if in_cluster:
        fail("the Redis of WIBBLE_REDIS_URL is a node of a cluster: use redis+cluster://host:port,host:port")


def _open_store(settings: Settings) -> Database:
    """Open, claim and migrate the store and create the signing key, or exit with an error."""
    try:
        database = Database(settings.store_url)
    except OSError as error:
        fail(f"the folder of {settings.shown_store} cannot be created: {error.strerror}")
    try:
        database.check()
        if settings.redis_url is None:
            database.claim()
        settings.signing_key()  # created before the workers start
        database.migrate()
        return database
    except StoreInUse:
        if settings.database_url is None:
            held = f"the data folder {settings.data_dir}"
            other = "another folder with WIBBLE_DATA_DIR, as in WIBBLE_DATA_DIR=~/other-games wibble serve"
        else:
            held, other = settings.shown_store, "another database with WIBBLE_DATABASE_URL"
        fail(
            f"another Wibble is using {held}: stop it, or choose {other}. To serve the same games from "
            "several processes, set WIBBLE_REDIS_URL for each of them"
        )
    except BadKey as reason:
        fail(str(reason))
    except OSError as error:
        fail(f"the data folder {settings.data_dir} cannot be used (WIBBLE_DATA_DIR): {error.strerror}")
    except (SQLAlchemyError, sqlite3.Error, StoreDamaged, NotMigrated) as error:
        why = str(getattr(error, "orig", error)).strip()
        restore = "; docs/operations.md explains how to restore a backup" if database.is_sqlite else ""
        fail(f"the games in {settings.shown_store} cannot be opened: {why}. Nothing was changed{restore}")


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address, or exit with an error."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit it. A small buffer bounds the data queued for a slow client and shows its progress.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)
    try:
        listening.bind((host, port))
    except OSError as error:
        fail(f"cannot listen on {host}, port {port}: {error.strerror} (--host, --port)")
    listening.set_inheritable(True)
    return listening


def warm(context: typer.Context) -> None:
    """Build the word lists and compile engines and pages, so that the first start is fast."""
    from app.games.kernel import warm_up  # noqa: PLC0415 - imports Numba
    from app.web.templating import load_templates, use_templates  # noqa: PLC0415 - imports FastAPI

    rooms: Registry = context.obj
    settings = Settings()
    library = settings.library()
    with console.status("Building the word lists"):
        lexicon = library.load()
        _ = lexicon.gaddag, lexicon.anagrams  # built once, then kept in the cache
        rulebook = rooms.rulebook(library)
        for kind in rooms:
            rulebook.usual(kind).prepare()
    with console.status("Compiling the engines"):
        warm_up()
    use_templates(rooms.values(), settings.cache_dir)
    load_templates()
    console.print(f"Ready: {len(lexicon):,} words; engines: {', '.join(rooms)}.")


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
