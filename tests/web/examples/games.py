"""Games, records and replays before the request of an example."""

from typing import Any, Final

from fastapi.testclient import TestClient

from tests.web.examples.players import Players, Setup, Values, called, nothing, posted


def opened(player: TestClient, **new: Any) -> Values:
    """The ID and the invitation of a new game, Letterpress unless said otherwise."""
    game = posted(player, "/api/games", {"kind": "letterpress"} | new)
    return {"game_id": game["id"], "invitation": game["invitation"] or ""}


def moved(player: TestClient, game: Values, *moves: dict[str, Any]) -> None:
    for move in moves:
        posted(player, f"/api/games/{game['game_id']}/moves", {"move": move})


def seated(players: Players, **new: Any) -> Values:
    """A game of Letterpress between the two."""
    game = opened(players.me, **new)
    posted(players.friend, f"/api/games/{game['game_id']}/seats", {"invitation": game["invitation"]})
    return {"game_id": game["game_id"]}


def passed(players: Players) -> Values:
    """A game with one move."""
    game = seated(players)
    moved(players.me, game, {"type": "pass"})
    return game


def over(players: Players) -> Values:
    """A game that the friend has resigned."""
    game = seated(players)
    moved(players.me, game, {"type": "pass"})
    moved(players.friend, game, {"type": "resign"})
    return game


def boggle(player: TestClient) -> Values:
    """A finished round of Boggle on a small board."""
    game = opened(player, kind="boggle", options={"board": "taps"})
    moved(player, game, {"type": "start"}, {"type": "word", "cells": [0, 1, 2]}, {"type": "finish"})
    return game


def record(player: TestClient) -> str:
    answer = player.get(f"/api/games/{boggle(player)['game_id']}/record")
    assert answer.status_code == 200, answer.text
    return answer.text


def imported(players: Players) -> Values:
    """A game that I have imported, and none keeps yet."""
    text = record(players.friend)
    opened(players.me)
    answer = players.me.post("/api/games/import", content=text, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 201, answer.text
    return {"game_id": answer.json()["id"]}


def claimable(players: Players) -> Values:
    game = seated(players, turn_limit=600)
    moved(players.me, game, {"type": "pass"})
    players.clock[0] += 601
    return game


def listed(players: Players) -> Values:
    return opened(players.friend, listed=True) and {}


def opened_by_me(players: Players) -> Values:
    return {"game_id": opened(players.me)["game_id"]}


def finished(players: Players) -> Values:
    return boggle(players.me)


def named_opponent(players: Players) -> Values:
    """A game against the friend."""
    called(players, friend=True)
    return {"game": seated(players)["game_id"]}


SETUPS: Final[dict[str, Setup]] = {
    "add_bot": opened_by_me,
    "analyse_game": finished,
    "claim": claimable,
    "close": opened_by_me,
    "events": opened_by_me,
    "import_game": lambda players: {"text": record(players.friend)},
    "keep_import": imported,
    "list_joinable": listed,
    "list_turns": seated,
    "make_move": seated,
    "open_game": nothing,
    "player_events": seated,
    "read_log": finished,
    "rematch": over,
    "replay_game": lambda players: finished(players) | {"ply": "1"},
    "say": seated,
    "see_game": opened_by_me,
    "sit_down": lambda players: opened(players.friend),
    "take_record": finished,
}
"""By operation ID."""
