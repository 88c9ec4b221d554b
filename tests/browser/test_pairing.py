"""Play now: two browsers find each other and play, a third takes the bot."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Sit, Site
from tests.browser.page_checks import violations

GAME = re.compile("/games/[^/]+$")


def test_two_waiting_players_are_paired_and_play(sit: Sit) -> None:
    me, friend = sit(), sit()
    me.page.goto(f"{me.url}/lobby")
    me.page.locator("button[value='wibble blitz']").click()
    expect(me.page.locator("h1")).to_have_text("Looking for a player")
    assert violations(me) == []
    friend.home()
    friend.page.locator("button[value='wibble blitz']").click()
    friend.page.wait_for_url(GAME)
    me.page.wait_for_url(friend.page.url)
    first, second = (me, friend) if me.data("seat") == "0" else (friend, me)
    first.play_word()
    second.await_ply(first.ply)
    second.play_word()
    me.page.go_back()
    expect(me.table).to_be_visible()


def test_a_player_without_a_match_can_play_the_bot(sit: Sit, site: Site) -> None:
    me = sit()
    me.page.goto(f"{me.url}/fribble")
    me.page.locator("button[value='fribble rapid']").click()
    seconds = me.page.locator("#search b")
    for ahead in (7, 14, 21):
        before = seconds.inner_text()
        site.clock.ahead = ahead
        expect(seconds).not_to_have_text(before)
    me.page.locator("#play-bot").click()
    me.page.wait_for_url(GAME)
