"""The size limits of engine responses, as documented."""

from threading import current_thread
from typing import Any

import pytest
from fastapi import Response
from fastapi.testclient import TestClient

from app.rooms.boggle import api as boggle
from app.rooms.boggle import generate_api as boggle_generate
from app.rooms.letterpress import api as letterpress
from app.rooms.scrabblet import api as scrabblet
from app.web import model
from tests.driver import problem

MOST_BYTES = 2_000_000
"""The limit in docs/operations.md."""
RICH = ["boggtsag", "urinalen", "enocidis", "edinonet", "aresitar", "usetarec", "hsisupoh", "pammolpy"]
"""The board with the most words that annealing finds on 64 cells."""
LETTERS = "etaoinsrhldcumpgbykfwvtes"
BATCH = [{"board": LETTERS, "plies": 1, "budget_ms": 1, "group": True}] * 100


@pytest.mark.parametrize(
    ("path", "asked", "least"),
    [
        ("/api/boggle?size=8&count=6&include_words=true&min_length=2&seed=a", None, 1_000_000),
        ("/api/boggle?size=4&count=25&include_words=true&min_length=2&seed=a", None, 500_000),
        ("/api/boggle/solve", {"rows": RICH, "min_length": 2, "paths": "all"}, 500_000),
        ("/api/scrabblet/words", {"hand": "etaoinsrhldcu??", "min_length": 2}, 1_000_000),
        ("/api/wibble/solve", {"board": "".join(RICH)[:49], "limit": 5000, "family": False}, 100_000),
    ],
)
def test_an_answer_of_an_engine_is_bounded(
    client: TestClient, path: str, asked: dict[str, Any] | None, least: int
) -> None:
    answer = client.get(path) if asked is None else client.post(path, json=asked)
    assert answer.status_code == 200, answer.text
    assert least < len(answer.content) <= MOST_BYTES


def test_the_largest_batch_of_moves_is_bounded(client: TestClient) -> None:
    asked = BATCH[0] | {"limit": 100}
    answer = client.post("/api/solve/batch", json={"boards": [asked]})
    assert answer.status_code == 200, answer.text
    (solution,) = answer.json()["answers"]
    listed = sum(1 + len(move["others"]) for move in solution["moves"])
    assert listed > 300
    assert len(answer.content) / listed * letterpress.MOST_LISTED <= MOST_BYTES


def test_a_batch_that_asks_for_too_many_moves_is_refused(client: TestClient) -> None:
    body = problem(
        client.post("/api/solve/batch", json={"boards": [one | {"limit": 11} for one in BATCH]}), 422
    )
    assert body["errors"][0]["location"] == ["body", "boards"]
    assert "together they request 6,600 moves" in body["detail"]
    assert "one answer lists up to 6,000" in body["detail"]


@pytest.mark.parametrize(
    ("module", "path", "asked"),
    [
        (boggle_generate, "/api/boggle?include_words=true", None),
        (boggle, "/api/boggle/solve", {"rows": ["pers", "latg", "sine", "ters"]}),
        (scrabblet, "/api/scrabblet/words", {"hand": "ruolfnt"}),
        (letterpress, "/api/solve/batch", {"boards": BATCH[:1]}),
    ],
)
def test_large_answers_are_not_written_on_the_event_loop(
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    path: str,
    asked: dict[str, Any] | None,
) -> None:
    threads = []

    def rendered(*arguments: Any, **options: Any) -> Response:
        threads.append(current_thread().name)
        return model.rendered(*arguments, **options)

    monkeypatch.setattr(module, "rendered", rendered)
    answer = client.get(path) if asked is None else client.post(path, json=asked)
    assert answer.status_code == 200, answer.text
    assert len(threads) == 1
    assert threads[0].startswith(("engine", "AnyIO worker thread"))
