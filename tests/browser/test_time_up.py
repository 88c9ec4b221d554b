"""The end of a clock: said at once, no more input, and no wait until the server ends the round by itself."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser import boggle, fribble
from tests.browser.conftest import Sit, Site
from tests.browser.held import Held
from tests.browser.seat import Seat

TIMES_UP = "Time’s up"


def begin_blitz(me: Seat, site: Site) -> str:
    """Start a game whose clock has a few seconds left; its address."""
    address = me.open("blitz")
    me.page.locator("#start").click()
    me.await_ply(1)
    site.clock.ahead += 114
    return address


def begin_boggle(me: Seat, site: Site) -> str:
    address = boggle.KIND.open(me, seconds="60")
    site.clock.ahead += 54
    return address


CLOCKS = pytest.mark.parametrize("begin", [begin_blitz, begin_boggle], ids=["blitz", "boggle"])
Begin = Callable[[Seat, Site], str]


@CLOCKS
def test_at_0_00_the_page_says_so_takes_no_more_input_and_ends_the_game(
    sit: Sit, site: Site, begin: Begin
) -> None:
    me = sit()
    me.visit(begin(me, site))
    held = Held()
    me.page.route("**/moves", held)
    me.drag([0, 1], release=False)
    expect(me.report).to_have_text(TIMES_UP, timeout=10_000)
    expect(me.announced).to_contain_text(TIMES_UP)
    expect(me.page.locator("#clock")).to_have_text("0:00")
    expect(me.field).to_be_disabled()
    assert me.chain == []
    me.page.mouse.move(*me.centre(2), steps=3)
    me.page.mouse.up()
    me.type("cat")
    assert me.chain == []
    me.page.wait_for_timeout(900)
    assert [route.request.post_data for route in held.routes] == [held.routes[0].request.post_data]
    assert "type=time_up" in (held.routes[0].request.post_data or "")
    held.release()
    expect(me.page.locator(".summary-reason")).to_contain_text(re.compile("time.s up"))


@CLOCKS
def test_the_server_ends_it_as_soon_as_the_page_says_that_time_is_up(
    sit: Sit, site: Site, begin: Begin
) -> None:
    me = sit()
    address = begin(me, site)
    with me.page.expect_response("**/moves", timeout=20_000) as answer:
        me.visit(address)
    assert 'data-phase="finished"' in answer.value.text()
    expect(me.page.locator(".summary")).to_be_visible(timeout=15_000)


@CLOCKS
def test_a_word_under_way_at_the_bell_counts(sit: Sit, site: Site, begin: Begin) -> None:
    me = sit()
    me.visit(begin(me, site))
    held = Held()
    me.page.route("**/moves", held, times=1)
    me.drag(boggle.SLATE if me.data("min-length") else me.word().cells)
    expect(me.report).to_have_text(TIMES_UP, timeout=10_000)
    site.clock.ahead -= 30  # it was there before the bell
    with me.page.expect_response("**/moves"):
        held.release()
    site.clock.ahead += 30
    expect(me.page.locator(".summary")).to_be_visible(timeout=15_000)
    expect(me.page.locator("#score")).not_to_have_text("0")


@CLOCKS
def test_a_word_that_comes_too_late_is_no_error_in_the_console(sit: Sit, site: Site, begin: Begin) -> None:
    """The fixture ``complaints`` hears of errors."""
    me = sit()
    begin(me, site)  # the page learned the time before the clock was put forward
    site.clock.ahead += 10
    me.drag(boggle.SLATE if me.data("min-length") else me.word().cells)
    expect(me.page.locator(".summary")).to_be_visible(timeout=15_000)
    expect(me.page.locator("#score")).to_have_text("0")


def test_the_turn_passes_as_soon_as_its_clock_has_run_out(sit: Sit, site: Site) -> None:
    me = sit()
    me.open_with("friend", turn_seconds="30")
    friend = sit()
    friend.join(me)
    me.await_ply(1)
    site.clock.ahead += 25
    me.visit(me.page.url)
    posted: list[Any] = []

    def note(route: Route) -> None:
        posted.append(route.request.post_data)
        route.continue_()

    me.page.route("**/moves", note)
    expect(friend.page.locator(".seat--now")).to_contain_text("You", timeout=10_000)
    expect(me.page.locator(".seat--now")).not_to_contain_text("You")
    assert len(posted) == 1
    assert "type=time_up" in posted[0]


def test_a_turn_of_fribble_passes_as_soon_as_its_clock_has_run_out(sit: Sit, site: Site) -> None:
    me, friend = sit(), sit()
    fribble.KIND.open_table(me, turn_seconds="60")
    friend.join(me)
    me.await_turn()
    fribble.play_best(me)  # from the first move on the clock runs
    friend.await_turn()
    ply = friend.ply
    held, previews = Held(), Held()
    friend.page.route("**/preview", previews)
    friend.page.route("**/moves", held)
    friend.page.locator("#rack .tile:not(.tile--blank)").first.click()
    with friend.page.expect_request("**/preview"):
        fribble.square(friend, 0).click()
    left = float(friend.data("ends-at")) - site.clock()
    site.clock.ahead += left
    friend.page.evaluate("left => { const now = Date.now; Date.now = () => now() + 1000 * left; }", left)
    expect(friend.report).to_have_text(TIMES_UP, timeout=15_000)
    expect(friend.announced).to_contain_text(TIMES_UP)
    assert ["type=time_up" in (route.request.post_data or "") for route in held.routes] == [True]
    with friend.page.expect_response("**/preview"):
        previews.release()
    friend.page.wait_for_timeout(100)
    expect(friend.report).to_have_text(TIMES_UP)
    held.release()
    me.await_turn()
    expect(friend.table).to_have_attribute("data-ply", str(ply + 1))
    expect(friend.page.locator(".seat--now")).not_to_contain_text("You")
    expect(fribble.square(friend, 0)).to_have_class(re.compile("tile--laid"))  # it waits for the next turn
