"""`/api/boggle`."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import problem

ROWS = ["pers", "latg", "sine", "ters"]


def solve(client: TestClient, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/boggle/solve", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_every_word_comes_with_points_and_a_path(client: TestClient) -> None:
    found = solve(client, board=ROWS)
    assert found.pop("milliseconds") > 0
    words = found.pop("words")
    points = sum(word["points"] for word in words)
    old = {"rows": ROWS, "count": len(words)}
    assert found == {"board": ROWS, "qu": False, "word_count": len(words), "points": points} | old
    assert len({word["word"] for word in words}) > 900
    assert all(set(word) == {"word", "points", "cells"} for word in words)
    for word in words:
        assert "".join("".join(ROWS)[cell] for cell in word["cells"]) == word["word"]
    assert [word["points"] for word in words] == sorted((word["points"] for word in words), reverse=True)


@pytest.mark.parametrize(
    "rows", ["PERSLATGSINETERS", "pers/latg/sine/ters", "pers latg, sine\nters", [*ROWS]]
)
def test_a_board_comes_in_rows_or_in_one_text(client: TestClient, rows: Any) -> None:
    assert solve(client, board=rows)["board"] == ROWS


def test_all_paths_are_given_on_request(client: TestClient) -> None:
    one, all_ = solve(client, board=ROWS), solve(client, board=ROWS, paths="all")
    assert (one["word_count"], one["points"]) == (all_["word_count"], all_["points"])
    assert [word["cells"] for word in one["words"]] == [word["paths"][0] for word in all_["words"]]
    assert max(len(word["paths"]) for word in all_["words"]) > 3


def test_the_caller_chooses_qu_and_the_shortest_length(client: TestClient) -> None:
    def words(**rules: Any) -> set[str]:
        return {word["word"] for word in solve(client, board=["qi", "te"], **rules)["words"]}

    assert words(qu=True) >= {"quiet", "quite", "tie", "quit"}
    assert words() == {"tie"}
    assert words(min_length=2) >= {"qi", "it", "ti"}
    assert solve(client, board=["qi", "te"], qu=True)["qu"] is True


@pytest.mark.parametrize(
    ("body", "field", "says"),
    [
        ({"board": ["ab", "c1"]}, "board", "row 2, column 2 holds '1': a cell is one letter, a to z"),
        (
            {"board": ["ab", "cde"]},
            "board",
            "row 2 has 3 letters, row 1 has 2: all rows have the same length",
        ),
        ({"board": ["abcdefghi"] * 4}, "board", "row 1 has 9 letters: a row has 2 to 8"),
        ({"board": ["ab"]}, "board", "a board has 2 to 8 rows, this one has 1"),
        ({"board": "abc"}, "board", "3 letters do not make a square of 2x2 to 8x8"),
        ({"board": "a" * 1000}, "board", "1000 characters are too many: a board has at most 64 letters"),
        ({"board": [1, 2]}, "board", "text expected"),
        ({"min_length": 1}, "min_length", "2 or more expected"),
        ({"min_length": 17}, "min_length", "16 or less expected"),
        ({"paths": "some"}, "paths", "'one' or 'all'"),
        ({"lexicon": "nope"}, "lexicon", "there is no lexicon named 'nope'; there are english"),
        ({"wrong": 1}, "wrong", "there is no such field"),
    ],
)
def test_errors_name_their_field(client: TestClient, body: dict[str, Any], field: str, says: str) -> None:
    error = problem(client.post("/api/boggle/solve", json={"board": ROWS, **body}), 422)
    assert says in error["detail"]
    assert field in error["errors"][0]["location"]


def test_more_paths_than_can_be_listed_are_refused(client: TestClient) -> None:
    error = problem(client.post("/api/boggle/solve", json={"board": ["seserese"] * 8, "paths": "all"}), 422)
    assert "up to 50,000 are listed" in error["detail"]
    assert solve(client, board=["seserese"] * 8)["word_count"] == 26
