"""Lessons without scripts: opened, played to the end, skipped, offered once, and never counted."""

import html
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from app.rooms import ROOMS
from app.store.retention import LESSON_KEPT, Retention, prune
from app.store.schema import games, rankings, results, statistics
from app.web.services import Services
from app.web.table.lessons import coach
from tests.lessons import EACH_LESSON, LESSONS
from tests.web.browsing import HTML, HTMX, start_game
from tests.web.conftest import Clock

THINKING = 15.0
"""Seconds after which a bot has moved."""


def services(client: TestClient) -> Services:
    found: Services = client.app.state.services  # type: ignore[attr-defined]
    return found


def open_lesson(client: TestClient, kind: str) -> str:
    return start_game(client, f"/learn/{kind}")


def text(page: str) -> str:
    """The coach's text."""
    found = re.search(r'id="coach-text".*?<p>(.*?)</p>', page, re.DOTALL)
    assert found, "there is no coach"
    return html.unescape(re.sub("<[^>]+>", "", found[1]))


def step(page: str) -> int:
    """The number of the step on the page; 0 at the end."""
    found = re.search(r'name="step" value="(\d+)"', page)
    return int(found[1]) if found else 0


def form_of(move: Any) -> dict[str, str]:
    """A move as the fields of a form."""
    fields = move.model_dump(exclude_none=True)
    return {
        name: ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in fields.items()
    }


def follow(client: TestClient, clock: Clock, address: str) -> list[int]:
    """Play a lesson to its end with plain forms; return the steps seen."""
    seen: list[int] = []
    for _ in range(40):
        page = client.get(address, headers=HTML).text
        if step(page) == 0:
            return seen
        seen += [step(page)] * (step(page) not in seen)
        table = services(client).games.read(address.rpartition("/")[2])
        progress = coach(services(client), table)
        assert progress
        if progress.attempt:
            answer = client.post(f"{address}/moves", data=form_of(progress.attempt.move), headers=HTML)
        elif progress.reading:
            answer = client.post(f"{address}/lesson", data={"step": step(page)}, headers=HTML)
        else:
            clock.now += THINKING
            continue
        assert answer.status_code == 200, answer.text
        assert answer.url.path == address
    raise AssertionError("the lesson does not end")


@EACH_LESSON
def test_a_whole_lesson_without_script_counts_nowhere(client: TestClient, clock: Clock, kind: str) -> None:
    address = open_lesson(client, kind)
    assert follow(client, clock, address) == list(range(1, len(LESSONS[kind].script.steps) + 1))
    over = client.get(address, headers=HTML).text
    assert text(over) == LESSONS[kind].script.end
    for start in LESSONS[kind].script.starts:
        assert f'action="{start.address}"' in over
    client.post(f"{address}/moves", data=form_of(ROOMS[kind].game.resignation))
    with services(client).games.database.reading() as connection:
        for counted in (results, statistics, rankings):
            assert connection.execute(select(counted)).all() == []
    assert address not in client.get("/lobby").text
    assert address not in client.get(ROOMS[kind].address).text


def test_a_word_laid_with_a_pointer_may_be_typed_without_script(client: TestClient) -> None:
    address = open_lesson(client, "fribble")
    found = re.search(r"<noscript> Type ([^<]+)\.</noscript>", client.get(address, headers=HTML).text)
    assert found
    client.post(f"{address}/moves", data={"type": "write", "text": found[1]}).raise_for_status()
    played = client.get(f"/api{address}").json()["view"]["turns"]
    assert [turn["words"] for turn in played] == [["LION"]]


@EACH_LESSON
def test_the_games_to_go_on_with_open(client: TestClient, kind: str) -> None:
    for start in LESSONS[kind].script.starts:
        assert re.fullmatch(r"/games/[\w-]+", start_game(client, start.address, **start.fields))


@EACH_LESSON
def test_the_page_of_a_lesson_explains_it_and_opens_it(client: TestClient, kind: str) -> None:
    page = client.get(f"/learn/{kind}", headers=HTML)
    assert page.status_code == 200
    assert f'action="/learn/{kind}"' in page.text
    for one in LESSONS[kind].script.steps:
        assert one.text in html.unescape(page.text)
    assert "wibble_player" not in page.headers.get("set-cookie", ""), "viewing creates no guest"


@EACH_LESSON
def test_a_first_visit_is_offered_the_lesson_until_it_is_opened(
    client: TestClient, stranger: TestClient, kind: str
) -> None:
    offer = f'action="/learn/{kind}"'
    home = ROOMS[kind].address
    assert offer in client.get(home).text
    open_lesson(client, kind)
    assert offer not in client.get(home).text
    assert offer in stranger.get(home).text


def test_a_first_table_is_offered_the_lesson_and_the_second_is_not(client: TestClient) -> None:
    first, second = (start_game(client, "/play", mode="zen") for _ in range(2))
    assert 'action="/learn/' not in client.get(second).text
    lone = TestClient(client.app)
    address = start_game(lone, "/play", mode="zen")
    assert 'action="/learn/wibble"' in lone.get(address).text
    assert 'action="/learn/' not in client.get(address).text, "offered to its player, not to spectators"
    assert 'action="/learn/' not in lone.get(f"{address}/table", headers=HTMX).text
    assert first != second


def test_declining_at_a_table_leads_back_and_holds_everywhere(client: TestClient) -> None:
    address = start_game(client, "/play", mode="zen")
    answer = client.post("/learn/wibble/decline", data={"table": address.rpartition("/")[2]}, headers=HTML)
    assert answer.url.path == address
    assert 'action="/learn/' not in answer.text
    assert 'action="/learn/' not in client.get("/").text
    assert 'action="/learn/letterpress"' in client.get("/letterpress").text, "another game’s is still offered"


def test_declining_on_the_page_of_a_room_leads_back_there(client: TestClient) -> None:
    for _ in range(2):
        answer = client.post("/learn/boggle/decline", headers=HTML)
        assert answer.url.path == "/boggle"
        assert 'action="/learn/' not in answer.text


@pytest.mark.parametrize("table", ["//example.org", "../me", "x" * 33])
def test_declining_leads_to_no_other_address(client: TestClient, table: str) -> None:
    assert client.post("/learn/wibble/decline", data={"table": table}).status_code == 422


def test_a_step_is_skipped_once_however_often_it_is_asked(client: TestClient) -> None:
    address = open_lesson(client, "wibble")
    for _ in range(2):
        page = client.post(f"{address}/lesson", data={"step": 1}, headers=HTML).text
        assert step(page) == 2


def test_the_coach_alone_is_fetched_by_scripts(client: TestClient) -> None:
    address = open_lesson(client, "wibble")
    part = client.get(f"{address}/lesson", headers=HTMX)
    assert step(part.text) == 1
    assert "<html" not in part.text
    assert client.get(f"{address}/lesson", headers=HTML).url.path == address


def test_only_its_player_skips_a_lesson(client: TestClient, stranger: TestClient) -> None:
    address = open_lesson(client, "wibble")
    assert stranger.post(f"{address}/lesson", data={"step": 1}).status_code == 403
    assert step(client.get(address).text) == 1


def test_a_game_that_is_no_lesson_has_no_coach(client: TestClient) -> None:
    address = start_game(client, "/play", mode="zen")
    assert client.post(f"{address}/lesson", data={"step": 1}, headers=HTMX).status_code == 404
    assert client.get(f"{address}/lesson", headers=HTMX).status_code == 404
    assert 'id="coach"' not in client.get(address).text
    assert client.get("/learn/nonesuch", headers=HTML).status_code == 404
    assert client.post("/learn/nonesuch").status_code == 404


def test_a_lesson_is_removed_after_a_day_and_other_games_stay(client: TestClient, clock: Clock) -> None:
    lesson, game = open_lesson(client, "wibble"), start_game(client, "/play", mode="zen")
    database = services(client).games.database
    assert prune(database, Retention(), clock.now + LESSON_KEPT - 1).lessons == 0
    assert prune(database, Retention(), clock.now + LESSON_KEPT + 1).lessons == 1
    with database.reading() as connection:
        assert connection.scalars(select(games.c.id)).all() == [game.rpartition("/")[2]]
    assert client.get(lesson, headers=HTML).status_code == 404


def test_a_player_who_is_erased_leaves_no_marks(client: TestClient) -> None:
    open_lesson(client, "wibble")
    with services(client).games.database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM shown").scalar() == 1
    client.post("/me/erase", data={"confirmed": "true"})
    with services(client).games.database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM shown").scalar() == 0


def tips(page: str) -> list[str]:
    """The names of the hints that a page may show."""
    return re.findall(r'class="tip-source" data-name="(\w+)"', page)


def test_a_hint_is_offered_at_every_table_until_it_was_shown(
    client: TestClient, stranger: TestClient
) -> None:
    first = start_game(client, "/play", mode="classic")
    assert tips(client.get(first).text) == ["gem", "typing"]
    assert client.post("/learn/wibble/tips", data={"name": "gem"}).status_code == 204
    for _ in range(2):
        second = start_game(client, "/play", mode="classic")
        assert tips(client.get(second).text) == ["typing"]
    assert tips(stranger.get(first).text) == [], "spectators get none"
    assert tips(client.get(f"{first}/table", headers=HTMX).text) == []
    assert tips(client.get(open_lesson(client, "wibble")).text) == [], "a lesson has its coach"


def test_only_known_hints_of_players_are_noted(client: TestClient, stranger: TestClient) -> None:
    start_game(client, "/play", mode="classic")
    assert client.post("/learn/wibble/tips", data={"name": "nonesuch"}).status_code == 204
    assert stranger.post("/learn/wibble/tips", data={"name": "gem"}).status_code == 204
    assert client.post("/learn/nonesuch/tips", data={"name": "gem"}).status_code == 404
    with services(client).games.database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM shown").scalar() == 0
