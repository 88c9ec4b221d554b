"""`/api/fribble/moves`."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.games.fribble import cgp
from app.games.fribble.board import Board
from app.games.fribble.notation import parse
from app.games.fribble.presets import presets
from app.games.fribble.scoring import score
from app.web.pool import EnginePool
from tests.driver import problem
from tests.games.fribble.test_gcg import OPENING

EMPTY = ["." * 15] * 15


def with_row(row: int, text: str, rows: list[str] = EMPTY) -> list[str]:
    """The rows with this text in one of them, from its column on."""
    return [text if number == row else line for number, line in enumerate(rows, start=1)]


FRIBBLE = with_row(8, ".......FRIBBLe.")


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit searches by the number of times they check the clock, so that results are reproducible."""

    def deadline(_pool: EnginePool, milliseconds: float) -> Callable[[], bool]:
        looks = iter(range(int(milliseconds)))
        return lambda: next(looks, None) is None

    monkeypatch.setattr(EnginePool, "deadline", deadline)


def moves(client: TestClient, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/fribble/moves", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("preset", ["wwf", "standard"])
@pytest.mark.parametrize("strategy", ["greedy", "static"])
def test_each_move_has_every_notation_and_is_scored_by_the_rules(
    client: TestClient, preset: str, strategy: str
) -> None:
    found = moves(client, board=FRIBBLE, rack="eindrs?", preset=preset, strategy=strategy, top=30)
    board = Board(rows=tuple(FRIBBLE))
    assert len(found["moves"]) == 30 < found["stats"]["moves"]
    assert found["stats"]["milliseconds"] > 0
    for move in found["moves"]:
        placement = parse(move["standard"], board)
        assert parse(move["notation"], board) == placement
        assert move["standard"].startswith(move["coordinate"] + " ")
        made = score(board, placement, presets()[preset])
        assert (move["points"], move["words"]) == (made.total, list(made.words))
        assert move["word"].upper() == move["words"][0]
        assert dict(zip(move["cells"], move["tiles"], strict=True)) == placement.laid
        assert sorted(move["leave"] + placement.used) == sorted("EINDRS?")
        assert move["equity"] == pytest.approx(move["points"] + move["leave_value"], abs=0.01)
    equities = [move["equity"] for move in found["moves"]]
    assert equities == sorted(equities, reverse=True)
    if strategy == "greedy":
        assert {move["leave_value"] for move in found["moves"]} == {0}


def test_the_count_of_moves_is_that_of_all_whatever_is_listed(client: TestClient) -> None:
    counts = {moves(client, board=FRIBBLE, rack="EINDRS?", top=top)["stats"]["moves"] for top in (1, 5, 100)}
    assert len(counts) == 1
    assert counts.pop() > 100


@pytest.mark.parametrize("strategy", ["greedy", "static", "simulating"])
def test_a_rack_that_makes_nothing_has_no_moves(client: TestClient, strategy: str) -> None:
    found = moves(client, board=EMPTY, rack="V", strategy=strategy)
    assert found["moves"] == []
    assert found["stats"]["moves"] == 0


def test_the_first_word_covers_the_centre(client: TestClient) -> None:
    for move in moves(client, board=EMPTY, rack="FRIBLE?", top=100)["moves"]:
        assert 7 * 15 + 7 in move["cells"]
        assert {cell // 15 for cell in move["cells"]} == {7}


def test_a_game_in_gcg_stands_for_its_last_position(client: TestClient) -> None:
    gcg = "#player1 anna Anna\n#player2 levin Levin\n>anna: LEARNED 8D LEARNED +55 55\n"
    rows = with_row(8, "...LEARNED.....")
    by_gcg, by_rows = (moves(client, board=board, rack="EINDRS?") for board in (gcg, rows))
    assert by_gcg["moves"] == by_rows["moves"]


@pytest.mark.usefixtures("counted")
def test_a_game_in_gcg_is_played_on_from_its_score(client: TestClient) -> None:
    """A player 80 points behind wins less often than at a lead of 0, given explicitly."""
    gcg = "#player1 anna Anna\n#player2 levin Levin\n>anna: FRIBBLE 8H FRIBBLE +69 69\n"
    asked = {"board": gcg, "rack": "AEIOVVU", "strategy": "simulating", "budget_ms": 300}
    behind, level = (moves(client, **asked, **said)["moves"][0] for said in ({}, {"lead": 0}))
    assert behind["win_share"] < level["win_share"] - 0.1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rack": "ABCDEFGH"}, "there are 8 tiles: a rack has up to 7"),
        ({"rack": ""}, "the rack is empty: it needs 1 to 7 tiles"),
        ({"rack": "AB1"}, "character 2 is '1'"),
        ({"rack": "ZZ"}, "board and rack have 2 tiles Z"),
        ({"rack": "??"}, "board and rack have 3 blanks"),
        ({"board": EMPTY[1:]}, "there are 14 rows: a board has 15"),
        ({"board": with_row(3, "short")}, "row 3 has 5 squares: a row has 15"),
        ({"board": with_row(8, ".......F#......")}, "row 8, column I has '#'"),
        (
            {"board": with_row(2, ".......AT......", FRIBBLE)},
            "row 2, column H has a tile that is not connected",
        ),
        ({"board": with_row(8, ".......XQ......")}, "XQ (row 8, column H, across)"),
        (
            {"board": with_row(8, ".......QUIZ....", with_row(9, ".......V......."))},
            "QV (row 8, column H, down)",
        ),
        ({"board": with_row(8, ".......cat.....")}, "the board has 3 blanks"),
        ({"board": "no game"}, "there are 2 rows"),
        ({"preset": "none"}, "there is no preset named 'none'"),
        ({"limit": 0}, "1 or more expected"),
        ({"strategy": "clever"}, "'greedy'"),
        ({"colour": "red"}, "there is no such field"),
    ],
)
def test_impossible_input_is_refused_with_its_place(
    client: TestClient, change: dict[str, Any], message: str
) -> None:
    answer = client.post("/api/fribble/moves", json={"board": FRIBBLE, "rack": "EINDRS"} | change)
    assert message in problem(answer, 422)["detail"]


def test_a_missing_lexicon_is_named(client: TestClient) -> None:
    answer = client.post("/api/fribble/moves", json={"board": EMPTY, "rack": "A", "lexicon": "klingon"})
    assert "klingon" in answer.json()["detail"]
    assert answer.status_code in {404, 422}


@pytest.mark.usefixtures("counted")
def test_simulation_gives_the_share_of_wins(client: TestClient) -> None:
    position = {"board": FRIBBLE, "rack": "EINDRS?", "strategy": "simulating", "budget_ms": 300}
    ahead, behind = (moves(client, lead=lead, top=5, **position)["moves"] for lead in (80, -80))
    for found in (ahead, behind):
        assert len(found) == 5
        assert all(0 <= move["win_share"] <= 1 and 0 < move["error"] <= 0.5 for move in found)
    assert ahead[0]["win_share"] > behind[0]["win_share"]


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("strategy", ["static", "simulating"])
def test_an_exchange_is_suggested_if_better_than_any_move(client: TestClient, strategy: str) -> None:
    found = moves(client, board=EMPTY, rack="AEIIIUU", strategy=strategy, budget_ms=300)
    instead = found["instead"]
    assert instead["type"] == "exchange"
    assert sorted(instead["tiles"] + instead["leave"]) == sorted("AEIIIUU")
    assert (instead["win_share"] is not None) == (strategy == "simulating")
    assert found["moves"]
    assert all(move["equity"] < instead["equity"] for move in found["moves"])
    assert moves(client, board=FRIBBLE, rack="EINDRS?", strategy=strategy, budget_ms=300)["instead"] is None


def test_without_a_move_greedy_suggests_an_exchange(client: TestClient) -> None:
    found = moves(client, board=EMPTY, rack="VVUU", strategy="greedy")
    assert found["moves"] == []
    assert found["instead"]["tiles"] == "UUVV"


CGP = f"{'15/' * 7}7FRIBBLe1{'/15' * 7} EINDRST/ 24/69 1 lex enable; bdn standard;"


def test_a_position_in_cgp_is_that_of_its_fields(client: TestClient) -> None:
    in_cgp = moves(client, cgp=CGP, limit=5)
    fields = moves(client, board=FRIBBLE, rack="DEINRST", preset="standard", lexicon="enable", limit=5)
    assert in_cgp["moves"] == fields["moves"]
    given, back = cgp.read(CGP), cgp.read(in_cgp["cgp"])
    assert (back.board, back.scores, back.scoreless) == (given.board, given.scores, given.scoreless)
    assert (back.racks, back.preset, back.lexicon) == (("DEINRST", ""), "standard", "enable")
    assert moves(client, cgp=in_cgp["cgp"], limit=5)["moves"] == in_cgp["moves"]


def test_the_position_of_a_request_is_given_back_in_cgp(client: TestClient) -> None:
    bare = cgp.read(moves(client, board=FRIBBLE, rack="EINDRS?", lead=-12)["cgp"])
    assert (bare.board.rows, bare.racks, bare.scores) == (tuple(FRIBBLE), ("DEINRS?", ""), (0, 12))
    assert (bare.preset, bare.lexicon) == ("wwf", "enable")
    played = cgp.read(moves(client, board=OPENING + "#rack1 AEIOUVV\n")["cgp"])
    assert (played.racks, played.scores) == (("AEIOUVV", ""), (69, 24))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"cgp": CGP, "rack": "A"}, "the position is also given as rack"),
        ({"cgp": CGP, "board": FRIBBLE}, "the position is also given as board"),
        ({"cgp": CGP.replace("BBLe1", "BBLe2")}, "row 8 has 16 squares; accepted: 15"),
        ({"cgp": CGP.replace("FRIBBLe", "FRIBBLX")}, "not in the word list: FRIBBLX"),
        ({"cgp": CGP.replace("EINDRST/", "EINDRST/ZZ")}, "2 tiles Z: Standard has 1"),
        ({"cgp": CGP.replace("7FR", "6[FR]1")}, "row 8, column G: [FR] is a tile of several letters"),
    ],
)
def test_a_wrong_cgp_is_refused_with_its_place(client: TestClient, fields: dict[str, Any], says: str) -> None:
    found = problem(client.post("/api/fribble/moves", json=fields), 422)
    assert "cgp" in str(found)
    assert says in str(found)
