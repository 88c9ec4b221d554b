"""The pages on which a player is challenged and answers."""

import re

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from tests.web.browsing import HTML
from tests.web.test_direct_challenges import asked, listed, met

__all__ = ["met"]


@pytest.mark.parametrize("where", [{}, {"number": "1"}, {"game": "", "circle": "", "bot": ""}])
def test_a_link_without_a_player_says_where_to_find_players(ada: TestClient, where: dict[str, str]) -> None:
    wanted = where | {"wanted": "letterpress days"}
    for answer in (
        ada.get("/challenges/new", params=where, headers=HTML),
        ada.post("/challenges/new", data=wanted, headers=HTML),
    ):
        assert answer.status_code == 422
        assert "This link has no player: press Challenge beside a player" in answer.text


@pytest.mark.parametrize("number", [0, 5])
def test_a_link_to_a_seat_without_another_player_is_refused(ada: TestClient, met: str, number: int) -> None:
    page = ada.get("/challenges/new", params={"game": met, "number": number}, headers=HTML)
    assert (page.status_code, "The player is no longer there" in page.text) == (404, True)


def test_the_pages_challenge_accept_decline_and_withdraw(ada: TestClient, bob: TestClient, met: str) -> None:
    people = ada.get(f"/games/{met}/people", headers=HTML).text
    address = re.search(r'href="(/challenges/new\?[^"]+)"', people)
    assert address
    form = ada.get(address[1].replace("&amp;", "&"), headers=HTML)
    assert "Challenge <bdi>Bob</bdi>" in form.text
    wanted = {"game": met, "number": "1", "wanted": "letterpress days"}
    refusal = ada.post("/challenges/new", data=wanted | {"wanted": "boggle days"}, headers=HTML)
    assert (refusal.status_code, "There is no such game" in refusal.text) == (422, True)
    for end in ("withdraw", "decline", "accept"):
        assert ada.post("/challenges/new", data=wanted, headers=HTML).url.path == "/lobby"
        again = ada.post("/challenges/new", data=wanted, headers=HTML)
        assert (again.status_code, "challenged this player already" in again.text) == (422, True)
        news = [
            "1 challenge to answer" in re.sub("<[^>]+>", "", each.get("/", headers=HTML).text)
            for each in (ada, bob)
        ]
        assert news == [False, True], "the player who is challenged sees it on every page"
        page = (ada if end == "withdraw" else bob).get("/lobby", headers=HTML).text
        assert ("To <bdi>Bob</bdi>" if end == "withdraw" else "From <bdi>Ada</bdi>") in page
        action = re.search(rf'"(/challenges/[\w-]+/{end})"', page)
        assert action
        after = (ada if end == "withdraw" else bob).post(action[1], headers=HTML)
        assert after.url.path.startswith("/games/" if end == "accept" else "/lobby")
        if end != "accept":
            assert (ada if end == "withdraw" else bob).post(action[1], headers=HTML).url.path == "/lobby"
        assert listed(ada) == []
        assert "to answer" not in bob.get("/", headers=HTML).text


@pytest.mark.parametrize("address", ["/words", "/lobby"])
def test_every_page_asks_once_for_the_challenges_to_answer(
    ada: TestClient, bob: TestClient, met: str, address: str
) -> None:
    asked(ada, {"game": met, "seat": 1})
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    engine = bob.app.state.services.games.database.engine  # type: ignore[attr-defined]
    event.listen(engine, "before_cursor_execute", note)
    page = bob.get(address, headers=HTML).text
    event.remove(engine, "before_cursor_execute", note)
    assert "to answer" in page
    assert sum("direct_challenges" in each for each in statements) == 1


@pytest.mark.parametrize("blocker", ["ada", "bob"])
def test_a_challenge_between_blocked_players_is_not_counted(
    ada: TestClient, bob: TestClient, met: str, blocker: str
) -> None:
    asked(ada, {"game": met, "seat": 1})
    assert "to answer" in bob.get("/words", headers=HTML).text
    player, seat = (ada, 1) if blocker == "ada" else (bob, 0)
    player.post("/api/me/blocks", json={"game": met, "seat": seat}).raise_for_status()
    assert "to answer" not in bob.get("/words", headers=HTML).text


@pytest.mark.parametrize("press", ["accept", "decline", "withdraw"])
def test_an_old_page_leads_to_the_game_of_an_accepted_challenge(
    ada: TestClient, bob: TestClient, met: str, press: str
) -> None:
    ada.post("/challenges/new", data={"game": met, "number": "1", "wanted": "letterpress days"})
    found = re.search(r"/challenges/[\w-]+(?=/accept)", bob.get("/lobby", headers=HTML).text)
    assert found
    game = bob.post(f"{found[0]}/accept", headers=HTML).url.path
    assert game.startswith("/games/")
    for one in (ada, bob):
        assert one.post(f"{found[0]}/{press}", headers=HTML).url.path == game
    eve = TestClient(ada.app).post(f"{found[0]}/accept", headers=HTML)
    assert (eve.status_code, "There is no such open challenge" in eve.text) == (404, True)


@pytest.mark.parametrize(
    ("end", "says"),
    [("decline", "This challenge was declined."), ("withdraw", "This challenge was withdrawn.")],
    ids=["declined", "withdrawn"],
)
def test_an_old_page_says_how_a_challenge_ended(
    ada: TestClient, bob: TestClient, met: str, end: str, says: str
) -> None:
    ada.post("/challenges/new", data={"game": met, "number": "1", "wanted": "letterpress days"})
    found = re.search(r"/challenges/[\w-]+(?=/accept)", bob.get("/lobby", headers=HTML).text)
    assert found
    (ada if end == "withdraw" else bob).post(f"{found[0]}/{end}").raise_for_status()
    late = bob.post(f"{found[0]}/accept", headers=HTML)
    assert (late.status_code, says in late.text) == (404, True)
