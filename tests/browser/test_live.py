"""A page's reactions to events, over streams that end after a second or two."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, Request, ViewportSize, expect

from tests.browser.conftest import PHONE, Sit
from tests.browser.kind import Kind, has_moved
from tests.browser.kinds import EACH_MULTIPLAYER_KIND, EACH_TURN_BASED_KIND, KINDS
from tests.browser.seat import Seat
from tests.driver import sit_down
from tests.event_streams import SOON, open_on
from tests.servers import Served

BOARD = "horseradishzzzzteamscatzz"
CATS = [20, 21, 22, 19]
TEAMS = [15, 16, 17, 18, 19]


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose streams end soon."""
    with Served(tmp_path_factory.mktemp("hasty"), longest_stream="2") as server:
        yield server


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    screen: ViewportSize = {"width": PHONE["width"], "height": PHONE["height"]}
    context = browser.new_context(viewport=screen, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(SOON * 1000)
    yield page
    context.close()


def plays(client: httpx.Client, game: str, cells: list[int]) -> None:
    answer = client.post(f"/api/games/{game}/moves", json={"move": {"type": "word", "cells": cells}})
    assert answer.status_code == 200, answer.text


def test_a_page_takes_its_stream_up_again_and_misses_nothing(hasty: Served, page: Page) -> None:
    host, game = open_on(hasty, kind="letterpress", options={"board": BOARD})
    guest = httpx.Client(base_url=hasty.url, timeout=SOON)
    sit_down(guest, game)
    streams: list[Request] = []
    page.on("request", lambda request: streams.append(request) if "/events" in request.url else None)
    table = page.locator("#table")

    page.goto(f"{hasty.url}/games/{game['id']}")
    expect(table).to_have_attribute("data-version", "0-2")
    page.wait_for_event("request", lambda request: len(streams) > 1 and "/events" in request.url)
    plays(host, game["id"], CATS)
    expect(table).to_have_attribute("data-version", "1-2", timeout=SOON * 1000)
    page.wait_for_event("request", lambda request: len(streams) > 2 and "/events" in request.url)
    assert streams[-1].all_headers().get("last-event-id") == "1-2"
    plays(guest, game["id"], TEAMS)
    expect(table).to_have_attribute("data-version", "2-2", timeout=SOON * 1000)


def fetches(*seats: Seat) -> list[str]:
    """Return a list that grows by the address of each table that a page requests from now on."""
    found: list[str] = []
    for seat in seats:
        seat.page.on(
            "request", lambda request: found.append(request.url) if "/table?" in request.url else None
        )
    return found


@EACH_TURN_BASED_KIND
def test_no_move_makes_a_page_ask_for_the_table(sit: Sit, kind: Kind) -> None:
    me, friend = kind.together(sit)
    for seat in (me, friend):  # until its stream is open, a page polls
        expect(seat.page.locator("[data-presence][data-here]").first).to_be_attached()
    fetched, ply = fetches(me, friend), me.ply
    kind.send(me)
    has_moved(friend, ply)
    assert fetched == []


def test_anothers_move_waits_until_a_sheet_is_closed(sit: Sit) -> None:
    kind = KINDS["letterpress"]
    me, friend = kind.together(sit)
    kind.send(me)
    friend.await_turn()
    me.page.get_by_role("link", name="Settings").click()
    sheet = me.page.locator("dialog:modal")
    expect(sheet).to_be_visible()
    fetched = fetches(me)
    friend.type("cats")
    friend.press("Enter")
    friend.await_ply(2)
    me.page.wait_for_timeout(500)
    assert me.ply == 1
    me.press("Escape")
    me.await_ply(2)
    assert fetched == []


@EACH_MULTIPLAYER_KIND
def test_a_players_new_name_is_shown_at_once(sit: Sit, kind: Kind) -> None:
    me, friend = kind.together(sit)
    friend.set_nickname("Perpetua")
    expect(me.page.locator(".seats")).to_contain_text("Perpetua")
    watcher = sit()
    watcher.visit(me.address)
    kind.finish(me, friend)
    for each in (me, watcher):
        expect(each.page.locator(".summary")).to_contain_text("Perpetua")
