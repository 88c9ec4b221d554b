"""The profile page: nickname, statistics, export and deletion."""

import json
import re

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import PHONE, Sit
from tests.browser.page_checks import SCREENS, fits_width


def test_statistics_gather_are_taken_away_and_are_erased(sit: Sit) -> None:
    me = sit()
    address = me.open()
    word = me.play_word().word
    me.finish()
    me.page.goto(f"{me.url}/me")
    facts = me.page.locator(".mode-facts")
    expect(facts).to_contain_text("Classic")
    expect(facts).to_contain_text(word.upper())
    assert me.page.locator(".line").first.get_attribute("href") == address.removeprefix(me.url)
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name="Download as JSON").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8"))["games"][0]["best_word"] == word
    me.page.get_by_text("Delete my data").click()
    me.page.get_by_role("button", name="Delete everything").click()
    expect(me.page.locator(".empty")).to_contain_text("No games yet")
    assert me.page.context.cookies() == []


@SCREENS
def test_a_long_word_is_not_broken(sit: Sit, screen: ViewportSize) -> None:
    me = sit()
    me.page.set_viewport_size(screen)
    ask = me.page.request
    options = {"board": ["unco", "ilpm", "ment", "xyra"], "seconds": None}
    game = ask.post(f"{me.url}/api/games", data={"kind": "boggle", "options": options}).json()["id"]
    for move in ({"type": "word", "word": "uncomplimentary"}, {"type": "finish"}):
        assert ask.post(f"{me.url}/api/games/{game}/moves", data={"move": move}).ok
    me.page.goto(f"{me.url}/me")
    expect(me.page.locator(".mode-facts")).to_contain_text("UNCOMPLIMENTARY")
    heights = me.page.locator(".mode-facts dd").evaluate_all("(all) => all.map((one) => one.clientHeight)")
    assert len(set(heights)) == 1, heights


def test_a_nickname_is_kept_and_a_bad_one_is_refused_with_the_reason(sit: Sit) -> None:
    me = sit()
    me.page.goto(f"{me.url}/me")
    me.page.get_by_label("Choose a name").fill("Grace")
    me.page.get_by_role("button", name="Save").click()
    expect(me.page.get_by_role("heading", level=1)).to_have_text("Grace")
    me.page.get_by_label("Your name").fill("Gr\u202eace")
    me.page.get_by_role("button", name="Save").click()
    expect(me.page.locator("#nickname-notice")).to_contain_text("RIGHT-TO-LEFT OVERRIDE")
    expect(me.page.get_by_role("heading", level=1)).to_have_text("Grace")
    me.open_with("friend")
    expect(me.page.locator(".lobby-seat-name").first).to_have_text("You")


def test_what_a_form_for_signing_in_answers_is_in_view(sit: Sit) -> None:
    me = sit(viewport=PHONE)
    me.open()
    me.finish()
    me.page.goto(f"{me.url}/me")
    me.page.get_by_role("button", name="Get link").click()
    expect(me.page.get_by_label("Anyone with this link")).to_be_in_viewport()
    me.page.goto(f"{me.url}/me")
    me.page.get_by_role("button", name=re.compile("^Sign out .*this browser")).click()
    expect(me.page.get_by_role("alert").filter(has_text="make a recovery phrase")).to_be_in_viewport()


def test_a_token_with_a_long_name_fits_a_phone(sit: Sit) -> None:
    me = sit(viewport=PHONE)
    me.page.request.put(f"{me.url}/api/me", data={"nickname": "Ada"})
    me.page.goto(f"{me.url}/me/programs")
    me.page.get_by_label("What is it for?").fill("x" * 40)
    me.page.get_by_role("button", name="Make token").click()
    expect(me.page.get_by_label("Your new token")).to_be_in_viewport()
    fits_width(me)


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/me", "#nickname"),
        ("/me/sign-in", "#phrase"),
        ("/circles", "#circle-name"),
        ("/admin/sign-in", "#token"),
    ],
)
def test_back_leads_to_the_page_of_a_private_form_that_was_refused(sit: Sit, path: str, field: str) -> None:
    """Not to the browser's error page."""
    me = sit()
    me.page.goto(me.url + path)
    for _ in range(2):
        me.page.locator(field).fill("Gr\u202eace")
        me.page.locator(f"form:has({field}) .button").click()
        expect(me.page.locator(f"{field}[aria-invalid]")).to_be_visible()
        me.page.wait_for_url(me.url + path)
    me.page.goto(f"{me.url}/words")
    me.page.go_back()
    expect(me.page.locator(field)).to_have_value("")
    assert me.page.url == me.url + path
    me.page.reload()
    expect(me.page.locator(f"{field}[aria-invalid]")).to_have_count(0)
