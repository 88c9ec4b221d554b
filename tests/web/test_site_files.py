"""Files at fixed addresses for browsers and crawlers."""

import re
import struct
from urllib.robotparser import RobotFileParser

import pytest
from fastapi.testclient import TestClient

from app.web.files import VERSION
from tests.driver import open_game
from tests.web.browsing import HTML, start_wibble

PNG = b"\x89PNG\r\n\x1a\n"


def test_the_favicon_holds_images_of_two_sizes(client: TestClient) -> None:
    answer = client.get("/favicon.ico")
    assert answer.status_code == 200
    assert answer.headers["content-type"] in ("image/x-icon", "image/vnd.microsoft.icon")
    reserved, kind, images = struct.unpack_from("<HHH", answer.content)
    assert (reserved, kind, images) == (0, 1, 2)
    for index, side in enumerate((16, 32)):
        width, height, *_, length, offset = struct.unpack_from("<BBBBHHII", answer.content, 6 + 16 * index)
        image = answer.content[offset : offset + length]
        assert (width, height) == (side, side)
        assert image.startswith(PNG)
        assert struct.unpack_from(">II", image, 16) == (side, side)


def test_the_touch_icon_is_a_square_and_every_page_links_it(client: TestClient) -> None:
    icon = client.get("/apple-touch-icon.png")
    assert (icon.status_code, icon.headers["content-type"]) == (200, "image/png")
    assert struct.unpack_from(">II", icon.content, 16) == (180, 180)
    assert len(icon.content) < 8_000
    for path in ("/", "/boggle", "/me"):
        (link,) = [
            line for line in client.get(path, headers=HTML).text.splitlines() if "apple-touch-icon" in line
        ]
        linked = client.get(link.split('href="')[1].split('"')[0])
        assert linked.content == icon.content


@pytest.mark.parametrize(
    ("path", "open_to_crawlers"),
    [
        ("/", True),
        ("/boggle", True),
        ("/words/quartz", True),
        ("/daily", True),
        ("/games/abc", False),
        ("/games/abc/join/token", False),
        ("/api/solve", False),
        ("/me", False),
        ("/me/devices/token", False),
        ("/lobby", False),
        ("/import", False),
        ("/metrics", False),
    ],
)
def test_crawlers_are_kept_out_of_games_api_and_private_pages(
    client: TestClient, path: str, open_to_crawlers: bool
) -> None:
    answer = client.get("/robots.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    rules = RobotFileParser()
    rules.parse(answer.text.splitlines())
    assert rules.can_fetch("Bot", f"https://wibble.example{path}") is open_to_crawlers


def test_messengers_may_fetch_what_a_shared_link_shows(client: TestClient) -> None:
    rules = RobotFileParser()
    rules.parse(client.get("/robots.txt").text.splitlines())
    for path in (
        "/games/abc",
        "/games/abc/join/xyz",
        "/games/abc/preview.png",
        "/boggle/board/preview.png?board=abcd",
    ):
        assert rules.can_fetch("Twitterbot", f"https://wibble.example{path}")
    assert not rules.can_fetch("Twitterbot", "https://wibble.example/api/me")


def test_crawlers_are_kept_from_what_is_computed_for_a_query(client: TestClient) -> None:
    assert "Disallow: /*?" in client.get("/robots.txt").text.splitlines()


def test_style_sheets_come_without_their_comments(client: TestClient) -> None:
    address = re.findall(r'href="(/static/\w{12}/site/base.css)"', client.get("/").text)[0]
    sent = client.get(address)
    kept = client.get("/static/site/base.css").text
    assert (sent.status_code, sent.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert re.sub(r"\s", "", sent.text) == re.sub(r"/\*.*?\*/|\s", "", kept, flags=re.DOTALL)
    assert "/*" in kept
    assert "/*" not in sent.text
    assert re.findall(r"[{};,]\s|\s[{};,]", sent.text) == []
    assert "immutable" in sent.headers["cache-control"]


def test_the_style_sheets_of_a_table_come_as_one(client: TestClient) -> None:
    page = client.get(start_wibble(client), headers=HTML).text
    (address,) = re.findall(r'rel="stylesheet" href="([^"]+)"', page)
    folder = address.partition("/sheets/")[0]
    shared = ("table/word", "table/table", "table/board", "table/powers", "table/letters", "table/finish")
    parts = ("site/base", *shared, "table/strip", "wibble/wibble")
    assert client.get(address).text == "".join(client.get(f"{folder}/{part}.css").text for part in parts)
    assert client.head(address).headers["content-type"] == "text/css; charset=utf-8"


@pytest.mark.parametrize("kind", ["wibble", "boggle", "scrabblet"])
def test_the_animations_of_a_table_for_one_are_in_its_style_sheets(client: TestClient, kind: str) -> None:
    page = client.get(f"/games/{open_game(client, kind)['id']}", headers=HTML).text
    sheets = re.findall(r'rel="stylesheet" href="([^"]+)"', page)
    styles = "".join(client.get(sheet).text for sheet in sheets)
    used = set(re.findall(r"animation(?:-name)?:([a-z-]+)", styles)) - {"none"}
    assert "wait" in used
    assert used <= set(re.findall(r"@keyframes ([a-z-]+)", styles))


@pytest.mark.parametrize(
    "name",
    [
        "site.base",
        "table.table+site.base+wibble.wibble",
        "site.base+site.base+table.table",
        "site.base+table.table+wibble.wibble+boggle.boggle",
        "site.base+table.table+wibble.nothing",
        "site.base+table.table+site.site",
        "site.base+table.table+..secret",
        "",
    ],
)
def test_only_style_sheets_of_a_table_are_joined(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{VERSION}/sheets/{name}.css").status_code == 404
