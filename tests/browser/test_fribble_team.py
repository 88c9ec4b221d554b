"""Team mode and word studies in a real browser."""

from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Sit
from tests.browser.fribble import OVER

PATH = "/fribble/team"


def open_team(sit: Sit, query: dict[str, str] | None = None, **options: object) -> Page:
    me = sit(**options)
    me.page.goto(f"{me.url}{PATH}?{urlencode(query or {})}")
    return me.page


def test_a_game_of_a_few_turns(sit: Sit) -> None:
    page = open_team(sit)
    page.get_by_label("Your rack").fill("befilrb")
    page.get_by_role("button", name="Find moves").click()
    expect(page.locator(".team-move")).to_have_count(10)
    page.get_by_role("link", name="Play 8", exact=False).first.click()
    expect(page.get_by_role("heading", name="It is their turn")).to_be_visible()
    expect(page.locator("#board .tile--latest")).not_to_have_count(0)
    page.get_by_label("They played").fill("pass")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".team-mover")).to_contain_text("You")
    page.get_by_label("Your rack").fill("EINDRS?")
    page.get_by_label("Your rack").press("Enter")
    expect(page.locator(".team-move")).to_have_count(10)
    page.get_by_label("I played something else").fill("exchange EE")
    page.get_by_label("I played something else").press("Enter")
    expect(page.locator("#error-turn")).to_contain_text("has no ")
    expect(page.get_by_label("I played something else")).to_have_value("exchange EE")
    page.get_by_label("I played something else").fill("exchange EI")
    page.get_by_label("I played something else").press("Enter")
    expect(page.get_by_label("Your rack")).to_have_value("DNRS?")
    page.get_by_role("link", name="Take back the last turn").click()
    expect(page.locator(".team-mover")).to_contain_text("You")


def test_a_move_pointed_at_is_shown_on_the_board(sit: Sit) -> None:
    page = open_team(sit, {"turns": "8H FRIBBLE", "first": "theirs", "rack": "EINDRST"}, viewport=DESK)
    laid = page.locator("#board .tile--laid")
    expect(laid).to_have_count(0)
    for move in page.locator(".team-move").all()[:3]:
        move.hover()
        expect(laid).to_have_count(len(move.get_attribute("data-letters") or ""))
    page.get_by_role("heading", name="Your best moves").hover()
    expect(laid).to_have_count(0)
    link = page.locator(".team-move-name a").first
    link.click()
    page.get_by_role("heading", name="Your best moves").hover()
    expect(laid).not_to_have_count(0)
    expect(page.locator("#caption")).to_contain_text("With")


def test_a_square_begins_the_move_that_is_typed(sit: Sit) -> None:
    page = open_team(sit, {"turns": "8H FRIBBLE"}, viewport=DESK)
    field = page.get_by_label("They played")
    page.locator(".fri-square").nth(112).click()
    expect(field).to_have_value("8H ")
    page.locator(".fri-square").nth(112).click()
    expect(field).to_have_value("H8 ")
    field.press_sequentially(".RIeNDS")
    expect(page.locator("#board .tile--laid")).to_have_count(6)
    expect(page.locator("#board .tile--blank")).to_have_count(1)
    field.press("Enter")
    expect(page.locator(".team-mover")).to_contain_text("You")
    expect(page.locator(".fri-square").nth(127)).to_have_text("R")
    page.locator(".fri-square[tabindex='0']").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_label("I played", exact=False)).to_have_value("8H ")


def test_a_game_that_is_over_invites_no_move(sit: Sit) -> None:
    page = open_team(sit, OVER)
    expect(page.get_by_role("heading", name="The game is over")).to_be_in_viewport()
    expect(page.locator("#caption")).to_be_hidden()
    page.locator(".fri-square").nth(3).click()
    expect(page.get_by_text("Choose a square")).to_have_count(0)
    page.get_by_label("Your rack").fill("aeiqtuu")
    page.get_by_role("button", name="Count").click()
    expect(page.locator(".team-end")).to_contain_text("18 for AEIQTUU")
    page.get_by_role("link", name="Take back the last turn").click()
    expect(page.locator(".team-mover")).to_contain_text("They")


def test_it_works_without_scripts(sit: Sit) -> None:
    page = open_team(sit, {"rack": "BEFILRB"}, viewport=PHONE, java_script_enabled=False)
    page.locator(".team-move-name a").first.click()
    expect(page.locator("#caption")).to_contain_text("With 8")
    page.get_by_role("link", name="Play 8", exact=False).first.click()
    expect(page.get_by_role("heading", name="It is their turn")).to_be_visible()
