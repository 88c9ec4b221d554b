"""The deep review of a finished game of Fribble, turn by turn, for every viewer."""

import re
import time
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.games.fribble.rules import Fribble
from app.settings import Settings
from tests.driver import address_of, best_placement, move, open_game, play, problem, sit_down
from tests.event_streams import eventually
from tests.shared_parts import create_app

PATIENCE = 180.0


@pytest.fixture
def finished(client: TestClient, stranger: TestClient) -> str:
    """The address of a finished game of two turns: the best one by simulation, and tiles put back."""
    game = open_game(client, "fribble")
    sit_down(stranger, game)
    found = best_placement(client, game, strategy="simulating", budget_ms=2000)
    play(client, game, "place", cells=found["cells"], tiles=found["tiles"])
    rack = stranger.get(address_of(game)).json()["view"]["rack"]
    move(stranger, game, {"type": "exchange", "tiles": rack}).raise_for_status()
    play(client, game, "resign")
    return address_of(game)


def deepened(client: TestClient, game: str) -> Any:
    """The analysis once every turn is judged."""
    until = time.monotonic() + PATIENCE
    while (found := client.get(f"{game}/analysis").json())["searched"] < found["to_search"]:
        assert time.monotonic() < until, found["searched"]
        time.sleep(0.1)
    return found


def test_the_first_answer_is_replaced_as_the_deeper_one_arrives(client: TestClient, finished: str) -> None:
    first = client.get(f"{finished}/analysis").json()
    assert (first["searched"], first["to_search"]) == (0, 2)
    last = deepened(client, finished)
    assert [turn["played_on"] is not None for turn in last["turns"]] == [True, True]
    # The error of the choice comes on top of that of the review: both simulate for a limited time.
    assert last["turns"][0]["loss"] <= max(0.01, 1.5 * last["turns"][0]["loss_error"])
    assert last["turns"][1]["loss"] > last["turns"][0]["loss"]
    assert last["seats"][0]["accuracy"] == first["seats"][0]["accuracy"]


def test_another_worker_has_what_was_found(client: TestClient, settings: Settings, finished: str) -> None:
    last = deepened(client, finished)
    with TestClient(create_app(settings)) as another:
        assert another.get(f"{finished}/analysis").json() == last


def test_the_page_is_sent_what_has_changed(client: TestClient, finished: str) -> None:
    page = finished.removeprefix("/api")
    whole = client.get(f"{page}/analysis").text
    assert "/analysis/progress?searched=0" in whole
    assert "Playing on from each turn: 0 of 2" in whole
    assert "Game review complete" not in whole
    deepened(client, finished)
    changes = client.get(f"{page}/analysis/progress?searched=1").text
    assert 'id="turn-2" hx-swap-oob="true"' in changes
    assert 'id="turn-1"' not in changes
    assert "hx-get" not in changes, "the page stops polling"
    assert '<p hx-swap-oob="innerHTML:#announcer">Game review complete</p>' in changes
    review = client.get(f"{page}/analysis").text
    assert re.search(r"</span>, \d+\.\d ± \d+\.\d% win chance lost", review)
    assert re.search(r'id="review-progress"[^>]*></p>', review), "no notice is left"


def test_the_setting_0_turns_deep_reviews_off(settings: Settings, client: TestClient, finished: str) -> None:
    client.get(f"{finished}/analysis").raise_for_status()
    deepened(client, finished)
    less = settings.model_copy(update={"review_seconds": 0})
    with TestClient(create_app(less), cookies=dict(client.cookies)) as another:
        game = open_game(another, "fribble", bots=[1])
        play(another, game, "resign")
        page = f"/games/{game['id']}/analysis"
        assert "progress?searched" not in another.get(page).text


def test_a_review_that_fails_is_logged_and_given_up(
    client: TestClient, finished: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries = []

    def fail(_game: Fribble, states: Any, *_: Any) -> None:
        tries.append(states)
        raise RuntimeError("no such turn")

    monkeypatch.setattr(Fribble, "deepen", fail)
    page = finished.removeprefix("/api")
    eventually(lambda: "hx-get" not in client.get(f"{page}/analysis/progress?searched=0").text)
    assert "progress?searched" not in client.get(f"{page}/analysis").text
    client.get(f"{finished}/analysis").raise_for_status()
    assert len(tries) == 1
    assert f"review of game {page.rpartition('/')[2]} failed" in caplog.text
    assert "no such turn" in caplog.text


@pytest.mark.parametrize("searched", ["", "-1", "x"])
def test_a_number_of_turns_must_be_given(client: TestClient, finished: str, searched: str) -> None:
    answer = client.get(f"{finished.removeprefix('/api')}/analysis/progress?searched={searched}")
    assert "searched" in problem(answer, 422)["detail"]
