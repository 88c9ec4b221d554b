from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest

from app.games.rulebook import Rulebook
from app.games.wibble.options import Options
from app.games.wibble.rules import Wibble
from app.games.wibble.state import State
from app.store.channels import Channels
from app.store.dailies import DailyStore
from app.store.database import Database
from app.store.games import GameStore
from app.store.moderation import Moderation
from app.store.outbox import Outbox
from app.store.players import PlayerStore
from app.store.reports import Reports
from app.store.results import ResultStore
from app.store.sanctions import Sanctions
from app.store.schema import channels, messages, notice_times, notices
from tests.seeds import Deals
from tests.shared_parts import empty_store
from tests.store.driver import AT
from tests.store.operator import Desk


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A store of each kind with its tables: empty on SQLite, shared by the session on PostgreSQL."""
    if request.param == "sqlite":
        file = tmp_path / "wibble.sqlite3"
        file.write_bytes(empty_store())
        url = f"sqlite:///{file}"
    else:
        url = request.getfixturevalue("postgresql_url")
    database = Database(url)
    database.migrate()
    yield database
    database.close()


@pytest.fixture
def players(database: Database) -> PlayerStore:
    return PlayerStore(database)


@pytest.fixture
def ada(players: PlayerStore) -> str:
    return players.create(AT)


@pytest.fixture
def bob(players: PlayerStore) -> str:
    return players.create(AT)


People = Callable[[int], list[str]]


@pytest.fixture
def people(players: PlayerStore) -> People:
    """Create this number of players."""
    return lambda number: [players.create(AT) for _ in range(number)]


@pytest.fixture
def games(database: Database, rulebook: Rulebook, deals: Deals) -> GameStore:
    return GameStore(database, rulebook, seeds=deals)


@pytest.fixture
def dailies(database: Database, rulebook: Rulebook, games: GameStore) -> DailyStore:
    return DailyStore(database, rulebook, games, Wibble.kind)


@pytest.fixture
def waits(players: PlayerStore, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each game of Wibble that is dealt from now on: whether another writer waits until it is dealt."""
    start, waits = Wibble.start, []

    def slow(self: Wibble, options: Options, seats: int, seed: str) -> State:
        writer = Thread(target=players.create, args=(AT,), daemon=True)
        writer.start()
        writer.join(5)
        waits.append(writer.is_alive())
        return start(self, options, seats, seed)

    monkeypatch.setattr(Wibble, "start", slow)
    return waits


@pytest.fixture
def results(database: Database) -> ResultStore:
    return ResultStore(database)


@pytest.fixture
def channel_store(database: Database) -> Channels:
    return Channels(database)


@pytest.fixture
def outbox(database: Database) -> Outbox:
    """Discard unsent messages: on PostgreSQL the store is shared with other tests."""
    with database.writing() as connection:
        for table in (messages, notices, notice_times, channels):
            connection.execute(table.delete())
    return Outbox(database)


@pytest.fixture
def desk(database: Database, players: PlayerStore) -> Desk:
    known = Sanctions(database)
    ada, bob = players.create(AT), players.create(AT)
    players.rename(ada, "Ada", AT)
    return Desk(database, players, known, Moderation(database, known), Reports(database), ada, bob)
