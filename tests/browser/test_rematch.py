"""Rematches: a player asks for one, and the other players' pages show it and lead there."""

import re

from playwright.sync_api import expect

from tests.browser import letterpress, wibble
from tests.browser.conftest import Sit
from tests.browser.kind import Kind
from tests.browser.kinds import EACH_MULTIPLAYER_KIND
from tests.browser.page_checks import SCREENS

HELLO = 0
COVERED = """(links) => links.filter((link) => {
  const { left, top, width, height } = link.getBoundingClientRect();
  return !link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((link) => link.textContent)"""
"""The texts of those links whose centre is covered by another element."""


@EACH_MULTIPLAYER_KIND
def test_an_invited_player_sees_the_rematch_and_joins_with_a_click(sit: Sit, kind: Kind) -> None:
    me, friend = kind.together(sit)
    kind.finish(me, friend)
    expect(friend.page.locator("#again")).to_have_text("Rematch")
    friend.page.locator(".summary").evaluate("(element) => (element.dataset.kept = '')")
    finished = friend.address
    me.page.locator("#again").click()
    expect(me.page.locator(".lobby")).to_contain_text("Waiting for 1 player")
    expect(me.page.locator(".lobby")).to_contain_text("other player can join from the page of your last game")
    expect(friend.page.locator("#rematch")).to_contain_text("wants a rematch")
    expect(friend.page.locator("#again")).to_have_text("Join the rematch")
    expect(friend.page.locator("#join-rematch")).to_be_in_viewport()
    expect(friend.announced).to_contain_text("wants a rematch")
    expect(friend.page.locator(".summary[data-kept]")).to_be_visible()
    friend.page.locator("#join-rematch").click()
    friend.page.wait_for_url(me.address)
    assert friend.address != finished
    expect(me.page.locator(".lobby")).to_have_count(0)
    expect(friend.page.locator(".lobby")).to_have_count(0)


def test_two_rematches_at_once_are_one_table(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit)
    me.finish()
    for one in (me, friend):
        expect(one.page.locator("#again")).to_have_text("Rematch")
    for one in (me, friend):
        # Not click(): without waiting, it silently does nothing while the button is being replaced.
        one.page.locator("#again").dispatch_event("click")
    for one in (me, friend):
        one.await_ply(1)
    assert me.address == friend.address


def test_the_button_stays_while_it_is_pressed(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit)
    me.finish()
    expect(friend.page.locator("#again")).to_have_text("Rematch")
    friend.page.locator("#again").hover()
    friend.page.mouse.down()
    me.page.locator("#again").click()
    expect(me.page.locator(".lobby")).to_contain_text("Waiting for 1 player")
    friend.page.wait_for_timeout(2500)
    friend.page.mouse.up()
    for one in (me, friend):
        one.await_ply(1)
    assert me.address == friend.address


def test_a_finished_page_shows_that_the_rematch_is_cancelled(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit)
    me.finish()
    me.page.locator("#again").click()
    expect(friend.page.locator("#rematch")).to_be_visible()
    me.page.locator("#close-table").click()
    me.page.wait_for_url(re.compile("/lobby$"))
    expect(friend.page.locator("#rematch")).to_have_count(0)
    expect(friend.page.locator("#again")).to_have_text("Rematch")


def test_players_can_talk_after_the_end(sit: Sit) -> None:
    me, friend = wibble.KIND.together(sit)
    me.finish()
    friend.page.locator("#talk-open").click()
    me.page.request.post(f"{me.address}/remarks", form={"line": HELLO})
    friend.page.wait_for_timeout(2500)
    expect(friend.page.locator("#talk")).to_be_visible()
    friend.page.locator("#talk .talk-line").nth(HELLO).click()
    expect(me.page.locator(".talk-bubble")).to_contain_text("Hello!")
    expect(me.announced).to_have_text("Player 2 Hello!")
    me.page.locator("#talk-open").click()
    expect(me.page.locator("#talk .talk-recent li")).to_have_count(2)


@EACH_MULTIPLAYER_KIND
def test_the_button_for_talking_covers_no_link_after_the_end(sit: Sit, kind: Kind) -> None:
    me, friend = kind.together(sit)
    kind.finish(me, friend)
    expect(me.page.locator("#again")).to_be_visible()
    me.page.reload()
    expect(me.page.locator(".site-nav")).to_contain_text("You")
    assert me.page.locator(".site-nav a").evaluate_all(COVERED) == []


@SCREENS
def test_a_remark_and_the_offer_of_a_rematch_cover_little(sit: Sit, screen: dict[str, int]) -> None:
    me, friend = letterpress.KIND.together(sit, viewport=screen)
    me.finish()
    me.page.locator("#talk-open").click()
    me.page.locator(".talk-line").first.click()
    expect(friend.page.locator(".talk-bubble")).to_be_visible()
    me.page.locator("#again").click()
    expect(friend.page.locator("#join-rematch")).to_be_visible()
    parts = (".talk-bubble", ".rematch-notice", "#talk-open")
    said, asked, talk = (friend.page.locator(part).bounding_box() for part in parts)
    assert said is not None
    assert asked is not None
    assert talk is not None
    assert said["height"] < 80
    assert said["y"] + said["height"] <= asked["y"]
    assert talk["x"] + talk["width"] <= asked["x"] or asked["x"] + asked["width"] <= talk["x"]
