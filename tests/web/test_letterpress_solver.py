"""The solver's page as a browser without scripts meets it."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from fastapi.testclient import TestClient

from app.games.letterpress.territory import Territory, cells_of
from app.web.pool import EnginePool, PoolFull

PATH = "/letterpress/solver"
FRESH = "hgkcmdqbomiezfankxlknrlpo"
BOARD = "bnbdaetgreliegbcnhdlxmhoi"
PLAYED = "indeterminable,helminthoid,bedighting,childbearing"
PAGE = {"accept": "text/html"}


def page(client: TestClient, status: int = 200, /, **fields: object) -> str:
    answer = client.get(PATH, params={name: str(value) for name, value in fields.items()}, headers=PAGE)
    assert answer.status_code == status, answer.text
    assert "<!doctype html>" in answer.text
    return answer.text


def listed(html: str) -> list[str]:
    return re.findall(r'<summary [^>]*data-name="(\w+)"', html)


def links(html: str, text: str) -> list[str]:
    found = re.findall(rf'href="([^"]+)">{text}</a>', html)
    return [unescape(address) for address in found]


def fields_of(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def test_without_a_board_the_page_invites_to_type_one(client: TestClient) -> None:
    html = page(client)
    assert "Type the letters of a board" in html
    assert listed(html) == []


def test_an_address_is_a_position_and_the_page_answers_it_as_the_api_does(client: TestClient) -> None:
    asked: dict[str, Any] = {
        "board": BOARD,
        "ours": 6655,
        "theirs": 32499200,
        "played": PLAYED,
        "budget_ms": 10_000,
    }
    html = page(client, **asked)
    answer = client.get("/api/solve", params=asked | {"group": True}).json()
    assert listed(html) == [move["word"].upper() or "PASS" for move in answer["moves"]]
    assert "you win now" in html
    assert f"{answer['stats']['placements']:,}" in html
    owners = re.findall(r'id="tile-\d+".*?data-letter="\w"( data-owner="\w+")?', html)
    assert [cell for cell, owner in enumerate(owners) if "ours" in owner] == list(cells_of(6655))
    assert [cell for cell, owner in enumerate(owners) if "theirs" in owner] == list(cells_of(32499200))


def test_a_board_may_be_pasted_with_spaces_and_line_breaks(client: TestClient) -> None:
    pasted = "HGKCM DQBOM\r\nIEZFA NKXLK\nNRLPO"
    patient = {"budget_ms": 10_000}
    assert listed(page(client, board=pasted, **patient)) == listed(page(client, board=FRESH, **patient))


def test_owners_may_be_a_number_cells_or_a_picture(client: TestClient) -> None:
    for ours in ("3", "0,1", "oo" + "." * 23):
        assert 'data-cell="1" data-letter="g" data-owner="ours"' in page(client, board=FRESH, ours=ours)


@pytest.mark.parametrize(
    ("field", "typed", "says"),
    [
        ("board", "abc", "25 letters a-z expected, 3 given"),
        ("board", FRESH[:24] + "1", "Letter 24 is '1': only a to z are tiles"),
        ("ours", "33554432", "The mask 33554432 is out of range; accepted: a list of cells"),
        ("theirs", "0,99", "Position 1 has cell 99: cells are 0 to 24"),
        ("played", "zzzz", "The board cannot make 'zzzz'"),
        ("plies", "9", "3 or less expected"),
        ("budget_ms", "soon", "A whole number expected"),
        ("min_length", "26", "25 or less expected"),
        ("must_use", "a!", "Character 1 is '!'"),
        ("vocabulary", "rude", "'basic', 'common', 'highbrow'"),
        ("lexicon", "nope", "There is no lexicon named 'nope'"),
        ("sort", "size", "'value', 'tiles', 'protection'"),
        ("group", "some", "True or false expected"),
        ("turn", "nobody", "'ours' or 'theirs' expected"),
        ("word", "zzz", "ZZZ needs more of Z than this board has"),
    ],
)
def test_errors_stand_beside_their_field_and_typed_input_is_kept(
    client: TestClient, field: str, typed: str, says: str
) -> None:
    kept = {"board": FRESH, "played": "ok", "min_length": "3", "theirs": "6"} | {field: typed}
    html = unescape(page(client, 422, **kept))
    message = re.search(rf'<p class="field-error" id="error-{field}">([^<]*)</p>', html)
    assert message is not None
    assert says in message.group(1)
    for name, text in kept.items():
        if name != "turn":
            assert re.search(rf'name="{name}"[^>]*(value="|>){re.escape(text)}|value="{text}" selected', html)


ALIKE = "horseradishzzzzteamscatzz"
"""A board on which many words can be laid in several ways."""


def test_a_word_is_listed_once_with_its_other_placements_below_it(client: TestClient) -> None:
    html = page(client, board=ALIKE, budget_ms=10_000)
    words = listed(html)
    assert len(set(words)) == len(words) == 10
    solved_moves = client.get(
        "/api/solve", params={"board": ALIKE, "group": True, "budget_ms": 10_000}
    ).json()["moves"]
    links_of = [unescape(link) for link in re.findall(r'<a class="placement" href="([^"]+)"', html)]
    assert [int(fields_of(link)["ours"]) for link in links_of] == [
        other["ours"] for move in solved_moves for other in move["others"]
    ]
    more = next(move for move in solved_moves if move["ways"] > 6)
    assert f"5 other placements <small>of {more['ways'] - 1:,}</small>" in html
    assert "2 moves deep" in html
    every = listed(page(client, board=ALIKE, group="false", top=40, budget_ms=10_000))
    assert len(every) == 40
    assert len(set(every)) < 40
    # The choice is kept where the page leads to.
    assert fields_of(links(page(client, board=ALIKE, group="false"), "Play this move")[0])["group"] == "false"


def test_the_list_is_sorted_as_chosen_without_scripts(client: TestClient) -> None:
    html = page(client, board=ALIKE, budget_ms=10_000)
    by_length = page(client, board=ALIKE, sort="length", budget_ms=10_000)
    assert sorted(listed(by_length)) == sorted(listed(html))
    lengths = [len(word) for word in listed(by_length)]
    assert lengths == sorted(lengths, reverse=True)
    assert listed(by_length) != listed(html)
    assert '<option value="length" selected>' in by_length


def test_the_names_of_letterpwn_are_read(client: TestClient) -> None:
    patient = {"board": FRESH, "budget_ms": 10_000}
    html = page(client, **patient, oursBitMask=3, theirsBitMask=2**24)
    assert listed(html) == listed(page(client, **patient, ours=3, theirs=2**24))
    assert int(fields_of(links(html, "Play this move")[0])["ours"]) & 3 == 3
    assert "has another value" in unescape(page(client, 422, board=FRESH, ours=5, oursBitMask=3))


def test_moves_that_were_searched_less_deep_say_so(client: TestClient) -> None:
    html = page(client, board="eeeesssstttaaarrriiinnnlo", plies=2, budget_ms=60)
    depths = re.findall(r"Searched (\d) moves? deep", html)
    assert len(depths) == len(listed(html))
    shallow = len(re.findall("only 1 move deep", html))
    assert shallow == (depths.count("1") if "2" in depths else 0)


def test_study_reads_the_masks_of_the_solvers_form(client: TestClient) -> None:
    """As the page itself does; only the API refuses a number that could be a cell."""
    html = client.get("/boards/new/letterpress", params={"board": FRESH, "ours": "5"}).text
    assert re.findall(r'data-cell="(\d+)"[^>]* data-owner="ours"', html) == ["0", "2"]


def test_contradictory_owners_are_reported_and_the_board_is_shown(client: TestClient) -> None:
    html = page(client, 422, board=FRESH, ours=3, theirs=6)
    assert "Cell 1 is in ours as well: a tile has one owner" in html
    assert 'data-cell="0" data-letter="h" data-owner="ours"' in html


def test_playing_a_move_leads_to_the_opponents_turn_and_with_the_reply_back_to_ours(
    client: TestClient,
) -> None:
    html = page(client, board=FRESH, ours=3, theirs=2**24, vocabulary="common")
    best = client.get(
        "/api/solve", params={"board": FRESH, "ours": "mask:3", "theirs": 2**24, "vocabulary": "common"}
    ).json()["moves"][0]
    after = fields_of(links(html, "Play this move")[0])
    assert after == {
        "board": FRESH,
        "ours": str(best["ours"]),
        "theirs": str(best["theirs"]),
        "played": best["word"],
        "turn": "theirs",
        "vocabulary": "common",
    }
    both = fields_of(links(html, "Play it and the reply")[0])
    territory = Territory(ours=best["ours"], theirs=best["theirs"]).turned.after(best["reply"]["mask"]).turned
    assert (both["ours"], both["theirs"]) == (str(territory.ours), str(territory.theirs))
    assert both["played"] == f"{best['word']},{best['reply']['word']}"
    assert "turn" not in both
    theirs = page(client, **after)
    assert "Their best moves" in theirs
    swapped = {"board": FRESH, "ours": best["theirs"], "theirs": best["ours"], "played": best["word"]}
    asked = swapped | {"opponent_vocabulary": "common", "group": True}
    moves = client.get("/api/solve", params=asked).json()["moves"]
    assert listed(theirs) == [move["word"].upper() for move in moves]
    assert links(theirs, "They played this")


def test_a_tile_changes_hands_by_a_tap_without_scripts(client: TestClient) -> None:
    address = f"{PATH}?board={FRESH}"
    owners = []
    for _ in range(3):
        answer = client.get(address, params={**fields_of(address), "cell": "7"}, follow_redirects=False)
        assert answer.status_code == 303
        address = answer.headers["location"]
        owners.append({key: value for key, value in fields_of(address).items() if key != "board"})
    assert owners == [{"ours": "128"}, {"theirs": "128"}, {}]


def test_a_typed_word_is_played_on_the_tiles_it_takes(client: TestClient) -> None:
    fields = {"board": FRESH, "turn": "theirs", "ours": "1", "word": "OM"}
    answer = client.get(PATH, params=fields, follow_redirects=False)
    assert answer.status_code == 303
    after = fields_of(answer.headers["location"])
    assert after["played"] == "om"
    assert after["ours"] == "1"
    assert [FRESH[cell] for cell in cells_of(int(after["theirs"]))] == ["m", "o"]
    assert "turn" not in after


def test_a_random_board_keeps_the_choices_but_not_the_position(client: TestClient) -> None:
    fields = {"board": FRESH, "ours": "3", "played": "ok", "vocabulary": "common", "plies": "1"}
    boards = set()
    for _ in range(2):
        answer = client.get(f"{PATH}/random", params=fields, follow_redirects=False)
        assert answer.status_code == 303
        found = fields_of(answer.headers["location"])
        boards.add(found.pop("board"))
        assert found == {"vocabulary": "common", "plies": "1"}
    assert len(boards) == 2


def test_a_search_that_ran_out_of_time_says_so(client: TestClient) -> None:
    html = page(client, board="eeeesssstttaaarrriiinnnlo", budget_ms=1)
    assert "The search ran out of time: it is exact to 1 move only" in html
    assert listed(html)


def test_a_full_board_is_a_game_that_is_over(client: TestClient) -> None:
    html = page(client, board=FRESH, ours=2**13 - 1, theirs=2**25 - 2**13)
    assert "The game is over" in html
    assert "You win." in html


def test_filters_without_matches_are_reported(client: TestClient) -> None:
    html = page(client, board=FRESH, min_length=25)
    assert "No word matches" in html
    assert listed(html) == ["Pass"]


def test_a_script_gets_the_answer_alone_and_the_address_to_show(client: TestClient) -> None:
    params = {
        "board": FRESH.upper(),
        "ours": "oo" + "." * 23,
        "theirs": "",
        "plies": "2",
        "played": "ok rock",
    }
    answer = client.get(PATH, params=params, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "<!doctype html>" not in answer.text
    assert 'id="answer"' in answer.text
    assert answer.headers["HX-Push-Url"] == f"{PATH}?board={FRESH}&ours=3&played=ok,rock"
    wrong = client.get(PATH, params=params | {"plies": "7"}, headers={"HX-Request": "true"})
    assert wrong.status_code == 200
    assert re.search(r'id="error-plies" hx-swap-oob="true">3 or less expected', wrong.text)
    assert fields_of(wrong.headers["HX-Push-Url"])["plies"] == "7"


def test_engines_that_are_busy_make_a_clear_page(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise PoolFull

    monkeypatch.setattr(EnginePool, "start_long", full)
    answer: httpx2.Response = client.get(PATH, params={"board": FRESH}, headers=PAGE)
    assert answer.status_code == 503
    assert "The engines are all busy" in answer.text
    assert answer.headers["retry-after"] == "1"


def test_markup_in_a_field_stays_text(client: TestClient) -> None:
    html = page(client, 422, board="<script>alert(1)</script>", played='"><b>')
    assert "<script>alert" not in html
    assert '"><b>' not in html


@pytest.mark.parametrize(
    "fields",
    [{"top": 5, "limit": 6}, {"ours": "o" + 24 * ".", "theirs": ".o" + 23 * "."}, {"must_use": "7,30"}],
    ids=["an old name beside the new one", "sides that contradict each other", "a cell that is not there"],
)
def test_contradictory_fields_are_reported_on_the_page(client: TestClient, fields: dict[str, Any]) -> None:
    html = page(client, 422, board=BOARD, budget_ms=1, **fields)
    assert re.search(r'<p class="notice">[^<]{20,}<', html)
    assert client.get(f"{PATH}/random", params=fields, follow_redirects=False).status_code == 303
