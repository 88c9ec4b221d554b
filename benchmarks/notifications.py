"""Cost of turn notifications: a move with its notice, and sending many pushes.

Moves: two players move in turn in the store, first without channels, then with one each, in blocks that
alternate. Floor: at most 0.3 ms more per move.

Pushes: the given number of messages, each encrypted for its own browser, are sent to a local endpoint in a
separate process. Floor: 10,000 in under 60 s with bounded memory.

``--database-url`` is an empty PostgreSQL database; without it, a new SQLite file is used.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import resource as limits
import signal
import statistics
import tempfile
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import uvicorn
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import insert

from app.games.wibble.moves import Pass
from app.games.wibble.options import Setup
from app.resources import resource
from app.rooms import ROOMS
from app.store.channels import Channels
from app.store.database import Database
from app.store.games import GameStore
from app.store.models import Seat
from app.store.outbox import Outbox
from app.store.players import PlayerStore
from app.store.schema import channels, messages
from app.web.notices.sender import Sender
from app.web.notices.sending_process import SendingProcess
from app.web.notices.web_push import WebPush, browser_keys
from app.web.ops.load import LoadMonitor
from app.words.library import Library

NOW: Final = time.time()
SITE: Final = "https://wibble.example"


def main() -> None:
    """Measure both and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--moves", type=int, default=200, help="moves in a block")
    parser.add_argument("--runs", type=int, default=10, help="blocks of each kind")
    parser.add_argument("--pushes", type=int, default=10_000)
    parser.add_argument("--database-url", help="an empty PostgreSQL database")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Database(arguments.database_url or f"sqlite:///{Path(folder) / 'wibble.sqlite3'}")
        database.migrate()
        measured = moves(database, Path(folder), arguments.moves, arguments.runs) | pushes(
            database, arguments.pushes
        )
        database.close()
    if arguments.json:
        print(json.dumps(measured))
        return
    print(f"store: {database.engine.dialect.name}")
    for name, value in measured.items():
        print(f"{name:>28}: {value:,.3f}")


def moves(database: Database, home: Path, count: int, runs: int) -> dict[str, float]:
    """Return the median milliseconds per move, without and with channels, over alternating blocks."""
    rulebook = ROOMS.rulebook(Library(data=resource("data"), home=home, cache=home))
    games = GameStore(database, rulebook, most_open=1_000_000)
    channel_store, players = Channels(database), PlayerStore(database)
    without, with_channels = ([players.create(NOW), players.create(NOW)] for _ in range(2))
    for player in with_channels:
        channel_store.add(player, "webhook", "https://hooks.example/", "whsec_AAAA", "Here", NOW)
    took: dict[str, list[float]] = {"without": [], "with": []}
    for _ in range(runs):
        for name, pair in (("without", without), ("with", with_channels)):
            took[name].append(block(games, pair, count))
    before, after = (statistics.median(took[name]) for name in ("without", "with"))
    return {"ms a move": before, "ms a move with notice": after, "ms more": after - before}


def block(games: GameStore, pair: list[str], count: int) -> float:
    """Return the milliseconds per move, each in a new game, as two passes in a row would end a game."""
    tables = [
        games.open("wibble", Setup.model_validate({"mode": "versus"}), [Seat(one) for one in pair], NOW)
        for _ in range(count)
    ]
    began = time.perf_counter()
    for table in tables:
        games.play(table.id, pair[0], Pass(), NOW + 1)
    return (time.perf_counter() - began) / count * 1000


def pushes(database: Database, count: int) -> dict[str, float]:
    """Return the seconds to send ``count`` pushes and the memory used."""
    with push_endpoint() as port:
        fill(database, port, count)
        return _sent(database, count)


def fill(database: Database, port: int, count: int) -> None:
    """Store so many messages, each to a browser of its own."""
    player, key = PlayerStore(database).create(NOW), ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    secret = browser_keys(*(urlsafe_b64encode(part).decode() for part in (point, bytes(16))))
    content = json.dumps({"kind": "test", "games": [], "turns": 1})
    rows = [{"id": f"c{number}", "address": f"http://127.0.0.1:{port}/{number}"} for number in range(count)]
    with database.writing() as connection:
        common = {"player_id": player, "kind": "push", "secret": secret, "name": "", "daily": False}
        connection.execute(insert(channels), [row | common | {"created_at": NOW} for row in rows])
        waiting = {"content": content, "created_at": NOW, "next_at": NOW, "attempts": 0}
        connection.execute(
            insert(messages), [waiting | {"id": f"m{row['id']}", "channel_id": row["id"]} for row in rows]
        )


def _sent(database: Database, count: int) -> dict[str, float]:
    services: Any = SimpleNamespace(
        outbox=Outbox(database),
        clock=time.time,
        rooms=ROOMS,
        presence=SimpleNamespace(is_open=lambda *_: False),
        load=LoadMonitor(),
        metrics=SimpleNamespace(sent=lambda *_: None),
    )
    before, began, spent = _peak(), time.perf_counter(), time.process_time()

    async def send() -> None:
        push = WebPush("benchmark", SITE)
        process = SendingProcess(push, private=True)
        await Sender(services, push, process).send_all()
        await process.close()

    asyncio.run(send())
    seconds, core = time.perf_counter() - began, time.process_time() - spent
    left = services.outbox.waiting()
    assert left == 0, f"{left} were not delivered"
    return {"pushes": count, "seconds": seconds, "core seconds": core, "MB more": _peak() - before}


@contextmanager
def push_endpoint() -> Iterator[int]:
    """Run a push service in a separate process during the block; yield its port."""
    mine, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    yield mine.recv()
    process.terminate()


def _serve(pipe: Connection) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # uvicorn raises it again after its last answer
    os.nice(10)  # push services are on other machines

    async def answer(_scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 201, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    config = uvicorn.Config(answer, port=0, log_level="warning", lifespan="off")
    socket = config.bind_socket()
    pipe.send(socket.getsockname()[1])
    uvicorn.Server(config).run([socket])


def _peak() -> float:
    return limits.getrusage(limits.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
