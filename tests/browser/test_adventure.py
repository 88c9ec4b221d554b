"""A level of Adventure in the browser: obstacles under the pointer, weight, accessibility, small screens."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import DESK, PHONE, Sit
from tests.browser.page_checks import (
    LANDSCAPE,
    SHIFTS,
    SMALL,
    assert_accessible_in_all_looks,
    fits_screen,
    shifts,
    weighs_little,
)
from tests.browser.seat import Seat


def open_level(me: Seat, level: str) -> str:
    """Open any level, also one that is still locked in the list."""
    return me.open_game("/play", mode="adventure", level=level)


def test_a_level_is_light_and_accessible_and_fits_every_screen(sit: Sit) -> None:
    me = sit(viewport=PHONE, bypass_csp=True)
    me.page.add_init_script(SHIFTS)
    address = open_level(me, "storm")
    assert_accessible_in_all_looks(me, "a level")
    me.page.evaluate("window.shifts.length = 0")  # the looks have moved everything
    me.press("e")
    assert shifts(me) == []
    for screen in (PHONE, DESK, SMALL, LANDSCAPE):
        me.page.set_viewport_size(screen)
        fits_screen(me, str(screen))
    weighs_little(sit(viewport=DESK, storage_state=me.page.context.storage_state()), address)
    me.finish()
    assert_accessible_in_all_looks(me, "a level that is lost")
    expect(me.page.locator("#again")).to_have_text(re.compile("Try again"))


def test_no_path_is_drawn_over_walls_and_ice(sit: Sit) -> None:
    me = sit()
    open_level(me, "garden-walls")
    me.drag([1, 2, 3], release=False)
    expect(me.field).to_have_value(re.compile("^.$"))
    me.page.mouse.up()
    open_level(me, "early-frost")
    me.drag([7, 12], release=False)
    expect(me.field).to_have_value(re.compile("^.$"))
    me.page.mouse.up()
    me.drag([0, 1, 2], release=False)
    expect(me.field).to_have_value(re.compile("^...$"))
    me.page.mouse.up()
    assert me.page.locator('#tile-12[aria-label*="frozen"]').count() == 1
