import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from app.store.database import Database
from app.store.moderation import Moderation
from app.store.sanctions import Sanctions
from app.web.pool import EnginePool
from tests.driver import named, open_game, sit_down
from tests.receiver import Receiver
from tests.seeds import Deals
from tests.servers import PostgresServer
from tests.shared_parts import create_app, empty_store
from tests.web.busy_pool import catch_up
from tests.web.inbox import Inbox
from tests.web.site_content import World, create_world

# Assertions there are rewritten, so that failures show details.
pytest.register_assert_rewrite("tests.web.browsing")


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def settings(tmp_path: Path, shared_cache: Path) -> Settings:
    data = tmp_path / "data"
    data.mkdir()
    (data / "wibble.sqlite3").write_bytes(empty_store())
    return Settings(data_dir=data, cache_dir=shared_cache)


def patient(client: TestClient) -> TestClient:
    """Let the client wait for bots before each request, as a test's clock stands still while they think."""
    client.event_hooks["request"].append(lambda _: catch_up(client))
    return client


Serve = Callable[..., TestClient]


@pytest.fixture
def serve(settings: Settings, clock: Clock) -> Iterator[Serve]:
    """Returns a function that starts the application with some settings changed."""
    started: list[TestClient] = []

    def start(**changed: object) -> TestClient:
        client = patient(TestClient(create_app(settings.model_copy(update=changed), clock=clock)))
        started.append(client.__enter__())
        return client

    yield start
    for client in started:
        client.__exit__()


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    found = Inbox()
    yield found
    found.close()


class Promises:
    """The documented responses of each operation in /openapi.json, checked for every request of a test."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._operations = [
            (method.upper(), re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operation["responses"])
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        ]

    def __call__(self, answer: httpx2.Response) -> None:
        """Fail if the response's status or type is not documented."""
        asked, status = answer.request, str(answer.status_code)
        for method, path, promised in self._operations:
            if method == asked.method and path.fullmatch(asked.url.path):
                assert status in promised, f"{asked.method} {asked.url.path} answers {status}: not documented"
                types = promised[status].get("content", {"": {}})
                assert answer.headers.get("content-type", "").partition(";")[0] in types, status
                return


@pytest.fixture(scope="session")
def promises(tmp_path_factory: pytest.TempPathFactory) -> Promises:
    """The document, built once, as it is the same for all applications."""
    return Promises(create_app(Settings(data_dir=tmp_path_factory.mktemp("data"))).openapi())


@pytest.fixture
def own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count CPU time in search deadlines, too, so that a busy machine does not shorten searches."""
    deadline = EnginePool.deadline

    def patient_deadline(pool: EnginePool, milliseconds: float) -> Callable[[], bool]:
        is_over, end = deadline(pool, milliseconds), time.process_time() + milliseconds / 1000
        return lambda: is_over() and (pool.stopping or time.process_time() > end)

    monkeypatch.setattr(EnginePool, "deadline", patient_deadline)


@pytest.fixture
def client(
    settings: Settings, clock: Clock, deals: Deals, promises: Promises, own_time: None
) -> Iterator[TestClient]:
    """The real application, with a browser's cookies."""
    with patient(TestClient(create_app(settings, clock=clock, seeds=deals))) as client:
        client.event_hooks["response"].append(promises)
        yield client


@pytest.fixture(scope="session")
def world(shared_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A site with content at every address, for tests that change nothing."""
    # A longer review of its game of Fribble would keep a core busy during the tests.
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("world"),
        cache_dir=shared_cache,
        rate_limits=False,
        review_seconds=3,
    )
    with TestClient(create_app(settings, clock=Clock(), seeds=Deals("world"))) as owner:
        yield create_world(owner, TestClient(owner.app))


@pytest.fixture
def stranger(client: TestClient) -> TestClient:
    """Another player at the same server."""
    return patient(TestClient(client.app))


@pytest.fixture
def ada(client: TestClient) -> TestClient:
    return named(client)


@pytest.fixture
def bob(stranger: TestClient) -> TestClient:
    return named(stranger, "Bob")


@pytest.fixture
def game(ada: TestClient, bob: TestClient) -> str:
    """The ID of a game between the two."""
    opened = open_game(ada, "letterpress", seats=2)
    sit_down(bob, opened)
    return str(opened["id"])


@pytest.fixture
def acts(settings: Settings) -> Moderation:
    """Moderation beside the server, as from the command line."""
    database = Database(settings.store_url)
    return Moderation(database, Sanctions(database))


@pytest.fixture
def third(client: TestClient) -> TestClient:
    """A third player there."""
    return patient(TestClient(client.app))


@pytest.fixture
def postgresql() -> Iterator[PostgresServer]:
    """A PostgreSQL that a test may stop and start."""
    found = shutil.which("initdb")
    programs = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not programs:
        pytest.skip("no PostgreSQL to start: initdb is neither on the PATH nor in /usr/lib/postgresql/*/bin")
    server = PostgresServer(programs[-1])
    server.start()
    yield server
    server.remove()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    yield found
    found.close()
