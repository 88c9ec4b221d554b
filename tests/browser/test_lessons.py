"""Lessons in the browser: played to the end by the coach's suggestions, skipped, offered once."""

import pytest
from playwright.sync_api import APIResponse, Route, ViewportSize, expect

from tests.browser.boggle import KIND as BOGGLE
from tests.browser.coach import Coach, Way
from tests.browser.conftest import DESK, PHONE, Sit
from tests.browser.kinds import KINDS
from tests.browser.letterpress import send, tap
from tests.browser.page_checks import (
    ENDS_OF_MOTION,
    LANDSCAPE,
    SCREENS,
    SHIFTS,
    SMALL,
    assert_accessible_in_all_looks,
    fits_screen,
    fits_width,
    shifts,
    weighs_little,
    within_reach,
)
from tests.browser.seat import Seat
from tests.browser.slow_network import intercept
from tests.lessons import EACH_LESSON, LESSONS


@EACH_LESSON
def test_a_lesson_is_played_to_the_end_by_pointer(sit: Sit, kind: str) -> None:
    coach = Coach(sit(viewport=DESK, bypass_csp=True), kind)
    coach.open()
    seen = []
    for number in coach.follow():
        seen.append(number)
        if number in (0, 1):
            assert_accessible_in_all_looks(coach.seat, f"step {number}")
    assert seen == [*range(1, len(LESSONS[kind].script.steps) + 1), 0]


@EACH_LESSON
@pytest.mark.parametrize("way", ["finger", "keyboard"])
def test_a_lesson_is_played_to_the_end_by_touch_and_by_keyboard(sit: Sit, kind: str, way: Way) -> None:
    coach = Coach(sit(has_touch=way == "finger"), kind, way)
    coach.open()
    assert [*coach.follow()] == [*range(1, len(LESSONS[kind].script.steps) + 1), 0]


@EACH_LESSON
def test_what_the_coach_points_at_glows_for_no_longer_than_five_seconds(sit: Sit, kind: str) -> None:
    """WCAG 2.2.2: longer motion would need a way to stop it."""
    coach = Coach(sit(reduced_motion="no-preference"), kind)
    coach.open()
    for _ in coach.follow():
        if coach.cells:
            coach.page.locator("[data-suggested]").first.wait_for()
            assert 0 < max(coach.page.evaluate(ENDS_OF_MOTION)) <= 5_000
            return
    raise AssertionError("the coach points at no tile")


@EACH_LESSON
def test_coach_and_table_fit_the_screen(sit: Sit, kind: str) -> None:
    coach = Coach(sit(), kind)
    coach.open()
    steps = len(LESSONS[kind].script.steps)
    for number in range(1, steps + 1):
        for screen in (PHONE, SMALL, DESK):
            coach.page.set_viewport_size(screen)
            (fits_width if KINDS[kind].scrolls else fits_screen)(coach.seat, f"step {number} on {screen}")
            inside = coach.page.locator("#coach").evaluate("(one) => one.scrollHeight <= one.clientHeight")
            assert inside, f"the text of step {number} is cut on {screen}: {coach.text}"
            board = coach.page.locator("#board, #hand").first.bounding_box()
            box = coach.page.locator("#coach").bounding_box()
            assert board
            assert box
            assert box["y"] + box["height"] <= board["y"]
        coach.press(coach.page.locator("#coach-next"))
        if number < steps:
            expect(coach.page.locator('#coach [name="step"]')).to_have_value(str(number + 1))
    expect(coach.page.locator(".coach--over")).to_be_visible()
    coach.page.set_viewport_size(SMALL)
    assert coach.page.locator("#coach").evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_the_tiles_of_scrabblets_lesson_are_large_enough_on_the_smallest_phone(sit: Sit) -> None:
    coach = Coach(sit(viewport=SMALL), "scrabblet")
    coach.open()
    within_reach(coach.seat, "#hand .tile, #table button:visible")


@SCREENS
def test_nothing_shifts_from_step_to_step(sit: Sit, screen: dict[str, int]) -> None:
    seat = sit(viewport=screen)
    seat.page.add_init_script(SHIFTS)
    coach = Coach(seat, "wibble")
    coach.open()
    seat.page.evaluate("window.shifts.length = 0")
    assert [*coach.follow()][-1] == 0
    assert [one for one in shifts(seat) if one[0] in ("coach", "table", "board")] == []


@EACH_LESSON
def test_a_lesson_weighs_under_60_kb(sit: Sit, kind: str) -> None:
    me = sit()
    address = Coach(me, kind).open()
    weighs_little(sit(storage_state=me.page.context.storage_state()), address)


def test_a_step_is_announced_and_the_focus_stays(sit: Sit) -> None:
    coach = Coach(sit(), "wibble", "keyboard")
    coach.open()
    expect(coach.words).to_have_attribute("aria-live", "polite")
    region = coach.words.element_handle()
    coach.seat.field.focus()
    coach.step()
    expect(coach.words).to_contain_text("Each tile scores")
    assert region.evaluate("(one) => one.isConnected"), "the live region was replaced: nothing is announced"
    expect(coach.seat.field).to_be_focused()
    coach.press(coach.page.locator("#coach-next"))
    expect(coach.words).to_contain_text("DL and TL")
    expect(coach.page.locator("#coach-next")).to_be_focused()


def test_the_suggested_tiles_are_marked_until_the_word_is_played(sit: Sit) -> None:
    coach = Coach(sit(), "wibble")
    coach.open()
    marked = coach.page.locator("[data-suggested]")
    assert sorted(marked.evaluate_all("(tiles) => tiles.map((tile) => +tile.dataset.cell)")) == sorted(
        coach.cells
    )
    coach.step()
    expect(coach.words).to_contain_text("Each tile scores")
    expect(marked).to_have_count(0)


def test_another_word_is_answered_with_another_suggestion(sit: Sit) -> None:
    coach = Coach(sit(), "boggle")
    coach.open()
    coach.seat.type("ear")
    coach.seat.press("Enter")
    expect(coach.words).to_contain_text("EAR: 1 point")
    coach.step()
    expect(coach.words).to_contain_text("Longer words")


def test_an_older_step_that_comes_late_is_not_the_last(sit: Sit) -> None:
    coach = Coach(sit(), "boggle")
    coach.open()
    late: list[tuple[Route, APIResponse]] = []
    intercept(coach.page, "**/lesson", lambda route: late.append((route, route.fetch())), times=1)
    coach.seat.type("ear")
    coach.seat.press("Enter")
    expect(coach.page.locator("[data-found]")).to_have_count(1)
    while not late:
        coach.page.wait_for_timeout(30)
    coach.step()
    expect(coach.page.locator("[data-found]")).to_have_count(2)
    coach.page.wait_for_timeout(1000)
    [(route, answer)] = late
    route.fulfill(response=answer)
    expect(coach.words).to_contain_text("Longer words")
    coach.page.wait_for_timeout(300)
    expect(coach.words).to_contain_text("Longer words")


def test_the_offer_at_a_first_table_leads_to_the_lesson_and_is_gone(sit: Sit) -> None:
    me = sit(viewport=DESK)
    me.open("classic")
    me.page.locator("#learn").click()
    expect(me.page.locator("#coach")).to_be_visible()
    me.open("classic")
    expect(me.page.locator("#learn")).to_have_count(0)


def test_the_offer_is_declined_without_script(sit: Sit) -> None:
    me = sit(java_script_enabled=False)
    me.home()
    me.page.locator("#learn-not").click()
    expect(me.page.locator("#headline")).to_be_visible()
    expect(me.page.locator("#learn")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 390, 412, 430, 440, 480, 600])
def test_the_offer_at_a_first_table_fits_into_the_header(sit: Sit, width: int) -> None:
    """Phones are up to 440 pixels wide."""
    me = sit(viewport={"width": width, "height": 844})
    KINDS["letterpress"].open(me)
    expect(me.page.locator(".lesson-offer")).to_be_visible()
    assert me.page.evaluate("document.querySelector('.site-header').offsetHeight") == 44
    assert me.page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")


@pytest.mark.parametrize("width", [360, 440, 600, 800])
def test_the_offer_at_a_first_table_with_a_friend_fits_into_the_header(sit: Sit, width: int) -> None:
    me = sit(viewport={"width": width, "height": 844})
    KINDS["fribble"].sit_down(me, sit())
    expect(me.page.locator(".lesson-offer")).to_be_visible()
    assert_apart(me, ".lesson-offer", f"{NEEDED}, .rack")
    assert me.page.evaluate("document.querySelector('.site-header').offsetHeight") == 44


def test_the_lesson_ends_at_once_when_asked(sit: Sit) -> None:
    coach = Coach(sit(), "letterpress")
    address = coach.open()
    coach.page.locator(".lesson-exit").click()
    coach.page.wait_for_url("**/letterpress")
    assert address.rpartition("/")[2] not in coach.page.content()


def test_a_first_gem_under_a_path_is_explained_once(sit: Sit) -> None:
    me = sit()
    tip = me.page.locator("#tip")
    for _ in range(20):
        me.open("classic")
        word = next((word for word in me.words() if gems(me, word.cells)), None)
        if word:
            break
    assert word
    with me.page.expect_response("**/tips"):
        me.drag(word.cells, release=False)
    expect(tip).to_contain_text("Gems pay for")
    me.page.mouse.up()
    me.await_ply(2)
    me.open("classic")
    assert me.page.locator('.tip-source[data-name="gem"]').count() == 0


NEEDED = ".wordmark, #word, #board, .powers, .seats, .status-item, .tool, .talk-open"


#: The elements that a part of the page covers, at one moment.
COVERED = """(part, others) => {
  const mine = part.getBoundingClientRect();
  return [...document.querySelectorAll(others)].filter((one) => {
    const box = one.getBoundingClientRect();
    const across = mine.left < box.right && box.left < mine.right;
    return one.checkVisibility() && across && mine.top < box.bottom && box.top < mine.bottom;
  }).map((one) => one.outerHTML.slice(0, 80));
}"""


def assert_apart(me: Seat, part: str, others: str) -> None:
    """Assert that a part of the page covers none of the others."""
    assert me.page.locator(part).evaluate(COVERED, others) == []


@pytest.mark.parametrize("screen", [PHONE, LANDSCAPE], ids=["upright", "on its side"])
@pytest.mark.parametrize("opponents", [[], ["1"], ["friend"]], ids=["alone", "a bot", "a friend"])
def test_a_hint_covers_no_control_and_disappears_with_the_next_word(
    sit: Sit, opponents: list[str], screen: ViewportSize
) -> None:
    me = sit(viewport=screen)
    if opponents == ["friend"]:
        BOGGLE.sit_down(me, sit())
    else:
        BOGGLE.open(me, *opponents)
    assert_apart(me, ".lesson-offer", f"{NEEDED}, .history-list li")
    tip = me.page.locator("#tip span")
    me.type("at")
    me.press("Enter")
    expect(tip).to_contain_text("too short")
    me.page.evaluate("document.querySelector('#tip span').textContent = 'Two lines of a hint. '.repeat(3)")
    mine = tip.bounding_box()
    assert mine is not None
    assert mine["height"] > 30
    assert_apart(me, "#tip span", f"{NEEDED}, .lesson-offer")
    expect(me.page.locator(".lesson-offer")).to_be_visible()
    me.page.wait_for_timeout(1600)  # as long as it stays at least
    me.type("t")
    expect(tip).to_have_count(0, timeout=1000)


@pytest.mark.parametrize("screen", [PHONE, LANDSCAPE], ids=["upright", "on its side"])
@pytest.mark.parametrize("name", ["boggle", "boggle with a friend", "scrabblet"])
def test_a_hint_leaves_the_newest_word_uncovered(sit: Sit, name: str, screen: ViewportSize) -> None:
    me = sit(viewport=screen)
    if name == "boggle with a friend":
        BOGGLE.sit_down(me, sit())
    else:
        KINDS[name].open(me)
    word, short = ("price", "cr") if name == "scrabblet" else ("slate", "at")
    me.type(word)
    me.press("Enter")
    newest = "#found li .found-letters" if name == "scrabblet" else "[data-found=slate]"
    expect(me.page.locator(newest)).to_be_visible()
    me.type(short)
    me.press("Enter")
    expect(me.page.locator("#tip")).not_to_be_empty()
    assert_apart(me, "#tip span", f"{NEEDED}, .lesson-offer, .found-order, {newest}")


def test_a_hint_without_room_beside_the_newest_word_waits(sit: Sit) -> None:
    me = sit(viewport={"width": 320, "height": 568})
    BOGGLE.sit_down(me, sit())
    for text in ("stale", "at"):
        me.type(text)
        me.press("Enter")
        expect(me.report).to_contain_text(text.upper())
    expect(me.report).to_contain_text("too short")
    me.page.wait_for_timeout(300)
    expect(me.page.locator("#tip")).to_be_empty()


READ_SLOWLY = """() => {
  const start = window.setTimeout;
  window.setTimeout = (run, after, ...rest) => start(run, after === 1500 ? 60000 : after, ...rest);
}"""
"""Gives hints no time to be read."""


def test_a_hint_that_a_word_pushed_away_before_it_was_read_comes_back(sit: Sit) -> None:
    me = sit(viewport=PHONE)
    BOGGLE.sit_down(me, sit())
    me.page.evaluate(READ_SLOWLY)
    tip = me.page.locator("#tip")
    me.type("at")
    me.press("Enter")
    expect(tip).to_contain_text("too short")
    me.type("slate")
    me.press("Enter")
    expect(tip).to_be_empty()
    me.visit(me.address)
    me.type("at")
    with me.page.expect_response("**/tips"):
        me.press("Enter")
    expect(tip).to_contain_text("too short")
    me.visit(me.address)
    assert me.page.locator('.tip-source[data-name="short"]').count() == 0


@pytest.mark.parametrize("screen", [SMALL, PHONE, LANDSCAPE], ids=["small", "upright", "on its side"])
def test_locked_tiles_are_explained_once_there_are_some_and_no_word_is_covered(
    sit: Sit, screen: ViewportSize
) -> None:
    me = sit(viewport=screen)
    KINDS["letterpress"].sit_down(me, sit())
    tip = me.page.locator("#tip")
    with me.page.expect_response("**/tips.js"):
        tap(me, 0, 1, 5)
    expect(me.tile(0)).to_have_attribute("data-protected", "")
    me.page.wait_for_timeout(300)
    expect(tip).to_be_empty()
    tap(me, 0, 1, 5)
    tap(me, *range(11))
    send(me)
    expect(tip).to_contain_text("lock")
    assert_apart(me, "#tip span", f"{NEEDED}, .press-word, #history li")


@pytest.mark.parametrize("name", ["boggle", "letterpress"])
def test_the_offer_of_the_lesson_is_gone_once_a_game_is_finished(sit: Sit, name: str) -> None:
    me = sit()
    KINDS[name].open(me)
    expect(me.page.locator(".lesson-offer")).to_be_visible()
    me.finish()
    expect(me.page.locator(".lesson-offer")).to_be_hidden()


@pytest.mark.parametrize("screen", [PHONE, LANDSCAPE], ids=["upright", "on its side"])
def test_a_hint_of_scrabblet_leaves_the_offer_of_its_lesson_on_a_phone(
    sit: Sit, screen: ViewportSize
) -> None:
    me = sit(viewport=screen)
    KINDS["scrabblet"].open(me)
    me.type("cr")
    me.press("Enter")
    expect(me.page.locator("#tip")).to_contain_text("use one twice")
    assert_apart(me, "#tip span", f"{NEEDED}, .rank, #hand, .moves button, .lesson-offer")
    expect(me.page.locator(".lesson-offer")).to_be_visible()


def gems(me: Seat, cells: tuple[int, ...]) -> int:
    """How many of these tiles have a gem."""
    return sum(me.tile(cell).get_attribute("data-gem") is not None for cell in cells)


def test_typing_is_explained_after_a_word_by_mouse_but_not_after_typing(sit: Sit) -> None:
    me, typist = sit(viewport=DESK), sit(viewport=DESK)
    for one in (me, typist):
        one.open("zen")
    typist.type(typist.word().word)
    typist.press("Enter")
    typist.await_ply(2)
    me.play_word()
    expect(me.page.locator("#tip")).to_have_text("You can type words, too.")
    expect(typist.page.locator("#tip")).to_have_text("")
