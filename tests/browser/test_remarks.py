"""Remarks and other players' moves that arrive while the player is entering a word."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import boggle, fribble, wibble
from tests.browser.conftest import DESK, LONG_NAME, PHONE, Sit, Site
from tests.browser.kind import Kind, has_moved
from tests.browser.kinds import EACH_MULTIPLAYER_KIND, EACH_TURN_BASED_KIND
from tests.browser.page_checks import fits_width, within_reach
from tests.browser.seat import Seat
from tests.browser.slow_network import Held

HELLO = 0
LUCK = 1
LONGEST = 5
LINES = ["Hello!", "Good luck!"]
COUNT_ANIMATIONS = """() => {
  window.animated = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    window.animated++;
    return animate.apply(this, how);
  };
}"""
NEEDED = "#board, #rack, #word, #move-report, .seats, #clock, .gems, .powers > *, .talk-open"
STILL = "() => document.getAnimations().length === 0"


def says(seat: Seat, line: int) -> None:
    """Send a remark over the API, as its display on the sender's page does not matter."""
    answer = seat.page.request.post(f"{seat.address}/remarks", form={"line": line})
    assert answer.ok


def sees(seat: Seat, line: int) -> None:
    expect(seat.page.locator(".talk-bubble")).to_contain_text(LINES[line])


def test_updates_are_shown_once_the_dialog_is_closed(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit)
    friend.power("finish").click()
    me.play_word()
    friend.page.wait_for_timeout(500)
    assert friend.ply == 1
    friend.page.get_by_role("button", name="Keep playing").click()
    friend.await_ply(2)


def test_a_remark_leaves_the_word_being_entered(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit)
    word = me.word()
    me.type(word.word[:-1])
    chain = me.chain
    says(friend, HELLO)
    sees(me, HELLO)
    assert me.chain == chain
    expect(me.field).to_have_value(word.word[:-1])
    me.type(word.word[-1])
    me.press("Enter")
    me.await_ply(2)


@EACH_TURN_BASED_KIND
def test_a_remark_pressed_while_a_move_is_under_way_is_made_after_it(sit: Sit, kind: Kind) -> None:
    me, friend = kind.together(sit)
    held = Held(me.page, "**/moves")
    kind.send(me)
    held.wait()
    me.page.locator("#talk-open").click()
    me.page.locator(".talk-line").first.click()
    held.release()
    sees(friend, HELLO)


def remark_under_way(me: Seat) -> Held:
    """Make a remark whose answer waits."""
    held = Held(me.page, "**/remarks", times=1)
    me.page.locator("#talk-open").click()
    me.page.locator(".talk-line").first.click()
    held.wait()
    expect(me.page.locator("#talk")).to_be_hidden()
    return held


@EACH_TURN_BASED_KIND
def test_a_move_made_while_a_remark_is_under_way_follows_it(sit: Sit, kind: Kind) -> None:
    me, friend = kind.together(sit)
    ply, held = me.ply, remark_under_way(me)
    kind.send(me)
    held.release()
    has_moved(friend, ply)
    sees(friend, HELLO)


@pytest.mark.parametrize("kind", [boggle.KIND, wibble.KIND], ids=["boggle", "wibble"])
def test_a_word_being_drawn_outlives_the_answer_to_a_remark(sit: Sit, kind: Kind) -> None:
    me, friend = kind.together(sit)
    held = remark_under_way(me)
    cells = me.word().cells
    me.drag(cells, release=False)
    held.release()
    sees(friend, HELLO)
    me.page.wait_for_timeout(500)
    assert me.chain == sorted(cells)
    me.page.mouse.up()
    sees(me, HELLO)


@pytest.mark.parametrize("answered", [False, True], ids=["before the answer", "after it"])
def test_a_letter_is_swapped_while_a_remark_is_under_way(sit: Sit, answered: bool) -> None:
    me, friend = wibble.KIND.together(sit)
    held = remark_under_way(me)
    other = "q" if me.letters[12] != "q" else "z"
    me.power("swap").click()
    me.tap(12)
    letter = me.page.locator(f".sheet-letter[value={other}]")
    expect(letter).to_be_visible()
    if not answered:
        letter.click()
    with me.page.expect_response("**/remarks"):
        held.release()
    if answered:
        me.page.wait_for_timeout(300)
        letter.click()
    me.await_ply(2)
    assert me.letters[12] == other
    sees(friend, HELLO)


def test_a_second_remark_follows_the_first(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit)
    held = remark_under_way(me)
    me.page.locator("#talk-open").click()
    me.page.locator(".talk-line").nth(LUCK).click()
    expect(me.page.locator("#talk")).to_be_hidden()
    held.release()
    sees(friend, LUCK)


def test_a_remark_refused_during_a_stroke_says_why(sit: Sit, site: Site) -> None:
    me, _ = wibble.KIND.together(sit)
    with site.clock.stopped():
        for _ in range(5):
            says(me, HELLO)
        sees(me, HELLO)
        held = remark_under_way(me)
        cells = me.word().cells
        me.drag(cells, release=False)
        held.release()
        expect(me.announced).to_contain_text("at most 5 in 10 seconds")
        assert me.chain == sorted(cells)


def test_a_refused_remark_leaves_the_word_being_entered(sit: Sit, site: Site) -> None:
    me, _ = wibble.KIND.together(sit)
    word = me.word().word
    with site.clock.stopped():
        for _ in range(5):
            says(me, HELLO)
        me.type(word)
        me.page.locator("#talk-open").click()
        me.page.locator(".talk-line").first.click()
        expect(me.table).to_have_attribute("data-notice", re.compile("at most 5 in 10 seconds"))
    expect(me.field).to_have_value(word)
    me.press("Enter")
    me.await_ply(2)


def test_a_players_own_remark_leaves_their_word_in_boggle(sit: Sit) -> None:
    """This holds even if others have found words in the meantime."""
    me, friend = boggle.KIND.together(sit)
    me.type("slat")
    boggle.send(friend, "teas")
    boggle.expect_found(friend, "teas")
    me.page.locator("#talk-open").click()
    me.page.locator(".talk-line").first.click()
    sees(friend, HELLO)
    sees(me, HELLO)
    expect(me.field).to_have_value("slat")
    me.type("e")
    me.press("Enter")
    boggle.expect_found(me, "slate")


def test_a_remark_waits_for_a_word_that_is_being_drawn(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit)
    word = me.word()
    me.drag(word.cells, release=False)
    says(friend, HELLO)
    me.page.wait_for_timeout(500)
    assert me.chain == sorted(word.cells)
    me.page.mouse.up()
    me.await_ply(2)
    sees(me, HELLO)


def test_a_remark_is_announced_as_a_remark_and_not_as_a_move(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit, reduced_motion="no-preference")
    me.page.wait_for_function(STILL)
    me.play_word()
    expect(me.announced).to_contain_text("points")
    me.page.wait_for_function(STILL)
    me.page.evaluate(COUNT_ANIMATIONS)
    says(friend, LUCK)
    expect(me.announced).to_have_text("Player 2 Good luck!")
    assert me.page.evaluate("window.animated") == 0


def test_a_remark_goes_by_itself_where_nothing_moves(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit, reduced_motion="reduce")
    says(friend, HELLO)
    sees(me, HELLO)
    bubble = me.page.locator(".talk-bubble")
    bubble.evaluate("(element) => element.getAnimations().forEach((one) => one.finish())")
    expect(bubble).to_be_hidden()


def test_the_sheet_stays_open_while_the_other_moves(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit)
    friend.page.locator("#talk-open").click()
    me.play_word()
    friend.page.wait_for_timeout(500)
    expect(friend.page.locator("#talk")).to_be_visible()
    friend.press("Escape")
    expect(friend.page.locator("#talk")).to_be_hidden()
    friend.await_ply(2)


def test_escape_closes_the_sheet_and_keeps_the_word(sit: Sit) -> None:
    me, _ = wibble.KIND.together(sit)
    word = me.word().word
    me.type(word)
    me.page.locator("#talk-open").click()
    me.press("Escape")
    expect(me.page.locator("#talk")).to_be_hidden()
    expect(me.field).to_have_value(word)
    me.press("Escape")
    expect(me.field).to_have_value("")


def test_escape_closes_the_sheet_and_leaves_the_tiles_that_are_laid(sit: Sit) -> None:
    me, _ = fribble.KIND.together(sit)
    fribble.type_move(me, fribble.best(me))
    laid = fribble.laid(me)
    me.page.locator("#talk-open").click()
    me.press("Escape")
    expect(me.page.locator("#talk")).to_be_hidden()
    assert fribble.laid(me) == laid


def test_a_remark_leaves_the_preview_of_the_tiles_that_are_laid_and_is_said(sit: Sit) -> None:
    me, friend = fribble.KIND.together(sit)
    move = fribble.best(me)
    fribble.type_move(me, move)
    expect(me.page.locator("#preview b")).to_have_text(str(move["score"]))
    expect(me.announced).to_contain_text(f"{move['score']} points")
    says(friend, HELLO)
    sees(me, HELLO)
    expect(me.page.locator("#preview b")).to_have_text(str(move["score"]))
    expect(me.announced).to_have_text("Player 2 Hello!")


@EACH_MULTIPLAYER_KIND
def test_a_remark_covers_no_control_of_the_game(sit: Sit, kind: Kind) -> None:
    me, friend = kind.together(sit)
    friend.set_nickname(LONG_NAME)
    bubble = me.page.locator(".talk-bubble")
    for screen in (PHONE, DESK):
        me.page.set_viewport_size(screen)
        says(friend, LONGEST)
        expect(bubble).to_contain_text(LONG_NAME)
        covers_nothing(me, bubble)


def test_a_claim_covers_no_control_of_fribble(sit: Sit, site: Site) -> None:
    me, friend = sit(), sit()
    fribble.KIND.open_table(me, turn_limit="600")
    friend.set_nickname(LONG_NAME)
    friend.join(me)
    me.await_turn()
    fribble.play_best(me)
    site.clock.ahead += 700
    me.visit(me.address)
    claim = me.page.locator("#claim")
    expect(claim).to_contain_text(LONG_NAME)
    for screen in (DESK, PHONE):
        me.page.set_viewport_size(screen)
        covers_nothing(me, claim)
        within_reach(me, "#claim .button")
        fits_width(me)
    claim.get_by_role("button").click()
    expect(me.page.locator(".summary-verdict")).to_have_text("You win")


def covers_nothing(me: Seat, what: Locator) -> None:
    """Assert that ``what`` covers no control; read at once, as updates may replace it."""
    expect(what).to_be_visible()
    assert me.page.locator(NEEDED).count() > 0
    covered = what.evaluate(
        """(what, needed) => {
            const over = what.getBoundingClientRect();
            return [...document.querySelectorAll(needed)].filter((element) => {
              const under = element.getBoundingClientRect();
              return under.width > 0 && over.left < under.right && under.left < over.right
                && over.top < under.bottom && under.top < over.bottom;
            }).map((element) => element.outerHTML.slice(0, 80));
        }""",
        NEEDED,
    )
    assert covered == []


@EACH_TURN_BASED_KIND
def test_a_move_that_is_sent_while_the_page_looks_is_not_lost(sit: Sit, kind: Kind) -> None:
    me, friend = kind.together(sit)
    ply, held = me.ply, Held(me.page, "**/table?*")
    says(friend, HELLO)
    held.wait()
    kind.send(me)
    me.page.wait_for_timeout(300)
    held.release()
    has_moved(me, ply)
    sees(me, HELLO)


def test_a_remark_is_seen_and_said_in_the_middle_of_a_round_of_boggle(sit: Sit) -> None:
    me, friend = boggle.KIND.together(sit)
    me.page.locator("#talk-open").focus()
    expect(me.page.locator("#others")).to_have_text("Player 2 has started.")
    me.type("sla")
    expect(me.announced).to_contain_text("S L A, 1 point")
    says(friend, HELLO)
    sees(me, HELLO)
    expect(me.announced).to_have_text("Player 2 Hello!")
    expect(me.page.locator("#talk-open")).to_be_focused()
    expect(me.field).to_have_value("sla")


def test_a_report_is_not_tapped_in_place_of_a_remark(sit: Sit) -> None:
    me, _friend = wibble.KIND.together(sit, viewport=PHONE)
    me.page.locator("#talk-open").click()
    last = me.page.locator(".talk-line").last.bounding_box()
    report = me.page.locator("#talk .quiet").bounding_box()
    assert last is not None
    assert report is not None
    assert report["y"] >= last["y"] + last["height"] + 8
