"""Events that the server pushes to pages and programs, over HTTP from a real server."""

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
from tests.event_streams import SOON, EventStream, eventually, open_on
from tests.servers import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("live")) as server:
        yield server


def unpacked(data: str) -> str:
    return zlib.decompress(b64decode(data), -zlib.MAX_WBITS).decode()


def sit_at(served: Served, game: JSON) -> httpx.Client:
    """Take the free seat as a new player; return the player's client."""
    guest = httpx.Client(base_url=served.url, timeout=SOON)
    sit_down(guest, game)
    return guest


def without_time(fragment: str) -> str:
    return re.sub(r'data-now="[^"]*"', "", fragment)


def test_a_page_gets_an_event_for_a_seat_taken_and_every_move(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    stream = EventStream(served, game["id"], host)
    assert stream.wait_for("table") == "0-1"
    sit_at(served, game)
    assert stream.wait_for("table") == "0-2"
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    assert stream.wait_for("table") == "1-2"


def test_a_page_of_a_cancelled_table_is_made_to_ask_for_it_and_finds_nothing(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    stream = EventStream(served, game["id"], host, page=True)
    stream.wait_for("table", "0-1")
    host.delete(f"/api/games/{game['id']}").raise_for_status()
    assert stream.wait_for("table") == "0-2"
    assert host.get(f"/games/{game['id']}/table?seen=0-1").status_code == 404


def test_a_page_gets_events_when_a_player_leaves_and_another_joins(served: Served) -> None:
    host, game = open_on(served, kind="wibble", options={"mode": "versus"}, seats=3)
    program, page = (EventStream(served, game["id"], host, page=page) for page in (False, True))
    for stream in (program, page):
        stream.wait_for("table", "0-1")
    bob = sit_at(served, game)
    for stream in (program, page):
        stream.wait_for("table", "0-2")
    bob.delete("/api/me").raise_for_status()
    left = program.wait_for("table")
    fragment = unpacked(page.wait_for("view"))
    assert (page.last_event, fragment.count("lobby-seat vacant")) == (left, 2)
    assert host.get(f"/games/{game['id']}/table?seen=0-2").status_code == 200
    sit_at(served, game)
    versions = ["0-2", left, program.wait_for("table")]
    assert versions == sorted(set(versions)), "each is later, or pages would not update"
    page.wait_for("table", versions[-1])


def test_a_page_of_a_table_whose_last_player_has_left_finds_nothing(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    stream = EventStream(served, game["id"], httpx.Client(), page=True)
    stream.wait_for("table", "0-1")
    host.delete("/api/me").raise_for_status()
    assert stream.ended.wait(SOON)
    assert host.get(f"/games/{game['id']}/table?seen=0-1").status_code == 404


@pytest.mark.parametrize("move", ["pass", "resign"])
def test_a_page_shows_at_once_that_the_other_player_has_deleted_their_profile(
    served: Served, move: str
) -> None:
    host, game = open_on(served, kind="letterpress")
    guest = sit_at(served, game)
    guest.put("/api/me", json={"nickname": "Bob"}).raise_for_status()
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": move}})
    page = EventStream(served, game["id"], host, page=True)
    before = page.wait_for("table")
    guest.delete("/api/me").raise_for_status()
    fragment = unpacked(page.wait_for("view"))
    assert page.last_event > before, "or pages would not update"
    assert "Bob" not in fragment
    assert ("has deleted their profile" in fragment) == (move == "pass")


def test_a_name_entered_again_is_no_news_at_the_table(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    guest = sit_at(served, game)
    versions = []
    for name in ("Bob", " Bob ", "Rob"):
        guest.put("/api/me", json={"nickname": name}).raise_for_status()
        versions.append(EventStream(served, game["id"], host).wait_for("table"))
    assert versions[0] == versions[1] != versions[2]


def test_a_returning_player_first_gets_the_state_of_the_game(served: Served) -> None:
    host, game = open_on(served, kind="letterpress", bots=[1])
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "resign"}})
    assert EventStream(served, game["id"], host).wait_for("table") == "1-2"


def test_another_players_move_comes_with_the_table_as_its_page_shows_it(served: Served) -> None:
    host, game = open_on(served, kind="fribble")
    guest = sit_at(served, game)
    pages = [EventStream(served, game["id"], who, page=True) for who in (host, guest, httpx.Client())]
    for page in pages:
        page.wait_for("table", "0-2")
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    at_host, *of_others = pages
    assert at_host.wait_for("table") == "1-2", "the mover has already seen it"
    fetched = [
        httpx.get(f"{served.url}/games/{game['id']}/table", cookies=who.cookies).text
        for who in (guest, httpx.Client())
    ]
    for page, text in zip(of_others, fetched, strict=True):
        pushed = unpacked(page.wait_for("view"))
        assert page.last_event == "1-2"
        assert without_time(pushed) == without_time(text)
    assert without_time(fetched[0]) != without_time(fetched[1]), "a watcher sees no rack"


def test_a_remark_is_sent_without_the_table(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    page = EventStream(served, game["id"], sit_at(served, game), page=True)
    page.wait_for("table", "0-2")
    host.post(f"/api/games/{game['id']}/remarks", json={"line": 1}).raise_for_status()
    assert page.wait_for("table") == "0-2-1"


def test_a_browser_signed_out_meanwhile_is_shown_nothing(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    guest = sit_at(served, game)
    page = EventStream(served, game["id"], guest, page=True)
    page.wait_for("table", "0-2")
    guest.post("/me/phrase").raise_for_status()  # signing out needs a way to sign in again
    assert guest.post("/me/sign-out").status_code == 303
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    assert page.wait_for("table") == "1-2"


def test_a_program_gets_versions_only(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    program = EventStream(served, game["id"], sit_at(served, game))
    program.wait_for("table", "0-2")
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    assert program.wait_for("table") == "1-2"


def test_a_bots_move_is_sent_when_it_is_made(served: Served) -> None:
    host, game = open_on(served, kind="letterpress", bots=[1])
    stream = EventStream(served, game["id"], host)
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    stream.wait_for("table", "1-2")
    end = time.monotonic() + SOON
    while stream.events.empty() and time.monotonic() < end:
        time.sleep(0.1)
    assert stream.wait_for("table") == "2-2"


def test_a_bots_move_comes_with_the_table(served: Served) -> None:
    host, game = open_on(served, kind="letterpress", bots=[1])
    page = EventStream(served, game["id"], host, page=True)
    page.wait_for("table", "0-2")
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    assert 'data-version="2-2"' in unpacked(page.wait_for("view"))


def test_a_page_gets_the_players_present(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    guest = sit_at(served, game)
    stream = EventStream(served, game["id"], host)
    stream.wait_for("here", "[0]")
    EventStream(served, game["id"], guest)
    stream.wait_for("here", "[0, 1]")
    watcher = EventStream(served, game["id"], httpx.Client())
    assert watcher.wait_for("here") == "[0, 1]"


def test_a_program_gets_events_for_its_turn_and_the_end_of_a_game(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    guest = sit_at(served, game)
    data = json.dumps({"game": game["id"]})
    at_host, at_guest = EventStream(served, None, host), EventStream(served, None, guest)
    assert at_host.wait_for("turn") == data, "the current state on connecting"
    eventually(lambda: at_guest.last_event != "")
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}})
    assert at_guest.wait_for("turn") == data
    host.post(f"/api/games/{game['id']}/remarks", json={"line": 1})
    guest.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "resign"}})
    assert at_host.events.get(timeout=SOON) == ("over", data), "a remark is not a turn"
    back = EventStream(served, None, guest, last_event=at_guest.last_event)
    assert back.wait_for("over") == data, "the game that ended in between"
    assert EventStream(served, None, host).events.empty()


def test_a_stream_ends_once_its_token_is_revoked(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    made = host.post("/api/me/tokens", json={"name": "x", "scopes": ["read"]}).json()
    program = httpx.Client(headers={"Authorization": f"Bearer {made['token']}"}, timeout=SOON)
    stream = EventStream(served, None, program)
    eventually(lambda: stream.last_event != "")
    host.delete(f"/api/me/tokens/{made['token_id']}").raise_for_status()
    sit_down(httpx.Client(base_url=served.url, timeout=SOON), game)
    assert stream.ended.wait(SOON)
    assert stream.events.empty(), "no more events"


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
    stream = EventStream(server, game["id"], host)
    stream.wait_for("table")
    server.stop()
    assert stream.ended.wait(SOON), "it ended normally and was not cut off"
    assert "timeout graceful shutdown exceeded" not in server.log.read_text()
