"""The pages without scripts: every form works as a plain form, every address on its own."""

import re

import pytest
from fastapi.testclient import TestClient

from app.words.lexicon import Lexicon
from tests.web.browsing import HTML, HTMX, best, board, ply, start_wibble
from tests.web.conftest import Clock


def test_home_says_what_this_is_and_has_one_big_play_button(client: TestClient) -> None:
    page = client.get("/", headers=HTML)
    assert page.status_code == 200
    assert 'action="/play"' in page.text
    assert "wibble_player" not in page.headers.get("set-cookie", ""), "viewing creates no guest"


def test_play_opens_a_game_without_a_sign_up_and_its_address_is_the_game(client: TestClient) -> None:
    address = start_wibble(client)
    page = client.get(address, headers=HTML)
    assert page.status_code == 200
    assert len(board(page.text)) == 25
    assert board(client.get(address, headers=HTML).text) == board(page.text)


@pytest.mark.parametrize("path", ["/", "/letterpress", "/boggle", "/fribble"])
def test_opponents_are_offered_in_the_same_order_in_every_room(client: TestClient, path: str) -> None:
    page = client.get(path, headers=HTML).text
    offers = [page.index(text) for text in (">Play now<", ">Play with a friend<", "<b>Pip</b>")]
    assert offers == sorted(offers)


def test_wibbles_name_as_an_address_leads_to_the_home_page(client: TestClient) -> None:
    answer = client.get("/wibble?lexicon=english", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (301, "/?lexicon=english")


def test_a_game_is_found_again_on_the_home_page(client: TestClient, stranger: TestClient) -> None:
    address = start_wibble(client)
    assert address in client.get("/").text
    assert address not in stranger.get("/").text


@pytest.mark.parametrize(("size", "tiles"), [("4", 16), ("7", 49)])
def test_the_options_of_the_form_count(client: TestClient, size: str, tiles: int) -> None:
    page = client.get(start_wibble(client, "zen", size=size, values="spellcast", frequencies="lexicon"))
    assert len(board(page.text)) == tiles


@pytest.mark.parametrize(("mode", "reason"), [("zen", "Zen"), ("classic", "Classic · You finished early")])
def test_only_a_game_with_an_end_can_be_finished_early(client: TestClient, mode: str, reason: str) -> None:
    address = start_wibble(client, mode)
    assert "You have no words yet." in client.get(address, headers=HTML).text
    page = client.post(f"{address}/moves", data={"type": "resign"}, headers=HTMX).text
    assert f'<p class="summary-reason">{reason}</p>' in page


@pytest.mark.parametrize(("mode", "replace"), [("zen", "releases"), ("classic", "words"), ("blitz", "words")])
def test_a_setting_for_zen_in_the_form_changes_no_other_mode(
    client: TestClient, mode: str, replace: str
) -> None:
    address = start_wibble(client, mode, replace="releases")
    assert client.get(f"/api{address}").json()["view"]["replace"] == replace


def test_a_chain_that_is_no_word_loses_its_tiles_where_asked(client: TestClient, lexicon: Lexicon) -> None:
    address = start_wibble(client, "zen", replace="releases", size="4")
    before = board(client.get(address).text)
    row = next(row for row in range(4) if before[4 * row : 4 * row + 4] not in lexicon)
    word, cells = before[4 * row : 4 * row + 4], [4 * row + column for column in range(4)]
    form = {"type": "chain", "cells": ",".join(map(str, cells))}
    page = client.post(f"{address}/moves", data=form, headers=HTMX).text
    assert f"<strong>{word.upper()}</strong> is not in the word list: new tiles" in page
    assert " data-replaced" in page
    after = board(page)
    assert after != before
    assert all(
        was == now for cell, (was, now) in enumerate(zip(before, after, strict=True)) if cell not in cells
    )
    client.post(f"{address}/moves", data={"type": "resign"})
    assert 'name="replace" value="releases"' in client.get(address).text
    replayed = client.get(f"{address}/plies/2", headers=HTML).text
    assert "is not in the word list: new tiles" in replayed
    shown = re.findall(r'aria-label="Board: ([A-Z. ]+)"', replayed)[0]
    assert shown.replace(" ", "").replace(".", "").lower() == before, "the tiles of the chain"


def test_a_chain_is_one_post_that_returns_one_fragment(client: TestClient) -> None:
    address = start_wibble(client)
    page = client.get(address).text
    cells = ",".join(map(str, best(client, page)["cells"]))
    form = {"type": "chain", "ply": ply(page), "cells": cells}
    answer = client.post(f"{address}/moves", data=form, headers=HTMX)
    assert answer.status_code == 200
    assert answer.text.strip().startswith("<section")
    assert "<html" not in answer.text
    assert 'data-result="scored"' in answer.text


def test_without_scripts_a_word_is_typed_and_the_page_comes_back(client: TestClient) -> None:
    address = start_wibble(client)
    page = client.get(address).text
    word = best(client, page)["word"]
    answer = client.post(f"{address}/moves", data={"type": "word", "word": f" {word.upper()} "}, headers=HTML)
    assert answer.status_code == 200
    assert answer.url.path == address
    assert word.upper() in answer.text


@pytest.mark.parametrize(
    ("form", "status", "says"),
    [
        ({"type": "chain", "cells": "0,24"}, 422, "does not touch"),
        ({"type": "chain", "cells": "zero"}, 422, "cell numbers"),
        ({"type": "chain", "cells": ""}, 422, "cell numbers"),
        ({"type": "word", "word": "zzzzzzzzzzzzzz"}, 422, "cannot be traced"),
        ({"type": "word", "word": "<script>"}, 422, "letters a to z"),
        ({"type": "swap", "cell": "1"}, 422, "letter"),
        ({"type": "fly"}, 422, "type"),
        ({"type": "hint"}, 422, "costs 4 gems"),
        ({"type": "shuffle", "ply": "0"}, 409, "he game has moved on: this is the current position"),
        ({"type": "start"}, 409, "started already"),
    ],
)
def test_a_refused_move_comes_back_as_the_table_with_a_notice(
    client: TestClient, form: dict[str, str], status: int, says: str
) -> None:
    address = start_wibble(client)
    before = board(client.get(address).text)
    for headers in (HTMX, HTML):
        answer = client.post(f"{address}/moves", data=form, headers=headers)
        # A script reads the notice; with 4xx the browser would log an error for every refused word.
        assert answer.status_code == (200 if headers is HTMX else status)
        assert says in answer.text
        assert ("<html" in answer.text) == (headers is HTML)
        assert board(answer.text) == before


def test_a_watcher_cannot_move(client: TestClient, stranger: TestClient) -> None:
    address = start_wibble(client)
    seen = stranger.get(address, headers=HTML)
    assert "watching" in seen.text
    answer = stranger.post(f"{address}/moves", data={"type": "shuffle"}, headers=HTML)
    assert answer.status_code == 403
    assert ply(client.get(address).text) == "1"


def test_blitz_waits_for_its_player_with_the_board_covered(client: TestClient, clock: Clock) -> None:
    address = start_wibble(client, "blitz")
    assert board(client.get(address).text) == ""
    clock.now += 1000
    started = client.post(f"{address}/moves", data={"type": "start"}, headers=HTMX).text
    assert len(board(started)) == 25
    clock.now += 125
    assert 'data-phase="finished"' in client.get(address).text


def test_a_finished_game_shows_its_analysis(client: TestClient) -> None:
    address = start_wibble(client, "zen")
    page = client.get(address).text
    found = best(client, page)
    client.post(f"{address}/moves", data={"type": "word", "word": found["word"]})
    client.post(f"{address}/moves", data={"type": "resign"})
    fragment = client.get(f"{address}/analysis", headers=HTMX)
    assert fragment.status_code == 200
    assert "<html" not in fragment.text
    assert found["word"].upper() in fragment.text
    whole = client.get(f"{address}/analysis", headers=HTML)
    assert "<html" in whole.text
    assert found["word"].upper() in whole.text


def test_the_analysis_of_an_unfinished_game_leads_back_to_the_table(client: TestClient) -> None:
    address = start_wibble(client)
    answer = client.get(f"{address}/analysis", headers=HTML, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == address


@pytest.mark.parametrize("path", ["/games/nope", "/nowhere", "/games/nope/analysis"])
def test_a_wrong_address_is_a_page_for_people(client: TestClient, path: str) -> None:
    answer = client.get(path, headers=HTML)
    assert answer.status_code == 404
    assert "<html" in answer.text


@pytest.mark.parametrize(
    "form",
    [
        {"mode": "nightmare"},
        {"replace": "tiles"},
        {"size": "3"},
        {"size": "x"},
        {"values": "golf"},
        {"lexicon": "klingon"},
    ],
)
def test_an_impossible_game_is_refused_as_a_page(client: TestClient, form: dict[str, str]) -> None:
    answer = client.post("/play", data=form, headers=HTML)
    assert answer.status_code == 422
    assert "<html" in answer.text


def test_every_answer_carries_the_security_headers(client: TestClient) -> None:
    for path in ("/", "/api/words/cat", "/nowhere", "/openapi.json"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_files_of_a_page_are_kept_for_good_and_those_of_another_version_are_not(client: TestClient) -> None:
    loaded = re.findall(
        r'(?:href|src)="(/(?:static|vendor)/[^"]+)"', client.get(start_wibble(client), headers=HTML).text
    )
    assert len(loaded) > 8
    for path in loaded:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert "immutable" in answer.headers["cache-control"], path
        other = client.get(re.sub("/[0-9a-f]{12}/", "/0123456789ab/", path))
        assert other.content == answer.content
        assert other.headers["cache-control"] == "no-cache", path


def test_files_without_a_version_are_asked_for_again_and_not_sent_again(client: TestClient) -> None:
    for path in ("/static/favicon.svg", "/static/wibble/table.js", "/vendor/htmx/htmx.min.js"):
        first = client.get(path)
        assert first.headers["x-content-type-options"] == "nosniff"
        assert first.headers["cache-control"] == "no-cache"
        again = client.get(path, headers={"if-none-match": first.headers["etag"]})
        assert again.status_code == 304


def test_the_table_page_is_light(client: TestClient) -> None:
    """Under 60 KB transferred in total; the browser test counts what Chromium actually loads."""
    address = start_wibble(client)
    for encodings, chosen in (("gzip, deflate, br, zstd", "br"), ("gzip, deflate", "gzip")):
        page = client.get(address, headers=HTML | {"accept-encoding": encodings})
        assert page.headers["content-encoding"] == chosen
        assert 1_000 < int(page.headers["content-length"]) < 6_000


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        *(("gzip, deflate, br", "br"), ("br;q=1.0", "br"), ("gzip, br;q=0", "gzip"), ("identity", None)),
        pytest.param(f"br;q=0.{60_000 * '1'} x", None, id="a backtracking pattern would not end"),
    ],
)
def test_a_file_is_sent_in_an_encoding_that_the_browser_accepts(
    client: TestClient, accepted: str, chosen: str | None
) -> None:
    path = next(iter(re.findall(r'href="(/static/[0-9a-f]{12}/site/base.css)"', client.get("/").text)))
    plain = client.get(path, headers={"accept-encoding": "identity"})
    answer = client.get(path, headers={"accept-encoding": accepted})
    assert answer.headers.get("content-encoding") == chosen
    assert answer.content == plain.content
    assert "immutable" in answer.headers["cache-control"]
    if chosen == "br":
        assert "accept-encoding" in answer.headers["vary"].lower()
        assert int(answer.headers["content-length"]) < len(plain.content) / 3


def test_the_guest_cookie_is_for_http_only_and_same_site(client: TestClient) -> None:
    answer = client.post("/play", data={"mode": "zen"}, follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_a_cookie_older_than_the_database_does_no_harm(client: TestClient) -> None:
    guests = client.app.state.services.guests  # type: ignore[attr-defined]
    client.cookies.set("wibble_player", guests._serializer.dumps("long-forgotten"))
    assert client.get(start_wibble(client)).status_code == 200
