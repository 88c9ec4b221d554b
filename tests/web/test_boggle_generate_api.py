"""`GET /api/boggle`."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.games.boggle.board_request import NAMES
from tests.driver import problem


def generate(client: TestClient, **query: Any) -> dict[str, Any]:
    answer = client.get("/api/boggle", params=query)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_boards_come_with_what_they_hold(client: TestClient) -> None:
    made = generate(client, size="4x5", algorithm="greedy-cad", count=3)
    assert set(made) == {"boards", "algorithm", "seed", "qu", "complete", "milliseconds"}
    assert made["algorithm"] == "greedy-cad"
    assert made["seed"]
    assert made["qu"] is False
    assert len(made["boards"]) == 3
    for board in made["boards"]:
        assert set(board) == {"board", "word_count", "points", "rows", "count"}
        assert [len(row) for row in board["board"]] == [5] * 4
        solved = client.post("/api/boggle/solve", json={"board": board["board"]}).json()
        assert (solved["word_count"], solved["points"]) == (board["word_count"], board["points"])


def test_words_are_listed_as_the_solver_lists_them(client: TestClient) -> None:
    for qu in (False, True):
        board = generate(client, algorithm="dice", include_words=True, qu=qu, seed="a")["boards"][0]
        solved = client.post("/api/boggle/solve", json={"board": board["board"], "qu": qu}).json()
        assert board["words"] == solved["words"]


def test_the_same_seed_gives_the_same_boards(client: TestClient) -> None:
    first = generate(client, count=20)
    again = generate(client, count=20, seed=first["seed"])
    assert again["boards"] == first["boards"]
    assert generate(client, count=20)["boards"] != first["boards"]


@pytest.mark.parametrize("name", NAMES)
def test_every_algorithm_is_at_hand(client: TestClient, name: str) -> None:
    asked = {"algorithm": name, "size": "3", "count": 1, "budget_ms": 10_000, "seed": "x"}
    made = generate(client, **asked)
    assert made["algorithm"] == name
    assert made["complete"] is True
    assert made["qu"] is False
    assert made["boards"] == generate(client, **asked)["boards"]


def test_a_thousand_boards_are_one_request(client: TestClient) -> None:
    boards = generate(client, algorithm="greedy-cad", count=1000, words=False)["boards"]
    assert len({"".join(board["board"]) for board in boards}) > 990


def test_generated_boards_have_at_least_the_words_asked_for(client: TestClient) -> None:
    boards = generate(client, algorithm="freq", min_words=300, count=5, budget_ms=10_000)["boards"]
    assert min(board["word_count"] for board in boards) >= 300


def test_a_board_has_the_word_and_the_number_of_words_asked_for(client: TestClient) -> None:
    asked = {
        "algorithm": "target",
        "word": "Puzzle",
        "min_words": 100,
        "max_words": 110,
        "common": 30,
        "budget_ms": 10_000,
    }
    board = generate(client, **asked, include_words=True)["boards"][0]
    assert 100 <= board["word_count"] <= 110
    assert "puzzle" in [word["word"] for word in board["words"]]


def test_an_option_of_an_algorithm_changes_its_boards(client: TestClient) -> None:
    query = {"seed": "a", "count": 5}
    for name, options in (
        ("7freq", {"vowels": 3}),
        ("adj", {"seeds": 8}),
        ("greedy-dcad", {"decay": 0.1}),
        ("cad", {"sharpness": 2}),
    ):
        plain = generate(client, **query, algorithm=name)["boards"]
        assert generate(client, **query, algorithm=name, **options)["boards"] != plain


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ({"size": "9"}, "size", "each side must be from 2 to 8"),
        ({"size": "4x"}, "size", "accepted: 4 (a square), or 4x5"),
        ({"count": 1001}, "count", "1000 or less expected"),
        ({"count": 0}, "count", "1 or more expected"),
        ({"count": "many"}, "count", "a whole number expected"),
        ({"algorithm": "best"}, "algorithm", "there are rnd, vcr, freq, bfreq, 7freq, adj, cad, greedy-cad"),
        ({"algorithm": "rnd", "vowels": 3}, "vowels", "rnd takes no vowels: that is for 7freq"),
        ({"algorithm": "7freq", "vowels": 17}, "vowels", "a board of 4x4 has 16 cells"),
        ({"algorithm": "trip", "decay": 2}, "decay", "1 or less expected"),
        (
            {"algorithm": "climb", "count": 50, "budget_ms": 10},
            "budget_ms",
            "climb takes at least 1 for each",
        ),
        ({"budget_ms": 10_001}, "budget_ms", "10000 or less expected"),
        (
            {"size": "8", "count": 7, "include_words": True},
            "count",
            "up to 6 are listed with their words, and up to 1000",
        ),
        (
            {"count": 26, "words": True},
            "count",
            "26 with include_words=true is too much",
        ),
        ({"algorithm": "target", "word": "no!"}, "word", "two or more letters a to z"),
        ({"algorithm": "target", "word": "impossible", "size": "3"}, "word", "takes 10 cells: the board has"),
        (
            {"algorithm": "target", "min_words": 9, "max_words": 3},
            "max_words",
            "the minimum is above the maximum",
        ),
        ({"words": True, "include_words": True}, "words", "this is the old name of include_words"),
        ({"lexicon": "nope"}, None, "there is no lexicon named 'nope'"),
        ({"colour": "red"}, "colour", "there is no such field"),
    ],
)
def test_errors_say_what_is_accepted(
    client: TestClient, query: dict[str, Any], field: str | None, says: str
) -> None:
    body = problem(client.get("/api/boggle", params=query), 422)
    assert says in body["detail"]
    if field is not None:
        assert body["errors"][0]["location"] == ["query", field]


@pytest.mark.parametrize("algorithm", ["rnd", "climb", "target"])
def test_boards_that_cannot_be_made_are_reported(client: TestClient, algorithm: str) -> None:
    query: dict[str, str | int] = {"algorithm": algorithm, "min_words": 5000, "budget_ms": 50}
    body = problem(client.get("/api/boggle", params=query), 422)
    assert body["errors"][0]["location"] == ["query", "budget_ms"]


def test_a_server_that_is_still_compiling_makes_a_few_boards_only(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.games.kernel.ready", lambda: False)
    assert len(generate(client, count=50)["boards"]) == 50
    answer = client.get("/api/boggle", params={"count": 51})
    assert "still being compiled" in problem(answer, 503)["detail"]
    assert answer.headers["retry-after"] == "5"


def test_the_algorithms_are_described_with_their_averages(client: TestClient) -> None:
    entries = client.get("/api/boggle/algorithms").json()["algorithms"]
    assert [entry["name"] for entry in entries] == list(NAMES)
    best = next(entry for entry in entries if entry["name"] == "greedy-cad")
    assert best["published"] == {"words": 989.7361, "points": 2077.3797}
    assert best["averages"]["points"] > 900
    assert best["options"] == ["sharpness"]


@pytest.mark.parametrize("field", ["min_words", "max_words", "min_points", "max_points", "common"])
def test_more_than_any_board_has_is_refused(client: TestClient, field: str) -> None:
    answer = client.get("/api/boggle", params={"algorithm": "target", field: 460_564_163_586})
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"][0]["location"] == ["query", field]
