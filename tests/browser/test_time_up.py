"""The end of a clock: shown at once, no more input, and no wait for the server's own timeout."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser import boggle, fribble
from tests.browser.conftest import NO_NETWORK, Complaints, Sit, Site
from tests.browser.seat import Seat
from tests.browser.slow_network import Held

TIMES_UP = "Time’s up"
LATE = 20.0
"""Seconds that a page's clock may be behind: as long as the page took to load."""


def begin_blitz(me: Seat) -> None:
    """Start a game with a clock."""
    me.open("blitz")
    me.page.locator("#start").click()
    me.await_ply(1)


def begin_boggle(me: Seat) -> None:
    boggle.KIND.open(me, seconds="60")


CLOCKS = pytest.mark.parametrize("begin", [begin_blitz, begin_boggle], ids=["blitz", "boggle"])
Begin = Callable[[Seat], None]


def run_out(me: Seat, site: Site) -> float:
    """Let the clock run out on the page only; return the seconds left on the server.

    The server ends a round by itself two seconds after the page, and a busy machine may miss that interval.
    """
    left = float(me.data("ends-at")) - site.clock()
    me.put_forward(left + LATE)
    return left


@CLOCKS
def test_at_0_00_the_page_says_so_takes_no_more_input_and_ends_the_game(
    sit: Sit, site: Site, begin: Begin
) -> None:
    me = sit()
    begin(me)
    held = Held(me.page, "**/moves")
    me.drag([0, 1], release=False)
    left = run_out(me, site)
    expect(me.report).to_have_text(TIMES_UP)
    expect(me.announced).to_contain_text(TIMES_UP)
    expect(me.page.locator("#clock")).to_have_text("0:00")
    expect(me.field).to_be_disabled()
    assert me.chain == []
    me.page.mouse.move(*me.centre(2), steps=3)
    me.page.mouse.up()
    me.type("cat")
    assert me.chain == []
    held.wait()
    me.page.wait_for_timeout(900)
    assert [route.request.post_data for route in held.routes] == [held.routes[0].request.post_data]
    assert "type=time_up" in (held.routes[0].request.post_data or "")
    site.clock.ahead += left
    held.release()
    expect(me.page.locator(".summary-reason")).to_contain_text(re.compile("time.s up"))


@CLOCKS
def test_the_server_ends_it_as_soon_as_the_page_says_that_time_is_up(
    sit: Sit, site: Site, begin: Begin
) -> None:
    me = sit()
    begin(me)
    held = Held(me.page, "**/moves")
    left = run_out(me, site)
    held.wait()
    site.clock.ahead += left
    with me.page.expect_response("**/moves") as answer:
        held.release()
    assert 'data-phase="finished"' in answer.value.text()
    expect(me.page.locator(".summary")).to_be_visible()


@CLOCKS
def test_a_word_sent_before_time_ran_out_counts(sit: Sit, site: Site, begin: Begin) -> None:
    me = sit()
    begin(me)
    held = Held(me.page, "**/moves", times=1)
    me.drag(boggle.SLATE if me.data("min-length") else me.word().cells)
    held.wait()
    left = run_out(me, site)
    expect(me.report).to_have_text(TIMES_UP)
    with me.page.expect_response("**/moves"):
        held.release()  # it is there before the bell
    site.clock.ahead += left
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.page.locator("#score")).not_to_have_text("0")


@CLOCKS
def test_a_word_that_comes_too_late_is_no_error_in_the_console(sit: Sit, site: Site, begin: Begin) -> None:
    """The fixture ``complaints`` records errors."""
    me = sit()
    begin(me)
    site.clock.ahead += 130  # the page learned the time before the clock was put forward
    me.drag(boggle.SLATE if me.data("min-length") else me.word().cells)
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.page.locator("#score")).to_have_text("0")


def test_without_a_network_it_is_said_once_and_tried_again_ever_less_often(
    sit: Sit, site: Site, complaints: Complaints
) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    begin_blitz(me)
    sent: list[str] = []

    def fail(route: Route) -> None:
        sent.append(route.request.post_data or "")
        route.abort()

    me.page.route("**/moves", fail)
    left = run_out(me, site)
    expect(me.report).to_contain_text("No answer from the server")
    me.page.locator("#power-finish").click()
    me.page.wait_for_timeout(3500)
    expect(me.page.locator("#finish-dialog")).to_be_visible()
    assert 2 <= len(sent) <= 4
    me.page.unroute("**/moves")
    site.clock.ahead += left
    expect(me.page.locator(".summary")).to_be_visible()


def test_the_turn_passes_as_soon_as_its_clock_has_run_out(sit: Sit, site: Site) -> None:
    me = sit()
    me.open_with("friend", turn_seconds="30")
    friend = sit()
    friend.join(me)
    me.await_ply(1)
    held = Held(me.page, "**/moves")
    left = run_out(me, site)
    held.wait()
    assert ["type=time_up" in (route.request.post_data or "") for route in held.routes] == [True]
    site.clock.ahead += left
    held.release()
    expect(friend.page.locator(".seat--now")).to_contain_text("You")
    expect(me.page.locator(".seat--now")).not_to_contain_text("You")
    assert len(held.routes) == 1, "the page says so once"


def test_a_turn_of_fribble_passes_as_soon_as_its_clock_has_run_out(sit: Sit, site: Site) -> None:
    me, friend = sit(), sit()
    fribble.KIND.open_table(me, turn_seconds="60")
    friend.join(me)
    me.await_turn()
    fribble.play_best(me)  # from the first move on the clock runs
    friend.await_turn()
    ply = friend.ply
    previews = Held(friend.page, "**/preview")
    held = Held(friend.page, "**/moves")
    friend.page.locator("#rack .tile:not(.tile--blank)").first.click()
    with friend.page.expect_request("**/preview"):
        fribble.square(friend, 0).click()
    left = run_out(friend, site)
    expect(friend.report).to_have_text(TIMES_UP)
    expect(friend.announced).to_contain_text(TIMES_UP)
    held.wait()
    assert ["type=time_up" in (route.request.post_data or "") for route in held.routes] == [True]
    previews.wait()
    with friend.page.expect_response("**/preview"):
        previews.release()
    friend.page.wait_for_timeout(100)
    expect(friend.report).to_have_text(TIMES_UP)
    site.clock.ahead += left
    held.release()
    me.await_turn()
    expect(friend.table).to_have_attribute("data-ply", str(ply + 1))
    expect(friend.page.locator(".seat--now")).not_to_contain_text("You")
    expect(fribble.square(friend, 0)).to_have_class(re.compile("tile--laid"))  # it waits for the next turn
