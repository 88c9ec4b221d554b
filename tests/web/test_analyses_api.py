"""Analyses: computed once, and only when the pool has room."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.games.wibble.rules import Wibble
from app.settings import Settings
from tests.driver import finished_game, move, open_wibble, problem
from tests.shared_parts import create_app


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows by one with each computed analysis."""
    calls: list[int] = []
    analyse = Wibble.analyse

    def counted(self: Wibble, states: Any) -> Any:
        calls.append(len(states))
        return analyse(self, states)

    monkeypatch.setattr(Wibble, "analyse", counted)
    return calls


def test_an_analysis_is_computed_once_however_many_ask(
    client: TestClient, computed: list[int], settings: Settings
) -> None:
    finished = finished_game(client)
    path = f"/api/games/{finished['id']}/analysis"
    with ThreadPoolExecutor(4) as threads:
        texts = set(threads.map(lambda _: client.get(path).text, range(8)))
    assert len(texts) == 1
    assert len(computed) == 1
    with TestClient(create_app(settings)) as another:
        assert another.get(path).text in texts
    assert len(computed) == 1, "another worker finds it in the store"


def test_an_analysis_that_found_no_room_is_computed_when_asked_for(
    client: TestClient, computed: list[int]
) -> None:
    pool = client.app.state.services.pool  # type: ignore[attr-defined]
    game = open_wibble(client, "zen")
    with pytest.MonkeyPatch.context() as busy:
        busy.setattr(pool, "places", 0)
        assert move(client, game, {"type": "resign"}).status_code == 200, "the end does not wait for it"
        problem(client.get(f"/api/games/{game['id']}/analysis"), 503)
    assert client.get(f"/api/games/{game['id']}/analysis").status_code == 200
    assert len(computed) == 1
