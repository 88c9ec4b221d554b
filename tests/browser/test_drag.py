"""A drag that is cancelled: released outside the board, or ended with Escape."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import boggle
from tests.browser.conftest import DESK, Sit
from tests.browser.seat import Seat


def open_wibble(me: Seat) -> tuple[int, ...]:
    me.open()
    return tuple(me.word().cells)


def open_boggle(me: Seat) -> tuple[int, ...]:
    boggle.KIND.open(me)
    return boggle.SLATE


DRAGGED = pytest.mark.parametrize("open_board", [open_wibble, open_boggle], ids=["wibble", "boggle"])
Open = Callable[[Seat], tuple[int, ...]]


def nothing_was_played(me: Seat, ply: int) -> None:
    expect(me.field).to_have_value("")
    assert me.chain == []
    me.page.reload()
    assert me.ply == ply


def board(me: Seat) -> Any:
    box = me.page.locator("#board").bounding_box()
    assert box is not None
    return box


@DRAGGED
def test_letting_go_clearly_outside_the_board_plays_nothing(sit: Sit, open_board: Open) -> None:
    me = sit(viewport=DESK)
    cells, ply = open_board(me), me.ply
    me.drag(cells, release=False)
    assert len(me.chain) == len(cells)
    box = board(me)
    me.page.mouse.move(box["x"] - 100, box["y"] + box["height"] / 2, steps=4)
    expect(me.page.locator("#board")).to_have_attribute("data-away", "")
    me.page.mouse.up()
    expect(me.page.locator("#board")).not_to_have_attribute("data-away", "")
    nothing_was_played(me, ply)


@DRAGGED
def test_a_finger_that_lets_go_below_the_board_plays_nothing(sit: Sit, open_board: Open) -> None:
    me = sit(has_touch=True, is_mobile=True)
    cells, ply = open_board(me), me.ply
    box = board(me)
    me.finger(cells, leave=(box["x"] + box["width"] / 2, box["y"] + box["height"] + 60))
    nothing_was_played(me, ply)


@DRAGGED
def test_a_hand_that_slips_over_the_edge_plays_the_word(sit: Sit, open_board: Open) -> None:
    me = sit()
    cells, ply = open_board(me), me.ply
    if cells != boggle.SLATE:
        cells = next(word.cells for word in me.words() if word.cells[-1] < 5)
    me.drag(cells, release=False)
    me.page.mouse.move(me.centre(cells[-1])[0], board(me)["y"] - 10, steps=4)
    me.page.mouse.up()
    expect(me.page.locator("#history b")).to_have_count(1)
    me.page.reload()
    assert me.ply > ply


@DRAGGED
def test_escape_ends_a_drag_and_letting_go_plays_nothing(sit: Sit, open_board: Open) -> None:
    me = sit()
    cells, ply = open_board(me), me.ply
    me.drag(cells[:-1], release=False)
    assert len(me.chain) == len(cells) - 1
    me.press("Escape")
    assert me.chain == []
    me.page.mouse.move(*me.centre(cells[-1]), steps=4)
    assert me.chain == []
    me.page.mouse.up()
    nothing_was_played(me, ply)


@DRAGGED
def test_turning_the_phone_in_the_middle_of_a_word_plays_nothing(sit: Sit, open_board: Open) -> None:
    me = sit(has_touch=True, is_mobile=True)
    cells, ply = open_board(me), me.ply

    def turn() -> None:
        expect(me.page.locator("#board [aria-pressed=true]")).to_have_count(len(cells))
        size = me.page.viewport_size
        assert size is not None
        me.page.set_viewport_size({"width": size["height"], "height": size["width"]})
        expect(me.field).to_have_value("")

    me.finger(cells, before_lifting=turn)
    nothing_was_played(me, ply)
