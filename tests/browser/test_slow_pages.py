"""Pages that arrive in pieces: the first part does not move."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import letterpress, wibble
from tests.browser.conftest import DESK, PHONE, Complaints, Sit
from tests.browser.kind import Table
from tests.browser.kinds import KINDS
from tests.browser.page_checks import SHIFTS, shifts
from tests.browser.seat import Seat
from tests.browser.slow_network import Held
from tests.browser.test_puzzles import opened

PAUSE = 0.8
"""Seconds between the two pieces of a page: enough to paint the first."""
TABLES: Final[dict[str, Table]] = {
    **{name: kind.open for name, kind in KINDS.items()},
    "versus": lambda me: me.open_with("3", **wibble.KIND.timed),
}


WITH_BOARD: Final = {name: table for name, table in TABLES.items() if name not in ("scrabblet", "fribble")}
"""Scrabblet has a hand instead. Fribble's board moves when its rack arrives, which is a known fault."""


@pytest.mark.parametrize("open_table", TABLES.values(), ids=TABLES)
def test_nothing_shifts_when_a_page_arrives_in_two_pieces(sit: Sit, open_table: Table) -> None:
    me = sit()
    open_table(me)
    head, rest = table_in_pieces(me)
    me.page.add_init_script(SHIFTS)
    with slow_server(me, head, rest) as address:
        for screen in (PHONE, DESK):
            me.page.set_viewport_size(screen)
            me.page.goto(address)
            me.page.wait_for_timeout(300)
            assert shifts(me) == [], screen


def test_the_header_does_not_shift_when_a_page_arrives_in_two_pieces(sit: Sit) -> None:
    me = sit(viewport=DESK)
    head, rest = pieces(me.page.request.get(f"{me.url}/leaderboards").text(), '<ul class="site-links"')
    me.page.add_init_script(SHIFTS)
    with slow_server(me, head, rest) as address:
        for _ in range(2):  # the second time, the files are in the browser's cache
            me.page.goto(address)
            me.page.wait_for_timeout(300)
            assert shifts(me) == []


@pytest.mark.parametrize("open_table", WITH_BOARD.values(), ids=WITH_BOARD)
def test_the_board_has_its_place_before_what_stands_below_it(sit: Sit, open_table: Table) -> None:
    """This also holds in a browser that paints a page before it is complete."""
    me = sit()
    open_table(me)
    address = me.address
    head, rest = table_in_pieces(me)
    head = re.sub(r'<link rel="expect".*?>', "", head)
    for screen in (PHONE, DESK):
        me.page.set_viewport_size(screen)
        assert board_of(me.page, address, head) == board_of(me.page, address, head + rest), screen


def table_in_pieces(seat: Seat) -> tuple[str, str]:
    """The seat's page, split before the first element below the board or the word."""
    return pieces(seat.page.request.get(seat.address).text(), 'id="hand"', 'id="rack"', 'class="powers')


def pieces(text: str, *parts: str) -> tuple[str, str]:
    """A page without scripts, split before the first element with one of these parts."""
    page = re.sub(r'<script.*?</script>|<link rel="modulepreload".*?>', "", text, flags=re.DOTALL)
    begin = min(page.index(part) for part in parts if part in page)
    cut = page.rindex("<", 0, begin + 1)
    return page[:cut], page[cut:]


@contextmanager
def slow_server(seat: Seat, first: str, second: str) -> Iterator[str]:
    """Serve a page in two pieces, and its files at once; yield the address."""

    class Slow(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/":
                file = httpx.get(f"{seat.url}{self.path}", timeout=60)
                self.answer(file.headers["content-type"], file.content)
            else:
                self.answer("text/html; charset=utf-8", first.encode())
                self.wfile.flush()
                time.sleep(PAUSE)
                self.wfile.write(second.encode())

        def answer(self, content_type: str, content: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 64

    with Server(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def board_of(page: Page, address: str, body: str) -> Any:
    """The position of the board when only ``body`` has arrived."""

    def answer(route: Route) -> None:
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    page.route(address, answer)
    page.goto(address)
    page.unroute(address)
    return page.locator("#board").bounding_box()


AFTER_THE_FIRST: Final = re.compile(r"/(?!early)\w+(\.min)?\.js$")
"""The scripts that may come late: all but the small one that keeps the keys."""


def typed(seat: Seat, name: str) -> str:
    """The word under way."""
    return letterpress.word(seat).lower() if name == "letterpress" else seat.field.input_value()


def letters_for(seat: Seat, name: str) -> str:
    """Letters to type at a table that ``open`` has opened."""
    return {"letterpress": "teams", "boggle": "slate", "scrabblet": "pert"}.get(name) or seat.word().word


@contextmanager
def before_the_scripts(me: Seat, address: str) -> Iterator[None]:
    """Open a table whose scripts come after the block."""
    held = Held(me.page, AFTER_THE_FIRST)
    with me.page.expect_event("requestfinished", lambda request: "/early" in request.url):
        me.page.goto(address, wait_until="commit")
    me.page.locator("#announcer").wait_for(state="attached")
    held.wait()
    me.page.wait_for_timeout(200)
    yield
    held.release()
    me.page.wait_for_load_state()


@pytest.mark.parametrize("name", [name for name in KINDS if name != "fribble"])
def test_letters_typed_before_the_scripts_have_come_are_kept(sit: Sit, name: str) -> None:
    me = sit()
    address = KINDS[name].open(me)
    letters = letters_for(me, name)
    with before_the_scripts(me, address):
        me.page.keyboard.type(letters)
        assert typed(me, name) == ""
    me.page.wait_for_function("() => document.readyState === 'complete'")
    assert typed(me, name) == letters


@pytest.mark.parametrize("name", ["wibble", "boggle"])
def test_a_word_in_the_field_before_the_scripts_have_come_is_kept(sit: Sit, name: str) -> None:
    me = sit()
    address = KINDS[name].open(me)
    letters = letters_for(me, name)
    with before_the_scripts(me, address):
        me.field.fill(letters)
    assert len(me.chain) == len(letters)
    me.page.keyboard.press("Enter")
    expect(me.page.locator("#history")).to_contain_text(letters.upper())


@pytest.mark.parametrize("kind", ["boggle", "fribble"])
def test_what_is_typed_before_the_scripts_have_come_replaces_a_refused_answer(
    sit: Sit, complaints: Complaints, kind: str
) -> None:
    complaints.allow("422")
    me = sit()
    opened(me, kind)
    me.page.wait_for_load_state()
    me.page.locator("#word").fill("xyyz")
    held = Held(me.page, "**/site/puzzle.js")
    me.page.locator("#word").press("Enter", no_wait_after=True)
    held.wait()
    expect(me.page.locator("#refused")).not_to_be_empty()
    me.page.locator("#word").press_sequentially("zz")
    held.release()
    expect(me.page.locator("#word")).to_have_value("zz")
