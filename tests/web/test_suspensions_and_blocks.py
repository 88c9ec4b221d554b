"""Suspended players cannot meet others, and a block keeps two players apart."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.store.moderation import Moderation
from tests.web.browsing import HTML
from tests.web.conftest import Clock
from tests.web.test_circles import circle_of

Way = Callable[[TestClient], Any]
LETTERPRESS = {"kind": "letterpress"}


def table_of(host: TestClient, **more: Any) -> Any:
    answer = host.post("/api/games", json=LETTERPRESS | more)
    assert answer.status_code == 201, answer.text
    return answer.json()


def over(ada: TestClient, bob: TestClient) -> str:
    """A finished game of the two."""
    opened = table_of(ada)
    seat = {"invitation": opened["invitation"]}
    bob.post(f"/api/games/{opened['id']}/seats", json=seat).raise_for_status()
    ada.post(f"/api/games/{opened['id']}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    return str(opened["id"])


def alone(player: TestClient) -> str:
    """A finished round of one."""
    game = player.post("/api/games", json={"kind": "boggle", "options": {"board": "taps"}}).json()["id"]
    for move in ("start", "finish"):
        player.post(f"/api/games/{game}/moves", json={"move": {"type": move}}).raise_for_status()
    return str(game)


def challenge_of(player: TestClient) -> str:
    answer = player.post(f"/api/games/{alone(player)}/challenge")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


def ways(ada: TestClient, bob: TestClient) -> dict[str, Way]:
    """All ways for Bob to meet Ada or any other player, by name."""
    private, listed = table_of(ada), table_of(ada, listed=True)
    finished, mine, hers = over(ada, bob), alone(bob), challenge_of(ada)
    circle = circle_of(ada)
    invitation = ada.get(circle).json()["invitation"]
    link = f"/games/{private['id']}/join/{private['invitation']}"
    play_now = {"kind": "fribble", "speed": "rapid"}
    return {
        "open a table": lambda who: who.post("/api/games", json=LETTERPRESS),
        "list a table": lambda who: who.post("/api/games", json=LETTERPRESS | {"listed": True}),
        "open a table on a page": lambda who: who.post(
            "/letterpress/play", data={"opponent": "friend"}, headers=HTML
        ),
        "join a listed table": lambda who: who.post(f"/api/games/{listed['id']}/seats", json={}),
        "join from the lobby": lambda who: who.post(f"/games/{listed['id']}/seats", headers=HTML),
        "take an invitation": lambda who: who.post(
            f"/api/games/{private['id']}/seats", json={"invitation": private["invitation"]}
        ),
        "take an invitation's link": lambda who: who.post(link, headers=HTML),
        "ask for a rematch": lambda who: who.post(f"/api/games/{finished}/rematch"),
        "ask for a rematch on the page": lambda who: who.post(f"/games/{finished}/rematch", headers=HTML),
        "challenge": lambda who: who.post(f"/api/games/{mine}/challenge"),
        "challenge on the page": lambda who: who.post(f"/games/{mine}/challenge", headers=HTML),
        "take a challenge": lambda who: who.post(f"/api/challenges/{hers}/game"),
        "take a challenge on the page": lambda who: who.post(f"/challenges/{hers}/play", headers=HTML),
        "be paired": lambda who: who.post("/api/pairing", json=play_now),
        "play now": lambda who: who.post("/play-now", data={"game": "fribble rapid"}, headers=HTML),
        "open a circle": lambda who: who.post("/api/circles", json={"name": "Pests"}),
        "open a circle on the page": lambda who: who.post("/circles", data={"name": "Pests"}, headers=HTML),
        "join a circle": lambda who: who.post(
            f"{circle}/members", json={"invitation": invitation.rpartition("/")[2]}
        ),
        "join a circle by its link": lambda who: who.post(invitation, headers=HTML),
        "choose a name": lambda who: who.put("/api/me", json={"nickname": "Robert"}),
        "make a bot account": lambda who: who.post("/api/me/bots", json={"nickname": "Robot"}),
    }


def player_of(acts: Moderation, name: str, at: float) -> str:
    (found,) = acts.find(name, at)
    return found.player_id


def test_a_suspended_player_has_no_way_to_meet_others(
    ada: TestClient, bob: TestClient, acts: Moderation, clock: Clock
) -> None:
    attempts = ways(ada, bob)
    acts.suspend("test", player_of(acts, "Bob", clock.now), "rude", clock.now, days=1)
    found = {name: way(bob) for name, way in attempts.items()}
    assert {name: answer.status_code for name, answer in found.items() if answer.status_code != 403} == {}
    for name, answer in found.items():
        assert "suspended until" in answer.text, name
    assert bob.get("/api/games").status_code == 200
    assert bob.post("/api/games", json={"options": {"mode": "zen"}}).status_code == 201, "alone"
    assert bob.post("/api/games", json=LETTERPRESS | {"bots": [1]}).status_code == 201, "and with bots"


def test_each_way_is_open_to_a_player_without_a_suspension(ada: TestClient, bob: TestClient) -> None:
    """This makes the test above meaningful."""
    for name, way in ways(ada, bob).items():
        assert way(bob).status_code in (200, 201), name


def test_a_suspended_player_is_not_met_at_a_table_that_waits(
    ada: TestClient, bob: TestClient, third: TestClient, acts: Moderation, clock: Clock
) -> None:
    waiting, listed = table_of(bob), table_of(bob, listed=True)
    shared = ada.post("/api/games", json={"options": {"mode": "versus"}, "seats": 3, "listed": True}).json()
    bob.post(f"/api/games/{shared['id']}/seats", json={}).raise_for_status()
    finished = over(ada, bob)
    asked = bob.post(f"/api/games/{finished}/rematch").json()["id"]
    begun = over(ada, bob)
    acts.suspend("test", player_of(acts, "Bob", clock.now), "rude", clock.now, days=1)
    for table in (waiting, listed):
        joined = ada.post(f"/api/games/{table['id']}/seats", json={"invitation": table["invitation"]})
        assert joined.status_code == 404
    assert [seat["occupant"] for seat in ada.get(f"/api/games/{shared['id']}").json()["seats"]] == [
        "player",
        "free",
        "free",
    ]
    again = ada.post(f"/api/games/{finished}/rematch")
    assert (again.status_code, again.json()["id"] != asked) == (200, True), "a table of her own"
    assert bob.get(f"/api/games/{begun}").json()["seat"] == 1, "games that have begun go on"


def test_a_bot_account_is_suspended_with_its_owner(
    ada: TestClient, bob: TestClient, acts: Moderation, clock: Clock
) -> None:
    robot = bob.post("/api/me/bots", json={"nickname": "Robot"}).json()["bot_id"]
    body = {"name": "program", "scopes": ["play"], "bot": robot}
    made = bob.post("/api/me/tokens", json=body)
    assert made.status_code == 201, made.text
    program = TestClient(bob.app, headers={"Authorization": f"Bearer {made.json()['token']}"})
    opened = table_of(ada)
    acts.suspend("test", player_of(acts, "Bob", clock.now), "rude", clock.now, days=1)
    seat = {"invitation": opened["invitation"]}
    assert program.post(f"/api/games/{opened['id']}/seats", json=seat).status_code == 403


BLOCKED = {
    "join a listed table": 404,
    "join from the lobby": 404,
    "take a challenge": 404,
    "take a challenge on the page": 404,
}
"""The ways that a block refuses; the others meet no player, or need an invitation by the other."""


@pytest.mark.parametrize("by_ada", [True, False])
def test_a_block_by_either_player_keeps_them_apart(ada: TestClient, bob: TestClient, by_ada: bool) -> None:
    attempts = ways(ada, bob)
    met = over(ada, bob)
    blocker, seat = (ada, 1) if by_ada else (bob, 0)
    blocker.post("/api/me/blocks", json={"game": met, "seat": seat}).raise_for_status()
    found = {name: attempts[name](bob).status_code for name in BLOCKED}
    assert found == BLOCKED
    rematch = {ada.post(f"/api/games/{met}/rematch").json()["id"] for _ in range(2)}
    assert bob.post(f"/api/games/{met}/rematch").json()["id"] not in rematch
    wish = {"kind": "fribble", "speed": "rapid"}
    for player in (ada, bob):
        assert player.post("/api/pairing", json=wish).json()["state"] == "waiting"


def test_a_challenge_that_was_taken_before_a_block_stays(ada: TestClient, bob: TestClient) -> None:
    hers, met = challenge_of(ada), over(ada, bob)
    taken = bob.post(f"/api/challenges/{hers}/game").json()["id"]
    ada.post("/api/me/blocks", json={"game": met, "seat": 1}).raise_for_status()
    assert bob.post(f"/api/challenges/{hers}/game").json()["id"] == taken
    assert bob.get(f"/challenges/{hers}", headers=HTML).status_code == 200
    other = challenge_of(ada)
    assert bob.get(f"/challenges/{other}", headers=HTML).status_code == 404
    assert bob.get(f"/api/challenges/{other}").status_code == 404
