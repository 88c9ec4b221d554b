"""Moving Fribble's tiles: dragged and tapped, with a mouse and with a finger."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Sit
from tests.browser.fribble import (
    CENTRE,
    CORNER,
    KIND,
    drag,
    laid,
    middle,
    move_cursor,
    play_best,
    rack,
    recall,
    square,
    with_blank,
)
from tests.browser.page_checks import LANDSCAPE, SCREENS
from tests.browser.seat import Seat

FACE = """(tile) => {
  const { backgroundColor, color } = getComputedStyle(tile);
  return [backgroundColor, color];
}"""


OVERLAP = """([one, other]) => {
  const [a, b] = [one, other].map((name) => document.querySelector(name).getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


class Touch:
    """One finger."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._session = seat.page.context.new_cdp_session(seat.page)

    def _send(self, kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def tap(self, selector: str) -> None:
        self._send("touchStart", middle(self._seat, selector))
        self.release()

    def drag(self, start: str, end: tuple[float, float], *, steps: int = 5, release: bool = True) -> None:
        x, y = middle(self._seat, start)
        self._send("touchStart", (x, y))
        for step in range(1, steps + 1):
            self._send("touchMove", (x + (end[0] - x) * step / steps, y + (end[1] - y) * step / steps))
        if release:
            self.release()

    def release(self) -> None:
        self._send("touchEnd")


def test_tiles_are_dragged_to_the_board_about_it_and_back(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    tiles = me.data("rack")
    drag(me, "#tile-0", f"#square-{CENTRE}")
    me_first = "" if tiles[0] == "?" else tiles[0]
    assert list(laid(me)) == [CENTRE]
    assert laid(me)[CENTRE] == me_first
    drag(me, f"#square-{CENTRE}", "#square-113")
    assert list(laid(me)) == [113]
    drag(me, "#square-113", "#rack")
    assert laid(me) == {}
    assert rack(me) == tiles
    drag(me, "#tile-0", "#tile-6")
    assert rack(me) == tiles[1:] + tiles[0], "a tile is carried to another place of the rack"


@SCREENS
def test_what_is_dragged_looks_like_a_tile(sit: Sit, screen: dict[str, int]) -> None:
    me = sit(viewport=screen)
    KIND.open(me)
    ghost = me.page.locator(".fri-ghost")
    for start, end in (("#tile-0", f"#square-{CORNER}"), (f"#square-{CORNER}", f"#square-{CENTRE}")):
        if me.page.locator("#blank-dialog").is_visible():
            me.press("e")
        face = me.page.locator(start).evaluate(FACE)
        drag(me, start, end, release=False)
        box = ghost.bounding_box()
        assert box is not None
        assert box["width"] == pytest.approx(box["height"])
        assert 40 <= box["width"] <= 60
        assert ghost.evaluate(FACE) == face
        me.page.mouse.up()
        expect(ghost).to_have_count(0)


def test_a_finger_drags_a_tile_and_sees_where_it_goes(sit: Sit) -> None:
    me = sit(has_touch=True)
    KIND.open(me)
    touch = Touch(me)
    x, y = middle(me, f"#square-{CENTRE}")
    touch.drag("#tile-2", (x, y + 34), release=False)
    expect(square(me, CENTRE)).to_have_attribute("data-over-here", "")
    touch.release()
    assert list(laid(me)) == [CENTRE]


@pytest.mark.parametrize("cell", [0, 14, CENTRE, 224], ids=lambda cell: f"square {cell}")
def test_neither_tile_nor_finger_hides_the_square_it_goes_to(sit: Sit, cell: int) -> None:
    me = sit(has_touch=True)
    KIND.open(me)
    touch = Touch(me)
    x, y = middle(me, f"#square-{cell}")
    touch.drag("#tile-2", (x, y + 34), release=False)
    expect(square(me, cell)).to_have_attribute("data-over-here", "")
    ghost = me.page.locator(".fri-ghost").bounding_box()
    assert ghost is not None
    assert not me.page.evaluate(OVERLAP, [".fri-ghost", f"#square-{cell}"])
    assert ghost["x"] >= 0
    assert ghost["y"] >= 0
    assert ghost["x"] + ghost["width"] <= me.page.viewport_size["width"]  # type: ignore[index]
    box = square(me, cell).bounding_box()
    assert box["y"] + box["height"] < y + 34 - 15, "the finger's tip is below it"
    touch.release()
    expect(me.page.locator(".fri-ghost")).to_have_count(0)


def test_the_mouse_sees_the_square_too(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    drag(me, "#tile-0", f"#square-{CENTRE}", release=False)
    expect(square(me, CENTRE)).to_have_attribute("data-over-here", "")
    assert not me.page.evaluate(OVERLAP, [".fri-ghost", f"#square-{CENTRE}"])
    me.page.mouse.up()
    assert list(laid(me)) == [CENTRE] or me.page.locator("#blank-dialog[open]").count()


def test_a_tile_tapped_right_after_a_flick_is_chosen(sit: Sit) -> None:
    me = sit(has_touch=True)
    KIND.open(me)
    touch = Touch(me)
    x, y = middle(me, "#tile-2")
    for _ in range(3):
        touch.drag("#tile-2", (x + 60, y - 120), steps=2)
        touch.tap("#tile-4")
        expect(me.page.locator("#tile-4")).to_have_attribute("aria-pressed", "true")
        me.page.wait_for_timeout(600)
        expect(me.page.locator("#tile-4")).to_have_attribute("aria-pressed", "true")
        if laid(me):
            recall(me)
        else:
            touch.tap("#tile-4")
        expect(me.page.locator("#tile-4")).to_have_attribute("aria-pressed", "false")


def test_a_tapped_tile_goes_to_the_tapped_square(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    tiles = me.data("rack")
    me.page.locator("#tile-1").click()
    expect(me.page.locator("#tile-1")).to_have_attribute("aria-pressed", "true")
    square(me, CENTRE).click()
    assert laid(me) == {CENTRE: tiles[1]}
    square(me, CENTRE).click()
    assert laid(me) == {}
    assert rack(me) == tiles


def test_tapped_tiles_follow_the_arrow(sit: Sit) -> None:
    me, _ = KIND.together(sit, has_touch=True)
    tiles = me.data("rack").replace("?", "")
    move_cursor(me, CENTRE, "down")
    for _ in range(2):
        me.page.locator("#rack .tile:not([hidden], .tile--blank)").first.tap()
    assert laid(me) == {CENTRE: tiles[0], CENTRE + 15: tiles[1]}
    recall(me)
    me.page.locator("#rack .tile").first.tap()
    assert laid(me) == {}
    expect(me.page.locator("#rack .tile").first).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("screen", [PHONE, LANDSCAPE], ids=["upright", "on its side"])
def test_a_tapped_blank_follows_the_arrow(sit: Sit, screen: dict[str, int]) -> None:
    me = sit(viewport=screen, has_touch=True, is_mobile=True)
    with_blank(me)
    move_cursor(me, CENTRE, "across")
    me.page.locator("#rack .tile--blank").first.tap()
    me.page.wait_for_timeout(400)  # a click after the tap would close it
    expect(me.page.locator("#blank-dialog")).to_be_visible()
    me.page.locator("#blank-dialog").get_by_role("button", name="Q", exact=True).tap()
    other = me.page.locator("#rack .tile:not([hidden], .tile--blank)").first
    letter = other.inner_text()
    other.tap()
    assert laid(me) == {CENTRE: "Q", CENTRE + 1: letter}


def test_the_arrow_stays_while_the_other_plays(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    square(friend, CORNER).click()
    play_best(me)
    friend.await_turn()
    expect(square(friend, CORNER)).to_have_attribute("data-cursor", "")
    friend.page.locator("#rack .tile:not(.tile--blank)").first.click()
    assert list(laid(friend)) == [CORNER]


def test_by_keyboard_the_focus_goes_on_along_the_rack(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    square(me, CENTRE).focus()
    for _ in range(2):
        me.page.locator("#rack .tile:not([hidden], .tile--blank)").first.focus()
        me.press("Space")
        expect(me.page.locator("#rack .tile:not([hidden])").first).to_be_focused()
    assert set(laid(me)) == {CENTRE, CENTRE + 1}
