"""What a page hears without asking: through a server of its own, over HTTP."""

import json
import re
import time
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.driver import JSON, sit_down
from tests.listening import SOON, Ear, eventually, open_on
from tests.serving import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("live"))
    server.start()
    yield server
    server.stop()


def unpacked(data: str) -> str:
    return zlib.decompress(b64decode(data), -zlib.MAX_WBITS).decode()


def sit_at(served: Served, game: JSON) -> httpx.Client:
    """The client of a new player, who takes the free seat."""
    guest = httpx.Client(base_url=served.url, timeout=SOON)
    sit_down(guest, game)
    return guest


def without_time(fragment: str) -> str:
    return re.sub(r'data-now="[^"]*"', "", fragment)


def test_a_page_hears_of_a_seat_taken_and_of_every_move(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    ear = Ear(served, game["id"], host)
    assert ear.hears("table") == "0-1"
    sit_at(served, game)
    assert ear.hears("table") == "0-2"
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    assert ear.hears("table") == "1-2"


def test_a_page_of_a_cancelled_table_is_made_to_ask_for_it_and_finds_nothing(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    ear = Ear(served, game["id"], host, page=True)
    ear.hears("table", "0-1")
    host.delete(f"/api/games/{game['id']}").raise_for_status()
    assert ear.hears("table") == "0-2"
    assert host.get(f"/games/{game['id']}/table?seen=0-1").status_code == 404


def test_a_page_hears_that_a_player_has_left_and_that_another_sits_there(served: Served) -> None:
    host, game = open_on(served, kind="wibble", options={"mode": "versus"}, seats=3)
    program, page = (Ear(served, game["id"], host, page=page) for page in (False, True))
    for ear in (program, page):
        ear.hears("table", "0-1")
    bob = sit_at(served, game)
    for ear in (program, page):
        ear.hears("table", "0-2")
    bob.delete("/api/me").raise_for_status()
    left = program.hears("table")
    fragment = unpacked(page.hears("view"))
    assert (page.last_event, fragment.count("lobby-seat vacant")) == (left, 2)
    assert host.get(f"/games/{game['id']}/table?seen=0-2").status_code == 200
    sit_at(served, game)
    versions = ["0-2", left, program.hears("table")]
    assert versions == sorted(set(versions)), "each is later, or pages would keep what they show"
    page.hears("table", versions[-1])


def test_a_page_of_a_table_whose_last_player_has_left_finds_nothing(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    ear = Ear(served, game["id"], httpx.Client(), page=True)
    ear.hears("table", "0-1")
    host.delete("/api/me").raise_for_status()
    assert ear.ended.wait(SOON)
    assert host.get(f"/games/{game['id']}/table?seen=0-1").status_code == 404


def test_a_returning_player_first_gets_the_state_of_the_game(served: Served) -> None:
    host, game = open_on(served, kind="letterpress", bots=[1])
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "resign"}})
    assert Ear(served, game["id"], host).hears("table") == "1-2"


def test_another_players_move_comes_with_the_table_as_its_page_shows_it(served: Served) -> None:
    host, game = open_on(served, kind="fribble")
    guest = sit_at(served, game)
    pages = [Ear(served, game["id"], who, page=True) for who in (host, guest, httpx.Client())]
    for page in pages:
        page.hears("table", "0-2")
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    at_host, *of_others = pages
    assert at_host.hears("table") == "1-2", "who has moved has seen it"
    fetched = [
        httpx.get(f"{served.url}/games/{game['id']}/table", cookies=who.cookies).text
        for who in (guest, httpx.Client())
    ]
    for page, text in zip(of_others, fetched, strict=True):
        pushed = unpacked(page.hears("view"))
        assert page.last_event == "1-2"
        assert without_time(pushed) == without_time(text)
    assert without_time(fetched[0]) != without_time(fetched[1]), "a watcher sees no rack"


def test_a_remark_is_sent_without_the_table(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    page = Ear(served, game["id"], sit_at(served, game), page=True)
    page.hears("table", "0-2")
    host.post(f"/api/games/{game['id']}/remarks", json={"line": 1}).raise_for_status()
    assert page.hears("table") == "0-2-1"


def test_a_browser_signed_out_meanwhile_is_shown_nothing(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    guest = sit_at(served, game)
    page = Ear(served, game["id"], guest, page=True)
    page.hears("table", "0-2")
    guest.post("/me/phrase").raise_for_status()  # without a way back nobody is signed out
    assert guest.post("/me/sign-out").status_code == 303
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    assert page.hears("table") == "1-2"


def test_a_program_gets_versions_only(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    program = Ear(served, game["id"], sit_at(served, game))
    program.hears("table", "0-2")
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    assert program.hears("table") == "1-2"


def test_a_bots_move_is_heard_when_it_is_made(served: Served) -> None:
    host, game = open_on(served, kind="letterpress", bots=[1])
    ear = Ear(served, game["id"], host)
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    ear.hears("table", "1-2")
    end = time.monotonic() + SOON
    while ear.heard.empty() and time.monotonic() < end:
        time.sleep(0.1)
    assert ear.hears("table") == "2-2"


def test_a_bots_move_comes_with_the_table(served: Served) -> None:
    host, game = open_on(served, kind="letterpress", bots=[1])
    page = Ear(served, game["id"], host, page=True)
    page.hears("table", "0-2")
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    assert 'data-version="2-2"' in unpacked(page.hears("view"))


def test_a_page_hears_who_is_there(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    guest = sit_at(served, game)
    ear = Ear(served, game["id"], host)
    ear.hears("here", "[0]")
    Ear(served, game["id"], guest)
    ear.hears("here", "[0, 1]")
    watcher = Ear(served, game["id"], httpx.Client())
    assert watcher.hears("here") == "[0, 1]"


def test_a_program_hears_when_it_is_its_turn_and_when_a_game_is_over(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    guest = sit_at(served, game)
    data = json.dumps({"game": game["id"]})
    at_host, at_guest = Ear(served, None, host), Ear(served, None, guest)
    assert at_host.hears("turn") == data, "as it stands"
    eventually(lambda: at_guest.last_event != "")
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    assert at_guest.hears("turn") == data
    host.post(f"/api/games/{game['id']}/remarks", json={"line": 1})
    guest.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "resign"}})
    assert at_host.heard.get(timeout=SOON) == ("over", data), "a remark is no turn"
    back = Ear(served, None, guest, last_event=at_guest.last_event)
    assert back.hears("over") == data, "what has ended in between"
    assert Ear(served, None, host).heard.empty()


def test_a_stream_ends_once_its_token_is_revoked(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    made = host.post("/api/me/tokens", json={"name": "x", "scopes": ["read"]}).json()
    program = httpx.Client(headers={"Authorization": f"Bearer {made['token']}"}, timeout=SOON)
    ear = Ear(served, None, program)
    eventually(lambda: ear.last_event != "")
    host.delete(f"/api/me/tokens/{made['token_id']}").raise_for_status()
    sit_down(httpx.Client(base_url=served.url, timeout=SOON), game)
    assert ear.ended.wait(SOON)
    assert ear.heard.empty(), "nothing is told any more"


def test_events_require_a_login(served: Served) -> None:
    answer = httpx.get(f"{served.url}/api/events", timeout=SOON)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert "token or cookie" in answer.json()["detail"]


def test_there_are_no_events_of_a_game_that_is_not_there(served: Served) -> None:
    answer = httpx.get(f"{served.url}/api/games/nothing/events", timeout=SOON)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_server_that_is_asked_to_stop_sends_its_listeners_away(tmp_path: Path) -> None:
    server = Served(tmp_path)
    server.start()
    host, game = open_on(server, kind="letterpress")
    ear = Ear(server, game["id"], host)
    ear.hears("table")
    server.stop()
    assert ear.ended.wait(SOON), "in good order, and not cut off"
    assert "timeout graceful shutdown exceeded" not in server.log.read_text()
