from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.client import ApiClient, CookieFile
from app.settings import Settings
from tests.in_process import InProcess
from tests.seeds import Deals
from tests.shared_parts import create_app

Player = Callable[[str], ApiClient]
"""Returns a client with a cookie file of this name."""


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Iterator[TestClient]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), cache_dir=shared_cache, longest_stream=1)
    with TestClient(create_app(settings, seeds=Deals("client"))) as running:
        yield running


@pytest.fixture
def player(application: TestClient, tmp_path: Path) -> Player:
    def client(name: str) -> ApiClient:
        cookies = CookieFile(tmp_path / name)
        return ApiClient("http://testserver", cookies=cookies.jar, transport=InProcess(application))

    return client
