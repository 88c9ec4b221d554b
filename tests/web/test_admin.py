"""Operators: their access, views and actions, on pages and over the API."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr, ValidationError

from app.settings import Settings
from app.store.audit import UNNAMED
from app.store.operators import LINK_SECONDS, Operators
from app.web.guard.operator_token import COOKIE, SESSION_SECONDS
from tests.driver import named
from tests.web.browsing import HTML
from tests.web.conftest import Clock, Serve
from tests.web.site_content import routes
from tests.web.test_circles import circle_of

TOKEN = "0123456789abcdef-operators-0123456789"  # noqa: S105 - of the tests
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def ada(serve: Serve) -> TestClient:
    return named(serve(admin_token=SecretStr(TOKEN)), "Ada")


@pytest.fixture
def bob(ada: TestClient) -> TestClient:
    return named(TestClient(ada.app), "Bob")


@pytest.fixture
def desk(ada: TestClient) -> TestClient:
    """The browser of an operator who has signed in with the token."""
    browser = TestClient(ada.app)
    assert browser.post("/admin/sign-in", data={"token": TOKEN}, headers=HTML).url.path == "/admin"
    return browser


def operators(client: TestClient) -> Operators:
    found: Operators = client.app.state.services.operators  # type: ignore[attr-defined]
    return found


def report(client: TestClient, about: dict[str, Any], reason: str = "offensive", **more: Any) -> None:
    client.post("/api/reports", json={"about": about, "reason": reason} | more).raise_for_status()


def report_name(client: TestClient, game: str) -> None:
    report(client, {"kind": "name", "player": {"game": game, "seat": 1}})


def groups(client: TestClient) -> list[tuple[str, list[str]]]:
    """The kinds of the open groups, with the subjects of their reports."""
    answer = client.get("/api/admin/reports", headers=BEARER)
    assert answer.status_code == 200, answer.text
    return [(each["kind"], [one["subject"] for one in each["reports"]]) for each in answer.json()]


def who(client: TestClient, text: str) -> Any:
    """The one player that is found."""
    (found,) = client.get("/api/admin/players", params={"text": text}, headers=BEARER).json()
    return found


def noted(client: TestClient) -> list[tuple[str, str, str]]:
    log = client.get("/api/admin/audit", headers=BEARER).json()
    return [(entry["operator"], entry["action"], entry["reason"]) for entry in log]


def test_operators_pages_are_404_for_all_others(ada: TestClient, game: str) -> None:
    stranger, checked = TestClient(ada.app), 0
    nowhere = ada.get("/nonesuch", headers=HTML).text
    for methods, path in routes(ada):
        if not path.startswith("/admin") or path.startswith(("/admin/sign", "/admin/join")):
            continue
        values = {"player_id": "x", "report_id": "x", "game_id": game, "circle_id": "x", "action": "erase"}
        for method, client in ((method, client) for method in methods for client in (ada, stranger)):
            answer = client.request(method, path.format(**values), headers=HTML, data={})
            assert answer.status_code == 404, (method, path)
            assert (answer.text == nowhere) or method != "GET" or client is stranger, path
            checked += 1
    assert checked == 20
    assert ada.get("/admin/nonesuch", headers=HTML).status_code == 404


def test_operators_operations_are_refused_to_all_others(ada: TestClient) -> None:
    stranger, checked = TestClient(ada.app), 0
    wrong = {"Authorization": f"Bearer {TOKEN}x"}
    for methods, path in routes(ada):
        if not path.startswith("/api/admin"):
            continue
        for method in methods:
            address = re.sub(r"{\w+}", "x", path)
            body = None if method == "GET" else {"reason": "x"}
            sent = (
                (stranger.request(method, address, json=body), 401),
                (stranger.request(method, address, headers=wrong, json=body), 401),
                (ada.request(method, address, headers=wrong, json=body), 401),
                (ada.request(method, address, json=body), 403),
            )
            for answer, status in sent:
                assert answer.status_code in (status, 429), (method, path)
                assert answer.headers.get("www-authenticate", "Bearer").startswith("Bearer")
                checked += 1
    assert checked == 32


def test_wrong_tokens_are_limited(serve: Serve, clock: Clock) -> None:
    client = serve(admin_token=SecretStr(TOKEN), rate_sign_in="2/minute", rate_address_share=1)
    wrong = {"Authorization": "Bearer wrong"}
    tried = [client.get("/api/admin/audit", headers=wrong).status_code for _ in range(3)]
    assert tried == [401, 401, 429]
    assert client.get("/api/admin/audit", headers=BEARER).status_code == 200, "the right one is not counted"
    assert client.post("/admin/sign-in", data={"token": TOKEN}).status_code == 429
    clock.now += 60
    assert client.post("/admin/sign-in", data={"token": TOKEN}, headers=HTML).url.path == "/admin"


def test_operators_cannot_sign_in_by_token_where_none_is_set(client: TestClient) -> None:
    assert client.get("/admin/sign-in", headers=HTML).status_code == 404
    for token in ("", "None"):
        assert client.post("/admin/sign-in", data={"token": token}, headers=HTML).status_code == 404
        headers = {"Authorization": f"Bearer {token}"}
        assert client.get("/api/admin/audit", headers=headers).status_code == 401


@pytest.mark.parametrize("token", ["short", "x" * 64, "0123456789abcdef"])
def test_a_token_that_can_be_guessed_is_refused_at_start(token: str) -> None:
    with pytest.raises(ValidationError, match="can be guessed"):
        Settings.model_validate({"admin_token": token})
    assert Settings.model_validate({"admin_token": ""}).admin_token is None, "as from compose.yaml"


def test_the_cookie_is_for_the_pages_alone_and_short_lived(ada: TestClient, clock: Clock) -> None:
    browser = TestClient(ada.app)
    wrong = browser.post("/admin/sign-in", data={"token": "wrong"}, headers=HTML)
    assert (wrong.status_code, "not the operators’ token" in wrong.text) == (422, True)
    signed = browser.post("/admin/sign-in", data={"token": TOKEN}, follow_redirects=False)
    cookie = signed.headers["set-cookie"]
    assert TOKEN not in cookie
    for part in (COOKIE, "HttpOnly", "SameSite=strict", "Path=/admin", f"Max-Age={SESSION_SECONDS}"):
        assert part in cookie
    assert browser.get("/admin", headers=HTML).headers["cache-control"] == "no-store"
    assert browser.get("/api/admin/audit").status_code == 401
    clock.now += SESSION_SECONDS
    assert browser.get("/admin", headers=HTML).status_code == 404
    browser.post("/admin/sign-in", data={"token": TOKEN})
    assert browser.get("/admin", headers=HTML).status_code == 200
    browser.post("/admin/sign-out")
    assert browser.get("/admin", headers=HTML).status_code == 404


def test_a_forged_operator_cookie_is_not_accepted(ada: TestClient, desk: TestClient, serve: Serve) -> None:
    given = desk.cookies[COOKIE]
    forged = TestClient(ada.app, cookies={COOKIE: given[:-2] + "xx"})
    assert forged.get("/admin", headers=HTML).status_code == 404
    changed = serve(admin_token=SecretStr(TOKEN[::-1]))
    changed.cookies.set(COOKIE, given)
    assert changed.get("/admin", headers=HTML).status_code == 404, "it ends with the token"


def test_another_sites_page_does_nothing(desk: TestClient, ada: TestClient, game: str) -> None:
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    for path in (f"/admin/games/{game}/remove", f"/api/admin/games/{game}/remove"):
        answer = desk.post(path, data={"reason": "x"}, headers=elsewhere)
        assert answer.status_code == 403
    assert ada.get(f"/api/games/{game}").status_code == 200


def test_a_link_makes_the_player_who_accepts_an_operator(
    ada: TestClient, bob: TestClient, game: str, clock: Clock
) -> None:
    link = f"/admin/join/{operators(ada).add('Grace', clock.now)}"
    for _ in range(2):  # as a messenger's preview
        assert "Grace" in ada.get(link, headers=HTML).text
    assert ada.get("/admin", headers=HTML).status_code == 404
    assert ada.post(link, headers=HTML).url.path == "/admin"
    assert [bob.get(link, headers=HTML).status_code, bob.post(link).status_code] == [404, 404]
    assert bob.get("/admin", headers=HTML).status_code == 404
    assert ada.get("/api/admin/reports").json() == []
    second = f"/admin/join/{operators(ada).add('Hopper', clock.now)}"
    assert ada.post(second).status_code == 409
    assert bob.get(second, headers=HTML).status_code == 200, "it was not used up"
    clock.now += LINK_SECONDS
    assert bob.post(second).status_code == 404
    ada.post(f"/api/admin/games/{game}/remove", json={"reason": "broken"}).raise_for_status()
    assert noted(ada)[0] == ("operator Grace", "remove_game", "broken")
    operators(ada).remove("Grace", clock.now)
    assert ada.get("/api/admin/reports").status_code == 403
    assert ada.get("/admin", headers=HTML).status_code == 404


def test_reports_are_grouped_and_an_action_closes_them(ada: TestClient, bob: TestClient, game: str) -> None:
    cleo = named(TestClient(ada.app), "Cleo")
    circle = circle_of(bob, ada).rpartition("/")[2]
    bob.post(f"/api/games/{game}/remarks", json={"line": 0}).raise_for_status()
    remark = ada.get(f"/api/games/{game}").json()["remarks"][0]
    report_name(ada, game)
    report_name(cleo, game)
    report(ada, {"kind": "remark", "game": game, "seat": 1, "at": remark["at"]}, comment="again")
    report(ada, {"kind": "game", "game": game}, reason="cheating")
    report(ada, {"kind": "circle", "circle": circle})
    found = sorted((kind, sorted(subjects)) for kind, subjects in groups(ada))
    assert found == [("circle", ["circle"]), ("game", ["game"]), ("player", ["name", "name", "remark"])]
    person = who(ada, "bob")
    assert (person["names"], len(person["reports"])) == (["Bob"], 3)
    done = ada.post(
        f"/api/admin/players/{person['player_id']}/actions",
        json={"action": {"type": "mute", "days": 3}, "reason": "insults"},
        headers=BEARER,
    )
    assert (done.status_code, done.json()["action"]) == (200, "mute")
    assert sorted(kind for kind, _ in groups(ada)) == ["circle", "game"]
    renamed = {"name": "Polite", "reason": "rude"}
    answer = ada.post(f"/api/admin/circles/{circle}/rename", json=renamed, headers=BEARER)
    assert answer.status_code == 200, answer.text
    assert bob.get(f"/api/circles/{circle}").json()["name"] == "Polite"
    removed = ada.post(f"/api/admin/games/{game}/remove", json={"reason": "cheated"}, headers=BEARER)
    assert removed.status_code == 200
    assert ada.get(f"/api/games/{game}").status_code == 404
    assert groups(ada) == []
    assert noted(ada) == [
        (UNNAMED, "remove_game", "cheated"),
        (UNNAMED, "rename_circle", "rude"),
        (UNNAMED, "mute", "insults"),
    ]


def test_dismissed_reports_are_closed_together(ada: TestClient, bob: TestClient, game: str) -> None:
    report_name(ada, game)
    report_name(named(TestClient(ada.app), "Cleo"), game)
    (group,) = ada.get("/api/admin/reports", headers=BEARER).json()
    address = f"/api/admin/reports/{group['reports'][0]['id']}/dismiss"
    assert ada.post(address, json={"reason": " "}, headers=BEARER).status_code == 422
    assert ada.post(address, json={"reason": "fine"}, headers=BEARER).status_code == 200
    assert ada.post(address, json={"reason": "fine"}, headers=BEARER).status_code == 404
    assert (groups(ada), who(ada, "bob")["nickname"]) == ([], "Bob")
    report_name(ada, game)
    assert groups(ada) == [("player", ["name"])], "it can be reported again"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"action": {"type": "mute"}, "reason": "x"}, "days"),
        ({"action": {"type": "mute", "days": 0}, "reason": "x"}, "days"),
        ({"action": {"type": "suspend", "days": 4000}, "reason": "x"}, "days"),
        ({"action": {"type": "suspend", "days": 1}, "reason": ""}, "reason"),
        ({"action": {"type": "suspend", "days": 1}, "reason": "x" * 201}, "reason"),
        ({"action": {"type": "suspend", "days": 1}}, "reason"),
        ({"action": {"type": "rename", "name": "\u200b"}, "reason": "x"}, "name"),
        ({"action": {"type": "lift", "sanction": "dull"}, "reason": "x"}, "sanction"),
        ({"action": {"type": "lift", "sanction": "mute"}, "reason": "x"}, "sanction"),
        ({"action": {"type": "dance"}, "reason": "x"}, "type"),
        ({"reason": "x"}, "action"),
    ],
)
def test_a_wrong_action_is_refused_and_noted_nowhere(
    ada: TestClient, bob: TestClient, body: dict[str, Any], field: str
) -> None:
    address = f"/api/admin/players/{who(ada, 'bob')['player_id']}/actions"
    answer = ada.post(address, json=body, headers=BEARER)
    assert answer.status_code == 422, answer.text
    assert field in answer.json()["errors"][0]["location"]
    assert (noted(ada), bob.get("/api/me").json()["nickname"]) == ([], "Bob")


def test_an_unknown_player_game_circle_or_report_is_404(ada: TestClient, desk: TestClient) -> None:
    reason = {"reason": "x"}
    for missing in ("nobody", "%00"):
        for path in ("players/{}", "games/{}", "circles/{}"):
            assert desk.get(f"/admin/{path.format(missing)}", headers=HTML).status_code == 404, path
        writes = ("games/{}/remove", "circles/{}/rename", "reports/{}/dismiss")
        for path in writes:
            assert desk.post(f"/admin/{path.format(missing)}", data=reason).status_code == 404, path
            sent = ada.post(f"/api/admin/{path.format(missing)}", json=reason, headers=BEARER)
            assert sent.status_code == 404, path
        erase = {"action": {"type": "erase"}, "reason": "x"}
        gone = ada.post(f"/api/admin/players/{missing}/actions", json=erase, headers=BEARER)
        assert gone.status_code == 404
        assert ada.get(f"/api/admin/players/{missing}", headers=BEARER).status_code == 404
    assert noted(ada) == []


def test_the_pages_lead_from_a_report_to_the_action(
    ada: TestClient, bob: TestClient, desk: TestClient, game: str
) -> None:
    bob.put("/api/me", json={"nickname": "<b>Bob</b>"}).raise_for_status()
    report_name(ada, game)
    report(ada, {"kind": "game", "game": game}, reason="cheating", comment="<i>look</i>")
    page = desk.get("/admin", headers=HTML).text
    assert ("<b>Bob</b>" in page, "<i>look</i>" in page, "2 open reports" in page) == (False, False, True)
    (address,) = re.findall(r'<h2[^>]*><a href="(/admin/players/[\w-]+)"', page)
    assert "&lt;b&gt;Bob" in desk.get(address, headers=HTML).text
    bad = desk.post(f"{address}/suspend", data={"reason": "", "days": "7"}, headers=HTML)
    assert (bad.status_code, "1 to 200 printable characters" in bad.text) == (422, True)
    done = desk.post(f"{address}/suspend", data={"reason": "insults", "days": ""}, headers=HTML)
    assert (done.url.path, "Suspended for good" in done.text) == (address, True)
    assert "suspended for good" in str(bob.get("/api/me").json()["sanctions"])
    assert "1 open report." in desk.get("/admin", headers=HTML).text
    lifted = desk.post(f"{address}/lift", data={"reason": "sorry", "sanction": "suspend"}, headers=HTML)
    assert "Suspended" not in lifted.text
    renamed = desk.post(f"{address}/rename", data={"reason": "rude", "name": "Robert", "days": "0"})
    assert renamed.status_code == 200
    assert bob.get("/api/me").json()["nickname"] == "Robert"
    assert address in desk.get("/admin/players?text=robe", headers=HTML).text
    place = desk.get(f"/admin/games/{game}", headers=HTML).text
    (dismiss,) = re.findall(r'action="(/admin/reports/[\w-]+/dismiss)"', place)
    assert desk.post(dismiss, data={"reason": ""}, headers=HTML).status_code == 422
    assert "No open reports" in desk.post(dismiss, data={"reason": "fair"}, headers=HTML).text
    log = desk.get("/admin/audit", headers=HTML).text
    assert [log.count(each) for each in ("insults", "sorry", "rude", "fair", UNNAMED)] == [1, 1, 1, 1, 4]


def test_erasing_on_the_page_needs_the_box(ada: TestClient, bob: TestClient, desk: TestClient) -> None:
    address = f"/admin/players/{who(ada, 'bob')['player_id']}"
    refused = desk.post(f"{address}/erase", data={"reason": "x"}, headers=HTML)
    assert (refused.status_code, "check the box" in refused.text.lower()) == (422, True)
    assert bob.get("/api/me").json()["nickname"] == "Bob"
    done = desk.post(f"{address}/erase", data={"reason": "x", "confirm": "yes"}, headers=HTML)
    assert done.url.path == "/admin"
    assert bob.get("/api/me").json()["nickname"] is None
    assert desk.get(address, headers=HTML).status_code == 404


def test_the_page_of_a_player_shows_what_was_done_to_a_profile_merged_into_it(
    ada: TestClient, bob: TestClient, desk: TestClient
) -> None:
    kept, gone = (who(ada, name)["player_id"] for name in ("ada", "bob"))
    data = {"reason": "insults", "days": "7"}
    assert "merged profile" not in desk.post(f"/admin/players/{gone}/mute", data=data, headers=HTML).text
    ada.app.state.services.merging.merge(kept, gone, ada.app.state.services.clock())  # type: ignore[attr-defined]
    page = desk.get(f"/admin/players/{kept}", headers=HTML).text
    assert ("merged profile" in page, "insults" in page) == (True, True)
    assert [each["player_id"] for each in who(ada, kept)["actions"]] == [gone]


def test_a_circle_is_renamed_on_its_page(ada: TestClient, bob: TestClient, desk: TestClient) -> None:
    circle = circle_of(ada, bob).removeprefix("/api")
    page = f"/admin{circle}"
    assert "The Lovelaces" in desk.get(page, headers=HTML).text
    bad = desk.post(f"{page}/rename", data={"reason": "rude", "name": "x" * 99}, headers=HTML)
    assert (bad.status_code, "1 to 40 characters" in bad.text) == (422, True)
    done = desk.post(f"{page}/rename", data={"reason": "rude", "name": ""}, headers=HTML)
    assert (done.url.path, bob.get(f"/api{circle}").json()["name"]) == (page, "Circle")


def test_the_audit_log_is_paged(ada: TestClient, bob: TestClient, desk: TestClient, monkeypatch: Any) -> None:
    monkeypatch.setattr("app.web.admin.pages.MOST_SHOWN", 2)
    address = f"/api/admin/players/{who(ada, 'bob')['player_id']}/actions"
    for number in range(3):
        body = {"action": {"type": "mute", "days": 1}, "reason": f"reason {number}"}
        ada.post(address, json=body, headers=BEARER).raise_for_status()
    first = desk.get("/admin/audit", headers=HTML).text
    (older,) = re.findall(r'href="(/admin/audit\?before=\d+)"', first)
    second = desk.get(older, headers=HTML).text
    assert [re.findall(r"reason \d", page) for page in (first, second)] == [
        ["reason 2", "reason 1"],
        ["reason 0"],
    ]
    latest = ada.get("/api/admin/audit?limit=1", headers=BEARER).json()
    rest = ada.get(f"/api/admin/audit?before={latest[0]['number']}", headers=BEARER).json()
    assert [each["reason"] for each in rest] == ["reason 1", "reason 0"]


def test_a_players_own_token_opens_nothing_here(ada: TestClient, clock: Clock) -> None:
    link = f"/admin/join/{operators(ada).add('Grace', clock.now)}"
    ada.post(link).raise_for_status()
    made = ada.post("/api/me/tokens", json={"name": "program", "scopes": ["read", "play"]})
    assert made.status_code == 201, made.text
    headers = {"Authorization": f"Bearer {made.json()['token']}"}
    assert TestClient(ada.app).get("/api/admin/reports", headers=headers).status_code == 401
    assert TestClient(ada.app).get("/admin", headers=headers | HTML).status_code in (403, 404)
