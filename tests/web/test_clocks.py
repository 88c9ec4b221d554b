"""Clocks per player over HTTP, in all three rooms that have them."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import JSON, move, open_game, play, problem, record, see, sit_down
from tests.web.browsing import start_game
from tests.web.busy_pool import await_thoughts
from tests.web.conftest import Clock, Serve

OPTIONS: dict[str, JSON] = {"wibble": {"mode": "versus"}, "letterpress": {}, "fribble": {}}
FORMS: dict[str, tuple[str, JSON]] = {
    "wibble": ("/play", {"mode": "versus", "opponents": "1"}),
    "letterpress": ("/letterpress/play", {"opponent": "1"}),
    "fribble": ("/fribble/play", {"opponent": "1"}),
}
EACH_ROOM = pytest.mark.parametrize("kind", OPTIONS)


def begun(host: TestClient, guest: TestClient, clock: Clock, kind: str, **options: Any) -> JSON:
    """A game of two in which each has had a turn, 60 seconds on both clocks."""
    chosen = {**OPTIONS[kind], "clock_seconds": 60, **options}
    game = open_game(host, kind, chosen, seats=2)
    assert see(host, game)["view"]["clocks"] == {"left": [60, 60], "running": None, "since": None, "out": []}
    sit_down(guest, game)
    play(host, game, "pass")
    clock.now += 1  # both passes would end Letterpress
    return see(guest, game)


@EACH_ROOM
def test_running_out_of_time_loses_at_that_very_second(
    client: TestClient, stranger: TestClient, clock: Clock, kind: str
) -> None:
    game = begun(client, stranger, clock, kind)
    assert game["view"]["ends_at"] == clock.now + 59
    assert move(stranger, game, {"type": "time_up"}).status_code in (409, 422), "not yet"
    clock.now += 58.9
    assert see(client, game)["finished_at"] is None
    clock.now += 5
    late = problem(move(stranger, game, {"type": "pass"}), 409)
    assert late["game"]["finished_at"] == clock.now - 4.9
    over = see(client, game)
    assert over["outcome"]["winners"] == [0]
    assert over["outcome"]["reason"] == "out of time"
    assert over["view"]["clocks"] == {"left": [60, 0], "running": None, "since": None, "out": [1]}
    [*_, last] = client.get(f"/api/games/{game['id']}/moves").json()["moves"]
    assert (last["seat"], last["move"], last["at"]) == (1, {"type": "time_up"}, clock.now - 4.9)
    page = client.get(f"/games/{game['id']}").text
    assert "out of time" in page
    profiles = [one.get("/api/me").json()["games"] for one in (client, stranger)]
    assert [[result["won"] for result in games] for games in profiles] == [[True], [False]]


@EACH_ROOM
def test_a_turn_earns_the_increment_and_the_record_has_every_clock(
    client: TestClient, stranger: TestClient, clock: Clock, kind: str
) -> None:
    game = begun(client, stranger, clock, kind, increment_seconds=5)
    clock.now += 9
    if kind == "wibble":
        play(stranger, game, "shuffle")
        clock.now += 10
    play(stranger, game, "pass") if kind != "letterpress" else play(stranger, game, "resign")
    used = 20 if kind == "wibble" else 10
    first = 65 if kind == "wibble" else 60
    earned = 0 if kind == "letterpress" else 5
    view = see(client, game)["view"]
    assert view["clocks"]["left"] == [first, 60 - used + earned]
    clock.now += 3
    if kind != "letterpress":
        play(client, game, "resign")
    text = record(client, game)
    assert text.status_code == 200, text.text
    back = stranger.post("/api/games/import", content=text.text, headers={"content-type": "text/plain"})
    assert back.status_code == 201, back.text
    assert back.json()["view"]["clocks"] == see(client, game)["view"]["clocks"]
    plies = see(client, game)["view"]["ply"]
    replayed = [
        client.get(f"/api/games/{game['id']}/plies/{ply}").json()["view"]["clocks"]["left"]
        for ply in range(plies + 1)
    ]
    assert replayed[0] == [60, 60]
    assert replayed[-1] == see(client, game)["view"]["clocks"]["left"]
    assert len({tuple(left) for left in replayed}) > 1 or kind == "letterpress"
    slower = text.text.replace('"increment_seconds":5', '"increment_seconds":6')
    problem(stranger.post("/api/games/import", content=slower, headers={"content-type": "text/plain"}), 422)
    page = client.get(f"/games/{game['id']}/plies/{plies - 1}").text
    assert "time left" in page


def test_the_tables_own_limit_holds_until_the_clocks_run(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = open_game(client, "letterpress", {"clock_seconds": 3600}, seats=2, turn_limit=600)
    sit_down(stranger, game)
    assert see(stranger, game)["claimable_at"] == clock.now + 600
    assert play(client, game, "pass")["claimable_at"] is None


@pytest.mark.parametrize(
    ("kind", "options", "seconds"),
    [
        ("letterpress", {"clock_seconds": 300}, 600),
        ("letterpress", {"clock_seconds": 86400}, 86400),
        ("fribble", {"clock_seconds": 1500}, 1500),
        ("fribble", {"turn_seconds": 60}, 600),
    ],
)
def test_a_player_who_never_starts_a_timed_game_forfeits(
    client: TestClient, stranger: TestClient, clock: Clock, kind: str, options: JSON, seconds: int
) -> None:
    game = open_game(client, kind, options, seats=2)
    sit_down(stranger, game)
    assert see(stranger, game)["claimable_at"] == clock.now + seconds
    clock.now += seconds - 1
    problem(stranger.post(f"/api/games/{game['id']}/claim"), 409)
    clock.now += 1
    assert "Claim victory" in stranger.get(f"/games/{game['id']}").text
    over = stranger.post(f"/api/games/{game['id']}/claim").json()
    assert over["outcome"]["winners"] == [1]


def test_without_a_clock_or_an_opponent_starting_has_no_deadline(
    client: TestClient, stranger: TestClient
) -> None:
    assert (
        see(client, open_game(client, "letterpress", {"clock_seconds": 60}, bots=[1]))["claimable_at"] is None
    )
    game = open_game(client, "fribble", seats=2)
    sit_down(stranger, game)
    assert see(stranger, game)["claimable_at"] is None


@EACH_ROOM
def test_bots_never_run_out(client: TestClient, clock: Clock, kind: str) -> None:
    options = {**OPTIONS[kind], "clock_seconds": 10}
    game = open_game(client, kind, options, seats=2, bots=[2])
    for _ in range(2):
        if (seen := see(client, game))["finished_at"] is None:
            play(client, seen, "pass")
            await_thoughts(client)
            clock.now += 4
    view = see(client, game)["view"]
    assert view["to_move"] in (0, None)
    assert view["clocks"]["left"][1] > 8


@EACH_ROOM
def test_a_rematch_keeps_the_clock(client: TestClient, clock: Clock, kind: str) -> None:
    options = {**OPTIONS[kind], "clock_seconds": 300, "increment_seconds": 2}
    game = open_game(client, kind, options, seats=2, bots=[1])
    play(client, game, "resign")
    again = client.post(f"/api/games/{game['id']}/rematch").json()
    view = see(client, again)["view"]
    assert (view["clock_seconds"], view["increment_seconds"]) == (300, 2)


def test_two_of_three_players_play_on(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    third = TestClient(client.app)
    game = open_game(client, "wibble", {"mode": "versus", "clock_seconds": 30}, seats=3)
    for guest in (stranger, third):
        sit_down(guest, game)
    clock.now += 31
    seen = see(third, game)
    assert (seen["finished_at"], seen["view"]["to_move"], seen["view"]["resigned"]) == (None, 1, [0])
    assert seen["view"]["clocks"]["left"] == [0, 30, 30]
    assert "ran out of time" in third.get(f"/games/{game['id']}").text.lower()
    problem(move(client, game, {"type": "pass"}), 409)
    clock.now += 30
    assert see(third, game)["outcome"]["winners"] == [2]


@pytest.mark.parametrize(
    ("kind", "options", "field", "says"),
    [
        ("fribble", {"clock_seconds": 5}, "clock_seconds", "10 or more"),
        ("letterpress", {"clock_seconds": 10_000_000}, "clock_seconds", "or less"),
        ("letterpress", {"clock_seconds": "5:00"}, "clock_seconds", "whole number"),
        ("letterpress", {"increment_seconds": 5}, "increment_seconds", "set clock_seconds too"),
        ("fribble", {"clock_seconds": 60, "increment_seconds": -1}, "increment_seconds", "0 or more"),
        ("fribble", {"clock_seconds": 60, "turn_seconds": 60}, "turn_seconds", "not both"),
        ("wibble", {"mode": "versus", "clock_seconds": 60, "turn_seconds": 30}, "turn_seconds", "not both"),
        ("wibble", {"mode": "classic", "clock_seconds": 60}, None, "clock_seconds is for games of several"),
        ("boggle", {"clock_seconds": 60}, "clock_seconds", "no such field"),
    ],
)
def test_an_impossible_clock_is_422_naming_the_field(
    client: TestClient, kind: str, options: JSON, field: str | None, says: str
) -> None:
    refused = problem(client.post("/api/games", json={"kind": kind, "options": options}), 422)
    assert says in refused["detail"]
    assert field is None or [error["location"][-1] for error in refused["errors"]] == [field]


@EACH_ROOM
def test_the_form_opens_a_game_with_the_clock_that_was_chosen(client: TestClient, kind: str) -> None:
    path, fields = FORMS[kind]
    limits = {"turn_seconds": "300"} if kind != "letterpress" else {}
    filled = {**fields, **limits, "clock_seconds": "180", "increment_seconds": "5"}

    def opened(clock: str) -> JSON:
        view: JSON = see(client, start_game(client, path, **filled, clock=clock))["view"]
        return {"turn": view.get("turn_seconds"), "player": view["clock_seconds"], "clocks": view["clocks"]}

    assert opened("none") == {"turn": None, "player": None, "clocks": None}
    chosen = opened("player")
    assert (chosen["turn"], chosen["player"]) == (None, 180)
    if limits:
        assert opened("turn") == {"turn": 300, "player": None, "clocks": None}


@EACH_ROOM
@pytest.mark.parametrize(
    "wrong", [{"clock": "chess"}, {"clock": "player"}, {"clock": "player", "clock_seconds": "soon"}]
)
def test_an_impossible_form_with_a_clock_is_422(client: TestClient, kind: str, wrong: JSON) -> None:
    path, fields = FORMS[kind]
    assert client.post(path, data={**fields, **wrong}).status_code == 422


@pytest.mark.parametrize(
    ("kind", "chosen", "missing"),
    [
        ("letterpress", "player", "clock_seconds"),
        ("fribble", "player", "clock_seconds"),
        ("fribble", "turn", "turn_seconds"),
        ("wibble", "turn", "turn_seconds"),
    ],
)
def test_a_form_names_the_time_that_its_clock_lacks(
    client: TestClient, kind: str, chosen: str, missing: str
) -> None:
    path, fields = FORMS[kind]
    for empty in ({}, {missing: ""}):
        [error] = problem(client.post(path, data={**fields, "clock": chosen, **empty}), 422)["errors"]
        assert error["location"] == ["body", missing]
        assert "required" in error["message"]


def test_the_table_shows_its_clock_before_the_game(client: TestClient, stranger: TestClient) -> None:
    terms = "5:00 per player, +3 s a turn"
    options = {"clock_seconds": 300, "increment_seconds": 3}
    game = open_game(client, "letterpress", options, seats=2, listed=True)
    for page in (f"/games/{game['id']}", "/lobby"):
        assert terms in client.get(page).text
    assert terms in stranger.get(f"/games/{game['id']}/join/{game['invitation']}").text


def test_a_program_that_reconnects_gets_a_timeout_it_missed(serve: Serve, clock: Clock) -> None:
    """The timeout was applied when another player viewed the game after the program had disconnected."""
    client = serve(longest_stream=0)
    guest = TestClient(client.app)
    game = begun(client, guest, clock, "letterpress")
    over = f'event: over\ndata: {{"game": "{game["id"]}"}}'
    clock.now += 120
    gone = re.findall("id: (.*)", client.get("/api/events").text)[-1]
    clock.now += 30
    assert see(guest, game)["finished_at"] < clock.now - 60
    clock.now += 30
    assert over in client.get("/api/events", headers={"Last-Event-ID": gone}).text
    assert over not in client.get("/api/events").text
