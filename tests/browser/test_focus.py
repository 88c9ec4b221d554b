"""Focus: a touch leaves no focus ring, and keyboard players keep their focus after a move."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import boggle, fribble, letterpress, wibble
from tests.browser.conftest import Sit, Site
from tests.browser.kind import Kind, has_moved
from tests.browser.seat import Seat

RING = "() => document.querySelector(':focus-visible')?.outerHTML ?? null"
PHONE: dict[str, Any] = {"has_touch": True, "is_mobile": True}


def no_ring(seat: Seat) -> None:
    assert seat.page.evaluate(RING) is None


def test_a_finger_leaves_no_ring_on_the_board(sit: Sit) -> None:
    me = sit(**PHONE)
    me.open()
    me.finger(me.word().cells)
    me.await_ply(2)
    no_ring(me)


def test_a_mouse_leaves_no_ring_on_the_board(sit: Sit) -> None:
    me = sit()
    me.open()
    me.play_word()
    no_ring(me)


AS_SAFARI = """
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = function (options) { focus.call(this, { focusVisible: false, ...options }); };
  for (const name of ["showModal", "close"]) {
    const move = HTMLDialogElement.prototype[name];
    HTMLDialogElement.prototype[name] = function () {
      move.call(this);
      const focused = document.activeElement;
      focused.blur();
      focused.focus({ focusVisible: true });
    };
  }
"""
"""After a press, Safari shows no ring around what a script focuses, but one around what a dialog focuses."""


def test_arrow_keys_show_their_tile_after_a_word_by_mouse_in_safari(sit: Sit) -> None:
    me = sit()
    me.page.add_init_script(AS_SAFARI)
    me.open("zen")
    me.play_word()
    me.press("ArrowRight")
    expect(me.page.locator("#board .tile:focus-visible")).to_have_count(1)


def test_a_dialog_opened_by_touch_has_no_ring_in_safari(sit: Sit) -> None:
    me = sit(**PHONE)
    me.page.add_init_script(AS_SAFARI)
    me.open()
    me.touch(me.power("finish"))
    expect(me.page.locator("#finish-dialog :focus")).to_have_count(1)
    no_ring(me)
    me.touch(me.page.locator("#finish-dialog [data-closes]"))
    expect(me.power("finish")).to_be_focused()
    no_ring(me)
    me.press("Enter")
    expect(me.page.locator("#finish-dialog :focus-visible")).to_have_count(1)


def test_the_tab_key_goes_on_from_the_board_after_a_word_by_mouse(sit: Sit) -> None:
    me = sit()
    me.open("zen")
    me.play_word()
    me.press("Tab")
    expect(me.page.locator(".powers :focus")).to_have_count(1)


def test_the_tab_key_goes_on_from_a_touched_tile_after_anothers_remark(sit: Sit) -> None:
    me, friend = letterpress.KIND.together(sit)
    me.touch(me.tile(letterpress.TEAMS[0]))
    assert friend.page.request.post(f"{friend.address}/remarks", form={"line": "0"}).ok
    expect(me.page.locator(".talk-bubble")).to_be_visible()
    me.press("Tab")
    expect(me.table.locator(":focus")).to_have_count(1)


def after_versus(me: Seat, friend: Seat) -> None:
    ply = friend.ply
    me.finger(me.word().cells)
    has_moved(friend, ply)
    friend.finger(friend.word().cells)
    has_moved(me, ply + 1)


def after_letterpress(me: Seat, friend: Seat) -> None:
    ply = friend.ply
    for cell in letterpress.TEAMS:
        me.touch(me.tile(cell))
    me.touch(me.page.locator("#send"))
    has_moved(friend, ply)
    friend.touch(friend.page.locator("#power-pass"))
    friend.touch(friend.page.locator("#pass-confirm"))
    has_moved(me, ply + 1)


def after_fribble(me: Seat, friend: Seat) -> None:
    ply = friend.ply
    for mover, waiter in ((me, friend), (friend, me)):
        mover.await_turn()
        mover.touch(mover.page.locator("[popovertarget=more-dialog]:visible").first)
        mover.touch(mover.page.locator("#power-pass"))
        has_moved(waiter, ply)
        ply += 1


@pytest.mark.parametrize(
    ("kind", "play"),
    [
        (wibble.KIND, after_versus),
        (letterpress.KIND, after_letterpress),
        (fribble.KIND, after_fribble),
    ],
    ids=["wibble", "letterpress", "fribble"],
)
def test_anothers_turn_leaves_no_ring_where_one_plays_by_touch(
    sit: Sit, kind: Kind, play: Callable[[Seat, Seat], None]
) -> None:
    me, friend = kind.together(sit, None, **PHONE)
    expect(me.page.locator(".lobby")).to_have_count(0)
    play(me, friend)
    no_ring(me)
    no_ring(friend)


def test_a_touch_of_start_and_words_by_finger_leave_no_ring_at_boggle(sit: Sit, site: Site) -> None:
    me = sit(**PHONE)
    boggle.KIND.open(me, seconds="60", begin=False)
    me.touch(me.page.locator("#start"))
    expect(me.field).to_be_enabled()
    no_ring(me)
    me.finger(boggle.SLATE)
    boggle.expect_found(me, "slate")
    no_ring(me)
    site.clock.ahead += 120
    me.finger(boggle.TEAS)
    expect(me.page.locator(".summary")).to_be_visible()
    no_ring(me)


def test_a_keyboard_player_has_the_focus_on_the_board_at_the_next_turn(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit)
    me.press("ArrowRight", "ArrowRight")
    expect(me.tile(1)).to_be_focused()
    me.type(me.word().word)
    me.press("Enter")
    has_moved(friend, 1)
    friend.play_word()
    has_moved(me, 2)
    expect(me.tile(1)).to_be_focused()
