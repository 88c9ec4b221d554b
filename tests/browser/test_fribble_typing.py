"""Fribble played with the keyboard, and the page's messages about a play."""

import re
from itertools import permutations

import pytest
from playwright.sync_api import Route, expect

from app.words.lexicon import Lexicon
from tests.browser.conftest import DESK, LONG_NAME, PHONE, Complaints, Sit
from tests.browser.fribble import (
    CENTRE,
    CORNER,
    KIND,
    best,
    laid,
    lay,
    move_cursor,
    play_best,
    rack,
    recall,
    square,
    type_move,
    with_blank,
)
from tests.browser.page_checks import SMALL
from tests.browser.seat import Seat
from tests.browser.slow_network import intercept


def test_a_word_is_typed_previewed_taken_back_and_played(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    move = best(me)
    type_move(me, move)
    assert laid(me) == {tile["cell"]: tile["letter"] for tile in move["placed"]}
    picture = me.page.locator("#shuffle path")
    recalls = str(picture.get_attribute("d"))
    preview = me.page.locator("#preview")
    expect(preview.locator("b")).to_have_text(str(move["score"]))
    expect(preview.locator(".fri-preview-word").first).to_have_attribute("data-valid", "true")
    expect(me.announced).to_contain_text(f"{move['score']} points")
    me.press("Backspace")
    assert len(laid(me)) == len(move["placed"]) - 1
    me.press("Escape")
    assert laid(me) == {}
    expect(picture).not_to_have_attribute("d", recalls)
    type_move(me, move)
    expect(picture).to_have_attribute("d", recalls)
    me.page.locator("#send").click()
    expect(friend.page.locator("#history li").first).to_contain_text(str(move["score"]))
    friend.await_turn()
    latest = friend.page.locator("#board .tile--latest")
    assert len(latest.all()) == len(move["placed"])
    expect(latest.first).to_have_attribute("aria-label", re.compile(r"^\d+[A-O], "))
    assert laid(me) == {}
    assert len(rack(me)) == 7


def test_arrows_turn_the_word_and_walk_the_board(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    move_cursor(me, CENTRE, "across")
    me.press("ArrowDown")
    expect(me.page.locator("#board")).to_have_attribute("data-way", "down")
    expect(square(me, CENTRE)).to_be_focused()
    me.press("ArrowDown")
    expect(square(me, CENTRE + 15)).to_be_focused()
    me.press("ArrowRight", "ArrowRight")
    expect(square(me, CENTRE + 16)).to_be_focused()
    expect(square(me, CENTRE + 16)).to_have_attribute("tabindex", "0")


def test_a_blank_asks_for_its_letter(sit: Sit) -> None:
    me = sit()
    tiles = with_blank(me)
    me.page.locator(f"#tile-{tiles.index('?')}").click()
    square(me, CENTRE).click()
    dialog = me.page.locator("#blank-dialog")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    assert laid(me) == {}
    me.page.locator(f"#tile-{tiles.index('?')}").click()
    me.press("q")
    expect(square(me, CENTRE)).to_have_class(re.compile("tile--blank"))
    expect(square(me, CENTRE)).to_have_attribute("aria-label", "8H, blank as Q, laid")
    me.press("Escape")
    missing = next(letter for letter in "ZQXJKVWYHBF" if letter not in tiles)
    move_cursor(me, CENTRE, "across")
    me.type(missing.lower())
    assert laid(me) == {CENTRE: missing}, "a typed letter that is not on the rack uses the blank"


def test_a_non_word_is_shown_at_once_and_refused_by_name(sit: Sit, lexicon: Lexicon) -> None:
    me, _ = KIND.together(sit)
    tiles = [tile for tile in me.data("rack") if tile != "?"]
    no_word = next("".join(pair) for pair in permutations(tiles, 2) if "".join(pair).lower() not in lexicon)
    move_cursor(me, CENTRE, "across")
    me.type(no_word)
    word = me.page.locator("#preview .fri-preview-word")
    expect(word).to_have_attribute("data-valid", "false")
    me.press("Enter")
    expect(me.report).to_contain_text(f"{no_word} is not in the word list")
    assert len(laid(me)) == 2, "a refused play stays to be corrected"


@pytest.mark.parametrize("status", [0, 429, 503])
def test_tiles_without_a_score_from_the_server_are_no_error_and_can_be_played(
    sit: Sit, complaints: Complaints, status: int
) -> None:
    complaints.allow("Failed to load resource")
    me, _ = KIND.together(sit)
    move = best(me)

    def refuse(route: Route) -> None:
        if status == 429:
            route.fulfill(status=status, json={"detail": "too many requests"})
        elif status:  # a proxy's page
            route.fulfill(status=status, body="<p>Busy")
        else:
            route.abort()

    type_move(me, move)
    expect(me.page.locator("#preview")).to_be_visible()
    me.press("Backspace")
    intercept(me.page, "**/preview", refuse)
    me.type(move["placed"][-1]["letter"])
    expect(me.report).to_have_text("No score right now. You can still play.")
    expect(me.report).not_to_have_class(re.compile("word-report--trouble"))
    expect(me.page.locator("#preview")).to_be_hidden()
    expect(me.page.locator("#send")).to_have_attribute("aria-disabled", "false")
    ply = me.ply
    me.press("Enter")
    me.await_ply(ply + 1)


def test_a_word_with_letters_that_the_rack_lacks_is_never_played(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    while "?" in me.data("rack"):
        KIND.open(me)
    tiles = me.data("rack")
    missing = next(letter for letter in "ZQXJKVWYHBF" if letter not in tiles)
    move_cursor(me, CENTRE, "across")
    me.type(f"{tiles[0]}{tiles[1]}{missing}{tiles[2]}")
    reason = f"There is no {missing} on your rack"
    expect(me.report).to_have_text(reason)
    expect(me.announced).to_have_text(reason)
    me.press("Enter")
    me.page.wait_for_timeout(400)  # longer than a preview takes
    expect(me.report).to_have_text(reason)
    assert "".join(laid(me).values()) == f"{tiles[0]}{tiles[1]}"
    me.press("Backspace")
    expect(me.page.locator("#preview")).to_be_visible()
    assert len(laid(me)) == 2
    recall(me)
    move_cursor(me, CENTRE, "across")
    me.type(tiles[0] * 7)
    expect(me.report).to_have_text(f"There is no other {tiles[0]} on your rack")
    move_cursor(me, CENTRE + 15, "across")
    expect(me.report).not_to_contain_text("on your rack")


def test_the_letter_of_a_played_tile_may_be_typed_as_well(sit: Sit) -> None:
    through: dict[str, int] = {}
    while not through:  # until a rack lacks a letter of the word played
        me, friend = KIND.together(sit)
        played = play_best(me)["placed"]
        friend.await_turn()
        tiles = friend.data("rack")
        through = {} if "?" in tiles else {t["letter"]: t["cell"] for t in played if t["letter"] not in tiles}
    letter, cell = through.popitem()
    step = 1 if played[0]["cell"] + 1 != played[1]["cell"] else 15
    move_cursor(friend, cell - step, "across" if step == 1 else "down")
    friend.type(f"{tiles[0]}{letter}{tiles[1]}")
    assert laid(friend) == {cell - step: tiles[0], cell + step: tiles[1]}


def test_recall_brings_back_the_line_that_stood_there(sit: Sit, lexicon: Lexicon) -> None:
    me, _ = KIND.together(sit)
    tiles = [tile for tile in me.data("rack") if tile != "?"]
    no_word = next("".join(pair) for pair in permutations(tiles, 2) if "".join(pair).lower() not in lexicon)
    line = "Your turn: lay a word on the star"
    expect(me.report).to_have_text(line)
    lay(me, CORNER)
    expect(me.report).to_contain_text("centre")
    recall(me)
    expect(me.report).to_have_text(line)
    move_cursor(me, CENTRE, "across")
    me.type(no_word)
    me.press("Enter")
    expect(me.report).to_contain_text("not in the word list")
    recall(me)
    expect(me.report).to_have_text(line)
    expect(me.report).not_to_have_class(re.compile("word-report--trouble"))


def test_a_play_that_becomes_valid_is_no_longer_framed_as_wrong(sit: Sit, lexicon: Lexicon) -> None:
    me, _ = KIND.together(sit)
    tiles = [tile for tile in me.data("rack") if tile != "?"]
    word = next("".join(pair) for pair in permutations(tiles, 2) if "".join(pair).lower() in lexicon)
    line = me.page.locator(".word:has(#report)")
    plain = line.evaluate("(line) => getComputedStyle(line).boxShadow")
    move_cursor(me, CENTRE, "across")
    me.type(word[0])
    expect(me.report).to_contain_text("two letters or more")
    me.press("Enter")
    expect(line).not_to_have_css("box-shadow", plain)
    me.type(word[1])
    expect(me.page.locator("#preview")).to_be_visible()
    expect(line).to_have_css("box-shadow", plain)


def test_what_is_wrong_with_a_play_fits_its_line(sit: Sit) -> None:
    me, friend = KIND.together(sit)

    def reads(seat: Seat, says: str, *cells: int) -> None:
        lay(seat, *cells)
        expect(seat.report).to_contain_text(says)
        for screen in (SMALL, DESK, PHONE):
            seat.page.set_viewport_size(screen)
            assert seat.report.evaluate("(line) => line.scrollHeight <= line.clientHeight"), says
            line, bar = seat.report.bounding_box(), seat.page.locator("#move-report").bounding_box()
            assert line is not None
            assert bar is not None
            assert bar["y"] <= line["y"] <= line["y"] + line["height"] <= bar["y"] + bar["height"], says
        recall(seat)

    reads(me, "covers the centre", CORNER)
    reads(me, "two letters or more", CENTRE)
    play_best(me)
    friend.await_turn()
    reads(friend, "touch no other", CORNER)
    reads(friend, "without gaps", CORNER, CORNER + 16)


def test_the_play_is_read_whole_beside_a_long_name(sit: Sit) -> None:
    me, friend = sit(), sit(viewport={"width": 320, "height": 568})
    me.set_nickname(LONG_NAME)
    KIND.sit_down(me, friend)
    play_best(me)
    friend.await_turn()
    line = friend.report.bounding_box()
    assert line is not None
    for part in friend.report.locator("strong, b").all():
        box = part.bounding_box()
        assert box is not None
        assert line["x"] <= box["x"] <= box["x"] + box["width"] <= line["x"] + line["width"]
