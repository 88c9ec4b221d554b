"""Boggle in a real browser: pointer, keyboard, the bell, two players, a bot, and page quality."""

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.boggle import (
    GENT,
    KIND,
    SLATE,
    TEAS,
    expect_found,
    finish,
    found,
    send,
    start,
)
from tests.browser.conftest import DESK, PHONE, Sit, Site
from tests.browser.page_checks import violations
from tests.browser.slow_network import Held

# Playing a round


def test_a_word_is_dragged_across_the_board(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    me.drag(SLATE, release=False)
    assert me.chain == sorted(SLATE)
    expect(me.field).to_have_value("slate")
    expect(me.page.locator("#word-points")).to_have_text("2")
    me.page.mouse.up()
    expect_found(me, "slate")
    expect(me.page.locator("#score")).to_have_text("2")
    expect(me.report).to_have_text("SLATE +2")
    expect(me.announced).to_have_text("SLATE +2")
    assert me.chain == []


@pytest.mark.parametrize(
    ("word", "points"),
    [("sl", "too short"), ("sla", "1"), ("slat", "1"), ("slate", "2"), ("persgtal", "11")],
)
def test_what_the_word_in_the_hand_would_score_stands_beside_it(sit: Sit, word: str, points: str) -> None:
    me = sit()
    KIND.open(me)
    me.type(word)
    expect(me.page.locator("#word-points")).to_have_text(points)
    spoken = points if points == "too short" else f"{points} point{'' if points == '1' else 's'}"
    expect(me.announced).to_have_text(f"{' '.join(word.upper())}, {spoken}")


def test_a_finger_and_taps_do_the_same(sit: Sit) -> None:
    me = sit(has_touch=True)
    KIND.open(me)
    me.finger(SLATE)
    expect_found(me, "slate")
    for cell in (*TEAS, TEAS[-1]):
        me.tap(cell)
    expect_found(me, "teas", "slate")


def test_words_are_typed_and_none_waits_for_the_one_before(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    held = Held(me.page, "**/moves")
    send(me, "slate", "teas", "stale")
    expect(me.page.locator("[data-under-way]")).to_have_count(3)
    assert found(me) == []
    me.type("gent")
    held.release()
    expect_found(me, "stale", "teas", "slate")
    expect(me.field).to_have_value("gent")
    assert me.chain == sorted(GENT), "the word being entered stays"
    me.press("Enter")
    expect_found(me, "gent", "stale", "teas", "slate")
    expect(me.page.locator("#found")).to_have_text("4")


@pytest.mark.parametrize(
    ("word", "says", "moving"),
    [
        ("at", "AT is too short: 3 letters or more", "#tile-5"),
        ("queen", "QUEEN is not on this board", "#word"),
        ("pal", "PAL was already found", "[data-found=pal]"),
        ("epl", "EPL is not in the word list", "#tile-0"),
    ],
)
def test_each_refusal_has_its_own_message_and_motion(sit: Sit, word: str, says: str, moving: str) -> None:
    me = sit(reduced_motion="no-preference")
    KIND.open(me)
    send(me, "pal")
    expect_found(me, "pal")
    me.page.wait_for_timeout(700)  # its own motion is over
    me.watch_motion()
    send(me, word)
    expect(me.report).to_have_text(says)
    expect(me.announced).to_have_text(says)
    me.await_moved(moving)
    assert found(me) == ["pal"]
    assert me.field.input_value() == ""


def test_the_keyboard_alone_walks_the_board(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    me.tile(0).focus()
    me.press("ArrowDown", "ArrowDown", "Enter", "ArrowUp", "Enter", "ArrowRight", "Space")
    assert me.chain == [4, 5, 8]
    expect(me.announced).to_have_text("S L A, 1 point")
    me.press("Escape")
    assert me.chain == []


def test_a_wide_board_and_a_qu_face_are_drawn_over(sit: Sit) -> None:
    me = sit()
    #  qu i  e  t  s  a
    #  t  e  r  o  n  b
    KIND.open(me, board="qietsa teronb", qu="true", seconds="none")
    box = me.page.locator("#board").bounding_box()
    tile = me.tile(0).bounding_box()
    assert box is not None
    assert tile is not None
    assert box["width"] > 2.5 * box["height"]
    assert abs(tile["width"] - tile["height"]) < 2
    expect(me.tile(0)).to_have_text("Qu")
    me.drag((0, 1, 2, 3))
    expect_found(me, "quiet")
    send(me, "quite")
    expect(me.report).to_have_text(re.compile("QUITE"))
    me.tile(5).focus()
    me.press("ArrowDown", "Enter")
    assert me.chain == [11]


def test_the_bell_ends_the_round_and_words_under_way_count(sit: Sit, site: Site) -> None:
    me = sit()
    KIND.open(me, seconds="10", begin=False)
    site.clock.ahead += 1000
    start(me)
    expect(me.page.locator("#clock")).to_have_attribute("data-urgent", "")
    send(me, "slate")
    expect_found(me, "slate")
    me.type("tea")
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.page.locator(".summary-reason")).to_contain_text("time’s up")
    expect(me.page.locator("#score")).to_have_text("2")
    expect(me.page.locator("#analysis")).to_be_visible()


def test_a_page_that_was_asleep_when_time_ran_out_shows_the_end(sit: Sit, site: Site) -> None:
    me = sit()
    KIND.open(me, seconds="60")
    site.clock.ahead += 120
    send(me, "slate")
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.page.locator(".pill--off")).to_be_visible()


def test_the_end_shows_all_words_and_offers_another_round(sit: Sit) -> None:
    me = sit()
    address = KIND.open(me)
    send(me, "slate", "gent")
    finish(me)
    expect(me.page.locator(".bog-miss")).to_have_count(12)
    expect(me.page.locator(".bog-column")).to_contain_text("SLATE")
    me.page.locator(".bog-all summary").click()
    expect(me.page.locator(".pill.lit")).to_have_count(2)
    me.page.get_by_role("link", name="Replay").click()
    me.page.wait_for_url(re.compile(r"/plies/0$"))
    me.press("ArrowRight", "ArrowRight")
    expect(me.page.locator("#replay-event")).to_contain_text("SLATE +2")
    expect(me.page.locator(".tile--drawn")).to_have_count(5)
    me.page.goto(address)
    me.page.locator("#again").click()
    me.page.wait_for_url(lambda url: "/games/" in url and url != address)
    expect(me.page.locator("#start")).to_be_visible()


# Two at a table


def test_a_duel_of_two_browsers(sit: Sit) -> None:
    me, friend = KIND.together(sit, {"cancel": "true"})
    unit = me.page.locator(".status-round small")
    send(me, "slate")
    expect(unit).to_have_text("word")
    send(me, "teas")
    expect(unit).to_have_text("words")
    send(friend, "slate", "gent", "stale")
    expect_found(me, "teas", "slate")
    expect_found(friend, "stale", "gent", "slate")
    me.drag(SLATE[:3], release=False)
    finish(friend)
    expect(friend.page.locator("#await")).to_contain_text("Player 1 is still playing")
    expect(me.page.locator(".seats")).to_contain_text("done")
    assert me.chain == sorted(SLATE[:3]), "another player's move does not clear the word being entered"
    me.page.mouse.up()
    finish(me)
    expect(me.page.locator(".summary-verdict")).to_have_text("Player 2 wins")
    expect(friend.page.locator(".summary-verdict")).to_have_text("You win")
    expect(friend.page.locator(".pill--off")).to_have_count(2)
    expect(friend.page.locator("#analysis")).to_be_visible()


def test_a_bot_hands_in_after_the_player(sit: Sit) -> None:
    me = sit()
    me.page.goto(f"{me.url}/boggle")
    me.page.get_by_role("button", name="Moss").click()
    me.page.wait_for_url(re.compile(r"/games/"))
    start(me)
    finish(me)
    expect(me.page.locator("#await")).to_contain_text("Moss")
    expect(me.page.locator(".summary-verdict")).to_have_text("Moss wins")
    me.page.locator("#again").click()
    expect(me.page.locator(".seats")).to_contain_text("Moss")


# Without scripts, and the board generator


def test_without_scripts_a_round_is_typed(sit: Sit) -> None:
    me = sit(java_script_enabled=False)
    KIND.open(me, begin=False)
    me.page.locator("#start").click()
    for word in ("slate", "teas"):
        me.field.fill(word)
        me.page.locator("#word-send").click()
    expect(me.page.locator("#history")).to_contain_text("TEAS")
    me.page.locator("#power-finish").click()
    me.page.locator("#finish-confirm").click()
    expect(me.page.locator("#score")).to_have_text("3")
    me.page.get_by_role("link", name="Game review", exact=True).click()
    expect(me.page.locator("#analysis .bog-miss").first).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "none"])
def test_a_board_is_ordered_and_played(sit: Sit, *, scripts: bool) -> None:
    me = sit(java_script_enabled=scripts)
    me.page.goto(f"{me.url}/boggle/generator?seed=a&count=3")
    expect(me.page.locator(".bog-card")).to_have_count(3)
    expect(me.page.locator("#word")).to_be_hidden()
    me.page.locator("#algorithm").select_option("target")
    me.page.locator("#word").fill("wibble")
    me.page.get_by_role("button", name="New boards").click()
    me.page.wait_for_url(re.compile("algorithm=target.*seed="))
    expect(me.page.locator(".bog-description")).to_contain_text("made to measure")
    letters = me.page.locator("#letters-1").input_value()
    me.page.locator(".bog-card-figures a").first.click()
    expect(me.page.locator(".bog-solved .board")).to_be_visible()
    me.page.go_back()
    me.page.get_by_role("button", name="Play board 1").click()
    me.page.locator("#start").click()
    expect(me.tile(0)).to_be_visible()
    if scripts:
        assert me.letters == letters.replace(" ", "")


def test_the_list_goes_on_filling_while_it_has_the_focus(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    me.page.locator("#history").focus()
    send(me, "slate", "teas")
    expect_found(me, "teas", "slate")
    expect(me.page.locator("#history")).to_be_focused()


def test_the_focus_ring_on_the_board_is_for_keyboard_players(sit: Sit) -> None:
    ring = "document.activeElement.matches('#tile-0:focus-visible')"
    finger = sit(has_touch=True, is_mobile=True)
    KIND.open(finger, begin=False)
    finger.touch(finger.page.locator("#start"))
    expect(finger.field).to_be_enabled()
    assert finger.page.evaluate("document.activeElement === document.body")
    keys = sit()
    KIND.open(keys, begin=False)
    expect(keys.page.locator("#start")).to_be_focused()
    keys.press("Enter")
    expect(keys.tile(0)).to_be_focused()
    assert keys.page.evaluate(ring)
    keys.press("ArrowRight")
    expect(keys.tile(1)).to_be_focused()
    finger.press("ArrowRight")
    expect(finger.tile(0)).to_be_focused()


# Find them all


@pytest.mark.parametrize("screen", [PHONE, DESK])
def test_all_words_are_found_with_hints_after_resuming(sit: Sit, screen: ViewportSize) -> None:
    me = sit(viewport=screen)
    address = KIND.open(me, find_all="true", begin=False)
    send(me, "slate")
    me.drag(TEAS)
    expect_found(me, "teas", "slate")
    expect(me.page.locator("#common")).to_contain_text("2 of")
    send(me, "tite")
    expect(me.page.locator("#bonus")).to_have_text("1")
    me.page.locator("#power-hint").click()
    me.page.locator("#hint-counts").click()
    expect(me.page.locator("#hints .bog-counts")).to_be_visible()
    me.page.locator("#hint-letter").click()
    expect(me.page.locator("#hints .pill")).to_have_count(1)
    expect(me.page.locator("#hints")).to_contain_text("7 of 10 left")
    assert violations(me) == []
    me.press("Escape")
    me.visit(address)
    expect(me.page.locator("#common")).to_contain_text("2 of")
    assert me.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finish(me)
    expect(me.page.locator(".summary-facts")).to_contain_text("Hints used")
    expect(me.page.locator(".bog-column .bog-kind")).to_have_text(["Common 2", "Bonus 1"])


def test_start_is_not_lost_if_the_friend_starts_while_it_is_pressed(sit: Sit) -> None:
    me, friend = sit(), sit()
    KIND.open_table(me)
    friend.join(me)
    friend.page.locator("#start").hover()
    friend.page.evaluate("document.addEventListener('htmx:beforeRequest', () => (window.announced = true))")
    friend.page.mouse.down()
    start(me)
    friend.page.wait_for_function("() => window.announced")
    friend.page.wait_for_timeout(1000)
    friend.page.mouse.up()
    expect(friend.field).to_be_enabled()
