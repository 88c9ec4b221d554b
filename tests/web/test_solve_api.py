"""`/api/solve`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.games.letterpress import placements
from app.games.letterpress.solver import Solver
from app.settings import Settings
from tests.driver import problem
from tests.shared_parts import create_app

BOARD = "bnbdaetgreliegbcnhdlxmhoi"
PLAYED = ["indeterminable", "helminthoid", "bedighting", "childbearing"]
POSITION = {"board": BOARD, "ours": 6655, "theirs": 32499200, "played": PLAYED}
FRESH = "hgkcmdqbomiezfankxlknrlpo"


PATIENT: dict[str, Any] = {"budget_ms": 10_000}
"""Enough time for the same response on any machine."""


def solve(client: TestClient, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/solve", json=PATIENT | body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def cells(mask: int) -> list[int]:
    return [cell for cell in range(25) if mask >> cell & 1]


def test_moves_have_their_results(client: TestClient) -> None:
    found = solve(client, board=FRESH, lexicon="letterpress")
    assert found["stats"].pop("milliseconds") > 0
    assert found["stats"].pop("positions") > 29935
    assert found["stats"] == {
        "word_count": 9403,
        "words": 9403,
        "placements": 29935,
        "depth": 2,
        "exact": True,
    }
    assert len(found["moves"]) == 10
    best = found["moves"][0]
    assert (best["value"], best["outcome"]) == (-6, None)
    assert "".join(FRESH[cell] for cell in best["cells"]) == best["word"]
    assert sorted(best["cells"]) == cells(best["mask"]) == cells(best["ours"])
    assert best["theirs"] == 0
    assert best["tiles"] == {"ours": len(best["word"]), "theirs": 0}
    assert set(best["protected"]) == {"ours", "theirs"}
    assert best["vulnerability"] > 0
    reply = best["reply"]
    assert "".join(FRESH[cell] for cell in reply["cells"]) == reply["word"]
    assert sorted(reply["cells"]) == cells(reply["mask"])


def test_a_move_that_ends_the_game_says_how(client: TestClient) -> None:
    best = solve(client, **POSITION)["moves"][0]
    assert (best["outcome"], best["value"], best["reply"]) == ("win", 999, None)
    assert best["tiles"]["ours"] >= 13
    assert best["ours"] | best["theirs"] == 2**25 - 1


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_get_answers_like_post(client: TestClient, plies: int) -> None:
    body: dict[str, Any] = {**POSITION, "limit": 3, "plies": plies, "budget_ms": 10_000, "min_length": 5}
    query = {**body, "played": ",".join(PLAYED)}
    answers = [solve(client, **body), client.get("/api/solve", params=query).json()]
    answers += [client.get("/api/solve", params=body).json()]
    for answer in answers:
        assert answer["stats"].pop("milliseconds") > 0
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["stats"]["depth"] == plies


def test_a_win_by_two_passes_is_reported(client: TestClient) -> None:
    position = {"board": "dvxdzcksmvjqkmwmgdgxbjbpv", "ours": 243769, "theirs": 32260614, "played": ["mm"]}
    for plies in (2, 3):
        best = solve(client, **position, plies=plies)["moves"][0]
        assert (best["word"], best["cells"]) == ("cwms", [5, 14, 8, 7])
        assert (best["value"], best["outcome"], best["reply"], best["depth"]) == (997, "win", None, plies)


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_every_move_has_its_depth(client: TestClient, plies: int) -> None:
    found = solve(client, board=FRESH, plies=plies, top=40, group=plies == 2)
    assert {move["depth"] for move in found["moves"]} == {plies}
    assert {other["depth"] for move in found["moves"] for other in move["others"] or []} <= {plies}


def test_moves_not_reached_in_time_have_a_smaller_depth(client: TestClient) -> None:
    found = solve(client, board="eeeesssstttaaarrriiinnnlo", budget_ms=1, plies=3)
    assert found["moves"][-1]["depth"] < 3
    assert not found["stats"]["exact"]


@pytest.mark.parametrize("plies", [1, 2])
def test_a_word_is_listed_once_with_its_placements(client: TestClient, plies: int) -> None:
    asked: dict[str, Any] = {"board": "horseradishzzzzteamscatzz", "plies": plies}
    flat = solve(client, **asked, top=100)["moves"]
    assert all((move["others"], move["ways"]) == (None, None) for move in flat)
    listed = ["".join(sorted(move["word"])) for move in flat]
    assert len(set(listed)) < len(listed)
    grouped = solve(client, **asked, top=10, group=True)["moves"]
    assert ["".join(sorted(move["word"])) for move in grouped] == list(dict.fromkeys(listed))[:10]
    for move in grouped:
        group = [move, *move["others"]]
        placed = [{name: each[name] for name in ("word", "mask", "value")} for each in group]
        first = [each for each in flat if sorted(each["word"]) == sorted(move["word"])][: len(group)]
        assert [{name: each[name] for name in ("word", "mask", "value")} for each in first] == placed[
            : len(first)
        ]
        assert len(move["others"]) == min(5, move["ways"] - 1)
    batch = client.post("/api/solve/batch", json={"boards": [PATIENT | asked | {"group": True}]}).json()
    assert batch["answers"][0]["moves"] == grouped


@pytest.mark.parametrize("group", [False, True])
def test_the_list_is_sorted_as_asked(client: TestClient, group: bool) -> None:
    keys: dict[str, Callable[[dict[str, Any]], int]] = {
        "tiles": lambda move: move["tiles"]["theirs"] - move["tiles"]["ours"],
        "protection": lambda move: move["protected"]["theirs"] - move["protected"]["ours"],
        "vulnerability": lambda move: move["vulnerability"],
        "length": lambda move: -len(move["word"]),
    }
    asked: dict[str, Any] = {**POSITION, "ours": 6655, "theirs": 3139072, "limit": 30, "group": group}
    by_value = solve(client, **asked)["moves"]
    assert solve(client, **asked, sort="value")["moves"] == by_value
    for order, key in keys.items():
        assert len({key(move) for move in by_value}) > 1
        assert solve(client, **asked, sort=order)["moves"] == sorted(by_value, key=key)
        queried = {**asked, **PATIENT, "played": ",".join(PLAYED), "sort": order}
        assert client.get("/api/solve", params=queried).json()["moves"] == sorted(by_value, key=key)


def words_of(moves: list[dict[str, Any]]) -> list[str]:
    return [move["word"] for move in moves if move["word"]]


def test_constraints_are_met(client: TestClient) -> None:
    for move in solve(client, board=FRESH, must_use=[0, 7])["moves"]:
        assert {0, 7} <= set(move["cells"]) or not move["word"]
    assert all(
        {"q", "k"} <= set(word) for word in words_of(solve(client, board=FRESH, must_use="qk")["moves"])
    )
    assert all(len(word) >= 9 for word in words_of(solve(client, board=FRESH, min_length=9)["moves"]))


def test_each_side_has_its_vocabulary(client: TestClient) -> None:
    def ranks(moves: list[dict[str, Any]]) -> list[int]:
        return [client.get(f"/api/words/{word}").json()["rank"] for word in words_of(moves)]

    assert max(ranks(solve(client, board=FRESH, vocabulary="basic")["moves"])) <= 5000
    replies = solve(client, board=FRESH, opponent_vocabulary="basic")["moves"]
    assert max(ranks([move["reply"] for move in replies])) <= 5000


def test_a_budget_that_runs_out_is_reported(client: TestClient) -> None:
    found = solve(client, board="eeeesssstttaaarrriiinnnlo", budget_ms=1)
    assert len(found["moves"]) == 10
    assert (found["stats"]["depth"], found["stats"]["exact"]) == (1, False)


def test_a_batch_answers_in_order(client: TestClient) -> None:
    boards = [{"board": FRESH, "limit": 1}, {**POSITION, "limit": 2}]
    answer = client.post("/api/solve/batch", json={"boards": boards})
    assert answer.status_code == 200, answer.text
    assert [len(each["moves"]) for each in answer.json()["answers"]] == [1, 2]


@pytest.mark.parametrize(
    ("wrong", "location"),
    [
        ({"lexicon": "nope"}, ["lexicon"]),
        ({"budget_ms": 1_001}, ["budget_ms"]),
        ({"ours": 3, "theirs": 6}, ["theirs"]),
        ({"played": ["zzz"]}, ["played", 0]),
        ({"board": FRESH}, ["board"]),
    ],
)
def test_a_batch_is_checked_whole_before_the_first_is_solved(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any], location: list[str | int]
) -> None:
    """The response also says which board is invalid."""
    solved = []
    monkeypatch.setattr(Solver, "solve", lambda *_, **__: solved.append(1))
    monkeypatch.setattr(placements, "MOST_PLACEMENTS", 6_000 if location == ["board"] else 6_000_000)
    few = {"board": "qzxjvqzxjvqzxjvqzxjvqzxja"}
    settings = settings.model_copy(update={"longest_budget_ms": 1_000})
    with TestClient(create_app(settings)) as client:
        answer = client.post("/api/solve/batch", json={"boards": [few, few, {"board": FRESH} | wrong]})
    error = problem(answer, 422)
    assert error["errors"][0]["location"] == ["body", "boards", 2, *location]
    assert solved == []


def test_a_batch_is_of_1_to_100_boards_and_30_seconds(client: TestClient) -> None:
    for boards in ([], [{"board": FRESH}] * 101, [{"board": FRESH, "budget_ms": 10_000}] * 4):
        problem(client.post("/api/solve/batch", json={"boards": boards}), 422)


def test_the_reference_positions_have_their_published_values(client: TestClient, reference: Path) -> None:
    entries = json.loads((reference / "letterpress" / "exact_two_ply.json").read_text())
    fields = ("board", "ours", "theirs", "played")
    asked = [
        {key: entry[key] for key in fields} | {"budget_ms": 1000, "proof_ms": 0, "lexicon": "letterpress"}
        for entry in entries
    ]
    answers = client.post("/api/solve/batch", json={"boards": asked}).json()["answers"]
    for entry, answer in zip(entries, answers, strict=True):
        assert answer["stats"]["exact"]
        value = answer["moves"][0]["value"]
        assert ("win" if value > 900 else value) == entry["best_value"]
        assert answer["stats"]["words"] == entry["words"]
        assert answer["stats"]["placements"] == entry["placements"]


def test_only_playable_words_are_counted(client: TestClient) -> None:
    first = client.post("/api/solve", json={"board": FRESH, "plies": 1}).json()
    word = first["moves"][0]["word"]
    then = client.post("/api/solve", json={"board": FRESH, "plies": 1, "played": [word]}).json()
    closed = {word[:end] for end in range(1, len(word) + 1)}
    listed = client.get(f"/api/words/{word}").json()
    assert listed["valid"]
    lost = first["stats"]["word_count"] - then["stats"]["word_count"]
    assert 1 <= lost <= len(closed)


def test_a_proven_outcome_is_in_the_answer(client: TestClient) -> None:
    body = {"board": "bnbdaetgreliegbcnhdlxmhoi", "ours": {"mask": 6655}, "budget_ms": 5000}
    undecided = client.post("/api/solve", json=body).json()
    assert (undecided["outcome"], undecided["plies_to_end"]) == (None, None)
    won = client.post("/api/solve", json=body | {"ours": "o" * 24 + "."}).json()
    assert (won["outcome"], won["plies_to_end"], won["moves"][0]["outcome"]) == ("win", 1, "win")
    problem(client.post("/api/solve", json=body | {"proof_ms": -1}), 422)
