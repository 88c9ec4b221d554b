"""Words missed in a finished game become cards: chosen on a form, or always."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.rooms import ROOMS
from app.rooms.fribble.missed_plays import hooked
from app.store.cards import Cards
from app.store.results import ResultStore
from app.web.room import wrong_guesses
from tests.web.browsing import HTML

BOGGLE = {"kind": "boggle", "options": {"board": "taps"}}


def boggle(client: TestClient, *more: dict[str, Any]) -> str:
    """The address of a finished round on a small board, with a wrong guess."""
    game = client.post("/api/games", json=BOGGLE).json()["id"]
    for move in ({"type": "start"}, {"type": "word", "cells": [0, 2, 3]}, *more, {"type": "finish"}):
        client.post(f"/api/games/{game}/moves", json={"move": move}).raise_for_status()
    return f"/games/{game}"


def offered(client: TestClient, address: str) -> list[str]:
    page = client.get(f"{address}/cards", headers=HTML)
    assert page.status_code == 200, page.text
    return re.findall(r'name="card" value="(\w+ \w+)"', page.text)


def cards(client: TestClient) -> set[str]:
    found = client.get("/api/cards?limit=100").json()["cards"]
    return {f"{card['ask']} {card['word']}" for card in found}


def test_missed_words_and_wrong_guesses_are_chosen_from(client: TestClient) -> None:
    address = boggle(client)
    assert f'href="{address}/cards"' in client.get(address, headers=HTML).text
    found = offered(client, address)
    assert found[0] == "validity tps"
    assert 1 < len(found) <= 10
    assert all(each.startswith("anagram ") for each in found[1:])
    chosen = [found[0], found[1], "anagram retina"]
    shown = client.post(f"{address}/cards", data={"card": chosen}, headers=HTML)
    assert "2 cards added" in shown.text
    assert cards(client) == set(chosen[:2]), "only what the game offers"
    page = client.get(f"{address}/cards", headers=HTML).text
    assert page.count("checked disabled") >= 2
    game = client.get("/api/cards").json()["cards"][0]["game_id"]
    assert address.endswith(game)


def test_missed_words_can_be_added_always(client: TestClient) -> None:
    first = boggle(client)
    client.get(f"{first}/analysis", headers=HTML).raise_for_status()
    assert cards(client) == set(), "not asked for"
    client.post(f"{first}/cards", data={"always": "true"}).raise_for_status()
    assert client.get("/api/me/preferences").json()["learn_missed"]
    second = boggle(client)
    client.get(f"{second}/analysis", headers=HTML).raise_for_status()
    added = cards(client)
    assert "validity tps" in added
    assert len(added) > 1
    client.post(f"{second}/cards", data={}).raise_for_status()
    assert not client.get("/api/me/preferences").json()["learn_missed"]


def test_an_analysis_is_found_only_with_its_words_added(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post(f"{boggle(client)}/cards", data={"always": "true"}).raise_for_status()
    add, found = Cards.add, []
    results: ResultStore = client.app.state.services.results  # type: ignore[attr-defined]

    def add_and_look(cards: Cards, player_id: str, keys: Any, at: float, game_id: str) -> Any:
        found.append(results.analysis(game_id))
        return add(cards, player_id, keys, at, game_id)

    monkeypatch.setattr(Cards, "add", add_and_look)
    address = boggle(client)
    client.get(f"{address}/analysis", headers=HTML).raise_for_status()
    assert found == [None]
    assert results.analysis(address.rpartition("/")[2])


def test_others_and_running_games_offer_nothing(client: TestClient, stranger: TestClient) -> None:
    address = boggle(client)
    assert f'href="{address}/cards"' not in stranger.get(address, headers=HTML).text
    for send in (stranger.get, stranger.post):
        assert send(f"{address}/cards", headers=HTML).status_code == 403
    game = client.post("/api/games", json=BOGGLE).json()["id"]
    for send in (client.get, client.post):
        assert send(f"/games/{game}/cards", headers=HTML).url.path == f"/games/{game}"
    assert client.get("/games/unknown/cards", headers=HTML).status_code == 404


@pytest.mark.parametrize(
    ("new", "moves"),
    [
        (
            {"options": {"mode": "zen", "board": "teals rinse tones alert noise"}},
            [{"type": "chain", "cells": [0, 1]}, {"type": "word", "word": "ten"}],
        ),
        ({"kind": "scrabblet"}, []),
        ({"kind": "letterpress"}, [{"type": "pass"}]),
        ({"kind": "fribble", "bots": [1]}, [{"type": "pass"}]),
    ],
)
def test_every_game_offers_words(client: TestClient, new: dict[str, Any], moves: list[Any]) -> None:
    game = client.post("/api/games", json=new).json()
    if game["invitation"]:
        client.post(f"/api/games/{game['id']}/bots", json={"level": 1}).raise_for_status()
    for move in (*moves, {"type": "finish"}):
        client.post(f"/api/games/{game['id']}/moves", json={"move": move})
    assert client.get(f"/api/games/{game['id']}").json()["finished_at"]
    assert offered(client, f"/games/{game['id']}")


def board(**rows: str) -> str:
    """The squares of a board with some rows, by number from 1, the others empty."""
    return "".join(rows.get(f"row{number}", "").ljust(15, ".") for number in range(1, 16))


@pytest.mark.parametrize(
    ("squares", "cells", "words"),
    [
        (board(row1="CAT"), [3], ["cat"]),
        (board(row1=".CAT"), [0], ["cat"]),
        (board(row1="CAT.S"), [3], []),  # joins two runs
        (board(row1="CAT"), [3, 4], []),  # two letters
        (board(row1="CAT"), [3, 18], ["cat"]),  # a word down through the S
        (board(row1="A"), [1], []),  # one letter on the board
        (board(row1="A", row2="t"), [30], ["at"]),  # down, with a blank
        (board(row1="............CAT", row2="S"), [16], []),  # lines end at the edge
        (board(row1="............CAT"), [15], []),
        (board(row1=".CAT.ON"), [0, 4], []),  # with the second tile it is a longer word
    ],
)
def test_hooks_are_single_letters_at_the_end_of_a_word(
    squares: str, cells: list[int], words: list[str]
) -> None:
    assert list(hooked(squares, cells)) == words


def test_a_fribble_mistake_asks_for_the_best_play_and_its_hook() -> None:
    class Position:
        ply, turns, report = 4, (), None

        class board:  # noqa: N801 - as in a state
            squares = board(row1="CAT")

    best = {"placement": {"cells": [3, 18]}, "words": ["SO", "CATS"]}
    turn = {"seat": 0, "ply": 4, "loss": 0.3, "verdict": "blunder", "best": [best]}
    turns = [turn, turn | {"seat": 1}, turn | {"verdict": "good"}, turn | {"verdict": None, "loss": None}]
    found = list(ROOMS["fribble"].words_to_learn([Position()], {"turns": turns}, 0))
    assert found == [("cat", "hooks"), ("so", "anagram")]
    assert list(wrong_guesses([Position()], 0)) == []
