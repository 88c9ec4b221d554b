"""Team mode and word studies in a real browser."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Sit
from tests.browser.floors import LOOKS, fits_width, violations

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
    expect(page.locator("#board .fri-tile--latest")).not_to_have_count(0)
    page.get_by_label("They played").fill("pass")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".team-mover")).to_contain_text("You")
    page.get_by_label("Your rack").fill("EINDRS?")
    page.get_by_label("Your rack").press("Enter")
    expect(page.locator(".team-move")).to_have_count(10)
    page.get_by_label("You played another move").fill("exchange EE")
    page.get_by_label("You played another move").press("Enter")
    expect(page.locator("#error-turn")).to_contain_text("has no ")
    expect(page.get_by_label("You played another move")).to_have_value("exchange EE")
    page.get_by_label("You played another move").fill("exchange EI")
    page.get_by_label("You played another move").press("Enter")
    expect(page.get_by_label("Your rack")).to_have_value("DNRS?")
    page.get_by_role("link", name="Take back the last turn").click()
    expect(page.locator(".team-mover")).to_contain_text("You")


def test_a_move_pointed_at_is_shown_on_the_board(sit: Sit) -> None:
    page = open_team(sit, {"turns": "8H FRIBBLE", "first": "theirs", "rack": "EINDRST"}, viewport=DESK)
    laid = page.locator("#board .fri-tile--laid")
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
    expect(page.locator("#board .fri-tile--laid")).to_have_count(6)
    expect(page.locator("#board .fri-tile--blank")).to_have_count(1)
    field.press("Enter")
    expect(page.locator(".team-mover")).to_contain_text("You")
    expect(page.locator(".fri-square").nth(127)).to_have_text("R")
    page.locator(".fri-square[tabindex='0']").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_label("You played", exact=False)).to_have_value("8H ")


OVER_GAME = {"turns": "8H FRIBBLE\npass\npass\npass"}


def test_a_game_that_is_over_invites_no_move(sit: Sit) -> None:
    page = open_team(sit, OVER_GAME)
    expect(page.get_by_role("heading", name="The game is over")).to_be_in_viewport()
    expect(page.locator("#caption")).to_be_hidden()
    page.locator(".fri-square").nth(3).click()
    expect(page.get_by_text("Choose a square")).to_have_count(0)
    page.get_by_label("Your rack").fill("aeiqtuu")
    page.get_by_role("button", name="Count").click()
    expect(page.locator(".team-end")).to_contain_text("18 for AEIQTUU")
    page.get_by_role("link", name="Take back the last turn").click()
    expect(page.locator(".team-mover")).to_contain_text("They")


GAME = {"turns": "8H FRIBBLE", "first": "theirs", "rack": "EINDRS?"}
MOVES = f"{PATH}?{urlencode(GAME)}"
OVER = f"{PATH}?{urlencode(OVER_GAME)}"
WRONG = f"{PATH}?{urlencode(GAME | {'rack': '1', 'board': 'x', 'top': '0'})}"


@LOOKS
@pytest.mark.parametrize(
    "address",
    [MOVES, OVER, WRONG, "/words?letters=1&shortest=x", "/words?study=stems", "/words/friends"],
    ids=["moves", "over", "wrong", "words", "stems", "word"],
)
def test_axe_finds_no_violation(sit: Sit, screen: dict[str, int], scheme: str, address: str) -> None:
    me = sit(viewport=screen, color_scheme=scheme, bypass_csp=True)
    me.page.goto(me.url + address)
    assert violations(me) == []


def test_nothing_is_wider_than_a_phone(sit: Sit) -> None:
    me = sit()
    for address in (
        PATH,
        MOVES,
        OVER,
        WRONG,
        "/words?letters=retains%3F",
        "/words?letters=1&shortest=x",
        "/words?study=hooks&letters=top",
        "/words?study=pattern&letters=*isation*",
        "/words?study=stems",
        "/words?study=stems&letters=satire",
        "/words?study=statistics",
        "/words/electroencephalographs",
    ):
        me.page.goto(me.url + address)
        fits_width(me, address)


def test_it_works_without_scripts(sit: Sit) -> None:
    page = open_team(sit, {"rack": "BEFILRB"}, viewport=PHONE, java_script_enabled=False)
    page.locator(".team-move-name a").first.click()
    expect(page.locator("#caption")).to_contain_text("With 8")
    page.get_by_role("link", name="Play 8", exact=False).first.click()
    expect(page.get_by_role("heading", name="It is their turn")).to_be_visible()
