import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("web-cache")


@pytest.fixture
def settings(tmp_path: Path, shared_cache: Path, empty_store: Path) -> Settings:
    data = tmp_path / "data"
    data.mkdir()
    shutil.copy(empty_store, data / "wibble.sqlite3")
    return Settings(data_dir=data, cache_dir=shared_cache)


@pytest.fixture
def client(settings: Settings, clock: Clock) -> Iterator[TestClient]:
    """The real application, with a browser's cookies."""
    with TestClient(create_app(settings, clock=clock)) as client:
        yield client


@pytest.fixture
def stranger(client: TestClient) -> TestClient:
    """Somebody else at the same server."""
    return TestClient(client.app)
