"""Bot accounts: created by their owner, played by a program, marked everywhere and rated separately."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert

from app.store.bot_accounts import MOST_BOTS
from app.store.schema import sanctions
from app.web.guard.guests import COOKIE
from tests.driver import named
from tests.web.browsing import HTML
from tests.web.conftest import Serve
from tests.web.test_tokens import by_token, made, refused


def bot_of(owner: TestClient, nickname: str = "Robo") -> TestClient:
    """A program that plays as a new bot account."""
    answer = owner.post("/api/me/bots", json={"nickname": nickname})
    assert answer.status_code == 201, answer.text
    return by_token(owner, bot=answer.json()["bot_id"])


@pytest.fixture
def robo(ada: TestClient) -> TestClient:
    return bot_of(ada)


def joined(opener: TestClient, other: TestClient, **new: Any) -> str:
    """The ID of a game between the two."""
    game = opener.post("/api/games", json={"kind": "letterpress", "seats": 2} | new).json()
    answer = other.post(f"/api/games/{game['id']}/seats", json={"invitation": game["invitation"]})
    assert answer.status_code == 200, answer.text
    found: str = game["id"]
    return found


def play_out(first: TestClient, second: TestClient, game: str) -> None:
    for player in (first, second):
        player.post(f"/api/games/{game}/moves", json={"move": {"type": "pass"}}).raise_for_status()


def test_a_program_plays_as_a_bot_account(ada: TestClient, robo: TestClient) -> None:
    assert robo.get("/api/me").json()["nickname"] == "Robo"
    game = joined(ada, robo)
    seats = ada.get(f"/api/games/{game}").json()["seats"]
    assert [(seat["name"], seat["occupant"], seat["bot"]) for seat in seats] == [
        ("Ada", "player", False),
        ("Robo (bot)", "player", True),
    ]
    assert "Robo (bot)" in ada.get(f"/games/{game}", headers=HTML).text
    assert ada.get(f"/api/games/{game}").json()["seat"] == 0, "the owner is another player"


def test_a_built_in_bot_is_a_bot_in_the_api(ada: TestClient) -> None:
    game = ada.post("/api/games", json={"kind": "letterpress", "seats": 2, "bots": [1]}).json()
    assert [seat["bot"] for seat in game["seats"]] == [False, True]


def test_a_bot_account_is_marked_wherever_its_name_is_shown(
    ada: TestClient, robo: TestClient, stranger: TestClient
) -> None:
    circle = ada.post("/api/circles", json={"name": "Friends"}).json()
    invitation = {"invitation": circle["invitation"].rpartition("/")[2]}
    robo.post(f"/api/circles/{circle['id']}/members", json=invitation).raise_for_status()
    game = joined(robo, named(stranger, "Bob"), listed=True)
    stranger.post("/api/me/blocks", json={"game": game, "seat": 0}).raise_for_status()
    alone = robo.post("/api/games", json={"kind": "boggle", "options": {"board": "taps"}}).json()["id"]
    for move in ({"type": "start"}, {"type": "finish"}):
        robo.post(f"/api/games/{alone}/moves", json={"move": move}).raise_for_status()
    challenge = robo.post(f"/api/games/{alone}/challenge").json()["id"]
    waiting = robo.post("/api/games", json={"kind": "letterpress", "seats": 2, "listed": True})
    assert waiting.status_code == 201
    shown = {
        f"/circles/{circle['id']}": ada,
        f"/circles/{circle['id']}/people": ada,
        f"/games/{game}/people": stranger,
        f"/games/{game}": ada,
        f"/challenges/{challenge}": ada,
        "/me": stranger,
        "/lobby": ada,
    }
    for path, reader in shown.items():
        text = reader.get(path, headers=HTML).text
        assert "Robo (bot)" in text, path
        assert "Robo" not in text.replace("Robo (bot)", ""), path


def test_a_bot_without_a_name_is_marked_all_the_same(ada: TestClient, robo: TestClient) -> None:
    game = joined(ada, robo)
    services = ada.app.state.services  # type: ignore[attr-defined]
    with services.players._database.writing() as connection:
        connection.exec_driver_sql("UPDATE players SET nickname = NULL WHERE nickname = 'Robo'")
    assert ada.get(f"/api/games/{game}").json()["seats"][1]["name"] == "A guest (bot)"


def test_people_and_bot_accounts_do_not_meet_in_rated_games(ada: TestClient, robo: TestClient) -> None:
    for opener, other in ((ada, robo), (robo, ada)):
        game = opener.post("/api/games", json={"kind": "letterpress", "seats": 2, "rated": True}).json()
        answer = other.post(f"/api/games/{game['id']}/seats", json={"invitation": game["invitation"]})
        refused(answer, 422, "rated separately")
        assert opener.get(f"/api/games/{game['id']}").json()["seats"][1]["occupant"] == "free"


def test_bot_accounts_are_rated_among_themselves(ada: TestClient, robo: TestClient) -> None:
    other = bot_of(ada, "Data")
    play_out(robo, other, joined(robo, other, rated=True))
    assert robo.get("/api/me/ratings").json()["ratings"][0]["games"] == 1
    database = ada.app.state.services.players._database  # type: ignore[attr-defined]
    with database.writing() as connection:  # as after many more games
        connection.exec_driver_sql("UPDATE ratings SET deviation = 60")
    boards = ada.get("/api/leaderboards").json()
    assert boards["ratings"] == []
    assert {line["nickname"] for line in boards["bots"][0]["leaderboard"]} == {"Robo (bot)", "Data (bot)"}
    page = ada.get("/leaderboards").text
    assert "Bot accounts" in page
    assert "Highest ratings" not in page
    assert ada.get("/api/me/ratings").json()["ratings"] == []


def test_a_casual_game_with_a_bot_account_counts_in_no_ranking(ada: TestClient, robo: TestClient) -> None:
    database = ada.app.state.services.players._database  # type: ignore[attr-defined]
    game = joined(ada, robo, kind="boggle", options={"board": "taps"})
    for player in (ada, robo):
        for move in ({"type": "start"}, *({"type": "word", "word": word} for word in ("tap", "pat", "sat"))):
            player.post(f"/api/games/{game}/moves", json={"move": move})
    for player in (ada, robo):
        player.post(f"/api/games/{game}/moves", json={"move": {"type": "finish"}})
    with database.reading() as connection:
        ranked = connection.exec_driver_sql("SELECT ranked FROM results").scalars().all()
    assert [bool(each) for each in ranked] == [False, False]
    assert ada.get("/api/leaderboards").json()["winners"] == []


def test_bot_accounts_play_no_ranked_daily_and_are_not_paired(ada: TestClient, robo: TestClient) -> None:
    refused(robo.post("/api/daily?kind=boggle"), 403, "for people", "past days")
    refused(
        robo.post("/api/pairing", json={"kind": "fribble", "speed": "rapid"}), 403, "for people", "casual"
    )
    assert robo.get("/api/daily?kind=boggle").json()["leaderboard"] == []


def test_the_limits_are_those_of_the_owner(serve: Serve) -> None:
    client = named(serve(rate_games="2/hour", rate_address_share=50))
    robo = bot_of(client)
    assert [each.post("/api/games", json={}).status_code for each in (client, robo, robo)] == [201, 201, 429]


def test_a_bot_account_manages_nothing(robo: TestClient) -> None:
    for method, path in (("GET", "/api/me/bots"), ("POST", "/api/me/bots"), ("DELETE", "/api/me")):
        refused(robo.request(method, path, json={}), 403, "a token cannot do this")


def test_a_sanction_of_the_owner_holds_for_the_bot(
    ada: TestClient, robo: TestClient, stranger: TestClient
) -> None:
    play_out(robo, other := bot_of(ada, "Data"), joined(robo, other, rated=True))
    services = ada.app.state.services  # type: ignore[attr-defined]
    with services.players._database.writing() as connection:  # as after many more games
        connection.exec_driver_sql("UPDATE ratings SET deviation = 60")
    assert len(ada.get("/api/leaderboards").json()["bots"][0]["leaderboard"]) == 2
    owner = services.guests._serializer.loads(ada.cookies[COOKIE])[0]
    with services.players._database.writing() as connection:
        suspended = {"player_id": owner, "kind": "suspend", "since": 0.0, "reason": "test"}
        connection.execute(insert(sanctions).values(suspended))
    game = stranger.post("/api/games", json={"kind": "letterpress", "seats": 2, "listed": True}).json()["id"]
    refused(robo.post(f"/api/games/{game}/seats", json={}), 403, "suspended")
    assert ada.get("/api/leaderboards").json()["bots"] == []


def test_the_bot_accounts_of_a_player_are_limited(serve: Serve) -> None:
    client = named(serve(rate_limits=False))
    for number in range(MOST_BOTS):
        bot_of(client, f"Robo {number}")
    refused(client.post("/api/me/bots", json={"nickname": "More"}), 429, f"you have {MOST_BOTS} bot accounts")
    page = client.post("/me/programs/bots", data={"nickname": "More"})
    assert (page.status_code, "delete one" in page.text) == (429, True)
    first = client.get("/api/me/bots").json()[0]
    assert client.delete(f"/api/me/bots/{first['bot_id']}").status_code == 204
    bot_of(client, "More")


@pytest.mark.parametrize(
    "wrong", [{"nickname": ""}, {"nickname": "x" * 25}, {}, {"nickname": "x", "level": 5}]
)
def test_an_invalid_bot_account_is_refused_and_not_made(ada: TestClient, wrong: dict[str, Any]) -> None:
    refused(ada.post("/api/me/bots", json=wrong), 422)
    assert ada.get("/api/me/bots").json() == []


def test_the_bot_of_another_player_is_out_of_reach(ada: TestClient, stranger: TestClient) -> None:
    bot = ada.post("/api/me/bots", json={"nickname": "Robo"}).json()["bot_id"]
    bob = named(stranger, "Bob")
    token = {"name": "x", "scopes": ["read"], "bot": bot}
    refused(bob.post("/api/me/tokens", json=token), 404, "no such bot account")
    refused(bob.delete(f"/api/me/bots/{bot}"), 404, "no such bot account")
    bob.post(f"/me/programs/bots/{bot}/delete")
    assert bob.get("/api/me/tokens").json() == bob.get("/api/me/bots").json() == []
    assert [each["nickname"] for each in ada.get("/api/me/bots").json()] == ["Robo"]


def test_deleting_a_bot_account_revokes_its_tokens_and_clears_its_seats(
    ada: TestClient, robo: TestClient
) -> None:
    game = joined(ada, robo)
    play_out(ada, robo, game)
    (bot,) = ada.get("/api/me/bots").json()
    assert ada.get("/api/me/tokens").json()[0]["bot"] == bot["bot_id"]
    assert ada.delete(f"/api/me/bots/{bot['bot_id']}").status_code == 204
    refused(robo.get("/api/me"), 401, "revoked")
    assert ada.get("/api/me/tokens").json() == ada.get("/api/me/bots").json() == []
    assert ada.get(f"/api/games/{game}").json()["seats"][1]["name"] == "Player 2"


@pytest.mark.parametrize("ending", ["/me/erase", "/me/sign-out-others"])
def test_tokens_of_bot_accounts_end_with_those_of_the_owner(
    ada: TestClient, robo: TestClient, ending: str
) -> None:
    assert robo.get("/api/me").status_code == 200
    ada.post(ending)
    refused(robo.get("/api/me"), 401, "revoked")


def test_a_merge_takes_the_bot_accounts_along(ada: TestClient, stranger: TestClient) -> None:
    bob = named(stranger, "Bob")
    robo, token = bot_of(bob), made(bob)["token"]
    services = ada.app.state.services  # type: ignore[attr-defined]
    kept, gone = (services.guests._serializer.loads(each.cookies[COOKIE])[0] for each in (ada, stranger))
    services.merging.merge(kept, gone, services.clock())
    services.known_tokens.forget()
    assert [each["nickname"] for each in ada.get("/api/me/bots").json()] == ["Robo"]
    assert robo.get("/api/me").json()["nickname"] == "Robo"
    answer = TestClient(ada.app).get("/api/me", headers={"Authorization": f"Bearer {token}"})
    refused(answer, 401, "revoked")


def test_the_page_makes_a_bot_account_and_its_token(ada: TestClient) -> None:
    assert ada.post("/me/programs/bots", data={"nickname": "<b>"}).status_code == 200
    page = ada.get("/me/programs").text
    assert "&lt;b&gt; (bot)" in page
    bot = re.search(r'<option value="([\w-]{22})"', page)
    assert bot
    form = {"name": "x", "scopes": ["read"], "days": "7", "bot": bot[1]}
    token = re.search(r"wib_[\w-]{43}", ada.post("/me/programs/tokens", data=form).text)
    assert token
    answer = TestClient(ada.app).get("/api/me", headers={"Authorization": f"Bearer {token[0]}"})
    assert answer.json()["nickname"] == "<b>"
    assert ada.post("/me/programs/bots", data={"nickname": ""}).status_code == 422
    assert ada.post(f"/me/programs/bots/{bot[1]}/delete").url.path == "/me/programs"
    assert ada.get("/api/me/bots").json() == []
