"""Wibble's study board: positions, unknown tiles, the engine's words, and games of every mode."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient

from tests.driver import address_of, move, open_game, open_wibble, play, see
from tests.web.boards import PAGE, board_after, change, errors, moves, proposed, text

PATH = "/boards/new/wibble"
BOARD = "catsxodogxwertyplanezzqzz"


def page(client: TestClient, **fields: object) -> str:
    return text(client, f"{PATH}?{urlencode({'board': BOARD} | fields)}")


def bonuses(html: str) -> dict[int, str]:
    found = re.findall(r'data-cell="(\d+)"[^>]* data-bonuses="([^"]*)"', html)
    return {int(cell): text for cell, text in found}


def marked(html: str) -> dict[int, str]:
    return {cell: text for cell, text in bonuses(html).items() if text}


def test_the_address_of_the_solver_is_that_of_a_board(client: TestClient) -> None:
    html = page(client, gems="1,9", tl=1, x2=24, held=7, round=2, brush="gem", vocabulary="everything")
    assert marked(html) == {1: "gem tl", 9: "gem", 24: "x2"}
    assert "7 gems" in html
    assert "formaction" in client.get("/wibble/solver", headers=PAGE).text


@pytest.mark.parametrize(
    ("fields", "name", "says"),
    [
        ({"board": "abc"}, "board", "3 letters; accepted: 16, 25, 36 or 49"),
        ({"board": "ab1d" * 4}, "board", "characters a to z and . expected"),
        ({"gems": "1,x"}, "gems", "a whole number expected, 'x' given"),
        ({"dl": "99"}, "dl", "cell 99 is not on the board: cells are 0 to 24"),
        ({"mode": "chess"}, "mode", "'blitz' expected, 'chess' given"),
        ({"mode": "teams", "scores": "1 2 3"}, "scores", "Teams is for"),
        ({"to_move": "2"}, "to_move", "player 2 does not play"),
        ({"to_move": "0"}, "to_move", "0 or more expected, -1 given"),
    ],
)
def test_errors_are_at_their_fields(client: TestClient, fields: dict[str, str], name: str, says: str) -> None:
    answer = client.get(f"{PATH}?{urlencode({'board': BOARD} | fields)}", headers=PAGE)
    assert answer.status_code == 422
    assert says in errors(answer.text)[name]


def solved(client: TestClient, **body: Any) -> Any:
    return client.post("/api/wibble/solve", json={"board": BOARD, "limit": 12, **body}).json()


def written(word: Any) -> str:
    swaps = "".join(f" {swap['cell']} {swap['letter'].upper()}" for swap in word["swaps"])
    return f"{f'swap{swaps} ' if swaps else ''}{word['word'].upper()} {' '.join(map(str, word['cells']))}"


def test_the_engine_is_that_of_the_solver(client: TestClient) -> None:
    found = solved(client, gems=[1, 9], word_bonus={"cell": 2, "factor": 2}, swaps=2, round=2, gems_held=7)
    swapped = [word for word in found["best_by_swaps"] if word["swaps"]]
    listed = [written(word) for word in (*reversed(swapped), *found["words"])]
    asked = {"gems": "1,9", "x2": 2, "held": 7, "round": 2}
    assert proposed(page(client, **asked, engine="points")) == listed
    plan = found["plan"]
    first = "shuffle" if plan["shuffle"] else written(plan["word"])
    planned = page(client, **asked, engine="plan")
    assert proposed(planned) == [first, *(line for line in listed if line != first)]
    assert f"about {plan['expected']:.0f} points" in planned
    common = solved(client, vocabulary="common")
    assert proposed(page(client, held=0, engine="common")) == [written(word) for word in common["words"]]
    assert "Zen has no gems to plan with" in page(client, mode="zen", engine="plan")


def test_new_tiles_are_unknown_until_they_are_entered(client: TestClient) -> None:
    board = board_after(client, f"{PATH}?board={BOARD}&gems=3,9&engine=points", "cats")
    shown = text(client, f"{board}?at=1&engine=points")
    assert all("0" not in line.split() for line in proposed(shown)), "the engine uses no unknown tile"
    assert "4 tiles not entered" in shown
    entered = {"cells": "0,1,2,3", "fresh": "RA IN", "gems": "0 9", "dl": "", "tl": "4", "x2": ""}
    answer = change(client, board, "known", 1, **entered)
    assert marked(answer.text) == {0: "gem", 4: "tl", 9: "gem"}
    assert moves(change(client, board, "play", 1, move="rain").text) == ["CATS", "RAIN"]
    for wrong, says in (
        ({"fresh": "rai"}, "3 letters for 4 new tiles: . stands for an unknown one"),
        ({"fresh": "rai9"}, "'9' is not a letter; accepted: a to z, and . for unknown"),
        ({"gems": "25"}, "cell 25 is not on the board"),
        ({"tl": "1 2"}, "one cell is accepted"),
        ({"x2": "b"}, "'b' is not a cell"),
    ):
        refused = change(client, board, "known", 1, **(entered | wrong))
        assert says in errors(refused.text)[f"known-{next(iter(wrong))}"]
    hidden = board_after(client, f"{PATH}?board={BOARD}", "shuffle")
    assert "Enter the letters" in text(client, f"{hidden}?at=1&engine=points")


def test_all_players_have_names_and_scores(client: TestClient) -> None:
    address = f"{PATH}?board={BOARD}&mode=versus&scores=1,2,3,4&to_move=4"
    named = change(client, address, "names", **{"name-1": "Ada", "name-4": "Dot"})
    assert [name in named.text for name in ("Ada", "Player 2", "Player 3", "Dot")] == [True] * 4
    alone = page(client, mode="zen")
    assert "Player 2" not in alone


def test_a_finished_game_opens_with_all_its_boards(client: TestClient) -> None:
    game = open_wibble(client, "classic")
    seen = [see(client, game)["view"]]
    for step in ("word", "shuffle", "word"):
        if step == "word":
            board = "".join(tile["letter"] for tile in seen[-1]["tiles"])
            best = client.post("/api/wibble/solve", json={"board": board, "limit": 1}).json()["words"][0]
            seen.append(play(client, game, "chain", cells=best["cells"])["view"])
        else:
            seen.append(play(client, game, "shuffle")["view"])
    play(client, game, "resign")
    ply = seen[-1]["ply"]
    assert f"/boards/games/{game['id']}?ply={ply}" in client.get(f"/games/{game['id']}/plies/{ply}").text
    for number, view in enumerate(seen):
        html = text(client, f"/boards/games/{game['id']}?at={number}")
        for tile in view["tiles"]:
            assert f'data-cell="{tile["cell"]}" data-letter="{tile["letter"]}"' in html
            assert ("gem" in bonuses(html)[tile["cell"]]) == tile["gem"]
    answer = change(client, f"/boards/games/{game['id']}", "play", 0, move="pass")
    assert moves(answer.text)[1] == "pass"


def test_a_level_of_adventure_is_not_opened(client: TestClient) -> None:
    game = open_game(client, options={"mode": "adventure", "level": "1"})
    assert move(client, game, {"type": "resign"}).status_code == 200
    ply = client.get(address_of(game)).json()["view"]["ply"]
    assert "/boards/games" not in client.get(f"/games/{game['id']}/plies/{ply}", headers=PAGE).text
    answer = client.get(f"/boards/games/{game['id']}", headers=PAGE)
    assert answer.status_code == 422
    assert "Levels of Adventure cannot be opened" in answer.text


def test_programs_store_trees_of_wibble(client: TestClient) -> None:
    nodes = [{"parent": 0, "move": "xx"}, {"parent": 0, "move": "swap 7 a dag"}]
    body = {"kind": "wibble", "tree": {"start": {"board": BOARD}, "nodes": nodes}}
    stored = client.post("/api/boards", json=body)
    assert stored.status_code == 201
    assert [step["unlisted"] for step in stored.json()["steps"]] == [[], ["XX"], []]
    assert [node["move"] for node in stored.json()["tree"]["nodes"]] == ["XX 4 9", "swap 7 A DAG 6 7 8"]
    refused = client.post("/api/boards", json=body | {"tree": {"start": {"board": "abc"}}})
    assert refused.status_code == 422
    [error] = refused.json()["errors"]
    assert error["location"] == ["body", "tree", "start", "board"]
