"""Play now: waiting, being paired and choosing the bot, on pages and over the API."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.rooms import ROOMS
from app.store.models import TableSettings
from app.store.moderation import Moderation
from app.store.ratings import speed_of
from app.web.room import QuickGame
from tests.driver import open_game, play, problem, see
from tests.web.browsing import HTML, HTMX

FRIBBLE = {"kind": "fribble", "speed": "rapid"}


def wait(client: TestClient, **wanted: Any) -> dict[str, Any]:
    answer = client.post("/api/pairing", json=FRIBBLE | wanted)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def press(client: TestClient, game: str = "fribble rapid", **fields: str) -> Any:
    return client.post("/play-now", data={"game": game, **fields}, headers=HTML, follow_redirects=False)


@pytest.mark.parametrize(
    ("kind", "quick"), [(room.kind, quick) for room in ROOMS.values() for quick in room.quick_games]
)
def test_each_quick_game_has_its_speed_and_begins(
    client: TestClient, stranger: TestClient, kind: str, quick: QuickGame
) -> None:
    setup = ROOMS[kind].game.setup_type.model_validate(quick.options)
    assert speed_of(setup, TableSettings(600)) == quick.speed
    wanted = {"kind": kind, "speed": quick.speed}
    assert wait(client, **wanted)["state"] == "waiting"
    paired = wait(stranger, **wanted)
    assert paired == client.get("/api/pairing").json()
    game = see(client, paired["game"])
    assert game["kind"] == kind
    assert [seat["occupant"] for seat in game["seats"]] == ["player", "player"]
    assert f"/games/{paired['game']}" in client.get("/lobby", headers=HTML).text


def test_a_room_offers_a_speed_once() -> None:
    for room in ROOMS.values():
        speeds = [quick.speed for quick in room.quick_games]
        assert len(speeds) == len(set(speeds))
    assert not ROOMS["scrabblet"].quick_games


def test_a_player_waits_through_the_api(client: TestClient, stranger: TestClient, clock: Any) -> None:
    assert client.get("/api/pairing").json()["state"] == "idle"
    waiting = wait(client, rated=False)
    assert waiting | FRIBBLE == waiting
    assert (waiting["rated"], waiting["seconds"], waiting["window"], waiting["bot"]) == (False, 0, 275, None)
    for _ in range(5):
        clock.now += 8
        waiting = client.get("/api/pairing").json()
    assert (waiting["seconds"], waiting["window"], waiting["bot"]) == (40, None, 3)
    assert wait(stranger)["state"] == "waiting", "a rated game is something else"
    assert client.delete("/api/pairing").status_code == 204
    assert client.get("/api/pairing").json()["state"] == "idle"
    assert client.delete("/api/pairing").status_code == 204, "once more"
    assert wait(stranger, rated=False)["state"] == "waiting"


@pytest.mark.parametrize(
    ("body", "place", "said"),
    [
        ({"kind": "fribble"}, ["body", "speed"], "required"),
        ({"kind": "fribble", "speed": "days"}, ["body", "speed"], "blitz"),
        ({"kind": "boggle", "speed": "rapid"}, ["body", "kind"], "boggle blitz"),
        ({"kind": "chess", "speed": "rapid"}, ["body", "kind"], "choose one of"),
        ({"kind": "scrabblet", "speed": "rapid"}, ["body", "kind"], "choose one of"),
        (FRIBBLE | {"rated": "yes"}, ["body", "rated"], "true or false"),
        (FRIBBLE | {"level": 3}, ["body", "level"], ""),
    ],
)
def test_a_bad_request_makes_no_guest(client: TestClient, body: Any, place: list[str], said: str) -> None:
    [error] = problem(client.post("/api/pairing", json=body), 422)["errors"]
    assert error["location"] == place
    assert said in error["message"]
    assert not client.cookies


@pytest.mark.parametrize("game", ["", "fribble", "fribble days", "boggle rapid", "chess blitz"])
def test_a_bad_form_makes_no_guest(client: TestClient, game: str) -> None:
    assert press(client, game).status_code == 422
    assert not client.cookies


def test_too_many_open_games_are_refused(serve: Any) -> None:
    client = serve(open_games=1)
    open_game(client)
    assert "finish one first" in problem(client.post("/api/pairing", json=FRIBBLE), 429)["detail"]
    assert client.get("/api/pairing").json()["state"] == "idle"


def test_a_suspended_player_does_not_wait(client: TestClient) -> None:
    wait(client)
    services = client.app.state.services  # type: ignore[attr-defined]
    player = services.guests._serializer.loads(client.cookies["wibble_player"])[0]
    moderation = Moderation(services.games.database, services.sanctions)
    moderation.suspend("operator", player, "spam", services.clock(), days=1)
    problem(client.post("/api/pairing", json=FRIBBLE), 403)


def test_the_page_waits_and_leads_to_the_table(client: TestClient, stranger: TestClient, clock: Any) -> None:
    assert press(client, rated="true").headers["location"].startswith("/play-now")
    page = client.get("/play-now", headers=HTML).text
    assert "Rapid: 15 minutes each. Rated." in page
    assert "within 300 rating points" in page or "within 250 rating points" in page
    assert '<noscript><meta http-equiv="refresh"' in page
    clock.now += 2
    part = client.get("/play-now", headers=HTMX).text
    assert "<b>2</b> seconds" in part
    assert "<html" not in part
    address = press(stranger, rated="true").headers["location"].partition("?")[0]
    assert address.startswith("/games/")
    assert client.get("/play-now", headers=HTMX).headers["hx-redirect"] == address
    assert client.get("/play-now", headers=HTML, follow_redirects=False).headers["location"] == address
    assert client.post("/play-now/cancel", follow_redirects=False).headers["location"] == address
    assert client.get("/play-now", headers=HTML, follow_redirects=False).headers["location"] == "/lobby"
    assert client.get("/play-now", headers=HTMX).headers["hx-redirect"] == "/lobby"


def test_the_bot_is_offered_once_and_played(client: TestClient, clock: Any) -> None:
    press(client, "letterpress blitz")
    assert "Casual" in client.get("/play-now", headers=HTML).text
    problem(client.post("/play-now/bot"), 404)
    for _ in range(3):
        clock.now += 8
        part = client.get("/play-now", headers=HTMX).text
    assert 'hx-swap-oob="innerHTML"' in part
    assert 'hx-get="/play-now?offered=true"' in part
    assert "hx-swap-oob" not in client.get("/play-now?offered=true", headers=HTMX).text
    assert 'id="play-bot"' in client.get("/play-now", headers=HTML).text
    address = client.post("/play-now/bot", follow_redirects=False).headers["location"]
    game = see(client, address)
    assert sorted(seat["bot_level"] or 0 for seat in game["seats"]) == [0, 3]
    for method, path in (("POST", "/play-now/bot"), ("GET", "/play-now")):
        elsewhere = client.request(method, path, headers=HTML, follow_redirects=False)
        assert elsewhere.headers["location"] == address, "also from another tab"
    assert client.get("/api/pairing").json()["game"] == address.rpartition("/")[2]


def test_cancelling_leaves_the_page(client: TestClient, stranger: TestClient) -> None:
    press(client)
    assert client.post("/play-now/cancel", follow_redirects=False).headers["location"] == "/lobby"
    assert press(stranger).headers["location"].startswith("/play-now")


def test_an_absent_player_is_not_paired_and_their_wait_restarts(
    client: TestClient, stranger: TestClient, third: TestClient, clock: Any
) -> None:
    wait(client)
    clock.now += 11
    assert wait(stranger)["state"] == "waiting"
    game = wait(third)["game"]
    assert client.get("/api/pairing").json()["seconds"] == 0
    assert game == stranger.get("/api/pairing").json()["game"]
    play(stranger if see(stranger, game)["seat"] == 0 else third, game, "resign")
    assert stranger.get("/api/pairing").json()["state"] == "idle"


def test_a_stream_that_reconnects_gets_the_pair(serve: Any) -> None:
    client = serve(longest_stream=0.01)
    other = TestClient(client.app)
    wait(client)
    game = wait(other)["game"]
    event = f'event: paired\ndata: {{"game": "{game}"}}'
    for player in (client, other):
        assert event in player.get("/api/events").text
    client.delete("/api/pairing")
    assert event not in client.get("/api/events").text


def test_both_players_are_notified_at_once(
    client: TestClient, stranger: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[tuple[str, str]] = []
    bus = client.app.state.services.bus  # type: ignore[attr-defined]
    monkeypatch.setattr(bus, "notify_player", lambda _player, event, game, *_: events.append((event, game)))
    wait(client)
    game = wait(stranger)["game"]
    assert events == [("paired", game), ("paired", game), ("turn", game)]
