"""Adventure on the site: the list of levels, playing them, stars, and stored progress."""

import re

import pytest
from fastapi.testclient import TestClient

from app.games.wibble.levels import levels
from tests.driver import JSON, address_of, open_game, play, problem, see
from tests.web.browsing import HTML

PATH = "/wibble/adventure"
NAMES = list(levels())


def begin(client: TestClient, level: str) -> JSON:
    """Open a level from the list, as its button does."""
    answer = client.post(f"{PATH}/{level}", headers=HTML, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    [game] = re.findall(r"/games/([\w-]+)", answer.headers["location"])
    return see(client, game)


def win(client: TestClient, level: str) -> JSON:
    """Win a level with its free hints."""
    game = begin(client, level)
    while game["finished_at"] is None:
        game = play(client, game, "hint")
        game = play(client, game, "chain", cells=game["view"]["hint"])
    assert game["view"]["level"]["won"]
    return game


def lose(client: TestClient, level: str) -> JSON:
    return play(client, begin(client, level), "resign")


def listed(client: TestClient) -> list[JSON]:
    found: list[JSON] = client.get(f"/api{PATH}").json()["levels"]
    return found


def test_a_stranger_sees_all_levels_and_may_start_the_first(client: TestClient) -> None:
    answer = client.get(PATH, headers=HTML)
    assert "set-cookie" not in answer.headers
    assert all(level.title in answer.text for level in levels().values())
    assert re.findall(f'action="{PATH}/([^"]+)"', answer.text) == [NAMES[0]] * 2
    assert answer.text.count("Locked: win level") == len(NAMES) - 1
    api = listed(client)
    assert [level["name"] for level in api] == NAMES
    assert [level["open"] for level in api] == [True] + [False] * (len(NAMES) - 1)
    assert not any(level["stars"] for level in api)
    assert all(len(level["won_by_bots"]) == 5 and level["goals"] for level in api)


def test_a_level_that_is_won_has_stars_and_opens_the_next(client: TestClient, stranger: TestClient) -> None:
    game = win(client, NAMES[0])
    assert game["outcome"]["winners"] == [0]
    stars = game["view"]["level"]["stars"]
    assert 1 <= stars <= 3
    first, second, third = listed(client)[:3]
    assert (first["stars"], second["open"], third["open"]) == (stars, True, False)
    level = game["view"]["level"]
    assert first["best_moves"] == level["moves"] - level["moves_left"]
    page = client.get(f"/games/{game['id']}", headers=HTML).text
    assert f"{stars} of 3 stars" in page
    assert f'formaction="{PATH}/{NAMES[1]}">Next level' in page
    assert ">Play again<" in page
    assert "Continue with level 2" in client.get(PATH, headers=HTML).text
    assert begin(client, "2")["view"]["level"]["name"] == NAMES[1]
    assert not any(level["stars"] for level in listed(stranger))


def test_a_worse_result_later_takes_no_stars_away(client: TestClient) -> None:
    best = win(client, NAMES[0])["view"]["level"]
    game = begin(client, NAMES[0])
    lose(client, NAMES[0])
    assert listed(client)[0]["stars"] == best["stars"]
    assert game["view"]["tiles"] == begin(client, NAMES[0])["view"]["tiles"], "the same first board"


def test_a_level_that_is_lost_opens_nothing(client: TestClient) -> None:
    game = lose(client, NAMES[0])
    assert (game["outcome"]["winners"], game["view"]["level"]["won"]) == ([], False)
    assert not listed(client)[1]["open"]
    page = client.get(f"/games/{game['id']}", headers=HTML).text
    assert "Not this time" in page
    assert ">Try again<" in page
    assert "Next level" not in page
    refused = client.post(f"{PATH}/{NAMES[1]}", follow_redirects=False)
    assert "win the level before it" in problem(refused, 409)["detail"]


@pytest.mark.parametrize("level", ["nowhere", "0", "99", "-1", "1.5"])
def test_a_level_that_does_not_exist_is_not_found(client: TestClient, level: str) -> None:
    for answer in (
        client.get(f"{PATH}/{level}"),
        client.post(f"{PATH}/{level}"),
        client.post("/api/games", json={"options": {"mode": "adventure", "level": level}}),
        client.post("/play", data={"mode": "adventure", "level": level}),
    ):
        assert "there is no level" in problem(answer, 404)["detail"]
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("options", [{"mode": "adventure"}, {"mode": "zen", "level": "1"}])
def test_adventure_takes_a_level_and_other_modes_take_none(client: TestClient, options: JSON) -> None:
    answer = problem(client.post("/api/games", json={"options": options}), 422)
    assert "mode adventure takes a level" in answer["detail"]


def test_programs_may_play_any_level_by_name_or_number(client: TestClient) -> None:
    for level in (NAMES[6], 7, "7"):
        game = open_game(client, options={"mode": "adventure", "level": level})
        assert game["view"]["level"]["name"] == NAMES[6]


def test_obstacles_on_tiles_are_named_and_a_frozen_tile_is_refused(client: TestClient) -> None:
    game = open_game(client, options={"mode": "adventure", "level": "early-frost"})
    page = client.get(f"/games/{game['id']}", headers=HTML).text
    assert re.search(r'aria-label="[A-Z], \d+ points?, frozen, 2 layers"[^>]*aria-disabled', page)
    assert 'aria-label="Goals"' in page
    [frozen, *_] = [tile["cell"] for tile in game["view"]["tiles"] if tile["obstacle"] == "frozen"]
    move = {"type": "chain", "cells": [frozen, frozen + 1]}
    refused = client.post(f"{address_of(game)}/moves", json={"move": move})
    assert "is frozen" in problem(refused, 422)["detail"]
    walls = open_game(client, options={"mode": "adventure", "level": "garden-walls"})
    assert 'aria-label="wall"' in client.get(f"/games/{walls['id']}", headers=HTML).text


def test_a_level_is_replayed_and_reviewed_but_not_measured_or_challenged(client: TestClient) -> None:
    client.post("/api/games", json={"options": {"mode": "adventure", "level": "a-ticking-box"}})
    game = open_game(client, options={"mode": "adventure", "level": "a-ticking-box"})
    solved = client.post("/api/wibble/solve", json={"board": letters(game), "values": "scrabble"}).json()
    play(client, game, "chain", cells=solved["words"][0]["cells"])
    play(client, game, "resign")
    assert "tile--bomb" in client.get(f"/games/{game['id']}/plies/1", headers=HTML).text
    review = client.get(f"/games/{game['id']}/analysis", headers=HTML)
    assert review.status_code == 200
    assert "the goals count" in review.text
    analysis = client.get(f"{address_of(game)}/analysis").json()
    assert analysis["seats"][0]["accuracy"] is None
    refused = client.post(f"{address_of(game)}/challenge")
    assert "a level cannot be a challenge" in problem(refused, 409)["detail"]
    record = client.get(f"{address_of(game)}/record").text
    imported = client.post("/api/games/import", content=record, headers={"Content-Type": "text/plain"})
    assert imported.json()["view"]["level"]["name"] == "a-ticking-box"


def letters(game: JSON) -> str:
    return "".join(tile["letter"] for tile in game["view"]["tiles"])


def test_the_levels_won_are_exported_and_erased(client: TestClient) -> None:
    stars = win(client, NAMES[0])["view"]["level"]["stars"]
    [level] = client.get("/me/export").json()["levels"]
    assert (level["kind"], level["level"], level["stars"]) == ("wibble", NAMES[0], stars)
    player = client.cookies
    kept = dict(player)
    client.post("/me/erase").raise_for_status()
    client.cookies.update(kept)
    assert not any(level["stars"] for level in listed(client))
