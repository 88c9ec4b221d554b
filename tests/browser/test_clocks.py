"""Clocks per player: each ticks in its player's turns, for all viewers, until it runs out."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Sit, Site
from tests.browser.kind import Kind
from tests.browser.kinds import KINDS, each
from tests.browser.page_checks import SHIFTS, assert_accessible, fits_width, shifts, weighs_little
from tests.browser.seat import Seat

CLOCK = {"clock": "player", "clock_seconds": "60", "increment_seconds": "5"}
MINE, THEIRS = ".seat--you #clock", ".seat:not(.seat--you) #clock"
WITH_CLOCKS = each(lambda kind: kind in [KINDS[name] for name in ("wibble", "letterpress", "fribble")])


def ticks(seat: Seat, selector: str) -> None:
    """Assert that this clock, and no other, is counting down."""
    clock = seat.page.locator(selector)
    expect(seat.page.locator("#clock")).to_have_count(1)
    shown = clock.inner_text()
    assert re.fullmatch(r"\d:\d\d", shown)
    expect(clock).not_to_have_text(shown)


def pass_turn(seat: Seat) -> None:
    assert seat.page.request.post(f"{seat.address}/moves", form={"type": "pass", "ply": str(seat.ply)}).ok


@WITH_CLOCKS
def test_the_clock_ticks_changes_sides_and_ends_the_game(sit: Sit, site: Site, kind: Kind) -> None:
    me, friend = kind.together(sit, CLOCK, bypass_csp=True)
    address = me.address
    ply = me.ply
    kind.send(me)
    friend.page.wait_for_function("(ply) => +document.querySelector('#table').dataset.ply > ply", arg=ply)
    watcher = sit()
    watcher.visit(address)
    ticks(friend, MINE)
    ticks(me, THEIRS)
    expect(watcher.page.locator(".seat--now #clock")).to_be_visible()
    friend.page.add_init_script(SHIFTS)
    friend.page.reload()
    ticks(friend, MINE)
    pass_turn(friend)
    ticks(friend, THEIRS)
    assert shifts(friend) == []
    expect(friend.page.locator(".seat--you .clock")).to_have_text(re.compile(r"1:0\d|0:[1-5]\d"))
    ticks(me, MINE)
    assert_accessible(me)
    fits_width(me)
    site.clock.ahead += float(me.data("ends-at")) - site.clock() - 8
    with site.clock.stopped():
        for one in (me, friend, watcher):
            one.visit(address)
        expect(me.page.locator(MINE)).to_have_attribute("data-urgent", "")
    for one in (me, friend, watcher):
        expect(one.page.locator(".summary-reason")).to_contain_text("out of time")
    expect(friend.page.locator(".summary-verdict")).to_contain_text("You win")
    me.page.goto(f"{address}/plies/1")
    expect(me.page.locator(".seat-clock")).to_have_count(2)
    assert_accessible(me)


@WITH_CLOCKS
def test_a_table_with_clocks_weighs_little(sit: Sit, kind: Kind) -> None:
    me, friend = kind.together(sit, CLOCK)
    kind.send(me)
    expect(friend.page.locator(MINE)).to_be_visible()
    weighs_little(sit(storage_state=friend.page.context.storage_state()), friend.address)
