"""The Wibble solver page."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from tests.web.browsing import HTML, finish_wibble

PATH = "/wibble/solver"
BOARD = "wibbletileschainwordgames"
LOCKED = "kmlrjphfctibncwmpbseogvad"
"""PIMP is the best word, and most shuffles have better ones."""
FULL = {"board": BOARD, "tl": "7", "x2": "12", "gems": "1,5,9"}


def listed(client: TestClient, **query: Any) -> list[tuple[str, int, int]]:
    """The best words of the page, as (word, points, swaps), fewest swaps first."""
    page = client.get(PATH, params={**FULL, **query}, headers=HTML).text
    items = re.findall(
        r'<li class="choice-word panel".*?</li>\s*(?=<li class="choice-word|</ol>)', page, re.S
    )
    return [
        (
            match[1].lower(),
            int(match[2]),
            item.count(" becomes "),
        )
        for item in reversed(items)
        if (match := re.search(r'data-name="(\w+), (\d+) points', item))
    ]


def test_the_best_words_are_those_of_the_api(client: TestClient) -> None:
    body = {
        "board": BOARD,
        "letter_bonus": {"cell": 7, "factor": 3},
        "word_bonus": {"cell": 12, "factor": 2},
        "gems": [1, 5, 9],
        "swaps": 3,
    }
    answer = client.post("/api/wibble/solve", json=body).json()
    wanted = [(word["word"], word["points"], len(word["swaps"])) for word in answer["best_by_swaps"]]
    assert len(wanted) == 4
    assert listed(client) == wanted


@pytest.mark.parametrize(("held", "swaps"), [(10, 3), (9, 3), (8, 2), (3, 1), (2, 0)])
def test_only_swaps_that_the_gems_pay_for_are_shown(client: TestClient, held: int, swaps: int) -> None:
    assert max(used for _, _, used in listed(client, held=str(held))) == swaps


def test_the_plan_is_the_one_of_the_api(client: TestClient) -> None:
    """In round 2 with nine gems a shuffle is better than any word here; at the end all gems are spent."""

    def planned(**fields: Any) -> dict[str, Any]:
        bonus = {"cell": 12, "factor": 2}
        body = {"board": LOCKED, "gems": [1, 5, 9], "word_bonus": bonus, "round": 2, "gems_held": 9, **fields}
        plan: dict[str, Any] = client.post("/api/wibble/solve", json=body).json()["plan"]
        return plan

    def shown(**fields: str) -> str:
        query = {"board": LOCKED, "gems": "1,5,9", "x2": "12", "round": "2", "held": "9", **fields}
        return client.get(PATH, params=query, headers=HTML).text

    early, late = planned(), planned(round=5)
    assert early["shuffle"]
    assert "Plan: shuffle</h2>" in shown()
    assert (late["shuffle"], late["expected"], len(late["word"]["swaps"])) == (
        False,
        late["word"]["points"],
        3,
    )
    assert f"Plan: play {late['word']['word'].upper()}</h2>" in shown(round="5")
    for plan, page in ((early, shown()), (late, shown(round="5"))):
        assert f"About {round(plan['expected'])} points from here" in page
    assert early["expected"] > planned(gems_held=0)["expected"] > late["expected"]
    assert planned(round=None) is None


def test_a_board_that_no_shuffle_helps_is_played(client: TestClient) -> None:
    query = {"board": "qzxjvqzxjvqzxatvqzxjvqzxj", "round": "1", "held": "2"}
    assert "Plan: play " in client.get(PATH, params=query, headers=HTML).text


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"round": 6}, "round"),
        ({"gems_held": 11}, "gems_held"),
        ({"round": 1, "gems": list(range(11))}, "round"),
    ],
)
def test_a_plan_needs_what_classic_has(client: TestClient, wrong: dict[str, Any], field: str) -> None:
    answer = client.post("/api/wibble/solve", json={"board": BOARD, **wrong})
    assert answer.status_code == 422
    assert [error["location"] for error in answer.json()["errors"]] == [["body", field]]


def test_a_tap_paints_a_tile_and_takes_the_paint_away(client: TestClient) -> None:
    """Without script."""

    def tap(cell: int, brush: str, **query: str) -> dict[str, str]:
        answer = client.get(PATH, params={**query, "cell": str(cell), "brush": brush}, follow_redirects=False)
        assert answer.status_code == 303
        fields = parse_qs(urlsplit(answer.headers["location"]).query)
        return {name: values[0] for name, values in fields.items() if name not in ("board", "brush")}

    assert tap(4, "gem", board=BOARD) == {"gems": "4"}
    assert tap(2, "gem", board=BOARD, gems="4") == {"gems": "2,4"}
    assert tap(4, "gem", board=BOARD, gems="4") == {}
    assert tap(3, "tl", board=BOARD, dl="7") == {"tl": "3"}
    assert tap(7, "dl", board=BOARD, dl="7") == {}
    assert tap(8, "x2", board=BOARD, x2="7", tl="8") == {"tl": "8", "x2": "8"}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"board": "abc"}, "16, 25, 36 or 49 letters a-z expected, 3 given"),
        ({"board": BOARD[:-1] + "1"}, "letter 24 is &#39;1&#39;"),
        ({"gems": "25"}, "cell 25 is not on the board"),
        ({"x2": "30"}, "cell 30 is not on the board"),
        ({"gems": "0,1,2,3,4,5,6,7,8,9,10"}, "10 or fewer items expected, 11 given"),
        ({"held": "11"}, "10 or less expected, 11 given"),
        ({"dl": "3"}, "a board has one letter bonus"),
        ({"lexicon": "klingon"}, "there is no lexicon named"),
    ],
)
def test_errors_stand_beside_their_field(client: TestClient, wrong: dict[str, str], says: str) -> None:
    answer = client.get(PATH, params=FULL | wrong, headers=HTML)
    assert answer.status_code == 422
    name = next(iter(wrong)) if "dl" not in wrong else "tl"
    error = re.search(rf'id="error-{name}">(.*?)</p>', answer.text)
    assert error
    assert says.lower() in error[1].lower()
    assert "Not solved yet" in answer.text


def test_each_turn_of_a_review_leads_to_its_board(client: TestClient) -> None:
    page = client.get(f"{finish_wibble(client, words=4, mode='classic')}/analysis", headers=HTML).text
    links = re.findall(r'href="(/wibble/solver\?[^"]+)"', page)
    assert len(links) == 4
    solved = client.get(links[1].replace("&amp;", "&"), headers=HTML)
    assert solved.status_code == 200
    assert ">Best words now</h3>" in solved.text


def test_the_home_page_links_to_the_solver(client: TestClient) -> None:
    assert f'href="{PATH}"' in client.get("/", headers=HTML).text
