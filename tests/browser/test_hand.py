"""Playing by mouse, by touch and tile by tile."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.slow_network import Held


def test_a_word_dragged_with_the_mouse_scores(sit: Sit) -> None:
    me = sit()
    me.open()
    word = me.word()
    me.drag(word.cells, release=False)
    assert sorted(me.chain) == sorted(word.cells)
    expect(me.field).to_have_value(word.word)
    shown = me.page.locator("#word-points").inner_text()
    me.page.mouse.up()
    me.await_ply(2)
    assert me.score == int(shown), "the page's preview matches the server's score"
    expect(me.report).to_contain_text(word.word.upper())
    expect(me.page.locator("#history li").first).to_contain_text(word.word.upper())
    assert me.chain == []


def test_only_the_used_tiles_are_replaced(sit: Sit) -> None:
    me = sit()
    me.open("zen")
    word, before = me.word(), me.letters
    me.drag(word.cells)
    me.await_ply(2)
    kept = [cell for cell in range(25) if cell not in word.cells]
    assert [me.letters[cell] for cell in kept] == [before[cell] for cell in kept]


def test_a_word_drawn_with_a_finger_scores(sit: Sit) -> None:
    me = sit(has_touch=True, is_mobile=True)
    me.open()
    word = me.word()
    me.finger(word.cells)
    me.await_ply(2)
    assert me.score > 0
    assert me.page.evaluate("window.scrollY") == 0


def test_a_hasty_hand_skips_no_tile(sit: Sit) -> None:
    me = sit()
    me.open(size="7")
    me.drag([0, 6], release=False, steps=1)
    assert me.chain == list(range(7))


def test_a_diagonal_does_not_graze_its_neighbours(sit: Sit) -> None:
    me = sit()
    me.open()
    me.drag([0, 24], release=False, steps=40)
    assert me.chain == [0, 6, 12, 18, 24]


def test_going_back_to_the_second_to_last_tile_takes_the_last_off(sit: Sit) -> None:
    me = sit()
    me.open()
    me.drag([0, 1, 2, 1], release=False)
    assert me.chain == [0, 1]
    me.page.mouse.move(*me.centre(2), steps=4)
    me.page.mouse.move(*me.centre(7), steps=4)
    assert me.chain == [0, 1, 2, 7]
    me.page.mouse.move(*me.centre(1), steps=4)
    assert me.chain == [0, 1, 2, 7], "an earlier tile of the chain changes nothing"


def test_a_chain_of_one_tile_is_dropped_in_silence(sit: Sit) -> None:
    me = sit()
    me.open()
    before = me.report.inner_text()
    me.drag([0, 1, 0])
    assert me.chain == []
    assert me.ply == 1
    assert me.report.inner_text() == before


def test_a_word_tapped_tile_by_tile_goes_with_a_second_tap_on_its_last(sit: Sit) -> None:
    me = sit()
    me.open()
    word = me.word()
    for cell in word.cells:
        me.tap(cell)
    expect(me.field).to_have_value(word.word)
    me.tap(word.cells[-1])
    me.await_ply(2)
    assert me.score > 0


def test_a_tapped_word_goes_with_the_button(sit: Sit) -> None:
    me = sit()
    me.open()
    for cell in me.word().cells:
        me.tap(cell)
    me.page.locator("#word-send").click()
    me.await_ply(2)
    assert me.score > 0


def test_a_tap_far_away_starts_over_and_a_tap_back_backs_up(sit: Sit) -> None:
    me = sit()
    me.open()
    for cell in (0, 1, 2):
        me.tap(cell)
    me.tap(1)
    assert me.chain == [0, 1]
    me.tap(24)
    assert me.chain == [24]


@pytest.mark.parametrize("mode", ["zen", "classic"])
def test_no_word_costs_nothing_and_leaves_the_board(sit: Sit, mode: str) -> None:
    me = sit()
    me.open(mode)
    before = me.letters
    me.drag(me.nonsense())
    me.await_ply(2)
    expect(me.report).to_contain_text("is not in the word list")
    assert (me.letters, me.score, me.chain) == (before, 0, [])


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_zen_may_replace_the_tiles_of_no_word_as_well(sit: Sit, motion: str) -> None:
    me = sit(reduced_motion=motion)
    me.home()
    me.page.get_by_text("Options", exact=True).click()
    me.page.get_by_label("In Zen, new tiles after").select_option(label="every try")
    me.page.get_by_role("button", name="Zen").click()
    me.page.wait_for_url("**/games/*")
    before, tried = me.letters, me.nonsense()
    word = "".join(before[cell] for cell in tried).upper()
    me.watch_motion()
    me.drag(tried)
    if motion == "no-preference":
        me.await_moved(".flying")
        me.await_moved(f"#tile-{tried[0]}")
        me.page.wait_for_selector(".flying", state="detached")
    me.await_ply(2)
    expect(me.report).to_have_text(f"{word} is not in the word list: new tiles")
    expect(me.announced).to_contain_text(
        f"{word.lower()} is not in the word list. Its tiles are replaced. Board: "
    )
    assert (me.score, me.chain) == (0, [])
    assert me.letters != before
    kept = set(range(len(before))) - set(tried)
    assert [me.letters[cell] for cell in kept] == [before[cell] for cell in kept]
    me.play_word()
    assert me.data("result") == "scored"
    me.finish()
    me.page.locator("#again").click()
    me.page.wait_for_url(re.compile(r"/games/(?!.*plies)"))
    expect(me.report).to_contain_text("Drag, tap or type a word")
    me.page.wait_for_load_state()
    again = me.letters
    me.drag(me.nonsense())
    me.await_ply(2)
    assert me.letters != again, "the next game is set up alike"


def test_no_word_shakes_and_points_fly_where_motion_is_welcome(sit: Sit) -> None:
    me = sit(reduced_motion="no-preference")
    me.open()
    me.watch_motion()
    me.drag(me.nonsense())
    me.await_ply(2)
    me.await_moved("#word")
    assert not me.moved(".flying, .flying-points")
    me.drag(me.word().cells)
    me.await_moved(".flying-points")
    me.await_moved(".flying")
    me.page.wait_for_selector(".flying, .flying-points", state="detached")
    expect(me.page.locator("#score")).to_have_text(str(me.score))


def test_no_tile_falls_under_the_next_word_when_the_animations_load_late(sit: Sit) -> None:
    me = sit(reduced_motion="no-preference")
    held = Held(me.page, "**/wibble/motion.js")
    me.open()
    me.play_word()
    held.wait()
    word = me.word()
    me.drag(word.cells[:1], release=False)
    me.watch_motion()
    with me.page.expect_event("requestfinished", lambda request: request.url.endswith("/wibble/motion.js")):
        held.release()
    for cell in word.cells[1:]:
        me.page.mouse.move(*me.centre(cell), steps=4)
    assert sorted(me.chain) == sorted(word.cells)
    me.page.mouse.up()
    me.await_ply(3)
    assert me.data("result") == "scored"
    me.await_moved(".flying")


def test_where_motion_is_unwelcome_nothing_moves(sit: Sit) -> None:
    me = sit(reduced_motion="reduce")
    me.open()
    me.watch_motion()
    me.drag(me.word().cells)
    me.await_ply(2)
    me.power("shuffle").click()
    me.await_ply(3)
    me.drag(me.nonsense())
    me.await_ply(4)
    assert me.page.evaluate("[window.moved.length, document.getAnimations().length]") == [0, 0]
