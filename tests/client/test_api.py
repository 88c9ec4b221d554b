"""The API client against the real application and against invalid responses."""

import json
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from app.client import ApiClient, CookieFile, NotWibble, Problem, Unreachable
from app.client.events import ServerEvent, server_sent_events
from app.games.wibble.analysis import Analysis
from app.games.wibble.views import View
from app.settings import Settings
from tests.client.conftest import Player
from tests.in_process import InProcess
from tests.shared_parts import create_app


def answering(*answers: httpx.Response, **options: Any) -> ApiClient:
    """A client of a server that gives these answers in turn."""
    left = list(answers)
    return ApiClient("http://words.example", transport=httpx.MockTransport(lambda _: left.pop(0)), **options)


def problem(status: int, detail: str, **headers: str) -> httpx.Response:
    content = json.dumps({"title": "x", "status": status, "detail": detail})
    types = {"content-type": "application/problem+json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return httpx.Response(status, headers=types, content=content)


def test_a_game_from_its_opening_to_its_analysis(player: Player) -> None:
    client = player("ann")
    game = client.open_game("wibble", {"mode": "classic"})
    assert (game.seat, game.ply, game.free_seats) == (0, 1, 0)
    for ply in range(1, 6):
        game = client.move(game.id, {"type": "pass"}, ply)
    assert game.outcome is not None
    assert game.outcome.scores == (0,)
    assert [line.move for line in client.log(game.id)][1] == {"type": "pass"}
    assert client.record(game.id).startswith("wibble record")
    assert len(client.analysis(game.id, Analysis).turns) == 5
    assert client.game(game.id) == game


def test_an_id_stays_one_part_of_the_address() -> None:
    paths: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.raw_path)
        return problem(404, "no such game")

    client = ApiClient("http://words.example", transport=httpx.MockTransport(answer))
    with pytest.raises(Problem):
        client.claim("../me?x#y")
    assert paths == [b"/api/games/..%2Fme%3Fx%23y/claim"]


def test_two_players_meet_by_an_invitation_and_talk(player: Player) -> None:
    ann, bob = player("ann"), player("bob")
    game = ann.open_game("letterpress", {}, seats=2)
    assert game.free_seats == 1
    with pytest.raises(Problem) as wrong:
        bob.take_seat(game.id, "wrong")
    assert wrong.value.status == 404
    assert bob.take_seat(game.id, game.invitation).seat == 1
    line = bob.remarks().index("Good luck!")
    assert bob.say(game.id, line).remarks[0].text == "Good luck!"
    with pytest.raises(Problem, match="turn") as early:
        bob.move(game.id, {"type": "pass"}, 0)
    assert early.value.status == 409
    assert player("cat").game(game.id).seat is None


def test_a_move_is_made_once_however_often_it_is_sent(player: Player) -> None:
    client = player("ann")
    game = client.open_game("wibble", {"mode": "classic"})
    client.move(game.id, {"type": "pass"}, game.ply)
    with pytest.raises(Problem) as again:
        client.move(game.id, {"type": "pass"}, game.ply)
    assert again.value.status == 409
    assert len(client.log(game.id)) == 2


def test_the_event_stream_sends_the_version_first(player: Player) -> None:
    client = player("ann")
    game = client.open_game("wibble", {"mode": "classic"})
    with client.events(game.id) as lines:
        assert next(iter(server_sent_events(lines))) == ServerEvent("table", "1-1")
    with pytest.raises(Problem) as unknown, client.events("nothing"):
        pass
    assert unknown.value.status == 404


def test_what_is_wrong_is_named_with_its_field(player: Player) -> None:
    client = player("ann")
    with pytest.raises(Problem, match=r"options\.size: 7 or less expected") as wrong:
        client.open_game("wibble", {"size": 99})
    assert wrong.value.status == 422
    with pytest.raises(Problem, match="there is no such kind of game"):
        client.open_game("chess", {})


def test_the_same_cookie_file_is_the_same_player(application: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"

    def client() -> tuple[ApiClient, CookieFile]:
        cookies = CookieFile(file)
        return ApiClient("http://testserver", cookies=cookies.jar, transport=InProcess(application)), cookies

    first, cookies = client()
    game = first.open_game("wibble", {})
    cookies.save()
    assert client()[0].game(game.id).seat == 0
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_server_that_asks_for_patience_is_asked_again(tmp_path: Path, shared_cache: Path) -> None:
    settings = Settings(data_dir=tmp_path / "d", cache_dir=shared_cache, rate_games="1/5 seconds")
    waits: list[tuple[float, str]] = []
    with TestClient(create_app(settings)) as running:
        client = ApiClient(
            "http://testserver",
            transport=InProcess(running),
            postponed=lambda seconds, why: waits.append((seconds, why)),
        )
        for _ in range(20):  # on a busy machine a game may take as long as the limit
            begun = time.monotonic()
            client.open_game("wibble", {})
            if waits:
                break
    assert sum(seconds for seconds, _ in waits) <= time.monotonic() - begun
    assert "1 in 5 seconds" in waits[0][1]


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_seconds_or_a_date_and_has_an_end(status: int) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    slept: list[float] = []
    busy = [problem(status, "busy", retry_after=wait) for wait in ("7", date, "50")]
    with pytest.raises(Problem, match="busy") as refused:
        answering(*busy, sleep=slept.append).game("x")
    assert refused.value.status == status
    assert slept[0] == 7
    assert 15 < slept[1] <= 20
    assert len(slept) == 2  # 50 seconds more would be too long


@pytest.mark.parametrize("wait", ["0", "Thu, 01 Jan 2026 00:00:00 GMT"])
def test_a_retry_at_once_waits_a_second_and_has_an_end(wait: str) -> None:
    slept: list[float] = []
    busy = [problem(429, "busy", retry_after=wait) for _ in range(61)]
    with pytest.raises(Problem, match="busy"):
        answering(*busy, sleep=slept.append).game("x")
    assert slept == [1.0] * 60


@pytest.mark.parametrize(
    ("answer", "raised", "says"),
    [
        (httpx.Response(200, html="<h1>It works</h1>"), NotWibble, "is not a Wibble server"),
        (httpx.Response(200, json={"id": 5}), NotWibble, "or has another version"),
        (httpx.Response(404, html="<h1>Not found</h1>"), NotWibble, "it answered 404 Not Found"),
        (
            httpx.Response(301, headers={"location": "https://words.example/"}),
            NotWibble,
            "redirects to https",
        ),
        (httpx.Response(401, text="who?"), Problem, "requires a login"),
        (httpx.Response(502, html="<h1>Bad gateway</h1>"), Unreachable, "is unavailable"),
        (problem(403, "another player's game"), Problem, "another player's game"),
        (problem(500, "something went wrong"), Problem, "something went wrong"),
        (
            httpx.Response(400, content=b"{", headers={"content-type": "application/problem+json"}),
            NotWibble,
            "400",
        ),
    ],
)
def test_other_answers_raise_different_errors(
    answer: httpx.Response, raised: type[Exception], says: str
) -> None:
    with pytest.raises(raised, match=says):
        answering(answer).game("x")


def test_an_unresponsive_server_is_unreachable() -> None:
    with pytest.raises(Unreachable, match="does not respond"):
        ApiClient("http://127.0.0.1:9").game("x")


@pytest.mark.parametrize(
    "url",
    ["", "words.example", "ftp://words.example", "http://", "http://[", "http://a/?b=c", "http://a:port"],
)
def test_a_url_that_is_no_server_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="accepted: a URL such as http"):
        ApiClient(url)


def test_a_password_in_the_address_is_sent_and_never_shown() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        raise httpx.ConnectError("nobody", request=request)

    client = ApiClient("https://ann:secret@words.example/wibble/", transport=httpx.MockTransport(answer))
    with pytest.raises(Unreachable) as caught:
        client.game("x")
    assert asked[0].headers["authorization"].startswith("Basic ")
    assert asked[0].url.path == "/wibble/api/games/x"
    assert "secret" not in f"{caught.value} {client.url}"


def test_later_fields_are_left_out_and_control_characters_escaped(player: Player) -> None:
    game = player("ann").open_game("wibble", {})
    answer = json.loads(game.model_dump_json())
    answer["view"] |= {"weather": "fine"}
    answer["seats"][0] |= {"name": "A\x1b[2Jn", "mood": "good"}
    shown = answering(httpx.Response(200, json=answer)).game(game.id)
    assert shown.seats[0].name == "A\\x1b[2Jn"
    assert View.model_validate(shown.view, extra="ignore").mode == "zen"
