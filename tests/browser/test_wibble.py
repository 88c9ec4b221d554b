"""Wibble's layout: boards of every size, full tables, replay, other screens."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import DESK, PHONE, Sit, Site
from tests.browser.page_checks import (
    LANDSCAPE,
    SCREENS,
    SHIFTS,
    SMALL,
    TABLET,
    fits_screen,
    fits_width,
    in_all_looks,
    shifts,
)
from tests.browser.seat import Seat


@SCREENS
def test_nothing_shifts_when_turns_change(sit: Sit, site: Site, screen: dict[str, int]) -> None:
    me = sit(viewport=screen, reduced_motion="no-preference")
    me.page.add_init_script(SHIFTS)
    me.open_with("3", turn_seconds="300")
    for _ in range(2):
        me.play_word()
        site.clock.ahead += 60
        expect(me.page.locator(".seat--now")).to_contain_text("You")
        me.page.wait_for_selector(".flying, .flying-points", state="detached")
    assert shifts(me) == []


@pytest.mark.parametrize("size", [4, 5, 7])
def test_boards_of_every_size_fit_without_scrolling(sit: Sit, size: int) -> None:
    me = sit()
    for mode in ("classic", "blitz"):
        me.open(mode, size=str(size))
        if mode == "blitz":
            me.page.locator("#start").click()
            me.await_ply(1)
        for screen in both_fit(me, "#board", "#word", ".powers", "#history"):
            board = me.page.locator("#board").bounding_box()
            assert board is not None
            assert abs(board["width"] - board["height"]) < 1
            assert board["width"] >= 0.9 * min(screen["width"], screen["height"] - 320)


def test_a_table_of_six_and_a_replay_fit_without_scrolling(sit: Sit) -> None:
    me = sit()
    me.open_with("1", "2", "3", "4", "5", turn_seconds="300")
    assert len([*both_fit(me, "#board", "#word", ".seats", ".status", ".powers", "#history")]) == 2
    address = me.open()
    me.play_word()
    me.finish()
    me.page.goto(f"{address}/plies/2")
    assert len([*both_fit(me, ".board", ".replay-event", ".steps", "#slider")]) == 2


def both_fit(seat: Seat, *parts: str) -> Iterator[ViewportSize]:
    """Assert that all of the page and these parts are on a phone's screen, and then on a desktop's."""
    for screen in (PHONE, DESK):
        seat.page.set_viewport_size(screen)
        for part in parts:
            box = seat.page.locator(part).bounding_box()
            assert box is not None
            assert box["x"] >= 0, part
            assert box["x"] + box["width"] <= screen["width"], part
            assert box["y"] + box["height"] <= screen["height"], part
        fits_screen(seat)
        yield screen


@pytest.mark.parametrize("screen", [LANDSCAPE, TABLET, SMALL], ids=["landscape", "tablet", "small"])
def test_the_table_fits_other_screens(sit: Sit, screen: dict[str, int]) -> None:
    me = sit(viewport=screen)
    me.open()
    fits_screen(me)
    me.drag(me.word().cells)
    me.await_ply(2)


def test_no_page_scrolls_sideways(sit: Sit) -> None:
    me = sit()
    me.open("zen")
    me.drag(me.word().cells)
    me.await_ply(2)
    me.finish()
    expect(me.page.locator("#analysis .turn")).to_have_count(1)
    for _ in in_all_looks(me):
        fits_width(me)
    me.home()
    me.page.locator(".options summary").click()
    for _ in in_all_looks(me):
        fits_width(me)


def test_blurbs_are_aligned_with_the_titles_of_their_rooms(sit: Sit) -> None:
    me = sit(viewport=DESK)
    me.home()
    steps = me.page.locator(".rooms-list .mode").evaluate_all(
        "(rooms) => rooms.map((room) => room.lastChild.offsetTop - room.querySelector('b').offsetTop)"
    )
    assert len(set(steps)) == 1
