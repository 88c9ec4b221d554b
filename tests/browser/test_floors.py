"""The floors under the page: weight, stillness, reach, access."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESK, Sit, Site
from tests.browser.floors import (
    MOST_BYTES,
    SCHEMES,
    SCREENS,
    SHIFTS,
    SMALL,
    fits_screen,
    fits_width,
    received,
    shifts,
    sound,
    violations,
)
from tests.browser.seat import Seat


@SCREENS
@SCHEMES
def test_axe_finds_no_violation(sit: Sit, screen: dict[str, int], scheme: str) -> None:
    me = sit(viewport=screen, color_scheme=scheme, bypass_csp=True)
    me.home()
    assert violations(me) == []
    me.open("blitz")
    assert violations(me) == []
    me.open()
    assert violations(me) == []
    me.drag(me.word().cells, let_go=False)
    assert violations(me) == []
    me.page.mouse.up()
    me.await_ply(2)
    assert violations(me) == []
    me.power("swap").click()
    me.tap(3)
    expect(me.page.locator("#swap-dialog")).to_be_visible()
    assert violations(me) == []
    me.press("Escape")
    me.finish()
    expect(me.page.locator("#analysis .turn")).to_have_count(1)
    assert violations(me) == []
    me.page.goto(f"{me.url}/games/nonesuch")
    assert violations(me) == []


@SCREENS
@SCHEMES
def test_axe_finds_no_violation_around_a_game(sit: Sit, screen: dict[str, int], scheme: str) -> None:
    me = sit(viewport=screen, color_scheme=scheme, bypass_csp=True)
    me.home()
    me.page.locator(".table-settings summary").click()
    assert violations(me) == []
    address = me.open()
    me.play_word()
    me.finish()
    for path in (
        "/daily",
        "/daily/archive",
        "/leaderboards",
        "/me",
        "/import",
        f"{urlsplit(address).path}/plies/2",
    ):
        me.page.goto(me.url + path)
        sound(me, path)
    table = me.open_with("friend", "friend")
    assert violations(me) == []
    me.page.goto(f"{table}/join/nonesuch")
    assert violations(me) == []
    me.open_with("1", "2", "3", "4", "5", turn_seconds="300")
    assert violations(me) == []
    me.play_word()
    assert violations(me) == []


@SCREENS
def test_nothing_shifts_when_data_arrives(sit: Sit, screen: dict[str, int]) -> None:
    me = sit(viewport=screen, reduced_motion="no-preference")
    me.page.add_init_script(SHIFTS)
    me.open()
    for ply in range(2, 5):
        me.drag(me.word().cells)
        me.await_ply(ply)
        me.page.wait_for_selector(".flying, .flying-points", state="detached")
    me.drag(me.nonsense())
    me.await_ply(5)
    me.power("shuffle").click()
    me.await_ply(6)
    me.finish()
    expect(me.page.locator("#analysis .turn")).to_have_count(3)
    me.page.wait_for_timeout(300)
    assert shifts(me) == []


@SCREENS
def test_nothing_shifts_when_the_turn_goes_round(sit: Sit, site: Site, screen: dict[str, int]) -> None:
    me = sit(viewport=screen, reduced_motion="no-preference")
    me.page.add_init_script(SHIFTS)
    me.open_with("3", turn_seconds="300")
    for _ in range(2):
        me.play_word()
        site.clock.ahead += 60
        expect(me.page.locator(".seat--now")).to_contain_text("You", timeout=15_000)
        me.page.wait_for_selector(".flying, .flying-points", state="detached")
    assert shifts(me) == []


@SCREENS
def test_the_table_weighs_under_60_kb(sit: Sit, screen: dict[str, int]) -> None:
    me = sit(viewport=screen)
    address = me.open()
    stranger = sit(viewport=screen)
    sizes = received(stranger)
    stranger.page.goto(address, wait_until="networkidle")
    assert 10_000 < sum(sizes) < MOST_BYTES


@SCREENS
@pytest.mark.parametrize("size", [4, 5, 7])
@pytest.mark.parametrize("mode", ["classic", "blitz"])
def test_the_table_fits_without_scrolling(sit: Sit, screen: dict[str, int], size: int, mode: str) -> None:
    me = sit(viewport=screen)
    me.open(mode, size=size)
    if mode == "blitz":
        me.page.locator("#start").click()
        me.await_ply(1)
    fits_screen(me)
    for part in ("#board", "#word", ".powers", "#history"):
        box = me.page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= screen["height"], part
    board = me.page.locator("#board").bounding_box()
    assert board is not None
    assert abs(board["width"] - board["height"]) < 1
    assert board["width"] >= 0.9 * min(screen["width"], screen["height"] - 320)


@SCREENS
def test_a_table_of_six_and_a_replay_fit_without_scrolling(sit: Sit, screen: dict[str, int]) -> None:
    me = sit(viewport=screen)
    me.open_with("1", "2", "3", "4", "5", turn_seconds="300")
    fits(me, screen, "#board", "#word", ".seats", ".status", ".powers", "#history")
    address = me.open()
    me.play_word()
    me.finish()
    me.page.goto(f"{address}/plies/2")
    fits(me, screen, ".board", ".replay-event", ".steps", "#slider")


def fits(seat: Seat, screen: dict[str, int], *parts: str) -> None:
    for part in parts:
        box = seat.page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= screen["width"], part
        assert box["y"] + box["height"] <= screen["height"], part
    assert seat.page.evaluate("document.documentElement.scrollHeight") <= screen["height"]


@pytest.mark.parametrize("screen", [{"width": 640, "height": 360}, {"width": 820, "height": 1180}, SMALL])
def test_other_screens_are_served_as_well(sit: Sit, screen: dict[str, int]) -> None:
    me = sit(viewport=screen)
    me.open()
    fits_screen(me)
    me.drag(me.word().cells)
    me.await_ply(2)


@SCREENS
def test_no_page_scrolls_sideways(sit: Sit, screen: dict[str, int]) -> None:
    me = sit(viewport=screen)
    me.open("zen")
    me.drag(me.word().cells)
    me.await_ply(2)
    me.finish()
    expect(me.page.locator("#analysis .turn")).to_have_count(1)
    fits_width(me)
    me.home()
    me.page.locator(".options summary").click()
    fits_width(me)


def test_what_is_said_of_a_room_stands_by_its_title(sit: Sit) -> None:
    me = sit(viewport=DESK)
    me.home()
    steps = me.page.locator(".room").evaluate_all(
        "(rooms) => rooms.map((room) => room.lastChild.offsetTop - room.firstChild.offsetTop)"
    )
    assert len(set(steps)) == 1
