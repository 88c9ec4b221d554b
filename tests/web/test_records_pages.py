"""Exporting and importing game records with forms."""

import re

from fastapi.testclient import TestClient

from tests.web.browsing import HTML, finish_wibble, tiles


def test_a_game_is_exported_and_imported_with_forms(client: TestClient, stranger: TestClient) -> None:
    address = finish_wibble(client, 3, "classic")
    taken = stranger.get(f"{address}/record")
    assert taken.headers["content-disposition"] == f'attachment; filename="wibble-{address[7:]}.txt"'
    assert taken.headers["content-type"].startswith("text/plain")
    assert 'action="/import"' in stranger.get("/import", headers=HTML).text
    # A browser sends the lines of a text field with CRLF.
    form = {"text": taken.text.replace("\n", "\r\n")}
    back = stranger.post("/import", data=form, headers=HTML)
    assert back.status_code == 200
    copy = back.url.path.removesuffix("/plies/0")
    assert copy != address
    assert stranger.get(f"{copy}/record").text == taken.text
    for ply in range(6):
        assert tiles(stranger, address, ply) == tiles(stranger, copy, ply)
    assert stranger.get(copy, headers=HTML).status_code == 200
    assert stranger.get(f"{copy}/analysis", headers=HTML).status_code == 200


def test_a_text_that_does_not_follow_is_a_page_that_names_the_ply(client: TestClient) -> None:
    text = client.get(f"{finish_wibble(client, 2)}/record").text
    for broken, says in (
        (re.sub(r"\[\d+,", "[99,", text, count=1), "ply 1"),
        (text.replace("\nseats 1", "\nseats 2"), "cannot start"),
        ("<script>alert(1)</script>", "line 1"),
        (text.replace("kind wibble", "kind <i>"), "line 2"),
    ):
        answer = client.post("/import", data={"text": broken}, headers=HTML)
        assert answer.status_code == 422
        assert says in answer.text.lower()
        assert "<i>" not in answer.text
    for form in ({}, {"text": ""}, {"text": "x" * 70_000}):
        assert client.post("/import", data=form, headers=HTML).status_code in (413, 422)
