"""The running server lets go of games whose time is over."""

import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from app.store.retention import DAY
from tests.driver import open_wibble
from tests.listening import eventually
from tests.shelf import create_app
from tests.web.conftest import Clock


def test_a_game_left_alone_for_longer_than_agreed_goes(
    settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TestClient(create_app(settings, clock=clock)) as client:
        left = open_wibble(client, "zen")["id"]
        clock.now += 60 * DAY
        lately = open_wibble(client, "zen")["id"]
        clock.now += 31 * DAY
        assert client.get(f"/api/games/{left}").status_code == 200, "the server has only just begun"
    monkeypatch.setattr("app.web.ops.retention_sweep.FIRST", 0.0)
    with TestClient(create_app(settings, clock=clock)) as client:
        eventually(lambda: client.get(f"/api/games/{left}").status_code == 404)
        assert client.get(f"/api/games/{lately}").status_code == 200
