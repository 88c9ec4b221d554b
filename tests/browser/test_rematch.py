"""After a game: one asks for another, and the others' pages come to know and take them there."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import boggle, fribble, letterpress
from tests.browser.conftest import Sit
from tests.browser.floors import SCREENS
from tests.browser.seat import Seat

HELLO = 0


def versus(sit: Sit) -> tuple[Seat, Seat]:
    me, friend = sit(), sit()
    me.open_with("friend")
    friend.join(me)
    me.await_ply(1)
    return me, friend


def finished_boggle(sit: Sit) -> tuple[Seat, Seat]:
    me, friend = boggle.together(sit)
    for one in (me, friend):
        one.page.locator("#power-finish").click()
        one.page.locator("#finish-confirm").click()
    return me, friend


def finished_fribble(sit: Sit) -> tuple[Seat, Seat]:
    me, friend = fribble.together(sit)
    fribble.give_up(me)
    return me, friend


def resigned(together: Callable[[Sit], tuple[Seat, Seat]]) -> Callable[[Sit], tuple[Seat, Seat]]:
    def play(sit: Sit) -> tuple[Seat, Seat]:
        me, friend = together(sit)
        me.finish()
        return me, friend

    return play


@pytest.mark.parametrize(
    "over",
    [resigned(versus), resigned(letterpress.together), finished_boggle, finished_fribble],
    ids=["wibble", "letterpress", "boggle", "fribble"],
)
def test_who_is_asked_hears_of_it_and_joins_with_a_press(
    sit: Sit, over: Callable[[Sit], tuple[Seat, Seat]]
) -> None:
    me, friend = over(sit)
    expect(friend.page.locator("#again")).to_have_text("Rematch")
    friend.page.locator(".summary").evaluate("(element) => (element.dataset.kept = '')")
    finished = friend.page.url
    me.page.locator("#again").click()
    expect(me.page.locator(".lobby")).to_contain_text("Waiting for 1 player")
    expect(friend.page.locator("#rematch")).to_contain_text("wants a rematch")
    expect(friend.page.locator("#again")).to_have_text("Join the rematch")
    expect(friend.page.locator("#join-rematch")).to_be_in_viewport()
    expect(friend.said).to_contain_text("wants a rematch")
    expect(friend.page.locator(".summary[data-kept]")).to_be_visible()
    friend.page.locator("#join-rematch").click()
    friend.page.wait_for_url(me.page.url)
    assert friend.page.url != finished
    expect(me.page.locator(".lobby")).to_have_count(0)
    expect(friend.page.locator(".lobby")).to_have_count(0)


def test_both_who_press_at_once_sit_at_one_table(sit: Sit) -> None:
    me, friend = resigned(versus)(sit)
    for one in (me, friend):
        one.page.locator("#again").click(no_wait_after=True)
    for one in (me, friend):
        one.await_ply(1)
    assert me.page.url == friend.page.url


def test_a_finished_page_is_told_when_the_rematch_is_off_again(sit: Sit) -> None:
    me, friend = resigned(versus)(sit)
    me.page.locator("#again").click()
    expect(friend.page.locator("#rematch")).to_be_visible()
    me.page.locator("#close-table").click()
    me.page.wait_for_url(re.compile("/lobby$"))
    expect(friend.page.locator("#rematch")).to_have_count(0)
    expect(friend.page.locator("#again")).to_have_text("Rematch")


def test_one_talks_after_the_end(sit: Sit) -> None:
    me, friend = resigned(versus)(sit)
    friend.page.locator("#talk-open").click()
    me.page.request.post(f"{me.page.url}/remarks", form={"line": HELLO})
    friend.page.wait_for_timeout(2500)
    expect(friend.page.locator("#talk")).to_be_visible()
    friend.page.locator("#talk .talk-line").nth(HELLO).click()
    expect(me.page.locator(".talk-bubble")).to_contain_text("Hello!")
    expect(me.said).to_have_text("Player 2 Hello!")
    me.page.locator("#talk-open").click()
    expect(me.page.locator("#talk .talk-recent li")).to_have_count(2)


@SCREENS
def test_what_is_said_and_asked_at_once_covers_little(sit: Sit, screen: dict[str, int]) -> None:
    me, friend = sit(viewport=screen), sit(viewport=screen)
    letterpress.sit_down(me, friend)
    me.finish()
    me.page.locator("#talk-open").click()
    me.page.locator(".talk-line").first.click()
    expect(friend.page.locator(".talk-bubble")).to_be_visible()
    me.page.locator("#again").click()
    expect(friend.page.locator("#join-rematch")).to_be_visible()
    said, asked = (friend.page.locator(part).bounding_box() for part in (".talk-bubble", ".rematch-notice"))
    assert said is not None
    assert asked is not None
    assert said["height"] < 80
    assert said["y"] + said["height"] <= asked["y"]
