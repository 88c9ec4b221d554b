from collections.abc import Iterator
from pathlib import Path

import pytest

from app.settings import Settings
from tests.servers import served_in_thread
from tests.shared_parts import create_app
from tests.sixth_room import WITH_GHOST


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Iterator[str]:
    """The URL of a server with the sixth room."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), cache_dir=shared_cache)
    with served_in_thread(create_app(settings, WITH_GHOST)) as url:
        yield url
