"""The lobby refreshes without disturbing a player's input, and a press opens one game."""

import re

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.coach import Coach
from tests.browser.conftest import Complaints, Sit
from tests.browser.slow_network import Held

EVERY = 11_000
"""Milliseconds after which the page has refreshed once more."""


def refresh(page: Page) -> None:
    """Let time pass until the page has refreshed, if it does."""
    page.clock.run_for(EVERY)
    page.wait_for_timeout(1000)


def test_a_refresh_keeps_what_a_player_has_entered_or_presses(sit: Sit) -> None:
    me, other = sit(), sit()
    page = me.page
    page.clock.install()
    page.goto(f"{me.url}/lobby")
    page.get_by_label("Rated").uncheck()
    page.get_by_label("Your name").fill("Ada")
    page.evaluate("document.activeElement.blur()")
    other.open_with("friend", listed="true")
    join = page.get_by_role("button", name="Join")
    before = join.count()
    play = page.locator("button[value='wibble blitz']")
    play.hover()
    page.mouse.down()
    page.evaluate("document.activeElement.blur()")  # as in Safari, which does not focus what is pressed
    refresh(page)
    expect(join).to_have_count(before)
    page.mouse.move(0, 0)
    page.mouse.up()
    refresh(page)
    expect(join).to_have_count(before + 1)
    expect(page.get_by_label("Rated")).not_to_be_checked()
    expect(page.get_by_label("Your name")).to_have_value("Ada")


def test_a_button_pressed_while_the_lobby_is_fetched_stays(sit: Sit) -> None:
    me, other = sit(), sit()
    page = me.page
    page.clock.install()
    page.goto(f"{me.url}/lobby")
    other.open_with("friend", listed="true")
    page.locator("button[value='wibble blitz']").hover()
    page.evaluate("document.querySelector('#lobby').dataset.kept = ''")

    def press(route: Route) -> None:
        page.mouse.down()
        route.continue_()

    page.route("**/lobby", press)
    refresh(page)
    expect(page.locator("#lobby[data-kept]")).to_be_visible()


@pytest.mark.parametrize("where", ["room", "finished table", "lesson"])
def test_a_button_pressed_twice_opens_one_game(sit: Sit, where: str) -> None:
    me = sit()
    if where == "lesson":
        coach = Coach(me, "wibble")
        coach.open()
        list(coach.follow())
        me.page.reload()
        button = me.page.locator("#coach-side button").first
    elif where == "finished table":
        me.open("zen")
        me.play_word()
        me.finish()
        button = me.page.locator("#again")
    else:
        me.page.goto(f"{me.url}/letterpress")
        button = me.page.locator("#play button:not([type=button])").last
    me.page.wait_for_load_state("networkidle")
    sent: list[Request] = []
    held = Held(me.page, "**/play")
    me.page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    button.evaluate("(one) => { one.click(); setTimeout(() => one.click(), 200); }")
    me.page.wait_for_timeout(1000)
    assert len(sent) == 1
    held.release()
    me.page.wait_for_url("**/games/*")


@pytest.mark.parametrize("typing", [False, True])
def test_the_page_of_an_invitation_says_that_the_table_was_cancelled(
    sit: Sit, complaints: Complaints, *, typing: bool
) -> None:
    complaints.allow("status of 404")
    host, guest = sit(), sit()
    host.open_with("friend")
    guest.page.clock.install()
    guest.page.goto(host.page.locator("#invitation").input_value())
    if typing:
        guest.page.get_by_label("Your name").fill("Ada")
    refresh(guest.page)
    expect(guest.page.locator("#take-seat")).to_be_visible()
    if typing:
        expect(guest.page.get_by_label("Your name")).to_have_value("Ada")
    host.page.get_by_role("button", name="Cancel game").click()
    host.page.wait_for_url("**/lobby")
    refresh(guest.page)
    expect(guest.page.locator("#take-seat")).to_have_count(0)
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("Not found")
    announcer = guest.page.locator("#announcer")
    expect(announcer).to_contain_text("game")
    said = announcer.text_content()
    refresh(guest.page)
    refresh(guest.page)
    assert announcer.text_content() == said  # a repeated announcement would differ by a space


def test_the_page_of_an_invitation_says_that_the_table_is_full(sit: Sit) -> None:
    host, guest, quick = sit(), sit(), sit()
    host.open_with("friend")
    guest.page.clock.install()
    guest.page.goto(host.page.locator("#invitation").input_value())
    quick.join(host)
    refresh(guest.page)
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("This game is full")
    expect(guest.page).to_have_title(re.compile("full"))
    expect(guest.page.locator("#announcer")).to_contain_text("This game is full")
