"""Effects of operators' sanctions at a table."""

import pytest
from fastapi.testclient import TestClient

from app.store.moderation import Moderation
from tests.driver import open_wibble
from tests.web.browsing import HTML
from tests.web.conftest import Clock
from tests.web.test_blocks import remarks

REASON = "rude"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable caching of sanctions in the server."""
    monkeypatch.setattr("app.store.sanctions.SEEN_WITHIN", 0.0)


def test_others_see_no_name_and_no_remarks_of_a_muted_player(
    ada: TestClient, bob: TestClient, game: str, acts: Moderation, clock: Clock
) -> None:
    for player in (ada, bob):
        player.post(f"/api/games/{game}/remarks", json={"line": 0}).raise_for_status()
    (bobs,) = acts.find(f"{game}/1", clock.now)
    acts.mute("command line", bobs.player_id, REASON, clock.now, days=1)
    assert (remarks(ada, game), remarks(bob, game)) == ([0], [0, 1])
    assert ada.get(f"/api/games/{game}").json()["seats"][1]["name"] != "Bob"
    refused = bob.post(f"/api/games/{game}/remarks", json={"line": 0})
    assert (refused.status_code, "you are muted until" in refused.json()["detail"]) == (403, True)


def test_a_suspended_player_plays_alone(
    ada: TestClient, bob: TestClient, game: str, acts: Moderation, clock: Clock
) -> None:
    (bobs,) = acts.find(f"{game}/1", clock.now)
    acts.suspend("command line", bobs.player_id, REASON, clock.now, days=None)
    other = ada.post("/api/games", json={"kind": "letterpress"}).json()
    seat = {"invitation": other["invitation"]}
    refused = bob.post(f"/api/games/{other['id']}/seats", json=seat)
    assert (refused.status_code, "suspended for good" in refused.json()["detail"]) == (403, True)
    assert open_wibble(bob, "zen")["id"]
    acts.lift("command line", bobs.player_id, "suspend", "sorry", clock.now)
    assert bob.post(f"/api/games/{other['id']}/seats", json=seat).is_success


def test_a_sanctioned_player_sees_what_is_forbidden_until_when_and_why(
    ada: TestClient, bob: TestClient, game: str, acts: Moderation, clock: Clock
) -> None:
    (bobs,) = acts.find(f"{game}/1", clock.now)
    assert bob.get("/api/me").json()["sanctions"] == []
    acts.mute("command line", bobs.player_id, "shouts <b>", clock.now, days=1)
    mute = {
        "kind": "mute",
        "since": clock.now,
        "until": clock.now + 86_400,
        "reason": "shouts <b>",
        "meaning": "you are muted until 15 November 2023, 22:13 UTC: you can play, without a name and "
        "without remarks",
    }
    assert [bob.get(path).json()["sanctions"] for path in ("/api/me", "/me/export")] == [[mute], [mute]]
    page = bob.get("/me", headers=HTML).text
    assert "You are muted until 15 November 2023, 22:13 UTC" in page
    assert "shouts &lt;b&gt;" in page
    assert "You are muted" not in ada.get("/me", headers=HTML).text
    clock.now += 86_400
    assert bob.get("/api/me").json()["sanctions"] == []
