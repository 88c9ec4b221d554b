"""Previews of shared links: a picture without spoilers, a QR code, a text in three styles."""

import html
import re
import struct
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.rooms import ROOMS
from app.web.share import preview
from app.web.share.preview import HEIGHT, WIDTH, Preview
from app.web.share.texts import styles
from app.web.site.daily_calendar import daily_rooms
from tests.web.browsing import HTML, finish_wibble, give_up, invitation, play_daily, start_versus

SQUARES = "Wibble daily 2026-11-22\n🟩🟨⬜🟩🟩\n123 points, 90% accuracy\nhttps://wibble.example/daily"


def shown(client: TestClient, address: str) -> str:
    """The address of the picture that a page names."""
    found = re.search(
        r'property="og:image" content="http://testserver([^"]+)"', client.get(address, headers=HTML).text
    )
    assert found, f"{address} names no picture"
    return html.unescape(found[1])


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Preview]:
    """The pictures that are rendered."""
    seen: list[Preview] = []
    render = preview.render

    def remembered(picture: Preview) -> bytes:
        seen.append(picture)
        return render(picture)

    monkeypatch.setattr("app.web.share.pages.render", remembered)
    return seen


def is_a_picture(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert struct.unpack(">II", answer.content[16:24]) == (WIDTH, HEIGHT)
    assert len(answer.content) < 150_000
    assert "max-age" in answer.headers["cache-control"]


def test_an_invitation_is_shared_as_an_invitation(
    client: TestClient, stranger: TestClient, drawn: list[Preview]
) -> None:
    table = start_versus(client, "friend")
    for address in (invitation(client, table), table):
        is_a_picture(stranger, shown(stranger, address))
        assert drawn[-1].line == "You are invited"
    assert [tile.letter for row in drawn[-1].tiles for tile in row] == list("WIBBLE"), "no board"
    page = stranger.get(invitation(client, table), headers=HTML).text
    assert '<meta property="og:title" content="You are invited to Wibble · Wibble">' in page


@pytest.mark.parametrize("kind", list(ROOMS))
def test_the_result_of_every_room_has_a_picture_of_its_board(
    client: TestClient, stranger: TestClient, drawn: list[Preview], kind: str
) -> None:
    opened = client.post("/api/games", json={"kind": kind, **ROOMS[kind].examples[0]}).json()
    table = f"/games/{opened['id']}"
    give_up(client, table)
    is_a_picture(stranger, shown(stranger, table))
    result = drawn[-1]
    assert result.title.startswith(ROOMS[kind].title)
    assert re.search(r"\d", result.line)
    is_a_picture(stranger, shown(stranger, f"{table}/plies/0"))
    assert drawn[-1].line.startswith("Replay, move 0 of")


@pytest.mark.parametrize("kind", daily_rooms(ROOMS))
def test_a_daily_shows_no_board(client: TestClient, drawn: list[Preview], kind: str) -> None:
    room = daily_rooms(ROOMS)[kind]
    is_a_picture(client, shown(client, room.daily or ""))
    assert drawn[-1].title == f"{room.title} daily"
    assert [tile.letter for row in drawn[-1].tiles for tile in row] == list(room.title.upper())


def test_the_result_of_a_daily_does_not_give_the_board_away(
    client: TestClient, stranger: TestClient, drawn: list[Preview]
) -> None:
    play_daily(client, 1)
    game = client.get("/api/me").json()["games"][0]["game_id"]
    is_a_picture(stranger, f"/games/{game}/preview.png")
    is_a_picture(stranger, f"/games/{game}/plies/0/preview.png")
    for picture in drawn:
        assert [tile.letter for row in picture.tiles for tile in row] == list("WIBBLE")


def test_a_generated_board_is_its_own_picture(client: TestClient, drawn: list[Preview]) -> None:
    is_a_picture(client, shown(client, "/boggle/board?board=chos+arei+ltnd+wges"))
    assert ["".join(tile.letter for tile in row) for row in drawn[-1].tiles] == [
        "CHOS",
        "AREI",
        "LTND",
        "WGES",
    ]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/games/nonesuch/preview.png", 404),
        ("/daily/2999-01-01/preview.png", 404),
        ("/daily/yesterday/preview.png", 404),
        ("/fribble/daily/2026-11-22/preview.png", 404),
        ("/boggle/board/preview.png?board=abc", 422),
        ("/boggle/board/preview.png", 422),
    ],
)
def test_an_unknown_address_has_no_picture(client: TestClient, address: str, status: int) -> None:
    assert client.get(address).status_code == status


def test_a_picture_is_drawn_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def rasterise(**given: Any) -> bytes:
        calls.append(given)
        return b"png"

    monkeypatch.setattr("resvg_py.svg_to_bytes", rasterise)
    for _ in range(3):
        client.get("/boggle/board/preview.png?board=once+only+seen+here")
    assert len(calls) == 1


def test_every_letter_of_a_result_is_in_the_typeface() -> None:
    one, other = (preview.render(Preview(title, "", ())) for title in ("Wibble", "Wibblé"))
    assert one != other
    assert preview.render(Preview("", "381 : 322 - 90%", ())) != preview.render(Preview("", "", ()))


def test_the_waiting_table_has_a_qr_code_of_its_link(client: TestClient) -> None:
    page = client.get(start_versus(client, "friend"), headers=HTML).text
    assert '<svg viewBox="0 0' in page
    assert 'class="qr-code"' in page


def test_a_text_comes_in_three_styles() -> None:
    squares, clear, plain = styles(SQUARES).values()
    assert squares == SQUARES
    assert "🟧🟦⬜🟧🟧" in clear or "🟦🟧⬜🟦🟦" in clear
    assert plain == "Wibble daily 2026-11-22\n123 points, 90% accuracy\nhttps://wibble.example/daily"
    assert list(styles(SQUARES, clear_first=True)) == ["Colour-blind", "Squares", "Text"]
    assert list(styles("no squares")) == ["Text"]


def test_colour_blind_squares_come_first_where_they_are_preferred(client: TestClient) -> None:
    client.put("/api/me/preferences", json={"clear_squares": True}).raise_for_status()
    play_daily(client, 1)
    page = client.get("/daily", headers=HTML).text
    text = re.findall(r"<textarea[^>]*>([^<]*)", page)[0]
    assert "🟩" not in text
    assert "🟩" in page, "the other style can be chosen"


def test_a_finished_game_can_be_shared(client: TestClient, stranger: TestClient) -> None:
    address = finish_wibble(client, 2)
    mine, others = (
        html.unescape(re.findall(r'data-share-result="([^"]*)"', browser.get(address, headers=HTML).text)[0])
        for browser in (client, stranger)
    )
    score = client.get("/api/me").json()["games"][0]["score"]
    assert mine == f"I scored {score} points in Wibble Zen\nhttp://testserver{address}"
    assert others.startswith("Scored")
