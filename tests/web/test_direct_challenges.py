"""Direct challenges: sent, accepted, declined and withdrawn by players and programs."""

import json
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert

from app.store.direct_challenges import MOST_RECEIVED, MOST_SENT, OPEN_SECONDS, forget_challenges
from app.store.schema import sanctions
from app.web.guard.guests import COOKIE
from tests.driver import named
from tests.web.conftest import Clock, Serve
from tests.web.test_bot_accounts import bot_of, joined
from tests.web.test_tokens import refused

LETTERPRESS = {"kind": "letterpress", "turn_limit": 86_400}


@pytest.fixture
def met(ada: TestClient, bob: TestClient) -> str:
    """The ID of a game where Ada and Bob sit."""
    return joined(ada, bob)


def id_of(player: TestClient) -> str:
    found: str = player.app.state.services.guests._serializer.loads(player.cookies[COOKIE])[0]  # type: ignore[attr-defined]
    return found


def ask(player: TestClient, opponent: dict[str, Any], **game: Any) -> Any:
    return player.post("/api/challenges", json={"opponent": opponent, "game": LETTERPRESS | game})


def asked(player: TestClient, opponent: dict[str, Any], **game: Any) -> str:
    answer = ask(player, opponent, **game)
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["id"]
    return found


def listed(player: TestClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = player.get("/api/challenges/direct").json()
    return found


def events_on_connecting(player: TestClient, last: str | None = None) -> list[tuple[str, Any]]:
    """The events that a player gets on connecting, again after the ``last``; the stream must be short."""
    text = player.get("/api/events", headers={} if last is None else {"Last-Event-ID": last}).text
    return [(name, json.loads(data)) for name, data in re.findall(r"event: (\w+)\ndata: (.*)", text)]


def suspend(player: TestClient) -> None:
    services = player.app.state.services  # type: ignore[attr-defined]
    with services.players._database.writing() as connection:
        row = {"player_id": id_of(player), "kind": "suspend", "since": 0.0, "reason": "test"}
        connection.execute(insert(sanctions).values(row))


def test_a_challenge_is_accepted_and_the_game_begins(ada: TestClient, bob: TestClient, met: str) -> None:
    challenge = asked(ada, {"game": met, "seat": 1}, rated=True)
    (sent,), (received,) = listed(ada), listed(bob)
    assert sent == received | {"sent": True, "name": "Bob"}
    assert (received["name"], received["kind"], received["rated"]) == ("Ada", "letterpress", True)
    assert received["expires_at"] - received["created_at"] == OPEN_SECONDS
    answer = bob.post(f"/api/challenges/{challenge}/accept")
    assert answer.status_code == 200, answer.text
    game = answer.json()
    assert {seat["name"] for seat in game["seats"]} == {"Ada", "Bob"}
    assert (game["rated"], game["turn_limit"], game["listed"]) == (True, 86_400, False)
    assert ada.get(f"/api/games/{game['id']}").json()["seat"] == 1 - game["seat"]
    assert listed(ada) == listed(bob) == []
    for again in (
        bob.post(f"/api/challenges/{challenge}/accept"),
        bob.post(f"/api/challenges/{challenge}/decline"),
    ):
        refused(again, 404, "this challenge was accepted")


def test_the_first_player_is_random(ada: TestClient, bob: TestClient, met: str) -> None:
    seats = set()
    for _ in range(12):
        challenge = asked(ada, {"game": met, "seat": 1})
        seats.add(bob.post(f"/api/challenges/{challenge}/accept").json()["seat"])
    assert seats == {0, 1}


def test_an_unknown_word_list_is_named(ada: TestClient, bob: TestClient, met: str) -> None:
    answer = ask(ada, {"game": met, "seat": 1}, options={"lexicon": "klingon"})
    [error] = answer.json()["errors"]
    assert error["location"] == ["body", "game", "options", "lexicon"]
    assert "klingon" in error["message"]


@pytest.mark.parametrize(
    ("end", "says"),
    [("decline", "was declined"), ("withdraw", "was withdrawn"), ("expire", "has expired")],
    ids=["declined", "withdrawn", "expired"],
)
def test_a_challenge_that_is_over_cannot_be_accepted(
    ada: TestClient, bob: TestClient, met: str, clock: Clock, end: str, says: str
) -> None:
    challenge = asked(ada, {"game": met, "seat": 1})
    if end == "decline":
        assert bob.post(f"/api/challenges/{challenge}/decline").status_code == 204
    elif end == "withdraw":
        assert ada.delete(f"/api/challenges/{challenge}").status_code == 204
    else:
        clock.now += OPEN_SECONDS
    assert listed(ada) == listed(bob) == []
    for again in (
        bob.post(f"/api/challenges/{challenge}/accept"),
        bob.post(f"/api/challenges/{challenge}/decline"),
        ada.delete(f"/api/challenges/{challenge}"),
    ):
        refused(again, 404, f"this challenge {says}")
    eve = named(TestClient(ada.app), "Eve")
    refused(eve.post(f"/api/challenges/{challenge}/accept"), 404, "no such open challenge")
    asked(ada, {"game": met, "seat": 1})


def test_only_the_challenged_player_answers_and_only_the_sender_withdraws(
    ada: TestClient, bob: TestClient, met: str
) -> None:
    challenge = asked(ada, {"game": met, "seat": 1})
    eve = named(TestClient(ada.app), "Eve")
    for player, answers in (
        (ada, ("accept", "decline")),
        (eve, ("accept", "decline", "")),
        (bob, ("",)),
        (TestClient(ada.app), ("accept", "decline", "")),
    ):
        for answer in answers:
            path = f"/api/challenges/{challenge}/{answer}".rstrip("/")
            refused(player.request("POST" if answer else "DELETE", path), 404, "no such open challenge")
    assert len(listed(bob)) == 1
    assert listed(eve) == []


def test_a_program_challenges_and_a_bot_account_accepts(serve: Serve) -> None:
    client = named(serve(longest_stream=0))
    bob = named(TestClient(client.app), "Bob")
    robo = bot_of(client)
    (bot,) = client.get("/api/me/bots").json()
    challenge = asked(bob, {"bot": bot["bot_id"]})
    assert listed(bob)[0] | {"name": "Robo (bot)", "bot": True} == listed(bob)[0]
    assert events_on_connecting(robo) == [("challenge", {"challenge": challenge})]
    assert events_on_connecting(bob) == []
    game = robo.post(f"/api/challenges/{challenge}/accept").json()
    turn = [("turn", {"game": game["id"]})]
    assert [events_on_connecting(bob), events_on_connecting(robo)] == (
        [turn, []] if game["seat"] else [[], turn]
    )


def test_a_bot_account_challenges_back(ada: TestClient, bob: TestClient) -> None:
    robo = bot_of(ada)
    game = joined(bob, robo)
    challenge = asked(robo, {"game": game, "seat": 0})
    assert [(each["name"], each["bot"]) for each in listed(bob)] == [("Robo (bot)", True)]
    assert bob.post(f"/api/challenges/{challenge}/accept").status_code == 200


def test_both_players_are_notified_at_once(
    ada: TestClient, bob: TestClient, met: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = ada.app.state.services.bus  # type: ignore[attr-defined]
    events: list[tuple[str, str, str]] = []
    services = ada.app.state.services  # type: ignore[attr-defined]
    monkeypatch.setattr(services.direct_challenges, "_notify", lambda *news: events.append(news))
    monkeypatch.setattr(
        bus, "notify_player", lambda player, event, subject, _=(): events.append((player, event, subject))
    )
    first = asked(ada, {"game": met, "seat": 1})
    bob.post(f"/api/challenges/{first}/decline")
    second = asked(ada, {"game": met, "seat": 1})
    ada.delete(f"/api/challenges/{second}")
    third = asked(ada, {"game": met, "seat": 1})
    game = bob.post(f"/api/challenges/{third}/accept").json()["id"]
    one, other = id_of(ada), id_of(bob)
    assert events[:6] == [
        (other, "challenge", first),
        (one, "challenge_over", first),
        (other, "challenge", second),
        (other, "challenge_over", second),
        (other, "challenge", third),
        (one, "challenge_over", third),
    ]
    assert {each for each in events[6:] if each[1] == "paired"} == {
        (one, "paired", game),
        (other, "paired", game),
    }
    assert sum(event == "turn" for _, event, _ in events[6:]) == 1


@pytest.mark.parametrize("end", ["accept", "decline", "withdraw"])
def test_a_player_who_reconnects_learns_that_a_challenge_is_over(
    serve: Serve, clock: Clock, end: str
) -> None:
    ada = named(serve(longest_stream=0))
    bob = named(TestClient(ada.app), "Bob")
    opponent = {"game": joined(ada, bob), "seat": 1}
    challenge = asked(ada, opponent)
    path = f"/api/challenges/{challenge}"
    waits, ends = (bob, ada) if end == "withdraw" else (ada, bob)
    gone = re.findall("id: (.*)", waits.get("/api/events").text)[-1]
    clock.now += 60
    (ends.delete(path) if end == "withdraw" else ends.post(f"{path}/{end}")).raise_for_status()
    clock.now += 60
    over = "challenge_over", {"challenge": challenge}
    assert over in events_on_connecting(waits, gone)
    assert over not in events_on_connecting(waits), "connects for the first time"
    clock.now += 60
    back = re.findall("id: (.*)", waits.get("/api/events").text)[-1]
    assert over not in events_on_connecting(waits, back), "was connected since"
    again = asked(ada, opponent)
    assert listed(ada)[0]["id"] == again
    clock.now += OPEN_SECONDS
    assert over not in events_on_connecting(waits, gone)
    assert ("challenge_over", {"challenge": again}) not in events_on_connecting(waits, gone), "it expired"


def test_a_member_of_a_circle_is_challenged(ada: TestClient, bob: TestClient) -> None:
    circle = ada.post("/api/circles", json={"name": "Friends"}).json()
    invitation = {"invitation": circle["invitation"].rpartition("/")[2]}
    bob.post(f"/api/circles/{circle['id']}/members", json=invitation).raise_for_status()
    asked(ada, {"circle": circle["id"], "member": 2})
    assert listed(bob)[0]["name"] == "Ada"


@pytest.mark.parametrize("blocker", ["ada", "bob"])
def test_a_blocked_player_is_not_challenged_and_sees_no_block(
    ada: TestClient, bob: TestClient, met: str, blocker: str
) -> None:
    challenge = asked(bob, {"game": met, "seat": 0})
    player, seat = (ada, 1) if blocker == "ada" else (bob, 0)
    player.post("/api/me/blocks", json={"game": met, "seat": seat}).raise_for_status()
    refused(ask(ada, {"game": met, "seat": 1}), 403, "cannot be challenged now")
    assert listed(ada) == listed(bob) == []
    refused(ada.post(f"/api/challenges/{challenge}/accept"), 404, "no such open challenge")


def test_a_suspended_player_neither_challenges_nor_is_challenged(
    ada: TestClient, bob: TestClient, met: str
) -> None:
    challenge = asked(bob, {"game": met, "seat": 0})
    suspend(bob)
    refused(ask(ada, {"game": met, "seat": 1}), 403, "cannot be challenged now")
    refused(ada.post(f"/api/challenges/{challenge}/accept"), 403, "cannot be challenged now")
    bob.delete(f"/api/challenges/{challenge}")
    refused(ask(bob, {"game": met, "seat": 0}), 403, "you are suspended")
    assert listed(ada) == []


def test_a_suspended_player_accepts_nothing(ada: TestClient, bob: TestClient, met: str) -> None:
    challenge = asked(ada, {"game": met, "seat": 1})
    suspend(bob)
    refused(bob.post(f"/api/challenges/{challenge}/accept"), 403, "you are suspended")
    assert len(listed(ada)) == 1


def test_one_open_challenge_to_each_player(ada: TestClient, bob: TestClient, met: str) -> None:
    asked(ada, {"game": met, "seat": 1})
    refused(ask(ada, {"game": met, "seat": 1}), 422, "opponent: you have challenged this player already")
    asked(bob, {"game": met, "seat": 0})
    assert len(listed(ada)) == 2


def test_open_challenges_sent_and_received_are_limited(serve: Serve) -> None:
    client = named(serve(rate_limits=False))
    circle = client.post("/api/circles", json={"name": "Friends"}).json()
    invitation = {"invitation": circle["invitation"].rpartition("/")[2]}
    members = [named(TestClient(client.app), f"Friend {number}") for number in range(MOST_RECEIVED + 1)]
    for member in members:
        member.post(f"/api/circles/{circle['id']}/members", json=invitation).raise_for_status()
    for number in range(MOST_SENT):
        asked(client, {"circle": circle["id"], "member": number + 2})
    refused(ask(client, {"circle": circle["id"], "member": MOST_SENT + 2}), 429, f"you have sent {MOST_SENT}")
    for member in members[:MOST_RECEIVED]:
        asked(member, {"circle": circle["id"], "member": 1})
    refused(ask(members[-1], {"circle": circle["id"], "member": 1}), 403, "cannot be challenged now")


def test_people_and_bot_accounts_play_casual_games(ada: TestClient, bob: TestClient) -> None:
    robo = bot_of(ada)
    (bot,) = ada.get("/api/me/bots").json()
    answer = ask(bob, {"bot": bot["bot_id"]}, rated=True)
    refused(answer, 422, "rated separately")
    assert answer.json()["errors"][0]["location"] == ["body", "game", "rated"]
    other = bot_of(ada, "Data")
    game = joined(robo, other)
    challenge = asked(robo, {"game": game, "seat": 1}, rated=True)
    assert other.post(f"/api/challenges/{challenge}/accept").json()["rated"]


@pytest.mark.parametrize(
    ("opponent", "game", "status", "said"),
    [
        ({"bot": "nobody"}, {}, 404, "no such bot account"),
        ({"bot": "\x00"}, {}, 404, "no such bot account"),
        ({"game": "nonesuch", "seat": 1}, {}, 404, "no game"),
        ({"game": "MET", "seat": 3}, {}, 404, "no other player at seat 3"),
        ({"game": "MET", "seat": 0}, {}, 404, "no other player at seat 0"),
        ({"circle": "nonesuch", "member": 1}, {}, 404, ""),
        ({"seat": 1}, {}, 422, "opponent"),
        ({}, {}, 422, "opponent"),
        ({"bot": "x", "seat": 1}, {}, 422, "opponent"),
        ({"game": "MET", "seat": 1}, {"seats": 1}, 422, "a game of Letterpress has 2 seats, not 1"),
        (
            {"game": "MET", "seat": 1},
            {"kind": "boggle", "turn_limit": None, "seats": 3},
            422,
            "game.seats: 3 given",
        ),
        ({"game": "MET", "seat": 1}, {"bots": [1]}, 422, "game.bots"),
        ({"game": "MET", "seat": 1}, {"listed": True}, 422, "game.listed"),
        ({"game": "MET", "seat": 1}, {"kind": "chess"}, 422, "game.kind"),
        ({"game": "MET", "seat": 1}, {"options": {"lexicon": "klingon"}}, 422, "lexicon"),
        ({"game": "MET", "seat": 1}, {"turn_limit": 5}, 422, "game.turn_limit"),
        ({"game": "MET", "seat": 1}, {"colour": "red"}, 422, "game.colour"),
    ],
)
def test_a_challenge_that_cannot_be_sent_is_refused_with_the_reason(
    ada: TestClient, bob: TestClient, met: str, opponent: Any, game: Any, status: int, said: str
) -> None:
    named = {name: met if value == "MET" else value for name, value in opponent.items()}
    refused(ask(ada, named, **game), status, said)
    assert listed(ada) == listed(bob) == []


def test_challenging_requires_a_profile(client: TestClient) -> None:
    refused(ask(client, {"bot": "x"}), 401, "no profile")
    assert listed(client) == []


@pytest.mark.parametrize("who", ["ada", "bob"])
def test_an_erased_player_leaves_no_challenge(ada: TestClient, bob: TestClient, met: str, who: str) -> None:
    challenge = asked(ada, {"game": met, "seat": 1})
    (ada if who == "ada" else bob).delete("/api/me")
    assert listed(ada) == listed(bob) == []
    refused(bob.post(f"/api/challenges/{challenge}/accept"), 404)


@pytest.mark.parametrize("declined", [False, True])
def test_the_sweep_removes_what_is_over_for_a_day(
    ada: TestClient, bob: TestClient, met: str, clock: Clock, declined: bool
) -> None:
    challenge = asked(ada, {"game": met, "seat": 1})
    if declined:
        clock.now += OPEN_SECONDS / 2
        bob.post(f"/api/challenges/{challenge}/decline").raise_for_status()
    database = ada.app.state.services.players._database  # type: ignore[attr-defined]
    for later, left in ((OPEN_SECONDS - 1, 1), (OPEN_SECONDS, 0)):
        forget_challenges(database, clock.now + later)
        with database.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM direct_challenges").scalar() == left
