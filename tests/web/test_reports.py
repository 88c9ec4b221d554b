"""Reporting a name, a remark, a game and a circle, on pages and over the API."""

import html
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from app.store.database import Database
from app.store.reports import LONGEST_COMMENT, Report, Reports
from tests.driver import open_wibble
from tests.web.browsing import HTML
from tests.web.conftest import Clock, Serve
from tests.web.test_circles import circle_of


@pytest.fixture
def filed(settings: Settings) -> Reports:
    """The reports in the store, beside the server."""
    return Reports(Database(settings.store_url))


def about_name(game: str, seat: int = 1) -> dict[str, Any]:
    return {"kind": "name", "player": {"game": game, "seat": seat}}


def send(client: TestClient, about: dict[str, Any], **more: Any) -> Any:
    return client.post("/api/reports", json={"about": about, "reason": "offensive"} | more)


def summary(report: Report) -> tuple[str, str, str, str | None]:
    return report.subject, report.text, report.reason, report.comment


def test_a_name_is_reported_as_the_store_has_it(
    ada: TestClient, bob: TestClient, game: str, filed: Reports, clock: Clock
) -> None:
    answer = send(ada, about_name(game), comment="  a\n\x00lot  ", reason="impersonation")
    assert answer.status_code == 201, answer.text
    expected = {"subject": "name", "text": "Bob", "reason": "impersonation", "comment": "a lot"}
    assert answer.json() == expected | {"at": clock.now}
    assert send(ada, about_name(game) | {"text": "Rude"}).status_code == 422, "the client cannot set the text"
    bob.put("/api/me", json={"nickname": "Robert"}).raise_for_status()
    (kept,) = filed.open(10)
    assert summary(kept) == ("name", "Bob", "impersonation", "a lot")
    assert (kept.nickname, kept.game_id) == ("Robert", game)


def test_a_remark_is_named_by_seat_and_time(
    ada: TestClient, bob: TestClient, third: TestClient, game: str, filed: Reports
) -> None:
    bob.post(f"/api/games/{game}/remarks", json={"line": 2}).raise_for_status()
    remark = ada.get(f"/api/games/{game}").json()["remarks"][0]
    about = {"kind": "remark", "game": game, "seat": 1, "at": remark["at"]}
    assert send(ada, about | {"at": remark["at"] + 1}).status_code == 404
    assert send(bob, about).status_code == 422, "his own name"
    assert send(ada, about, reason="harassment").json()["text"] == remark["text"]
    (kept,) = filed.open(10)
    assert summary(kept) == ("remark", remark["text"], "harassment", None)
    ada.post("/api/me/blocks", json={"game": game, "seat": 1}).raise_for_status()
    assert send(ada, about).status_code == 404, "only visible remarks can be reported"
    third.put("/api/me", json={"nickname": "Cleo"}).raise_for_status()
    assert send(third, about).status_code == 201, "spectators see it, too"


def test_an_invalid_report_is_refused_and_not_stored(
    ada: TestClient, bob: TestClient, third: TestClient, game: str, filed: Reports
) -> None:
    circle = circle_of(ada, bob).rpartition("/")[2]
    alone = open_wibble(ada, "zen")["id"]
    nameless = third.post("/api/games", json={"kind": "letterpress", "listed": True}).json()["id"]
    member = {"kind": "name", "player": {"circle": circle, "member": 2}}
    cases: tuple[tuple[TestClient, dict[str, Any], int], ...] = (
        (ada, about_name(game, 0), 422),
        (ada, about_name(game, 5), 404),
        (ada, about_name(nameless, 1), 404),
        (ada, about_name(nameless, 0), 404),
        (ada, about_name("unknown"), 404),
        (ada, {"kind": "game", "game": "unknown"}, 404),
        (ada, {"kind": "game", "game": alone}, 422),
        (ada, {"kind": "circle", "circle": circle}, 422),
        (bob, member, 422),
        (third, member, 404),
        (third, {"kind": "circle", "circle": circle}, 404),
        (ada, member | {"player": {"circle": circle, "member": 9}}, 404),
        (ada, {"kind": "nothing"}, 422),
        (ada, {"kind": "name"}, 422),
        (TestClient(ada.app), about_name(game), 403),
    )
    for client, about, status in cases:
        answer = send(client, about)
        assert answer.status_code == status, about
        assert {error["location"][1] for error in answer.json()["errors"]} == {422: {"about"}}.get(
            status, set()
        )
    assert send(ada, about_name(game), reason="dull").status_code == 422
    assert send(ada, about_name(game), comment="x" * (LONGEST_COMMENT + 1)).status_code == 422
    assert filed.open_count() == 0


def test_the_same_is_reported_once_until_it_was_looked_at(
    ada: TestClient, bob: TestClient, game: str, filed: Reports
) -> None:
    circle = circle_of(bob, ada).rpartition("/")[2]
    assert send(ada, about_name(game)).status_code == 201
    again = send(ada, {"kind": "name", "player": {"circle": circle, "member": 1}})
    assert (again.status_code, "already" in again.json()["detail"]) == (409, True)
    for about in ({"kind": "circle", "circle": circle}, {"kind": "game", "game": game}):
        assert [send(ada, about).status_code for _ in range(2)] == [201, 409]
    assert {each.subject for each in filed.open(10)} == {"name", "circle", "game"}


def test_the_form_of_a_game_has_names_remarks_and_the_game(
    ada: TestClient, bob: TestClient, game: str, filed: Reports, clock: Clock
) -> None:
    for _ in range(2):
        bob.post(f"/api/games/{game}/remarks", json={"line": 0}).raise_for_status()
        clock.now += 1
    people = ada.get(f"/games/{game}/people", headers=HTML).text
    address = f"/games/{game}/report"
    assert f'href="{address}?seat=1"' in people
    form = ada.get(f"{address}?seat=1", headers=HTML).text
    assert 'value="name 1" checked' in form
    assert form.count('name="about"') == 3, "a repeated remark is listed once"
    remark = html.unescape(form).split('value="remark', 1)[1].split('"')[0]
    fields = {"about": ["name 1", f"remark{remark}", "game"], "reason": "harassment", "comment": "twice"}
    for left_out, notice in (("about", "Choose what"), ("reason", "Choose why")):
        incomplete = {name: value for name, value in fields.items() if name != left_out}
        refused = ada.post(address, data=incomplete, headers=HTML)
        assert (refused.status_code, notice in refused.text, "twice" in refused.text) == (422, True, True)
    unknown = ada.post(address, data=fields | {"about": ["name 0", "name x", "\0"]}, headers=HTML)
    assert (unknown.status_code, filed.open_count()) == (422, 0)
    sent = ada.post(address, data=fields, headers=HTML)
    assert (sent.status_code, "Report sent" in sent.text) == (200, True)
    assert sorted(each.subject for each in filed.open(10)) == ["game", "name", "remark"]
    again = ada.post(address, data=fields, headers=HTML)
    assert (again.status_code, "already" in again.text) == (409, True)


def test_the_form_of_a_circle_has_names_and_its_own(
    ada: TestClient, bob: TestClient, third: TestClient, filed: Reports
) -> None:
    circle = circle_of(ada, bob).removeprefix("/api")
    assert f'href="{circle}/report?member=1"' in bob.get(f"{circle}/people", headers=HTML).text
    form = bob.get(f"{circle}/report?member=1", headers=HTML).text
    assert ('value="name 1" checked' in form, 'value="circle"' in form) == (True, True)
    assert 'value="circle"' not in ada.get(f"{circle}/report", headers=HTML).text, "it is her own"
    fields = {"about": ["circle"], "reason": "offensive"}
    assert third.post(f"{circle}/report", data=fields, headers=HTML).status_code == 404
    assert "Report sent" in bob.post(f"{circle}/report", data=fields, headers=HTML).text
    assert [summary(each) for each in filed.open(10)] == [("circle", "The Lovelaces", "offensive", None)]


def test_a_replay_with_another_player_links_to_the_report_form(
    ada: TestClient, bob: TestClient, third: TestClient, game: str
) -> None:
    bob.post(f"/api/games/{game}/moves", json={"move": {"type": "resign"}})
    ada.post(f"/api/games/{game}/moves", json={"move": {"type": "resign"}})
    replay = f"/games/{game}/plies/0"
    assert f'href="/games/{game}/report"' in ada.get(replay, headers=HTML).text
    assert f'href="/games/{game}/report"' not in third.get(replay, headers=HTML).text, "no player yet"
    assert third.get(f"/games/{game}/report", headers=HTML).status_code == 403
    third.put("/api/me", json={"nickname": "Cleo"}).raise_for_status()
    assert 'name="about" value="name 0"' in third.get(f"/games/{game}/report", headers=HTML).text


def test_reports_are_limited_and_exported(serve: Serve, clock: Clock) -> None:
    owner = serve(rate_reports="1/hour")
    other = TestClient(owner.app)
    owner.put("/api/me", json={"nickname": "Ada"})
    other.put("/api/me", json={"nickname": "Bob"})
    opened = owner.post("/api/games", json={"kind": "letterpress"}).json()
    other.post(f"/api/games/{opened['id']}/seats", json={"invitation": opened["invitation"]})
    assert [send(owner, about_name(opened["id"])).status_code for _ in range(2)] == [201, 429]
    (exported,) = owner.get("/me/export").json()["reports"]
    assert exported == {
        "subject": "name",
        "text": "Bob",
        "reason": "offensive",
        "comment": None,
        "game_id": opened["id"],
        "circle_id": None,
        "at": clock.now,
        "closed_at": None,
    }
    assert other.get("/me/export").json()["reports"] == []
