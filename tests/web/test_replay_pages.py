"""Replays without scripts."""

import re

import pytest
from fastapi.testclient import TestClient

from tests.web.browsing import (
    HTML,
    finish_wibble,
    give_up,
    join,
    send_move,
    start_versus,
    start_wibble,
    type_best,
)
from tests.web.conftest import Clock


def test_every_ply_has_an_address_of_its_own(client: TestClient, stranger: TestClient) -> None:
    address = finish_wibble(client, 2)
    for ply in range(5):
        page = stranger.get(f"{address}/plies/{ply}", headers=HTML)
        assert page.status_code == 200
        links = set(re.findall(rf'href="{address}/plies/(\d+)"', page.text))
        assert links <= {"0", "1", "2", "3", "4"} - {str(ply)}
        assert ply == 0 or str(ply - 1) in links
        assert ply == 4 or str(ply + 1) in links
    for nowhere in ("5", "-1", "99999999999999999999"):
        missing = stranger.get(f"{address}/plies/{nowhere}", headers=HTML)
        assert missing.status_code == 404
        assert "plies 0 to 4" in missing.text
    assert stranger.get(f"{address}/plies/end", headers=HTML).status_code == 404


@pytest.mark.parametrize("mode", ["zen", "classic", "blitz"])
def test_a_game_of_every_mode_and_kind_of_move_is_replayed(client: TestClient, mode: str) -> None:
    address = start_wibble(client, mode)
    moves: list[dict[str, str]] = [{"type": "start"}] if mode == "blitz" else []
    for form in [
        *moves,
        {"type": "shuffle"},
        {"type": "chain", "cells": "0,1"},
        {"type": "add", "cell": "3"},
        {"type": "release"},
    ]:
        client.post(f"{address}/moves", data=form)
    type_best(client, address)
    give_up(client, address)
    last = client.get(f"/api{address}/plies/0").json()["last_ply"]
    for ply in range(last + 1):
        assert client.get(f"{address}/plies/{ply}", headers=HTML).status_code == 200
    assert client.get(f"{address}/analysis", headers=HTML).status_code == 200


def test_a_table_of_several_is_replayed_and_analysed(client: TestClient, clock: Clock) -> None:
    address = start_versus(client, "1", "5", turn_seconds="30")
    client.post(f"{address}/moves", data={"type": "pass"})
    clock.now += 1_000
    client.get(address)
    page = client.get(f"{address}/analysis", headers=HTML)
    assert page.status_code == 200
    last = client.get(f"/api{address}/plies/0").json()["last_ply"]
    for ply in range(last + 1):
        assert client.get(f"{address}/plies/{ply}", headers=HTML).status_code == 200


def test_an_unfinished_game_is_not_replayed(client: TestClient, stranger: TestClient) -> None:
    address = start_wibble(client)
    answer = stranger.get(f"{address}/plies/1", headers=HTML, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, address)
    assert stranger.get(f"{address}/record", headers=HTML).status_code == 409


def test_the_hint_of_another_player_is_a_sentence(client: TestClient, stranger: TestClient) -> None:
    address = start_versus(client, "friend")
    join(stranger, client, address)
    type_best(client, address)
    send_move(stranger, address, type="pass", ply="2")
    assert send_move(client, address, type="hint", ply="3").status_code == 200
    for page in (address, f"{address}/plies/4"):
        text = re.sub("<[^>]+>", "", stranger.get(page, headers=HTML).text)
        assert "Player 1 used a hint" in " ".join(text.split()), page
