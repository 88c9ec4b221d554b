"""The running server deletes expired games."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from app.store.database import Database
from app.store.moderation import Moderation
from app.store.players import PlayerStore
from app.store.retention import DAY, Pruned, prune
from app.store.sanctions import Sanctions
from tests.driver import open_wibble
from tests.event_streams import eventually
from tests.shared_parts import create_app
from tests.web.conftest import Clock


def test_an_abandoned_game_is_deleted_after_the_set_time(
    settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TestClient(create_app(settings, clock=clock)) as client:
        left = open_wibble(client, "zen")["id"]
        clock.now += 60 * DAY
        lately = open_wibble(client, "zen")["id"]
        clock.now += 31 * DAY
        assert client.get(f"/api/games/{left}").status_code == 200, "the server has only just started"
    monkeypatch.setattr("app.web.ops.retention_sweep.FIRST", 0.0)
    with TestClient(create_app(settings, clock=clock)) as client:
        eventually(lambda: client.get(f"/api/games/{left}").status_code == 404)
        assert client.get(f"/api/games/{lately}").status_code == 200


def test_a_sweep_that_fails_is_logged_and_begun_again(
    settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fails = ["first"]

    def prune_later(*asked: Any) -> Pruned:
        if fails:
            raise RuntimeError(f"the {fails.pop()} sweep")
        return prune(*asked)

    with TestClient(create_app(settings, clock=clock)) as client:
        left = open_wibble(client, "zen")["id"]
    clock.now += 91 * DAY
    monkeypatch.setattr("app.web.ops.retention_sweep.FIRST", 0.0)
    monkeypatch.setattr("app.web.ops.retention_sweep.prune", prune_later)
    monkeypatch.setattr("app.web.ops.background.PAUSE", 0.0)
    with TestClient(create_app(settings, clock=clock)) as client:
        eventually(lambda: client.get(f"/api/games/{left}").status_code == 404)
    assert "the first sweep" in caplog.text


def test_a_mute_that_has_ended_gives_the_name_back(
    settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(settings.store_url)
    database.migrate()
    players = PlayerStore(database)
    acts = Moderation(database, Sanctions(database))
    ada = players.create(clock.now)
    players.rename(ada, "Ada", clock.now)
    acts.mute("operator Grace", ada, "rude", clock.now, days=1)
    assert acts.person(ada, clock.now).nickname is None
    clock.now += DAY + 1
    monkeypatch.setattr("app.web.ops.retention_sweep.FIRST", 0.0)
    with TestClient(create_app(settings, clock=clock)):
        eventually(lambda: acts.person(ada, clock.now).nickname == "Ada")
