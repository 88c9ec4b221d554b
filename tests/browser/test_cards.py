"""Cards reviewed with the keyboard alone."""

from playwright.sync_api import expect

from tests.browser.conftest import NO_NETWORK, Complaints, Sit
from tests.browser.slow_network import intercept


def test_cards_are_reviewed_with_the_keyboard(sit: Sit) -> None:
    me = sit()
    for ask, word in (("anagram", "retina"), ("validity", "zzyx")):
        me.page.request.post(f"{me.url}/api/cards", data={"ask": ask, "words": [word]})
    me.page.goto(f"{me.url}/cards")
    prompt, feedback = me.page.locator("#prompt"), me.page.locator("#feedback")
    expect(prompt).to_have_text("AEINRT")
    expect(me.page.locator("#answer")).to_be_focused()
    me.page.keyboard.type("retain retina ratine")
    me.page.keyboard.press("Enter")
    expect(feedback).to_contain_text("Right.")
    expect(me.page.locator("#announcer")).to_contain_text("Right.")
    expect(prompt).to_have_text("ZZYX")
    me.page.keyboard.press("Alt+4")
    expect(me.page.locator("[value=easy]")).to_have_attribute("aria-pressed", "true")
    me.page.keyboard.press("n")
    expect(feedback).to_contain_text("ZZYX is not a valid word")
    expect(me.page.locator(".review-done")).to_contain_text("Nothing is due.")
    me.page.keyboard.press("Alt+z")
    expect(prompt).to_have_text("ZZYX")
    # The key marked Y of a German keyboard.
    me.page.locator("body").dispatch_event("keydown", {"key": "y", "code": "KeyZ", "bubbles": True})
    expect(feedback).to_contain_text("Wrong.")


def test_an_answer_that_is_not_sent_says_so_and_can_be_sent_again(sit: Sit, complaints: Complaints) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    me.page.request.post(f"{me.url}/api/cards", data={"ask": "validity", "words": ["zzyx"]})
    me.page.goto(f"{me.url}/cards")
    refused = me.page.get_by_role("alert")
    intercept(me.page, "**/cards/answer", lambda route: route.abort())
    me.page.get_by_role("button", name="Not valid").click()
    expect(refused).to_have_text("Not sent. Try again.")
    me.page.unroute("**/cards/answer")
    me.page.get_by_role("button", name="Not valid").click()
    expect(me.page.locator("#feedback")).to_contain_text("Right.")
    expect(refused).to_have_count(0)
