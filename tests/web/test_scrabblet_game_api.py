"""Games of Scrabblet through `/api/games`, and its daily through `/api/daily?kind=scrabblet`."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from fastapi.testclient import TestClient

from app.rooms.scrabblet import api as scrabblet_api
from app.web.table import opening
from app.words.lexicon import Lexicon
from tests.driver import JSON, move, open_game, play, problem
from tests.games.scrabblet.brute import words_of
from tests.web.busy_pool import engines_busy, idle, pool_of
from tests.web.conftest import Clock

DAY = 86_400
RARE: JSON = {"size": 15, "max_vowels": 0}


@pytest.fixture(autouse=True)
def _noon(clock: Clock) -> None:
    clock.now = datetime(2026, 11, 21, 12, tzinfo=UTC).timestamp()


def daily(client: TestClient) -> JSON:
    answer = client.post("/api/daily?kind=scrabblet")
    assert answer.status_code in (200, 201), answer.text
    game: JSON = answer.json()
    return game


def day(client: TestClient) -> JSON:
    found: JSON = client.get("/api/daily?kind=scrabblet").json()
    return found


def guess(client: TestClient, game: JSON, word: str) -> JSON:
    return play(client, game, "guess", word=word)


def finish(client: TestClient, game: JSON) -> JSON:
    done = play(client, game, "finish")
    assert done["finished_at"] is not None
    return done


def words_in(client: TestClient, game: JSON) -> list[str]:
    """All words of the game's hand, the best first."""
    body = {"rack": game["view"]["rack"], "sort": "score"}
    return [one["word"] for one in client.post("/api/scrabblet/words", json=body).json()["words"]]


def test_a_game_is_played_to_its_end(client: TestClient) -> None:
    game = open_game(client, "scrabblet", {"rack": "CRPEI"})
    assert game["kind"] == "scrabblet"
    assert [tile["letter"] for tile in game["view"]["tiles"]] == list("crpei")
    view = guess(client, game, "creepie")["view"]
    assert (view["score"], view["report"]["result"], view["counts"]["found"]) == (11, "scored", 1)
    assert guess(client, game, "creepie")["view"]["report"]["result"] == "duplicate"
    for word, result in (("pie", "too_short"), ("crab", "not_dealt"), ("crppe", "not_a_word")):
        view = guess(client, game, word)["view"]
        assert view["report"]["result"] == result
    assert (view["score"], view["penalty"], view["penalize"]) == (11, 0, "non_words")
    assert view["counts"]["wrong"] == 1
    done = finish(client, game)
    assert done["outcome"]["reason"] == "finished early"
    problem(move(client, game, {"type": "guess", "word": "price"}), 409)


def test_every_word_found_ends_the_game(client: TestClient) -> None:
    game = open_game(client, "scrabblet", {"rack": "crpei", "min_length": 8})
    words = words_in(client, game)
    long = [word for word in words if len(word) >= 8]
    for word in long:
        answer = guess(client, game, word)
    assert answer["finished_at"] is not None
    analysis = client.get(f"/api/games/{game['id']}/analysis").json()
    assert {one["word"] for one in analysis["found"]} == set(long)
    assert analysis["missed"] == []


def test_an_invalid_move_is_422_and_changes_nothing(client: TestClient) -> None:
    game = open_game(client, "scrabblet", {"rack": "crpei"})
    no_moves: list[JSON] = [
        {"type": "guess"},
        {"type": "guess", "word": ""},
        {"type": "guess", "word": "cr3p"},
        {"type": "guess", "word": "x" * 65},
        {"type": "chain", "cells": [0]},
        {"type": "hint", "word": "price"},
        {},
    ]
    for wrong in no_moves:
        problem(move(client, game, wrong), 422)
    assert client.get(f"/api/games/{game['id']}").json()["view"]["ply"] == 0


def test_an_impossible_hand_is_refused(client: TestClient) -> None:
    refused: list[tuple[JSON, str]] = [
        ({"rack": "ab1"}, "tiles are the letters a to z"),
        ({"rack": "???"}, "there are 3 blanks"),
        ({"size": 1}, "2 or more expected"),
        ({"size": 2, "min_words": 5000}, "none has 2 tiles"),
        ({"mode": "solo"}, "'dealer' or 'daily'"),
        ({"colour": "red"}, "there is no such field"),
    ]
    for options, says in refused:
        answer = client.post("/api/games", json={"kind": "scrabblet", "options": options})
        assert says in problem(answer, 422)["detail"]


def test_a_hand_that_is_rare_is_given_up_in_time(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing 100,000 hands would take some seconds."""
    monkeypatch.setattr(opening, "LONGEST_DEAL_MS", 100)
    answer = problem(client.post("/api/games", json={"kind": "scrabblet", "options": RARE}), 422)
    assert "none has 15 tiles, at most 0 vowels" in answer["detail"]
    assert answer["detail"].endswith("ask for less")
    assert "100,000" not in answer["detail"]


def test_a_rematch_on_a_rare_hand_is_given_up_in_time(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = open_game(client, "scrabblet", RARE | {"rack": "crpei"})
    finish(client, game)
    monkeypatch.setattr(opening, "LONGEST_DEAL_MS", 100)
    answer = problem(client.post(f"/api/games/{game['id']}/rematch"), 422)
    assert "none has 15 tiles, at most 0 vowels" in answer["detail"]
    assert "100,000" not in answer["detail"]
    page = client.post(f"/games/{game['id']}/rematch")
    assert page.status_code == 422
    assert "none has 15 tiles, at most 0 vowels" in page.text


@pytest.mark.parametrize("asked", ["/api/games", "/api/scrabblet/deal", "rematch"])
def test_a_deal_that_the_end_of_the_server_cuts_short_can_be_asked_for_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    game = open_game(client, "scrabblet", RARE | {"rack": "crpei"})
    finish(client, game)
    monkeypatch.setattr(opening, "LONGEST_DEAL_MS", 60_000)
    monkeypatch.setattr(scrabblet_api, "LONGEST_DEAL_MS", 60_000)
    requests: dict[str, tuple[str, JSON | None]] = {
        "/api/games": (asked, {"kind": "scrabblet", "options": RARE}),
        "/api/scrabblet/deal": (asked, RARE),
        "rematch": (f"/api/games/{game['id']}/rematch", None),
    }
    address, body = requests[asked]
    idle(client)  # the analysis is done
    pool = pool_of(client)
    with ThreadPoolExecutor(1) as thread:
        deal = thread.submit(client.post, address, json=body)
        while not pool.running:
            time.sleep(0.001)
        pool.stop()
        answer = deal.result()
    problem(answer, 503)
    assert answer.headers["retry-after"]


def test_a_challenge_on_an_unusual_hand_is_dealt_by_the_engines(
    client: TestClient, stranger: TestClient
) -> None:
    for options, unusual in (({"size": 8}, True), ({"penalty": 3}, False), ({"rack": "crpei"}, False)):
        game = open_game(client, "scrabblet", options)
        finish(client, game)
        challenge = client.post(f"/api/games/{game['id']}/challenge").json()["id"]
        with engines_busy(client):
            for path in (f"/challenges/{challenge}/play", f"/api/challenges/{challenge}/game"):
                answer = stranger.post(path, follow_redirects=False)
                assert (answer.status_code == 503) == unusual
        taken = stranger.post(f"/api/challenges/{challenge}/game").json()
        assert taken["view"]["rack"] == game["view"]["rack"]


def test_a_rematch_on_an_unusual_hand_is_dealt_by_the_engines(client: TestClient) -> None:
    given: JSON = {"rack": "crpei", "size": 8}  # the rematch has another hand
    for options, unusual in (({"size": 8}, True), (given, True), ({"penalty": 3}, False)):
        game = open_game(client, "scrabblet", options)
        finish(client, game)
        for path in (f"/games/{game['id']}/rematch", f"/api/games/{game['id']}/rematch"):
            with engines_busy(client):
                answer = client.post(path, follow_redirects=False)
            assert (answer.status_code == 503) == unusual
        again = client.post(f"/api/games/{game['id']}/rematch").json()
        assert len(again["view"]["rack"]) == options.get("size", len(game["view"]["rack"]))


def test_no_answer_names_a_word_that_was_not_found(
    client: TestClient, stranger: TestClient, lexicon: Lexicon
) -> None:
    game = open_game(client, "scrabblet", {"rack": "quizjkv", "min_length": 4})
    words = {word for word in words_of(lexicon, "quizjkv", 4, "") if word != "quiz"}
    assert len(words) >= 3
    answers = [client.get(f"/api/games/{game['id']}")]
    moves: list[JSON] = [
        {"type": "guess", "word": "quiz"},
        {"type": "guess", "word": "zzzz"},
        {"type": "hint"},
    ]
    answers += [move(client, game["id"], body) for body in moves]
    answers += [who.get(f"/api/games/{game['id']}") for who in (client, stranger)]
    answers += [
        who.get(f"/games/{game['id']}{part}") for who in (client, stranger) for part in ("", "/table")
    ]
    for answer in answers:
        text = answer.text.lower()
        assert answer.status_code == 200
        assert words & set(re.findall("[a-z]+", text)) == set()
        assert "seed" not in answer.text
    for path in (f"/api/games/{game['id']}/analysis", f"/api/games/{game['id']}/record"):
        problem(client.get(path), 409)


def test_a_watcher_sees_no_word_before_the_end(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, "scrabblet", {"rack": "crpei"})
    guess(client, game, "creepie")
    assert "creepie" not in stranger.get(f"/api/games/{game['id']}").text
    finish(client, game)
    assert "creepie" in stranger.get(f"/api/games/{game['id']}").text


def test_a_game_comes_back_from_its_record(client: TestClient) -> None:
    game = open_game(client, "scrabblet")
    for word in words_in(client, game)[:3]:
        last = guess(client, game, word)
    finish(client, game)
    text = client.get(f"/api/games/{game['id']}/record").text
    again = client.post(
        "/api/games/import", content=text.encode(), headers={"content-type": "text/plain"}
    ).json()
    assert again["view"]["found"] == last["view"]["found"]


# The daily


def test_the_daily_is_one_hand_for_all_players_and_one_attempt(
    client: TestClient, stranger: TestClient
) -> None:
    mine, theirs = daily(client), daily(stranger)
    assert mine["view"]["rack"] == theirs["view"]["rack"]
    assert mine["id"] != theirs["id"]
    assert daily(client)["id"] == mine["id"]
    counts = mine["view"]["counts"]
    assert 30 <= counts["required"] <= 120
    assert counts["pangrams"] >= 1
    assert day(client)["game_id"] == mine["id"]
    assert client.get("/api/daily").json()["game_id"] is None, "Wibble's daily is another"


def test_a_wrong_guess_costs_nothing_in_the_daily(client: TestClient) -> None:
    game = daily(client)
    scored = guess(client, game, words_in(client, game)[0])["view"]["score"]
    assert guess(client, game, "zzzzz")["view"]["score"] == scored


def test_the_daily_has_a_leaderboard_the_players_rank_and_streak(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    scores = {}
    for who, number in ((client, 3), (stranger, 5)):
        game = daily(who)
        for word in words_in(who, game)[:number]:
            guess(who, game, word)
        scores[who] = finish(who, game)["view"]["score"]
    mine, theirs = day(client), day(stranger)
    assert [line["score"] for line in mine["leaderboard"]] == [scores[stranger], scores[client]]
    assert [line["you"] for line in mine["leaderboard"]] == [False, True]
    assert (mine["rank"], theirs["rank"], mine["finished"], mine["streak"]) == (2, 1, 2, 1)
    clock.now += DAY
    assert day(client)["leaderboard"] == []
    finish(client, daily(client))
    assert (day(client)["streak"], day(stranger)["streak"]) == (2, 1)
    clock.now += DAY
    assert day(stranger)["streak"] == 0
    assert client.get("/api/me").json()["statistics"][0]["games"] == 2


def test_the_share_text_gives_the_rank_and_no_word(client: TestClient) -> None:
    game = daily(client)
    words = words_in(client, game)
    pangram = next(word for word in words if set(word) == set(game["view"]["rack"]))
    view: JSON = {}
    for word in [*words[:8], pangram]:
        view = guess(client, game, word)["view"]
    assert "🟩" not in client.get("/scrabblet/daily").text
    finish(client, game)
    page = client.get("/scrabblet/daily").text
    share = (
        page[page.index('<textarea id="share"') : page.index("</textarea>")].partition(">")[2].splitlines()
    )
    counts, rank = view["counts"], view["rank"]
    reached = [step["name"] for step in rank["steps"]].index(rank["name"])
    assert share[0] == "Scrabblet daily 2026-11-21"
    assert share[1] == f"{'🟩' * reached}{'⬜' * (8 - reached)} {rank['name']} {rank['percent']:.0f}%"
    assert share[2].startswith(f"{counts['required_found']} of {counts['required']} words")
    assert (f"{counts['bonus_found']} bonus" in share[2]) == (counts["bonus_found"] > 0)
    assert share[3].endswith("/scrabblet/daily/2026-11-21")
    assert not any(word in " ".join(share).lower().split() for word in words)


def test_a_past_day_is_played_unranked(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    hand = daily(client)["view"]["rack"]
    clock.now += DAY
    assert "2026-11-21" in stranger.get("/scrabblet/daily/archive").text
    answer = stranger.post("/scrabblet/daily/2026-11-21/play", follow_redirects=False)
    game = stranger.get(f"/api{answer.headers['location']}").json()
    assert game["view"]["rack"] == hand
    finish(stranger, game)
    assert stranger.get("/api/daily/2026-11-21?kind=scrabblet").json()["leaderboard"] == []
