"""A query parameter or a member of JSON that is given twice is refused: the second would win unnoticed."""

import pytest
from fastapi.testclient import TestClient

BOARD = "bnbdaetgreliegbcnhdlxmhoi"
EMPTY = '""'
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/api/words/quiz?lexicon=english&lexicon=enable", "lexicon"),
        ("/api/me?limit=1&limit=1", "limit"),
        (f"/api/solve?board={BOARD}&ours=0&ours=5&limit=1&limit=2", "limit"),
        ("/api/boggle?size=4x4&size=5x5", "size"),
        ("/api/boggle?=1&=2", ""),
    ],
)
def test_a_parameter_given_twice_is_refused(client: TestClient, address: str, name: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["location"] == ["query", name]
    assert error["message"] == "given more than once: one value expected"
    assert answer.json()["detail"] == f"{name or EMPTY}: {error['message']}"


def test_the_items_of_a_list_may_be_parameters_of_the_same_name(client: TestClient) -> None:
    found = client.get("/api/words/studies/definitions?word=quiz&word=qi").json()
    assert [each["word"] for each in found] == ["quiz", "qi"]
    assert client.get("/api/boggle/solve?board=ab&board=cd").json()["board"] == ["ab", "cd"]
    assert client.get("/api/boggle/solve?rows=ab&rows=cd").json()["board"] == ["ab", "cd"]
    once = client.get(f"/api/solve?board={BOARD}&ours=0,5&limit=1").json()
    assert client.get(f"/api/solve?board={BOARD}&ours=0&ours=5&limit=1").json()["moves"] == once["moves"]


@pytest.mark.parametrize(
    ("path", "body", "location"),
    [
        ("/api/solve", f'{{"board": "{BOARD}", "limit": 1, "limit": 3}}', ["limit"]),
        (
            "/api/games",
            '{"kind": "letterpress", "options": {"letters": "usual", "letters": "usual"}}',
            ["options", "letters"],
        ),
        (
            "/api/solve/batch",
            f'{{"positions": [{{"board": "{BOARD}"}}, {{"board": "", "board": ""}}]}}',
            ["positions", 1, "board"],
        ),
        ("/api/games", '{"kind": "wibble", "kind": {"a": 1, "a": 1}, "kind": "boggle"}', ["kind"]),
        ("/api/solve", '{"options": {"": 1, "": 2}}', ["options", ""]),
        ("/api/solve", '{"\\ud800": 1, "\\ud800": 2}', ["?"]),
        (
            "/api/games",
            f'{{"options": {"[" * 600}{{"a": 1, "a": 2}}{"]" * 600}}}',
            ["options", *[0] * 600, "a"],
        ),
    ],
)
def test_a_member_given_twice_is_refused(
    client: TestClient, path: str, body: str, location: list[str | int]
) -> None:
    answer = client.post(path, content=body, headers=JSON)
    assert answer.status_code == 422
    assert answer.json()["errors"] == [
        {"location": ["body", *location], "message": "given more than once: one value expected"}
    ]
