"""The Wibble solver in a browser: type, paint, read."""

from playwright.sync_api import expect

from tests.browser.conftest import Complaints, Sit

PATH = "/wibble/solver"
BOARD = "wibbletileschainwordgames"


def test_a_board_is_typed_painted_and_solved(sit: Sit, complaints: Complaints) -> None:
    complaints.allow(
        "htmx:afterRequest", "htmx:sendAbort"
    )  # a slow answer is replaced by that to more letters
    me = sit()
    page = me.page
    page.goto(me.url + PATH)
    page.locator("#letters").press_sequentially(BOARD)
    best = page.locator(".choice-word").last
    expect(best).to_contain_text("No swap")
    before = best.locator(".choice-title").inner_text()
    page.locator("[name=brush][value=x2]").check()
    page.locator("#tile-12").click()
    expect(page.locator("#tile-12")).to_have_attribute("data-bonuses", "x2")
    expect(best.locator(".choice-title")).not_to_have_text(before)
    assert "x2=12" in page.url
    page.locator("#held").select_option("0")
    page.wait_for_url("**held=0**")
    expect(page.locator(".choice-word")).to_have_count(1)
    page.reload()
    expect(page.locator("#tile-12")).to_have_attribute("data-bonuses", "x2")
    expect(page.locator(".choice-word")).to_have_count(1)


def test_a_larger_board_is_drawn_from_scratch(sit: Sit) -> None:
    me = sit()
    me.page.goto(me.url + PATH)
    me.page.locator("#letters").fill((BOARD + "somemorehere")[:36])
    me.page.locator("#letters").press("Tab")
    expect(me.page.locator("#board .tile")).to_have_count(36)
    expect(me.page.locator(".choice-word").first).to_be_visible()
