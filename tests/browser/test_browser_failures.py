"""Browsers in trouble: late scripts, no cookies, slow and broken networks, the back button, two tabs."""

import re

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.browser.conftest import NO_NETWORK, Complaints, Sit
from tests.browser.kind import Kind, has_moved
from tests.browser.kinds import ONE_MOVE_AT_A_TIME
from tests.browser.seat import Seat
from tests.browser.slow_network import SCRIPTS, Held, intercept

TILE = "#board .tile, #hand .tile, #rack .tile"
SEND = "#word-send, #send, #enter"
MOVED_ON = "The game has moved on: this is the current position"
OVER = "The game is over: this is the result"
WAITS = """() => document.querySelector('[data-pending]')
  && document.getAnimations().some(({ animationName }) => animationName === "wait")"""
RETURNS = "document.dispatchEvent(new Event('visibilitychange'))"
"""The event that a page gets when its tab is shown again or restored from the back/forward cache.

A headless browser does not send it.
"""


@ONE_MOVE_AT_A_TIME
def test_a_move_that_takes_long_is_seen_to_be_under_way_and_is_sent_once(sit: Sit, kind: Kind) -> None:
    me = sit(reduced_motion="no-preference")
    kind.open(me)
    ply, held = me.ply, Held(me.page, "**/moves")
    kind.send(me)
    held.wait()
    me.page.wait_for_function(WAITS)
    me.page.locator(SEND).first.dispatch_event("click")
    me.press("Enter", "Enter")
    assert len(held.routes) == 1
    held.release()
    has_moved(me, ply)
    assert len(held.routes) == 1


def test_a_button_that_takes_long_is_seen_to_be_under_way(sit: Sit) -> None:
    me = sit(reduced_motion="no-preference")
    me.open("zen")
    held = Held(me.page, "**/moves")
    me.power("shuffle").click()
    me.page.wait_for_function(WAITS)
    held.release()
    me.await_ply(2)
    held = Held(me.page, "**/moves")
    me.page.locator("#power-finish").click()
    me.page.locator("#finish-confirm").click()
    me.page.wait_for_function(WAITS)
    held.release()
    expect(me.page.locator(".summary")).to_be_visible()


@ONE_MOVE_AT_A_TIME
def test_a_move_made_without_a_network_is_kept_and_sent_when_there_is_one(
    sit: Sit, complaints: Complaints, kind: Kind
) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    kind.open(me)
    ply = me.ply
    me.page.context.set_offline(True)
    kind.send(me)
    expect(me.report).to_contain_text("Nothing is lost")
    me.page.context.set_offline(False)
    assert me.ply == ply
    me.page.locator(SEND).first.click()
    has_moved(me, ply)


@ONE_MOVE_AT_A_TIME
def test_a_word_that_failed_and_was_cleared_is_no_longer_to_be_tried_again(
    sit: Sit, complaints: Complaints, kind: Kind
) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    kind.open(me)
    before = me.report.text_content()
    assert before
    me.page.context.set_offline(True)
    kind.send(me)
    expect(me.report).to_contain_text("Nothing is lost")
    me.press("Escape")
    expect(me.report).to_have_text(before)


def with_a_friend(sit: Sit, *, finished: bool) -> Seat:
    """Open a table with a friend, who has not come yet or, if it is finished, saw the opener resign."""
    me = sit()
    me.open_with("friend")
    if finished:
        sit().join(me)
        me.page.request.post(f"{me.address}/moves", form={"type": "resign"})
        me.visit(me.address)
    return me


@pytest.mark.parametrize("finished", [False, True], ids=["waiting", "finished"])
@pytest.mark.parametrize(
    ("status", "says"),
    [
        (0, "No answer from the server. Nothing is lost: try again."),
        (404, "This game was cancelled or deleted."),
        (422, "The server refused this: wait a moment, or reload the page."),
        (503, "The server has a problem. Nothing is lost: try again."),
    ],
)
def test_a_form_that_fails_on_a_page_without_a_word_says_why(
    sit: Sit, complaints: Complaints, status: int, says: str, *, finished: bool
) -> None:
    complaints.allow(*NO_NETWORK, f"status of {status}", f"Response Status Error Code {status}")
    me = with_a_friend(sit, finished=finished)
    intercept(
        me.page,
        re.compile("/(bots|remarks)$"),
        lambda route: route.fulfill(status=status) if status else route.abort(),
    )
    if finished:
        me.page.locator("#talk-open").click()
        me.page.locator(".talk-line").first.click()
    else:
        me.page.locator("#add-bot").click()
    expect(me.page.locator(".notice")).to_have_text(says)
    expect(me.page.locator(".notice")).to_be_in_viewport()
    expect(me.announced).to_have_text(says)


@pytest.mark.parametrize("finished", [False, True], ids=["waiting", "finished"])
def test_no_answer_is_no_longer_shown_once_the_server_answers_again(
    sit: Sit, complaints: Complaints, *, finished: bool
) -> None:
    complaints.allow(*NO_NETWORK, "htmx:afterRequest")
    me = with_a_friend(sit, finished=finished)
    me.page.context.set_offline(True)
    if finished:
        me.page.locator("#talk-open").click()
        me.page.locator(".talk-line").first.click()
    else:
        me.page.locator("#add-bot").click()
    failure = me.page.locator("#failure")
    expect(failure).to_contain_text("No answer")
    me.page.wait_for_timeout(4500)  # longer than until the page tries again
    expect(failure).to_be_visible()
    me.page.context.set_offline(False)
    expect(failure).to_have_count(0)


@pytest.mark.parametrize("whose", ["watcher", "opener"])
def test_an_open_page_of_a_cancelled_table_says_so(sit: Sit, complaints: Complaints, whose: str) -> None:
    complaints.allow("status of 404", "Response Status Error Code 404")
    me = sit()
    me.open_with("friend")
    other = sit(me.page.context) if whose == "opener" else sit()
    other.visit(me.address)
    asked: list[str] = []
    other.page.on("response", lambda answer: asked.append(answer.url))
    me.page.locator("#close-table").click()
    says = "This game was cancelled or deleted."
    expect(other.page.locator(".notice")).to_have_text(says)
    expect(other.announced).to_have_text(says)
    expect(other.page.locator("#table")).to_have_text(re.compile(rf"^\s*{says}\s*Lobby\s*$"))
    expect(other.page.locator("#table").locator("button, input, select")).to_have_count(0)
    before = len(asked)
    other.page.wait_for_timeout(2500)  # longer than until a page asks again
    assert len(asked) == before
    other.page.locator("#table").get_by_role("link", name="Lobby").click()
    other.page.wait_for_url(re.compile("/lobby$"))


@ONE_MOVE_AT_A_TIME
def test_two_tabs_of_one_seat_stay_in_step(sit: Sit, kind: Kind) -> None:
    """This also holds in a solo game, whose page opens no event stream."""
    me = sit()
    address = kind.open(me)
    ply = me.ply
    other = sit(me.page.context)
    other.visit(address)
    kind.send(other)
    has_moved(other, ply)
    me.page.bring_to_front()
    me.page.evaluate(RETURNS)
    has_moved(me, ply)


@pytest.mark.parametrize("looked_at", [False, True])
def test_a_word_typed_in_an_old_tab_stays(sit: Sit, *, looked_at: bool) -> None:
    """Also where the tabs are beside each other, so that the old one was never hidden."""
    me = sit()
    address = me.open("zen")
    me.type("qqqq")
    other = sit(me.page.context)
    other.visit(address)
    other.drag(other.word().cells)
    other.await_ply(2)
    me.page.bring_to_front()
    if looked_at:
        me.page.evaluate("window.dispatchEvent(new Event('focus'))")
    else:
        word = me.word().word
        me.press("Escape")
        me.type(word)
        me.press("Enter")
    me.await_ply(2)
    if not looked_at:
        expect(me.report).to_have_text(MOVED_ON)
        expect(me.report).to_have_class(re.compile("trouble"))
    expect(me.field).to_have_value(re.compile("qqqq" if looked_at else word, re.IGNORECASE))
    me.press("Escape")
    me.drag(me.word().cells)
    me.await_ply(3)


def test_a_word_sent_in_an_old_tab_shows_the_end_of_the_game(sit: Sit) -> None:
    me = sit()
    address = me.open("zen")
    word = me.word().word
    other = sit(me.page.context)
    other.visit(address)
    other.finish()
    me.page.bring_to_front()
    me.type(word)
    me.press("Enter")
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.announced).to_have_text(OVER)


@ONE_MOVE_AT_A_TIME
def test_the_back_button_shows_the_game_as_it_is_now(sit: Sit, kind: Kind) -> None:
    me = sit()
    address = kind.open(me)
    ply = me.ply
    me.page.goto(f"{me.url}/words")
    other = sit(me.page.context)
    other.visit(address)
    kind.send(other)
    has_moved(other, ply)
    me.page.go_back()
    has_moved(me, ply)
    me.page.go_forward()
    expect(me.page.locator("h1")).to_contain_text("Words")


@ONE_MOVE_AT_A_TIME
def test_a_reload_in_the_middle_of_a_word_leaves_the_game_alone(sit: Sit, kind: Kind) -> None:
    me = sit()
    kind.open(me)
    ply = me.ply
    tile = me.page.locator(TILE).first
    box = tile.bounding_box()
    assert box is not None
    me.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    me.page.mouse.down()
    me.page.mouse.move(box["x"] + 90, box["y"] + box["height"] / 2, steps=4)
    me.page.reload()
    me.page.mouse.up()
    assert me.ply == ply
    kind.send(me)
    has_moved(me, ply)


@ONE_MOVE_AT_A_TIME
def test_a_move_from_a_tab_left_behind_shows_the_game_as_it_is_and_says_why(sit: Sit, kind: Kind) -> None:
    me = sit()
    Held(me.page, re.compile(r"/events|/table\?"))  # it gets no updates
    address = kind.open(me)
    ply = me.ply
    kind.enter(me)
    other = sit(me.page.context)
    other.visit(address)
    kind.send(other)
    has_moved(other, ply)
    me.page.bring_to_front()
    kind.let_go(me)
    has_moved(me, ply)
    expect(me.report).to_contain_text(MOVED_ON)
    expect(me.announced).to_contain_text(MOVED_ON)


@ONE_MOVE_AT_A_TIME
def test_without_script_a_page_left_behind_says_so_too(sit: Sit, kind: Kind) -> None:
    me = sit()
    address = kind.open(me)
    ply = me.ply
    plain = sit(java_script_enabled=False, storage_state=me.page.context.storage_state())
    plain.visit(address)
    kind.send(me)
    has_moved(me, ply)
    field = plain.page.locator("#typed, #word-field")
    field.fill("8H teams" if field.get_attribute("name") == "text" else "teams")
    field.press("Enter")
    expect(plain.report).to_contain_text(MOVED_ON)
    assert plain.ply > ply


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "none"])
def test_a_move_for_a_game_that_is_over_says_so_on_its_last_page(sit: Sit, *, scripts: bool) -> None:
    me = sit()
    address = me.open("zen")
    late = sit(java_script_enabled=scripts, storage_state=me.page.context.storage_state())
    late.visit(address)
    me.play_word()
    me.finish()
    late.field.fill("teams")
    if scripts:
        late.press("Escape")
        late.drag(late.word().cells)
    else:
        late.field.press("Enter")
    expect(late.page.locator(".summary .notice")).to_contain_text(OVER)


def test_what_is_sent_before_the_scripts_have_come_is_a_move(sit: Sit) -> None:
    me = sit()
    address = me.open("zen")
    held = Held(me.page, SCRIPTS)
    word = me.word().word
    me.page.goto(address, wait_until="commit")
    me.field.fill(word)
    me.page.locator("#word-send").dblclick(no_wait_after=True)
    me.page.locator("#history li", has_text=word.upper()).wait_for()
    assert me.ply == 2, "the second click makes no second move"
    held.release()


def test_a_browser_without_cookies_sees_why_it_cannot_play(sit: Sit) -> None:
    me = sit()
    forget_cookies(me.page.context)
    for path in ("/", "/letterpress", "/boggle", "/scrabblet", "/daily"):
        me.page.context.clear_cookies()
        me.page.goto(me.url + path)
        me.page.locator("main form[action$='/play'] button:not([disabled])").first.click()
        expect(me.page.get_by_role("heading", level=1)).to_have_text("Your browser blocked the cookie")
        expect(me.page.locator("main")).to_contain_text("Allow cookies for this site")


def forget_cookies(context: BrowserContext) -> None:
    """Block cookies in the browser."""

    def strip(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        context.clear_cookies()
        headers = {name: value for name, value in answer.headers.items() if name != "set-cookie"}
        route.fulfill(response=answer, headers=headers)

    context.route("**/play", strip)


def test_with_cookies_the_first_game_has_a_plain_address(sit: Sit) -> None:
    me = sit()
    me.home()
    me.page.locator(".play-button").click()
    expect(me.table).to_be_visible()
    assert re.fullmatch(re.escape(me.url) + r"/games/[\w-]+", me.address)
    assert me.data("watching") == ""
    assert me.table.get_attribute("data-watching") is None


@ONE_MOVE_AT_A_TIME
def test_what_a_script_has_styled_goes_through_a_move_without_a_complaint(sit: Sit, kind: Kind) -> None:
    """Set as an attribute, the style would be blocked by the policy, and ``complaints`` would record it."""
    me = sit()
    kind.open(me)
    me.page.evaluate("document.querySelector('#table [id]').style.caretColor = 'red'")
    ply = me.ply
    kind.send(me)
    has_moved(me, ply)
