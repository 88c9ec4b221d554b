"""The table besides words: layout, powers, clock, end, spectators, and a failing network."""

import re

import pytest
from playwright.sync_api import FloatRect, ViewportSize, expect

from tests.browser import boggle
from tests.browser.conftest import NO_NETWORK, Complaints, Sit, Site
from tests.browser.kind import Kind
from tests.browser.kinds import EACH_KIND, KINDS
from tests.browser.page_checks import SHIFTS, SURPRISES, fits_screen, shifts
from tests.browser.scrabblet import Hand
from tests.browser.seat import Seat
from tests.browser.slow_network import Held, intercept

TALL_PHONE: ViewportSize = {"width": 390, "height": 844}
SQUARE_BOARDS = pytest.mark.parametrize("kind", [KINDS[name] for name in ("wibble", "boggle", "letterpress")])


def box(seat: Seat, part: str) -> FloatRect:
    found = seat.page.locator(part).bounding_box()
    assert found is not None
    return found


def test_a_newcomer_plays_a_first_word_with_two_gestures(sit: Sit) -> None:
    me = sit(viewport=TALL_PHONE)
    me.home()
    assert me.page.locator("dialog:modal, :popover-open").count() == 0
    me.page.get_by_role("button", name="Play", exact=True).first.click()
    me.page.wait_for_url("**/games/*")
    assert me.page.locator("dialog:modal, :popover-open").count() == 0
    me.drag(me.word().cells)
    expect(me.table).to_have_attribute("data-result", "scored")


@EACH_KIND
def test_the_points_shown_for_a_word_in_hand_are_those_that_it_scores(sit: Sit, kind: Kind) -> None:
    me = sit()
    kind.open(me)
    kind.enter(me)
    points_text = me.page.locator(kind.points_text)
    expect(points_text).to_have_text(re.compile(r"^\+?\d+$"))
    shown = points_text.inner_text().removeprefix("+")
    kind.let_go(me)
    scored = me.page.locator("#history li:not([data-under-way]) b, #found li b").last
    expect(scored).to_have_text(re.compile(rf"^\+?{shown}$"))


@SQUARE_BOARDS
@pytest.mark.parametrize("size", [(1024, 768), (1440, 900), (1920, 1080)], ids=str)
def test_on_a_desk_the_board_takes_the_height_of_the_screen(
    sit: Sit, kind: Kind, size: tuple[int, int]
) -> None:
    width, height = size
    me = sit(viewport={"width": width, "height": height})
    kind.open(me)
    fits_screen(me)
    word, board, powers = box(me, "#word"), box(me, "#board"), box(me, ".powers")
    assert board["height"] >= min(height - 232, width - 540)
    assert board["y"] - (word["y"] + word["height"]) < 24
    assert powers["y"] - (board["y"] + board["height"]) < 24


@SQUARE_BOARDS
def test_a_tall_phone_shows_the_word_in_hand_in_large_letters_above_the_board(sit: Sit, kind: Kind) -> None:
    me = sit(viewport=TALL_PHONE, reduced_motion="no-preference")
    me.page.add_init_script(SHIFTS if kind.no_shifts_on_input else SURPRISES)
    kind.open(me)
    me.page.evaluate("window.shifts.length = 0")
    board = box(me, "#board")
    kind.enter(me)
    large_word = me.page.locator("#large-word > strong")
    letters, entered = box(me, "#large-word > strong"), large_word.inner_text()
    assert letters["height"] > 32
    assert letters["x"] >= 0
    assert letters["x"] + letters["width"] <= TALL_PHONE["width"]
    assert letters["y"] + letters["height"] <= board["y"]
    kind.let_go(me)
    expect(me.page.locator("#history")).to_contain_text(entered)
    expect(me.report.locator("strong")).to_be_visible()
    assert box(me, "#report strong")["y"] > box(me, "#word")["y"] + box(me, "#word")["height"]
    assert box(me, "#board") == board
    assert shifts(me) == []


@SQUARE_BOARDS
def test_a_refusal_on_a_tall_phone_covers_a_line_at_most(sit: Sit, kind: Kind) -> None:
    """Above a word that stays in its field; below the empty field the line has no background."""
    me = sit(viewport=TALL_PHONE)
    kind.open(me)
    me.type("qqqq")
    me.press("Enter")
    expect(me.report).to_have_class(re.compile("word-report--trouble"))
    line, word = box(me, "#report"), box(me, "#word")
    if line["y"] > word["y"]:
        expect(me.report).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    else:
        assert 0 <= line["y"] <= line["y"] + line["height"] <= word["y"]
        assert line["height"] < 72


def shown_order(seat: Seat, words: str) -> list[str]:
    """The visible words of a list, from its top or its left."""
    found: list[str] = seat.page.locator(words).evaluate_all(
        """(lines) => lines.map((line) => [line, line.getBoundingClientRect()])
            .sort(([, a], [, b]) => a.top - b.top || a.left - b.left)
            .map(([line]) => line.querySelector("span").textContent.toLowerCase())"""
    )
    return found


def test_beside_the_board_words_are_grouped_by_their_length(sit: Sit) -> None:
    me = sit(viewport={"width": 1440, "height": 900})
    boggle.KIND.open(me)
    boggle.send(me, "teas", "slate", "gent")
    boggle.expect_found(me, "gent", "slate", "teas")
    assert shown_order(me, "[data-found]") == ["slate", "gent", "teas"]
    expect(me.page.locator(".length-heading:visible")).to_have_text(["5 letters", "4 letters"])
    me.page.set_viewport_size(TALL_PHONE)
    assert shown_order(me, "[data-found]") == ["gent", "slate", "teas"]
    expect(me.page.locator(".length-heading:visible")).to_have_count(0)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_beside_the_hand_words_are_grouped_by_their_length(sit: Sit, script: bool) -> None:
    me = sit(viewport={"width": 1440, "height": 900}, java_script_enabled=script)
    Hand(me).deal()
    for word in ("price", "precinct", "pint"):
        me.field.fill(word)
        me.field.press("Enter")
        expect(me.report).to_contain_text(word.upper())
    assert shown_order(me, "#found .pill") == ["precinct", "price", "pint"]
    if script:
        me.page.locator("#found-order").select_option("found")
        assert shown_order(me, "#found .pill") == ["pint", "precinct", "price"]
        expect(me.page.locator(".length-heading:visible")).to_have_count(0)


@pytest.mark.parametrize("word", ["xyzzy", "planet"])
def test_the_wordmark_is_animated_after_great_and_refused_words(sit: Sit, word: str) -> None:
    me = sit(reduced_motion="no-preference")
    me.page.add_init_script(
        """const { animate } = Element.prototype;
        window.danced = 0;
        Element.prototype.animate = function (...how) {
          if (this.closest(".wordmark")) window.danced++;
          return animate.apply(this, how);
        };"""
    )
    boggle.KIND.open(me)
    boggle.send(me, "slate")
    expect(me.report).to_contain_text("SLATE")
    assert me.page.evaluate("window.danced") == 0
    boggle.send(me, word)
    me.page.wait_for_function("() => window.danced === 'Wibble'.length")


def test_a_swap_puts_the_chosen_letter_on_the_chosen_tile(sit: Sit) -> None:
    me = sit()
    me.open()
    before = me.letters
    other = "q" if before[12] != "q" else "z"
    me.power("swap").click()
    expect(me.report).to_have_text("Choose the tile to swap")
    me.tap(12)
    me.page.locator(f".sheet-letter[value={other}]").click()
    me.await_ply(2)
    assert me.letters == before[:12] + other + before[13:]
    assert me.data("gems") == "0"


def test_the_tap_that_chooses_the_tile_presses_no_letter_of_the_sheet(sit: Sit) -> None:
    me = sit(has_touch=True, is_mobile=True)
    for cell in (2, 12, 17, 22):
        me.open()
        me.touch(me.power("swap"))
        expect(me.report).to_have_text("Choose the tile to swap")
        me.touch(me.tile(cell))
        sheet = me.page.locator("#swap-dialog")
        expect(sheet).to_be_visible()
        me.page.wait_for_timeout(400)  # for the click that comes late
        expect(sheet).to_be_visible()
        assert me.ply == 1
        other = "q" if me.letters[cell] != "q" else "z"
        me.touch(sheet.locator(f"[value={other}]"))
        me.await_ply(2)
        assert me.letters[cell] == other


def test_a_swap_may_be_cancelled(sit: Sit) -> None:
    me = sit()
    me.open()
    line = me.report.inner_text()
    me.power("swap").click()
    me.tap(12)
    me.page.get_by_role("button", name="Cancel").click()
    expect(me.page.locator("#swap-dialog")).not_to_be_visible()
    me.press("Escape")
    expect(me.power("swap")).to_have_attribute("aria-pressed", "false")
    expect(me.report).to_have_text(line)
    me.drag(me.word().cells)
    me.await_ply(2)
    assert me.data("result") == "scored"


def test_a_power_that_cannot_be_paid_says_so(sit: Sit) -> None:
    me = sit()
    me.open()
    expect(me.power("hint")).to_have_attribute("aria-disabled", "true")
    me.power("hint").dispatch_event("click")
    expect(me.report).to_contain_text("gems")
    assert me.ply == 1


def test_shuffle_mixes_the_same_letters(sit: Sit) -> None:
    me = sit()
    me.open("zen")
    before = me.letters
    me.power("shuffle").click()
    me.await_ply(2)
    assert me.letters != before
    assert sorted(me.letters) == sorted(before)


def test_a_hint_draws_a_path_that_is_a_word(sit: Sit) -> None:
    me = sit()
    me.open("zen")
    me.power("hint").click()
    me.await_ply(2)
    expect(me.page.locator(".trail-hint")).to_have_count(1)
    hinted = (re.search(r"Hint:\s+(\w+)", me.report.inner_text()) or [""])[1].lower()
    assert hinted in {word.word for word in me.words()}


def test_blitz_waits_veiled_until_it_is_started(sit: Sit) -> None:
    me = sit()
    address = me.open("blitz")
    assert me.letters == ""
    me.visit(address)
    me.page.get_by_role("button", name="Start").click()
    me.await_ply(1)
    assert len(me.letters) == 25
    expect(me.page.locator("#clock")).to_have_text(re.compile(r"^(2:00|1:5\d)$"))
    expect(me.page.locator("#clock")).to_have_text(re.compile(r"^1:(5[0-8]|[0-4]\d)$"))


def test_blitz_runs_on_the_servers_clock_and_ends_by_itself(sit: Sit, site: Site) -> None:
    site.clock.ahead = -5000
    me = sit()
    address = me.open("blitz")
    me.page.get_by_role("button", name="Start").click()
    me.await_ply(1)
    expect(me.page.locator("#clock")).to_have_text(re.compile(r"^(2:00|1:5\d)$"))
    site.clock.ahead += 111
    with site.clock.stopped():
        me.visit(address)
        expect(me.page.locator("#clock")).to_have_attribute("data-urgent", "")
    expect(me.page.locator("#clock")).to_have_text(re.compile(r"^0:0[1-6]$"))
    expect(me.page.locator(".summary")).to_be_visible()


def test_finishing_is_confirmed_and_shows_what_there_was_to_find(sit: Sit) -> None:
    me = sit()
    me.open()
    word = me.word()
    me.drag(word.cells)
    me.await_ply(2)
    score = me.score
    me.power("finish").click()
    me.page.get_by_role("button", name="Keep playing").click()
    assert me.ply == 2
    me.finish()
    expect(me.page.locator("#score")).to_have_text(str(score))
    expect(me.page.locator("#analysis .turn")).to_have_count(1)
    expect(me.page.locator(".mini-path")).to_have_count(1)
    link = me.page.locator(".turn-line a").first
    assert link.get_attribute("href") == f"https://en.wiktionary.org/wiki/{word.word}"
    me.page.get_by_role("button", name="Play again").click()
    expect(me.table).to_have_attribute("data-ply", "1")


def test_the_analysis_has_an_address_of_its_own(sit: Sit) -> None:
    me = sit()
    address = me.open("zen")
    me.drag(me.word().cells)
    me.await_ply(2)
    me.finish()
    me.page.goto(f"{address}/analysis")
    expect(me.page.locator("#analysis .turn")).to_have_count(1)


def test_a_reload_keeps_the_game(sit: Sit) -> None:
    me = sit()
    me.open()
    me.drag(me.word().cells)
    me.await_ply(2)
    before = (me.letters, me.score, me.data("gems"))
    me.page.reload()
    assert (me.letters, me.score, me.data("gems")) == before
    me.page.goto("about:blank")
    me.page.go_back()
    me.drag(me.word().cells)
    me.await_ply(3)


def test_the_home_page_opens_a_game_as_chosen(sit: Sit) -> None:
    me = sit()
    me.home()
    me.page.locator(".options summary").click()
    me.page.get_by_label("Board", exact=True).select_option("6")
    me.page.get_by_role("button", name="Zen").click()
    me.page.wait_for_url("**/games/*")
    assert len(me.letters) == 36


def test_the_home_page_leads_back_to_an_open_game(sit: Sit) -> None:
    me = sit()
    address = me.open()
    me.home()
    me.page.locator(".open-games .continue").click()
    me.page.wait_for_url(address)


def test_a_watcher_sees_the_table_and_cannot_touch_it(sit: Sit) -> None:
    me, watcher = sit(), sit()
    watcher.visit(me.open())
    assert watcher.letters == me.letters
    watcher.drag([0, 1, 2])
    watcher.type("cat")
    assert watcher.chain == []
    expect(watcher.power("shuffle")).to_have_count(0)
    expect(watcher.field).to_be_disabled()
    me.drag(me.word().cells)
    me.await_ply(2)
    watcher.await_ply(2)
    assert watcher.letters == me.letters


def test_a_failing_network_keeps_the_chain_to_be_sent_again(sit: Sit, complaints: Complaints) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    me.open()
    word = me.word()
    intercept(me.page, "**/moves", lambda route: route.abort())
    me.drag(word.cells)
    expect(me.report).to_contain_text("Nothing is lost")
    assert sorted(me.chain) == sorted(word.cells)
    expect(me.field).to_have_value(word.word)
    me.page.unroute("**/moves")
    me.page.locator("#word-send").click()
    me.await_ply(2)
    assert me.score > 0


def test_what_is_drawn_while_an_answer_is_awaited_changes_nothing(sit: Sit) -> None:
    me = sit()
    me.open()
    held = Held(me.page, "**/moves")
    word = me.word()
    me.drag(word.cells)
    me.drag([0, 1, 2])
    me.type("xyz")
    assert sorted(me.chain) == sorted(word.cells)
    held.release()
    me.await_ply(2)
    assert len(held.routes) == 1


def test_a_move_from_an_old_page_is_refused_and_the_page_catches_up(sit: Sit) -> None:
    me = sit()
    address = me.open("zen")
    again = sit(me.page.context)
    again.visit(address)
    me.page.bring_to_front()
    me.drag(me.word().cells)
    me.await_ply(2)
    again.page.bring_to_front()
    again.drag(again.word().cells)
    again.await_ply(2)
    expect(again.report).to_have_class(re.compile("word-report--trouble"))
    assert again.letters == me.letters


def test_without_script_the_word_is_a_plain_form(sit: Sit) -> None:
    me = sit(java_script_enabled=False)
    me.home()
    me.page.locator(".play-button").click()
    expect(me.table).to_be_visible()
    letters = "".join(
        tile.get_attribute("data-letter") or "" for tile in me.page.locator("button.tile").all()
    )
    me.field.fill(me.spelled_on(letters))
    me.page.locator("#word-send").click()
    expect(me.table).to_have_attribute("data-result", "scored")
