"""Seats, bots, the daily, records, replays and one's own profile, as a program meets them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from itsdangerous import URLSafeSerializer

from app.games.wibble.rules import GRACE, Wibble
from app.main import create_app
from app.settings import Settings
from tests.web.calls import best_cells, move, open_game, problem
from tests.web.conftest import Clock

DAY = 86_400
JSON = dict[str, Any]


@pytest.fixture
def friend(client: TestClient) -> TestClient:
    """A third browser."""
    return TestClient(client.app)


def versus(client: TestClient, seats: int = 2, bots: tuple[int, ...] = (), **options: Any) -> JSON:
    body = {"options": {"mode": "versus", **options}, "seats": seats, "bots": bots}
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game: JSON = answer.json()
    return game


def sit(client: TestClient, game: JSON, invitation: str | None = None) -> Any:
    token = game["invitation"] if invitation is None else invitation
    return client.post(f"/api/games/{game['id']}/seats", json={"invitation": token})


def see(client: TestClient, game: JSON) -> JSON:
    seen: JSON = client.get(f"/api/games/{game['id']}").json()
    return seen


def daily(client: TestClient, words: int | None = None) -> JSON:
    """Today's attempt, played with the n best words and then given up where ``words`` says so."""
    game: JSON = client.post("/api/daily").json()
    if words is not None:
        for _ in range(words):
            game = move(client, game["id"], {"type": "chain", "cells": best_cells(client, game)}).json()
        game = move(client, game["id"], {"type": "resign"}).json() if game["finished_at"] is None else game
    return game


def record(client: TestClient, game_id: str) -> Any:
    return client.get(f"/api/games/{game_id}/record")


def bring_back(client: TestClient, text: str) -> Any:
    return client.post("/api/games/import", content=text.encode(), headers={"content-type": "text/plain"})


def seed_of(client: TestClient, game: JSON) -> str:
    seed: str = client.app.state.services.games.load(game["id"], 0).seed  # type: ignore[attr-defined]
    return seed


# Seats


def test_two_players_play_a_game_of_versus_to_its_end(client: TestClient, stranger: TestClient) -> None:
    game = versus(client)
    assert [seat["occupant"] for seat in game["seats"]] == ["player", "free"]
    joined = sit(stranger, game).json()
    assert (joined["seat"], joined["invitation"]) == (1, None)
    turns = [client, stranger] * 5
    for mover in turns:
        other = stranger if mover is client else client
        now = see(mover, game)
        assert now["view"]["to_move"] == now["seat"]
        problem(move(other, game["id"], {"type": "pass"}), 409)
        played = move(mover, game["id"], {"type": "chain", "cells": best_cells(mover, now)})
        assert played.status_code == 200
    done = see(client, game)
    assert done["outcome"]["scores"] == done["view"]["scores"]
    assert client.get(f"/api/games/{game['id']}/analysis").json()["seats"][1]["score"] > 0
    assert client.get("/api/me").json()["statistics"][0]["against_others"] == 1


def test_an_invitation_is_told_to_those_who_sit_while_a_seat_is_free(
    client: TestClient, stranger: TestClient, friend: TestClient
) -> None:
    game = versus(client, 3)
    assert game["invitation"]
    assert see(stranger, game)["invitation"] is None
    assert sit(stranger, game).json()["invitation"] == game["invitation"]
    sit(friend, game)
    assert see(client, game)["invitation"] is None


@pytest.mark.parametrize("token", ["", "nope", "\u0000", "<script>", "é" * 60])
def test_a_wrong_invitation_is_404_and_seats_nobody(
    client: TestClient, stranger: TestClient, token: str
) -> None:
    game = versus(client)
    assert "invitation" in problem(sit(stranger, game, token), 404)["detail"]
    assert see(client, game)["seats"][1]["occupant"] == "free"


def test_a_bad_invitation_is_422(client: TestClient, stranger: TestClient) -> None:
    game = versus(client)
    body: Any
    for body in ({"invitation": 7}, {"invitation": "x" * 65}, []):
        problem(stranger.post(f"/api/games/{game['id']}/seats", json=body), 422)
    for body in ({}, {"invitation": None}):  # only a listed table needs none
        problem(stranger.post(f"/api/games/{game['id']}/seats", json=body), 404)
    problem(sit(stranger, {"id": "nope", "invitation": "x"}), 404)


def test_who_sits_down_twice_or_too_late_gets_no_second_seat(
    client: TestClient, stranger: TestClient, friend: TestClient
) -> None:
    game = versus(client)
    assert sit(client, game).json()["seat"] == 0
    assert [sit(stranger, game).json()["seat"] for _ in range(2)] == [1, 1]
    assert sit(friend, game).json()["seat"] is None
    problem(move(friend, game["id"], {"type": "pass"}), 403)


def test_a_seat_taken_twice_at_once_goes_to_one(client: TestClient) -> None:
    game = versus(client)
    crowd = [TestClient(client.app) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        seats = list(threads.map(lambda one: sit(one, game).json()["seat"], crowd))
    assert sorted(seats, key=str) == [1, None, None, None]


def test_nothing_is_played_before_every_seat_is_taken(client: TestClient) -> None:
    game = versus(client)
    refused = problem(move(client, game["id"], {"type": "pass"}), 409)
    assert "every seat" in refused["detail"]
    assert refused["game"]["view"]["tiles"] == []


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"options": {"mode": "versus"}, "seats": 1}, "2 to 6 seats, not 1"),
        ({"options": {"mode": "versus"}, "seats": 7}, "less than or equal to 6"),
        ({"options": {"mode": "classic"}, "seats": 2}, "not 2"),
        ({"options": {"mode": "versus"}, "seats": 2, "bots": [1, 2]}, "leave no seat for you"),
        ({"options": {"mode": "versus"}, "seats": 2, "bots": [6]}, "less than or equal to 5"),
        ({"options": {"mode": "versus"}, "seats": 2, "bots": [0]}, "greater than or equal to 1"),
        ({"options": {"mode": "zen", "turn_seconds": 30}}, "no turns"),
        ({"options": {"mode": "blitz", "turn_seconds": 300}}, "no turns"),
        ({"options": {"mode": "versus", "turn_seconds": 31}, "seats": 2}, "30 or 300"),
        ({"options": {"mode": "versus"}, "seats": "two"}, "integer"),
        ({"options": {"mode": "versus"}, "seats": 2.5}, "integer"),
    ],
)
def test_a_table_that_cannot_be_is_422(client: TestClient, body: JSON, says: str) -> None:
    assert says in problem(client.post("/api/games", json=body), 422)["detail"]


# Bots and clocks


def test_a_bot_answers_after_a_pause_and_its_move_is_drawn_like_a_persons(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = versus(client, 2, (3,))
    assert [seat["occupant"] for seat in game["seats"]] == ["player", "bot"]
    assert game["seats"][1]["bot_level"] == 3
    passed = move(client, game["id"], {"type": "pass"}).json()
    assert see(client, game) == passed
    clock.now += 20
    seen = see(stranger, game)
    assert seen["view"]["to_move"] == 0
    report = seen["view"]["report"]
    assert (report["result"], report["seat"]) == ("scored", 1)
    assert len(report["cells"]) == len(report["word"]) > 1


def test_a_bot_takes_a_free_seat_when_somebody_seated_says_so(
    client: TestClient, stranger: TestClient
) -> None:
    game = versus(client, 3)
    path = f"/api/games/{game['id']}/bots"
    problem(stranger.post(path, json={"level": 1}), 403)
    for body in ({}, {"level": 0}, {"level": 6}, {"level": "best"}):
        problem(client.post(path, json=body), 422)
    problem(client.post("/api/games/nope/bots", json={"level": 1}), 404)
    assert client.post(path, json={"level": 5}).json()["seats"][1]["bot_level"] == 5
    full = client.post(path, json={"level": 1}).json()
    assert full["view"]["phase"] == "play.idle"
    assert client.post(path, json={"level": 1}).json()["seats"] == full["seats"]


def test_turns_that_ran_out_are_passed_by_who_looks_next(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = versus(client, turn_seconds=30)
    sit(stranger, game)
    begun = clock.now
    assert see(client, game)["view"]["ends_at"] == begun + 30
    clock.now += 3 * (30 + GRACE) + 1
    seen = see(client, game)["view"]
    assert (seen["round"], seen["to_move"]) == (2, 1)
    log = client.get(f"/api/games/{game['id']}/moves").json()["moves"]
    assert [(line["seat"], line["at"]) for line in log[1:]] == [
        (turn % 2, begun + (turn + 1) * (30 + GRACE)) for turn in range(3)
    ]
    late = problem(move(client, game["id"], {"type": "pass"}), 409)
    assert late["game"]["view"]["to_move"] == 1


def test_a_hint_is_seen_by_who_asked(client: TestClient, stranger: TestClient) -> None:
    game = versus(client)
    sit(stranger, game)
    services = client.app.state.services  # type: ignore[attr-defined]
    table = services.games.load(game["id"], 0)
    rich = table.state.model_copy(update={"gems": (9, 9)})
    hinted = table.game.apply(rich, 0, table.game.move_adapter.validate_python({"type": "hint"}), 0.0)
    own, others = table.game.view(hinted, 0), table.game.view(hinted, 1)
    assert own.hint
    assert own.report.cells == own.hint
    assert others.hint is None
    assert others.report.cells == ()


# The daily


def test_today_is_the_same_board_for_everybody(client: TestClient, stranger: TestClient) -> None:
    before = client.get("/api/daily").json()
    assert (before["day"], before["running"]) == ("2023-11-14", True)
    assert (before["game_id"], before["finished"], before["leaderboard"]) == (None, 0, [])
    mine, theirs = daily(client), daily(stranger)
    assert mine["id"] != theirs["id"]
    assert mine["view"]["tiles"] == theirs["view"]["tiles"]
    assert mine["view"]["mode"] == "classic"
    assert client.get("/api/daily").json()["game_id"] == mine["id"]


def test_one_ranked_attempt_even_from_many_tabs_at_once(client: TestClient) -> None:
    client.put("/api/me", json={"nickname": "Ada"})
    with ThreadPoolExecutor(6) as threads:
        ids = set(threads.map(lambda _: daily(client)["id"], range(6)))
    assert len(ids) == 1
    daily(client, 0)
    assert daily(client)["id"] in ids
    assert client.get("/api/daily").json()["finished"] == 1


def test_the_leaderboard_tells_rank_score_and_name_and_no_game(
    client: TestClient, stranger: TestClient, friend: TestClient, clock: Clock
) -> None:
    client.put("/api/me", json={"nickname": "<b>Ada</b>"})
    for player, words in ((client, 1), (stranger, 3), (friend, 1)):
        daily(player, words)
        clock.now += 1
    day = client.get("/api/daily").json()
    assert [(line["rank"], line["you"]) for line in day["leaderboard"]] == [
        (1, False),
        (2, True),
        (2, False),
    ]
    assert [line["nickname"] for line in day["leaderboard"]] == [None, "<b>Ada</b>", None]
    assert (day["rank"], day["finished"], day["streak"]) == (2, 3, 1)
    assert set(day["leaderboard"][0]) == {"rank", "nickname", "you", "score", "accuracy"}
    assert len(client.get("/api/daily?top=1").json()["leaderboard"]) == 1
    for top in ("0", "101", "all"):
        problem(client.get(f"/api/daily?top={top}"), 422)


def test_the_day_changes_at_midnight_utc(client: TestClient, clock: Clock) -> None:
    clock.now = 19_700 * DAY - 1
    assert client.get("/api/daily").json()["day"] == "2023-12-08"
    first = daily(client, 1)
    clock.now += 1
    day = client.get("/api/daily").json()
    assert (day["day"], day["game_id"], day["streak"]) == ("2023-12-09", None, 1)
    second = daily(client, 0)
    assert second["id"] != first["id"]
    assert client.get("/api/daily").json()["streak"] == 2
    old = client.get("/api/daily/2023-12-08").json()
    assert (old["running"], old["game_id"], old["finished"]) == (False, first["id"], 1)
    clock.now += 2 * DAY
    assert client.get("/api/daily").json()["streak"] == 0
    assert client.get("/api/me").json()["streaks"]["wibble"] == {"now": 0, "longest": 2}


def test_a_past_day_is_rehearsed_and_counts_for_nothing(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    ranked = daily(client, 0)
    path = "/api/daily/2023-11-14"
    problem(stranger.post(f"{path}/rehearsals"), 404)
    clock.now += DAY
    answer = stranger.post(f"{path}/rehearsals")
    assert answer.status_code == 201
    game = answer.json()
    assert game["id"] != ranked["id"]
    move(stranger, game["id"], {"type": "chain", "cells": best_cells(stranger, game)})
    move(stranger, game["id"], {"type": "resign"})
    day = stranger.get(path).json()
    assert (day["finished"], day["game_id"], day["score"]) == (1, None, None)
    assert stranger.get("/api/me").json()["streaks"] == {}


@pytest.mark.parametrize(
    ("day", "status"),
    [
        ("2023-11-15", 404),
        ("9999-12-31", 404),
        ("2023-02-30", 422),
        ("yesterday", 422),
        ("2023-11-14T00:00:01", 422),
    ],
)
def test_a_day_that_is_none_is_told(client: TestClient, day: str, status: int) -> None:
    problem(client.get(f"/api/daily/{day}"), status)
    problem(client.post(f"/api/daily/{day}/rehearsals"), status)


def test_a_day_nobody_played_cannot_be_rehearsed(client: TestClient) -> None:
    problem(client.post("/api/daily/2001-01-01/rehearsals"), 404)


def test_the_seed_of_the_day_is_nobodys_until_the_day_is_over(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = daily(client, 1)
    seed = seed_of(client, game)
    for one in (client, stranger):
        assert "tomorrow" in problem(record(one, game["id"]), 409)["detail"]
        page = one.get(f"/games/{game['id']}/record")
        assert page.status_code == 409
        for path in ("", "/moves", "/analysis", "/plies/1"):
            assert seed not in one.get(f"/api/games/{game['id']}{path}").text
        for path in ("", "/analysis", "/plies/1", "/table"):
            assert seed not in one.get(f"/games/{game['id']}{path}", follow_redirects=True).text
    clock.now += DAY
    text = record(stranger, game["id"])
    assert text.status_code == 200
    assert seed in text.text


def test_a_rehearsal_of_yesterday_can_be_taken_away(client: TestClient, clock: Clock) -> None:
    daily(client, 0)
    clock.now += DAY
    game = client.post("/api/daily/2023-11-14/rehearsals").json()
    problem(record(client, game["id"]), 409)
    move(client, game["id"], {"type": "resign"})
    assert record(client, game["id"]).status_code == 200


# Replay


def test_every_ply_of_a_finished_game_is_there(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client)
    views = [see(client, game)["view"]]
    for _ in range(2):
        chain = {"type": "chain", "cells": best_cells(client, see(client, game))}
        played = move(client, game["id"], chain).json()
        views.append(played["view"])
    running = problem(client.get(f"/api/games/{game['id']}/plies/1"), 409)
    assert running["game"]["id"] == game["id"]
    views.append(move(client, game["id"], {"type": "resign"}).json()["view"])
    first = stranger.get(f"/api/games/{game['id']}/plies/0").json()
    assert (first["ply"], first["last_ply"], first["view"]["tiles"]) == (0, 4, [])
    for ply, view in enumerate(views, start=1):
        replayed = stranger.get(f"/api/games/{game['id']}/plies/{ply}").json()["view"]
        assert replayed | {"seat": 0} == view
    for none in ("5", "-1", "9" * 30):
        refused = problem(client.get(f"/api/games/{game['id']}/plies/{none}"), 404)
        assert "plies 0 to 4" in refused["detail"]
    problem(client.get(f"/api/games/{game['id']}/plies/last"), 422)
    problem(client.get("/api/games/nope/plies/0"), 404)


def test_a_hint_somebody_bought_is_not_replayed_to_the_world(
    client: TestClient, stranger: TestClient
) -> None:
    game = open_game(client, "zen")
    assert move(client, game["id"], {"type": "hint"}).json()["view"]["hint"]
    assert see(stranger, game)["view"]["hint"] is None
    assert see(stranger, game)["view"]["report"]["cells"] == []


# Records


@pytest.fixture
def finished(client: TestClient) -> JSON:
    """A short game, and its record as ``text``."""
    game = open_game(client, "zen")
    for _ in range(2):
        move(client, game["id"], {"type": "chain", "cells": best_cells(client, see(client, game))})
    move(client, game["id"], {"type": "resign"})
    return see(client, game) | {"text": record(client, game["id"]).text}


def test_a_running_game_is_not_taken_away(client: TestClient) -> None:
    game = open_game(client)
    assert "goes on" in problem(record(client, game["id"]), 409)["detail"]
    problem(record(client, "nope"), 404)


def test_a_game_taken_away_and_brought_back_is_the_same(
    client: TestClient, stranger: TestClient, finished: JSON
) -> None:
    text = record(client, finished["id"])
    assert text.headers["content-type"].startswith("text/plain")
    answer = bring_back(stranger, text.text)
    assert answer.status_code == 201
    back = answer.json()
    assert answer.headers["location"] == f"/api/games/{back['id']}"
    assert back["seat"] is None
    assert [seat["occupant"] for seat in back["seats"]] == ["free"]
    assert back["view"] == finished["view"] | {"seat": None}
    assert record(stranger, back["id"]).text == text.text
    analyses = [client.get(f"/api/games/{one['id']}/analysis").json() for one in (finished, back)]
    assert analyses[0] == analyses[1]
    assert stranger.get("/api/me").json()["games"] == [], "a record is nobody's result"
    problem(move(stranger, back["id"], {"type": "shuffle"}), 403)


def changed_line(ply: int, change: Callable[[str], str]) -> Callable[[str], str]:
    def changed(text: str) -> str:
        lines = text.splitlines()
        lines[5 + ply] = change(lines[5 + ply])
        return "\n".join(lines)

    return changed


def swapped(text: str) -> str:
    lines = text.splitlines()
    lines[6], lines[7] = lines[7], lines[6]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (changed_line(1, lambda line: line.replace("[", "[1,")), "ply 1"),
        (changed_line(2, lambda line: line.replace(".0 ", ".5 ", 1)), "ply 2"),
        (changed_line(2, lambda line: line.replace("2 0 ", "2 1 ", 1)), "ply 2"),
        (changed_line(2, lambda line: line.replace("2 0 ", "2 -1 ", 1)), "ply 2"),
        (changed_line(3, lambda line: line.replace("resign", "shuffle")), "ply 3"),
        (changed_line(1, lambda _: "1 0 NaN 00000000 {}"), "ply 1"),
        (swapped, "ply 1"),
        (lambda text: "\n".join(text.splitlines()[:-1]), "not finished"),
        (lambda text: text.replace("\nseed ", "\nseed 0"), "ply 0"),
        (lambda text: text.replace("wibble record 1", "wobble"), "line 1"),
        (lambda _: "", "required"),
        (lambda _: "\x00\ud7ff" * 50, "line 1"),
    ],
)
def test_a_tampered_text_is_422_naming_the_ply_and_is_not_kept(
    client: TestClient, finished: JSON, tamper: Callable[[str], str], says: str
) -> None:
    tampered = tamper(finished["text"])
    assert tampered != finished["text"]
    assert says in problem(bring_back(client, tampered), 422)["detail"]


def test_a_text_that_is_no_text_is_422(client: TestClient) -> None:
    for content in (b"\xff\xfe\x00", b"\x80" * 100):
        answer = client.post("/api/games/import", content=content, headers={"content-type": "text/plain"})
        problem(answer, 422)


def test_a_text_too_long_is_413(client: TestClient) -> None:
    problem(bring_back(client, "x" * 70_000), 413)


def test_a_lexicon_that_is_not_here_is_422(client: TestClient, finished: JSON) -> None:
    text = finished["text"].replace('"name":"letterpress","sha256":"', '"name":"other","sha256":"0')
    problem(bring_back(client, text), 422)


# Analyses


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one with each analysis that is computed."""
    calls: list[int] = []
    analyse = Wibble.analyse

    def counted(self: Wibble, states: Any) -> Any:
        calls.append(len(states))
        return analyse(self, states)

    monkeypatch.setattr(Wibble, "analyse", counted)
    return calls


def test_an_analysis_is_computed_once_however_many_ask(
    client: TestClient, computed: list[int], finished: JSON, settings: Settings
) -> None:
    path = f"/api/games/{finished['id']}/analysis"
    with ThreadPoolExecutor(4) as threads:
        texts = set(threads.map(lambda _: client.get(path).text, range(8)))
    assert len(texts) == 1
    assert len(computed) == 1
    with TestClient(create_app(settings)) as another:
        assert another.get(path).text in texts
    assert len(computed) == 1, "another worker finds it kept"


def test_an_analysis_that_found_no_room_is_computed_when_asked_for(
    client: TestClient, computed: list[int]
) -> None:
    pool = client.app.state.services.pool  # type: ignore[attr-defined]
    game = open_game(client, "zen")
    with pytest.MonkeyPatch.context() as busy:
        busy.setattr(pool, "taken", pool.places)
        assert move(client, game["id"], {"type": "resign"}).status_code == 200, "the end does not wait"
        problem(client.get(f"/api/games/{game['id']}/analysis"), 503)
    assert client.get(f"/api/games/{game['id']}/analysis").status_code == 200
    assert len(computed) == 1


# One's own profile


def test_a_profile_has_what_one_has_done(client: TestClient, stranger: TestClient, finished: JSON) -> None:
    analysis = client.get(f"/api/games/{finished['id']}/analysis").json()
    me = client.get("/api/me").json()
    (game,) = me["games"]
    (line,) = me["statistics"]
    assert game["game_id"] == finished["id"]
    assert game["score"] == line["best_score"] == finished["view"]["scores"][0]
    assert game["accuracy"] == line["average_accuracy"] == analysis["seats"][0]["accuracy"] > 50
    assert stranger.get("/api/me").json() == {
        "nickname": None,
        "streaks": {},
        "statistics": [],
        "games": [],
    }
    assert "set-cookie" not in stranger.get("/api/me").headers, "looking makes nobody a guest"


@pytest.mark.parametrize("name", ["Ada", "<script>alert(1)</script>"[:24], "Zoë 🦊", "名無し"])
def test_a_nickname_is_kept_as_it_is(client: TestClient, stranger: TestClient, name: str) -> None:
    assert client.put("/api/me", json={"nickname": name}).json()["nickname"] == name
    game = versus(client)
    assert see(stranger, game)["seats"][0]["name"] == name


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "x" * 201, "a\u200bb", "a\u202eb", "a\nb", "\u3164"])
def test_a_nickname_that_cannot_be_is_422(client: TestClient, name: str) -> None:
    problem(client.put("/api/me", json={"nickname": name}), 422)
    assert client.get("/api/me").json()["nickname"] is None


def test_a_bad_profile_is_422(client: TestClient) -> None:
    body: Any
    for body in ({}, {"nickname": 7}, {"nickname": "Ada", "admin": True}, []):
        problem(client.put("/api/me", json=body), 422)
    lone = client.put(
        "/api/me", content=b'{"nickname": "\\ud800"}', headers={"content-type": "application/json"}
    )
    problem(lone, 422)


def test_erasing_takes_everything_and_the_cookie(client: TestClient, finished: JSON) -> None:
    client.put("/api/me", json={"nickname": "Ada"})
    daily(client, 1)
    assert client.delete("/api/me").status_code == 204
    assert "wibble_player" not in client.cookies
    me = client.get("/api/me").json()
    assert (me["nickname"], me["games"], me["streaks"]) == (None, [], {})
    assert client.get("/api/daily").json()["finished"] == 0
    assert see(client, finished)["seats"][0]["name"] == "Player 1"
    assert client.delete("/api/me").status_code == 204, "there is nothing left to erase"


@pytest.fixture
def cookies(client: TestClient) -> list[str]:
    """Cookies that are not of our making, or not any more."""
    client.put("/api/me", json={"nickname": "Ada"})
    own = client.cookies["wibble_player"]
    return [
        own[:-5] + ("x" if own[-5] != "x" else "y") + own[-4:],
        own.split(".")[0],
        own + own,
        "nobody",
        "%00",
        "a" * 4000,
        URLSafeSerializer("another house's key", salt="player").dumps("ada"),
    ]


def test_forged_and_foreign_cookies_are_nobodys(
    client: TestClient, stranger: TestClient, cookies: list[str]
) -> None:
    game = versus(client)
    for cookie in cookies:
        headers = {"cookie": f"wibble_player={cookie}"}
        assert stranger.get("/api/me", headers=headers).json()["nickname"] is None
        answer = stranger.post(f"/api/games/{game['id']}/bots", json={"level": 1}, headers=headers)
        problem(answer, 403)
        assert stranger.delete("/api/me", headers=headers).status_code == 204
    assert client.get("/api/me").json()["nickname"] == "Ada"


# Writes of other sites, and the document


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/daily"),
        ("POST", "/api/daily/2023-11-13/rehearsals"),
        ("PUT", "/api/me"),
        ("DELETE", "/api/me"),
        ("POST", "/api/games/import"),
        ("POST", "/api/games/x/seats"),
        ("POST", "/api/games/x/bots"),
        ("POST", "/daily/play"),
        ("POST", "/me/erase"),
        ("POST", "/me/nickname"),
        ("POST", "/games/x/join/y"),
    ],
)
def test_a_write_from_another_sites_page_is_403(client: TestClient, method: str, path: str) -> None:
    problem(client.request(method, path, headers={"sec-fetch-site": "cross-site"}), 403)


def test_a_profile_lists_as_many_games_as_are_asked_for_and_counts_them_all(client: TestClient) -> None:
    played = []
    for _ in range(3):
        played.append(client.post("/api/games", json={"options": {"mode": "zen"}}).json()["id"])
        client.post(f"/api/games/{played[-1]}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    some, most = client.get("/api/me?top=2").json(), client.get("/me/export").json()
    assert (len(some["games"]), some["statistics"][0]["games"]) == (2, 3)
    assert {game["game_id"] for game in most["games"]} == set(played)
    assert client.get("/api/me").json() == most
    assert [client.get(f"/api/me?top={top}").status_code for top in (0, 1001)] == [422, 422]


def test_erasing_lasts(client: TestClient, stranger: TestClient) -> None:
    """Whatever happens in games that went on, and on whatever other device the cookie still is."""
    opened = client.post("/api/games", json={"kind": "letterpress", "seats": 2}).json()
    game = f"/api/games/{opened['id']}"
    stranger.post(f"{game}/seats", json={"invitation": opened["invitation"]}).raise_for_status()
    elsewhere = TestClient(client.app, cookies=dict(client.cookies))
    assert client.delete("/api/me").status_code == 204
    stranger.post(f"{game}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    assert client.get("/api/leaderboards").json()["winners"] == []
    assert elsewhere.get("/api/me").json()["games"] == []
    assert elsewhere.get(game).json()["seat"] is None
    shown = stranger.get(game).json()
    assert (shown["seat"], shown["invitation"], shown["outcome"]["winners"]) == (1, None, [0])
    before = elsewhere.cookies["wibble_player"]
    named = elsewhere.put("/api/me", json={"nickname": "Ada"})
    assert named.cookies["wibble_player"] != before
    assert client.get("/api/me").json()["nickname"] is None
