"""Cards reviewed with the keyboard alone."""

from playwright.sync_api import expect

from tests.browser.conftest import Sit


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
    me.page.keyboard.press("y")
    expect(feedback).to_contain_text("Wrong.")
