"""The JSON API."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.games.wibble.rules import GRACE
from tests.driver import best_cells, move, open_wibble, problem
from tests.web.conftest import Clock


def test_a_classic_game_from_the_start_to_its_analysis(client: TestClient) -> None:
    game = open_wibble(client)
    assert game["seat"] == 0
    for _ in range(5):
        played = move(client, game, {"type": "chain", "cells": best_cells(client, game)})
        assert played.status_code == 200
        game = played.json()
        assert game["view"]["report"]["result"] == "scored"
    assert game["outcome"]["winners"] == [0]
    log = client.get(f"/api/games/{game['id']}/moves").json()["moves"]
    assert [line["move"]["type"] for line in log] == ["start"] + ["chain"] * 5
    analysis = client.get(f"/api/games/{game['id']}/analysis").json()
    assert analysis["seats"][0]["score"] == game["view"]["scores"][0]
    assert len(analysis["turns"]) == 5


def test_single_events_are_moves_too(client: TestClient) -> None:
    game = open_wibble(client, "zen")
    cells = best_cells(client, game)
    for cell in cells:
        game = move(client, game, {"type": "add", "cell": cell}).json()
    assert game["view"]["chain"] == cells
    assert game["view"]["phase"] == "play.chaining"
    game = move(client, game, {"type": "back"}).json()
    assert game["view"]["chain"] == cells[:-1]
    move(client, game, {"type": "add", "cell": cells[-1]})
    game = move(client, game, {"type": "release"}).json()
    assert game["view"]["turns"][0]["cells"] == cells


def test_a_watcher_sees_but_does_not_move(client: TestClient, stranger: TestClient) -> None:
    game = open_wibble(client)
    seen = stranger.get(f"/api/games/{game['id']}").json()
    assert seen["seat"] is None
    assert seen["view"]["tiles"] == game["view"]["tiles"]
    problem(move(stranger, game, {"type": "shuffle"}), 403)
    assert client.get(f"/api/games/{game['id']}").json() == game


def test_an_unknown_game_is_404(client: TestClient) -> None:
    for path in ("", "/moves", "/analysis"):
        assert "nope" in problem(client.get(f"/api/games/nope{path}"), 404)["detail"]
    problem(move(client, "nope", {"type": "start"}), 404)
    problem(client.get("/api/nothing"), 404)


def test_a_stale_ply_is_409_with_the_current_game(client: TestClient) -> None:
    game = open_wibble(client)
    fresh = move(client, game, {"type": "shuffle"}, ply=1).json()
    refused = problem(move(client, game, {"type": "shuffle"}, ply=1), 409)
    assert refused["game"] == fresh


def test_a_finished_game_is_409_with_the_current_game(client: TestClient) -> None:
    game = open_wibble(client)
    finished = move(client, game, {"type": "resign"}).json()
    stale = problem(move(client, game, {"type": "shuffle"}, ply=1), 409)
    assert stale["game"] == finished
    assert stale["detail"] == "the move was for ply 1, but the game is over: finished early"
    for late in ({"type": "shuffle"}, {"type": "chain", "cells": [0, 1]}, {"type": "start"}):
        assert problem(move(client, game, late), 409)["game"] == finished


def test_an_unfinished_game_is_not_analysed(client: TestClient) -> None:
    game = open_wibble(client)
    answer = client.get(f"/api/games/{game['id']}/analysis")
    assert problem(answer, 409)["game"] == game


@pytest.mark.parametrize(
    ("cells", "index"),
    [([0, 0], 1), ([0, 24], 1), ([0, 99], 1), ([-5], 0), (list(range(10_000)), 5), ([7] * 10_000, 1)],
)
def test_a_malformed_chain_is_422_with_the_index_at_fault(
    client: TestClient, cells: list[int], index: int
) -> None:
    game = open_wibble(client)
    answer = problem(move(client, game, {"type": "chain", "cells": cells}), 422)
    assert answer["errors"][0]["location"] == ["body", "move", "cells", index]
    assert client.get(f"/api/games/{game['id']}").json() == game


@pytest.mark.parametrize(
    ("body", "location"),
    [
        ({"move": {"type": "chain", "cells": []}}, ["body", "move", "cells"]),
        ({"move": {"type": "chain", "cells": [0, "x"]}}, ["body", "move", "cells", 1]),
        ({"move": {"type": "chain"}}, ["body", "move", "cells"]),
        ({"move": {"type": "fly"}}, ["body", "move", "type"]),
        ({"move": {"type": "swap", "cell": 1, "letter": "é"}}, ["body", "move", "letter"]),
        ({"ply": -1, "move": {"type": "start"}}, ["body", "ply"]),
        ({}, ["body", "move"]),
        ({"move": {"type": "start"}, "extra": 1}, ["body", "extra"]),
    ],
)
def test_a_bad_body_is_422_with_the_field(
    client: TestClient, body: dict[str, Any], location: list[str | int]
) -> None:
    game = open_wibble(client)
    answer = problem(client.post(f"/api/games/{game['id']}/moves", json=body), 422)
    assert location in [error["location"] for error in answer["errors"]]
    assert client.get(f"/api/games/{game['id']}").json() == game


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "chess"},
        {"options": {"size": 3}},
        {"options": {"size": 8}},
        {"options": {"mode": "nightmare"}},
        {"options": {"values": "golf"}},
        {"options": {"lexicon": "klingon"}},
        {"seats": 0},
        {"seats": 2},
    ],
)
def test_an_impossible_game_is_422(client: TestClient, body: dict[str, Any]) -> None:
    assert problem(client.post("/api/games", json=body), 422)["errors"]


def test_an_unknown_lexicon_error_lists_the_known_ones(client: TestClient) -> None:
    answer = client.post("/api/games", json={"options": {"lexicon": "klingon"}})
    assert "letterpress" in problem(answer, 422)["detail"]


def test_broken_json_is_422(client: TestClient) -> None:
    answer = client.post("/api/games", content=b'{"kind": ', headers={"content-type": "application/json"})
    problem(answer, 422)


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_over_64_kb_is_413(client: TestClient, *, chunked: bool) -> None:
    game = open_wibble(client)
    body = b'{"move": {"type": "chain", "cells": [' + b"0," * 40_000 + b"0]}}"
    content = iter([body]) if chunked else body
    answer = client.post(
        f"/api/games/{game['id']}/moves", content=content, headers={"content-type": "application/json"}
    )
    problem(answer, 413)
    assert client.get(f"/api/games/{game['id']}").json() == game


def test_a_write_from_another_sites_page_is_403(client: TestClient) -> None:
    game = open_wibble(client)
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
        answer = client.post(
            f"/api/games/{game['id']}/moves", json={"move": {"type": "resign"}}, headers=headers
        )
        problem(answer, 403)
    assert client.get(f"/api/games/{game['id']}").json() == game


def test_a_blitz_game_is_over_for_any_viewer_once_time_is_up(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = open_wibble(client, "blitz")
    assert game["view"]["ends_at"] == clock.now + 120
    clock.now += 120 + GRACE + 1
    assert stranger.get(f"/api/games/{game['id']}").json()["outcome"]["reason"] == "time’s up"
    late = move(client, game, {"type": "chain", "cells": best_cells(client, game)})
    assert problem(late, 409)["game"]["view"]["phase"] == "finished"


def test_the_player_ends_a_blitz_game_without_the_grace_once_time_is_up(
    client: TestClient, clock: Clock
) -> None:
    game = open_wibble(client, "blitz")
    clock.now += 119
    assert "left" in problem(move(client, game, {"type": "time_up"}), 422)["detail"]
    clock.now += 1.5
    ended = move(client, game, {"type": "time_up"}).json()
    assert ended["outcome"]["reason"] == "time’s up"
    assert ended["finished_at"] == clock.now


def test_the_seed_is_never_shown(client: TestClient) -> None:
    game = open_wibble(client)
    for path in ("", "/moves"):
        assert "seed" not in client.get(f"/api/games/{game['id']}{path}").text
    seed = client.app.state.services.games.load(game["id"], 0).seed  # type: ignore[attr-defined]
    assert seed not in client.get(f"/games/{game['id']}").text


def test_a_forged_cookie_has_no_seat(client: TestClient, stranger: TestClient) -> None:
    game = open_wibble(client)
    stranger.cookies.set("wibble_player", "x" + client.cookies["wibble_player"])
    problem(move(stranger, game, {"type": "shuffle"}), 403)


# Engines


def test_solve_lists_words_with_paths_and_the_best_with_swaps(client: TestClient) -> None:
    body = {
        "board": "CATSX odogx\nwerty plane zzqzz",
        "swaps": 1,
        "limit": 5,
        "word_bonus": {"cell": 0, "factor": 2},
    }
    answer = client.post("/api/wibble/solve", json=body).json()
    letters = "catsxodogxwertyplanezzqzz"
    assert answer["size"] == 5
    assert answer["word_count"] > 50
    assert len(answer["words"]) == 5
    for found in answer["words"]:
        assert "".join(letters[cell] for cell in found["cells"]) == found["word"]
    assert answer["best"]["points"] > answer["words"][0]["points"]
    assert answer["best_by_swaps"] == [answer["words"][0], answer["best"]]
    (swap,) = answer["best"]["swaps"]
    swapped = letters[: swap["cell"]] + swap["letter"] + letters[swap["cell"] + 1 :]
    assert "".join(swapped[cell] for cell in answer["best"]["cells"]) == answer["best"]["word"]


def test_profanity_is_left_out_if_asked(client: TestClient) -> None:
    board = "fuckz" + "z" * 20
    clean = client.post("/api/wibble/solve", json={"board": board, "limit": 100, "family": True}).json()
    full = client.post("/api/wibble/solve", json={"board": board, "limit": 100}).json()
    assert "fuck" not in [word["word"] for word in clean["words"]]
    assert "fuck" in [word["word"] for word in full["words"]]


def test_solve_lists_only_words_of_the_vocabulary(client: TestClient) -> None:
    def words(vocabulary: str) -> int:
        body = {"board": "catsxodogxwertyplanezzqzz", "vocabulary": vocabulary}
        count: int = client.post("/api/wibble/solve", json=body).json()["word_count"]
        return count

    assert 0 < words("basic") < words("common") < words("obscure") < words("everything")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"board": "abc"}, "3 given"),
        ({"board": "a" * 15 + "1"}, "letter 15 is '1'"),
        ({"board": "a" * 16, "gems": [16]}, "cell 16"),
        ({"board": "a" * 16, "letter_bonus": {"cell": -1, "factor": 2}}, "cell -1"),
        ({"board": "a" * 16, "word_bonus": {"cell": 1, "factor": 1000}}, "factor 1000"),
        ({"board": "a" * 16, "swaps": 4}, "3 or less expected"),
        ({"board": "a" * 16, "lexicon": "klingon"}, "letterpress"),
        ({"board": "a" * 16, "vocabulary": "clever"}, "basic"),
    ],
)
def test_a_board_that_cannot_be_solved_is_422(client: TestClient, body: dict[str, Any], says: str) -> None:
    answer = problem(client.post("/api/wibble/solve", json=body), 422)
    assert says in answer["detail"]


def test_a_word_is_looked_up(client: TestClient) -> None:
    known = client.get("/api/words/Quiz").json()
    assert known["word"] == "quiz"
    assert known["valid"]
    assert known["rank"] > 0
    assert known["points"] == {"scrabble": 22, "spellcast": 8 + 4 + 1 + 8}
    unknown = client.get("/api/words/qzx").json()
    assert (unknown["valid"], unknown["rank"], unknown["level"]) == (False, None, None)
    problem(client.get("/api/words/na%C3%AFve"), 422)
    problem(client.get("/api/words/quiz?lexicon=klingon"), 422)


def test_the_lexicons_are_listed(client: TestClient) -> None:
    first = client.get("/api/words").json()[0]
    assert (first["name"], first["words"], first["shipped"]) == ("english", 244804, True)


def test_engines_answer_503_when_all_are_busy(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = client.app.state.services.pool  # type: ignore[attr-defined]
    monkeypatch.setattr(pool, "places", 0)
    answer = client.post("/api/wibble/solve", json={"board": "a" * 16})
    problem(answer, 503)
    assert answer.headers["retry-after"] == "1"
    assert client.get("/").status_code == 200, "the pages do not wait for the engines"


def test_a_running_server_reports_that_it_is_up_and_ready(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ok"}
