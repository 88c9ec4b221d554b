"""A quiz by keyboard alone, also on a phone."""

from playwright.sync_api import expect

from app.words.lexicon import Lexicon
from app.words.studies import anagrams
from tests.browser.conftest import PHONE, Sit
from tests.browser.page_checks import fits_width


def test_a_quiz_by_keyboard(sit: Sit, lexicon: Lexicon) -> None:
    """Each page focuses the right field."""
    me = sit(viewport=PHONE)
    me.page.goto(f"{me.url}/words?study=lists&list=three-letters-jqxz")
    fits_width(me, "the list")
    me.page.get_by_role("link", name="Quiz me").press("Enter")
    expect(me.page.get_by_label("Study list")).to_have_value("three-letters-jqxz")
    me.page.get_by_role("button", name="Start").press("Enter")
    for number in range(1, 11):
        expect(me.page.locator(".page-head")).to_contain_text(f"question {number} of 10")
        fits_width(me, f"question {number}")
        prompt = me.page.locator("#prompt").inner_text().lower()
        expect(me.page.locator("#answer")).to_be_focused()
        me.page.keyboard.type(" ".join(anagrams(lexicon, prompt)))
        me.page.keyboard.press("Enter")
        expect(me.page.locator(".question-feedback")).to_contain_text("Right")
    expect(me.page.get_by_role("heading", name="Quiz result")).to_be_visible()
    expect(me.page.locator(".facts")).to_contain_text("100%")


def test_y_and_n_answer_whether_a_word_is_valid(sit: Sit, lexicon: Lexicon) -> None:
    me = sit()
    me.page.goto(f"{me.url}/quiz?list=all&length=4&level=common&kind=validity")
    me.page.get_by_role("button", name="Start").click()
    for number in range(1, 11):
        expect(me.page.locator(".page-head")).to_contain_text(f"question {number} of 10")
        prompt = me.page.locator("#prompt").inner_text().lower()
        me.page.wait_for_load_state()  # with the script that handles keys
        me.page.keyboard.press("y" if prompt in lexicon else "n")
    expect(me.page.locator(".facts")).to_contain_text("10 of 10")
