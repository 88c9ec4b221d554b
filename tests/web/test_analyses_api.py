"""Analyses: computed once, and only when the pool has room."""

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from queue import Queue
from threading import Event, Thread
from typing import Any
from unittest.mock import DEFAULT, create_autospec

import pytest
from fastapi.testclient import TestClient

from app.games.wibble.rules import Wibble
from app.settings import Settings
from app.store.game_reader import GameReader
from app.store.models import Table
from app.store.results import ResultStore
from app.web.pool import EnginePool
from app.web.table.analyst import Analyst
from tests.driver import finished_game, move, open_wibble, problem
from tests.shared_parts import create_app
from tests.web.busy_pool import engines_busy, neighbour

PATIENCE = 10.0


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


def test_analyses_of_many_finished_games_leave_room_for_requests(
    client: TestClient, computed: list[int]
) -> None:
    with ThreadPoolExecutor(1) as thread, engines_busy(client, places_left=12) as pool:
        for _ in range(10):
            move(client, open_wibble(client, "zen"), {"type": "resign"})
        taken = pool.taken
        asked = thread.submit(client.get, "/words?letters=listen")
        while pool.taken == taken and not asked.done():
            time.sleep(0.01)
    assert asked.result().status_code == 200
    while len(computed) < 10:
        time.sleep(0.01)


def finished(name: str, analysis: Any = None) -> Any:
    """A finished game whose analysis is an empty object, computed by the function, if given."""
    table = create_autospec(Table, instance=True, id=name, kind="x")
    table.game.analyse.side_effect = analysis
    table.game.analyse.return_value.model_dump_json.return_value = "{}"
    return table


def test_queued_analyses_outlast_a_moment_in_which_the_pool_is_full() -> None:
    pool, released = EnginePool(threads=1, queue=3), Event()
    stored = Queue[str]()
    results = create_autospec(ResultStore, instance=True)
    results.analysis.return_value = None
    results.keep_analysis.side_effect = lambda game_id, *_: stored.put(game_id)
    analyst = Analyst(create_autospec(GameReader, instance=True), results, pool, seconds=0)

    def waiting(_states: object) -> Any:
        released.wait(PATIENCE)
        return DEFAULT

    analyst.prepare(finished("first", waiting), neighbour(1))
    analyst.prepare(finished("second"), neighbour(2))
    others, pool.places = pool.start(neighbour(9), "blocked", (done := Event()).wait), 1
    released.set()
    assert stored.get(timeout=PATIENCE) == "first"
    done.set()
    others.result(PATIENCE)
    pool.places = 4
    analyst.prepare(finished("third"), neighbour(3))
    assert [stored.get(timeout=PATIENCE) for _ in range(2)] == ["second", "third"]
    pool.close()


def test_a_deeper_search_gives_way_to_the_analysis_of_another_player() -> None:
    released, analysed = Event(), Event()
    pool = EnginePool(threads=1, queue=3)
    for number in (1, 1, 2):  # two run, one waits
        pool.start(neighbour(number), "blocked", released.wait)
    results = create_autospec(ResultStore, instance=True)
    results.analysis.side_effect = {"reviewed": json.dumps({"to_search": 2})}.get
    results.keep_analysis.side_effect = lambda *_: analysed.set()
    analyst = Analyst(create_autospec(GameReader, instance=True), results, pool, seconds=1)
    asyncio.run(analyst.analysis(finished("reviewed"), neighbour(2)))
    assert pool.taken == pool.places
    preparing = Thread(target=analyst.prepare, args=(finished("new"), neighbour(3)), daemon=True)
    preparing.start()
    preparing.join(PATIENCE)
    assert not preparing.is_alive(), "the analyst waits for itself"
    released.set()
    assert analysed.wait(PATIENCE)
    pool.close()
