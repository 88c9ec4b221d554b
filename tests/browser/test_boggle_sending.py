"""Boggle in a real browser: words whose response is pending, and actions in the meantime."""

import pytest
from playwright.sync_api import Route, expect

from tests.browser.boggle import (
    KIND,
    SLATE,
    expect_found,
    finish,
    send,
    start,
)
from tests.browser.conftest import NO_NETWORK, Complaints, Sit, Site
from tests.browser.seat import Seat
from tests.browser.slow_network import Held, intercept


def test_a_word_that_got_no_answer_goes_off_again(sit: Sit, complaints: Complaints) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    KIND.open(me)
    intercept(me.page, "**/moves", lambda route: route.abort())
    send(me, "slate")
    expect(me.report).to_have_text("No answer from the server. Your words are kept and sent again.")
    me.page.unroute("**/moves")
    send(me, "teas")
    expect_found(me, "teas", "slate")


@pytest.mark.parametrize(
    ("status", "says", "times"),
    [
        (404, "This game no longer exists, so your words cannot be sent", 1),
        (413, "SLATE could not be sent: the server refused it", 1),
        (429, "No answer from the server. Your words are kept and sent again.", 2),
    ],
)
def test_a_word_is_sent_again_only_if_another_answer_can_be_expected(
    sit: Sit, complaints: Complaints, status: int, says: str, times: int
) -> None:
    complaints.allow(f"status of {status}")
    me = sit()
    KIND.open(me)
    sent: list[str] = []

    def refuse(route: Route) -> None:
        sent.append(route.request.post_data or "")
        route.fulfill(status=status, content_type="text/html", body="<h1>Refused</h1>")

    intercept(me.page, "**/moves", refuse)
    send(me, "slate")
    expect(me.report).to_have_text(says)
    expect(me.announced).to_have_text(says)
    me.page.wait_for_timeout(1600)  # longer than until it is sent again
    assert len(sent) == times
    expect(me.page.locator("[data-under-way]")).to_have_count(times - 1)
    me.page.unroute("**/moves")
    send(me, "teas")
    expect_found(me, "teas", *(["slate"] if times > 1 else []))


def leave_without_an_answer(me: Seat) -> None:
    """Send two words that get no response while the page is open."""
    intercept(me.page, "**/moves", lambda route: route.abort())
    send(me, "slate", "teas")
    expect(me.page.locator("[data-under-way]")).to_have_count(2)


def test_words_without_an_answer_are_sent_after_a_reload(sit: Sit, complaints: Complaints) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    KIND.open(me)
    leave_without_an_answer(me)
    me.page.unroute("**/moves")
    me.page.reload()
    expect_found(me, "teas", "slate")
    assert me.page.evaluate("Object.values(sessionStorage)") == ["[]"]


@pytest.mark.parametrize("reloaded", [False, True])
@pytest.mark.parametrize("opponents", [[], ["friend"]], ids=["alone", "with a friend"])
def test_words_that_come_after_the_end_of_the_round_are_named(
    sit: Sit, complaints: Complaints, site: Site, opponents: list[str], *, reloaded: bool
) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    KIND.open(me, *opponents, begin=not opponents)
    if opponents:
        sit().join(me)
        start(me)
    send(me, "gent")
    expect_found(me, "gent")
    leave_without_an_answer(me)
    site.clock.ahead += 200
    me.page.unroute("**/moves")
    if reloaded:
        me.page.reload()
    expect(me.page.locator("#failure")).to_have_text("Too late to count: SLATE, TEAS.")
    expect(me.announced).to_contain_text("SLATE, TEAS")
    me.page.reload()
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.page.locator("#failure")).to_have_count(0)


def test_a_refused_word_is_not_named_as_late(sit: Sit) -> None:
    me, friend = sit(), sit()
    KIND.open(me, "friend", begin=False)
    friend.join(me)
    start(me)
    send(me, "tals", "xyzzy")
    expect(me.report).to_contain_text("is not in the word list")
    finish(me)
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.page.locator("#failure")).to_have_count(0)


def hold_word(me: Seat) -> Held:
    """Send a word whose response is held back."""
    held = Held(me.page, "**/moves", times=1)
    send(me, "slate")
    held.wait()
    return held


def test_the_round_is_finished_once_all_words_are_answered(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    held = hold_word(me)
    finish(me)
    me.press("Shift+Tab")
    me.page.wait_for_timeout(300)
    expect(me.table).to_have_attribute("data-phase", "running")
    held.release()
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.page.locator("#score")).to_have_text("2")


@pytest.mark.parametrize("way", ["button", "Escape", "backdrop"])
def test_a_player_who_keeps_playing_before_that_plays_on(sit: Sit, way: str) -> None:
    me = sit()
    KIND.open(me)
    held = hold_word(me)
    finish(me)
    if way == "button":
        me.page.get_by_role("button", name="Keep playing").click()
    elif way == "Escape":
        me.press("Escape")
    else:
        me.page.mouse.click(2, 2)
    expect(me.page.locator("#finish-dialog")).to_be_hidden()
    me.drag(SLATE[:3], release=False)
    with me.page.expect_response("**/moves"):
        held.release()
    expect_found(me, "slate")
    me.page.wait_for_timeout(300)
    assert me.chain == sorted(SLATE[:3])
    expect(me.table).to_have_attribute("data-phase", "running")


def test_a_remark_waits_for_no_word(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    held = hold_word(me)
    me.page.locator("#talk-open").click()
    me.page.locator(".talk-line").first.click()
    expect(me.page.locator(".talk-bubble")).to_be_visible()
    expect(me.page.locator("[data-under-way]")).to_have_count(1)
    held.release()
    expect_found(me, "slate")


def test_open_hints_stay_while_a_word_is_answered_and_are_right_afterwards(sit: Sit) -> None:
    me = sit()
    KIND.open(me, find_all="true", begin=False)
    held = hold_word(me)
    hints = me.page.locator("#hints")
    before = hints.locator("p").text_content() or ""
    me.page.locator("#power-hint").click()
    held.release()
    expect_found(me, "slate")
    expect(hints).to_be_visible()
    assert me.page.evaluate("document.activeElement.closest('#hints') !== null")
    me.press("Escape")
    expect(hints).to_be_hidden()
    expect(hints.locator("p")).not_to_have_text(before)
