"""Study boards in a real browser: steps, variations, the engine, keeping, and opening them elsewhere."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Sit
from tests.browser.slow_network import Held

PATH = "/fribble/board"


def open_board(sit: Sit, query: str = "", **options: object) -> Page:
    me = sit(**options)
    me.page.goto(f"{me.url}{PATH}{query}")
    return me.page


def play(page: Page, move: str) -> None:
    page.locator("#move").fill(move)
    page.locator("#move").press("Enter")


def current(page: Page, number: int) -> None:
    expect(page.locator(".study-move[aria-current]")).to_have_id(f"node-{number}")


def test_a_variation_is_made_kept_and_opened_in_another_browser(sit: Sit) -> None:
    page = open_board(sit, "?rack-1=BEFILRB", viewport=DESK)
    page.get_by_role("link", name="Score and tiles kept").click()
    expect(page.locator(".study-line")).to_have_count(10)
    page.get_by_role("button", name="Play FRIBBLE").first.click()
    current(page, 1)
    expect(page.locator("#board .tile--latest")).to_have_count(7)
    play(page, "pass")
    current(page, 2)
    expect(page.locator("#move")).to_be_focused()
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    current(page, 1)
    play(page, "exchange 2")
    current(page, 3)
    expect(page.locator(".study-row[data-depth='1'] .study-move")).to_have_text("2. exchange 2 0")
    page.locator("h1").click()
    for key, number in (("Home", 0), ("End", 2), ("ArrowLeft", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        current(page, number)
    page.get_by_role("link", name="Off", exact=True).click()
    expect(page.locator("#engine-off[aria-current]")).to_be_attached()
    expect(page.locator(".study-line")).to_have_count(0)
    page.get_by_label("Keep this board as").fill("An opening")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("heading", name="An opening")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download", exact=True).click()
    assert '"exchange 2"' in download.value.path().read_text()
    address = page.get_by_label("Link").input_value()
    other = sit().page
    other.goto(address)
    expect(other.get_by_text("Someone else’s board")).to_be_visible()
    play(other, "8E FRIB")
    current(other, 4)
    expect(other).not_to_have_url(address)
    expect(other.get_by_text("Not kept")).to_be_visible()
    page.go_back()
    expect(page.locator("#study")).to_be_visible()


def test_a_downloaded_board_is_opened_from_its_file(sit: Sit) -> None:
    page = open_board(sit)
    play(page, "8H FRIBBLE")
    current(page, 1)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download", exact=True).click()
    page.get_by_role("link", name="Your boards").click()
    page.get_by_label("A board you downloaded", exact=False).set_input_files(download.value.path())
    page.get_by_role("button", name="Open").click()
    expect(page.locator("#node-1")).to_contain_text("8H FRIBBLE")


def test_a_square_begins_the_move_that_is_typed(sit: Sit) -> None:
    page = open_board(sit, "?position=&turns=8H+FRIBBLE&at=1", viewport=DESK)
    field = page.locator("#move")
    page.locator(".fri-square").nth(112).click()
    expect(field).to_have_value("8H ")
    page.locator(".fri-square").nth(112).click()
    expect(field).to_have_value("H8 ")
    field.press_sequentially(".RIeNDS")
    expect(page.locator("#board .tile--laid")).to_have_count(6)
    expect(page.locator("#board .tile--blank")).to_have_count(1)
    field.press("Enter")
    current(page, 2)
    expect(page.locator(".fri-square").nth(127)).to_have_text("R")
    page.locator(".fri-square[tabindex='0']").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(field).to_have_value("8H ")


def test_an_engine_line_pointed_at_is_shown_on_the_board(sit: Sit) -> None:
    page = open_board(sit, "?rack-1=BEFILRB&engine=static", viewport=DESK)
    laid = page.locator("#board .tile--laid")
    for line in page.locator(".study-line").all()[:3]:
        line.hover()
        expect(laid).to_have_count(len(line.get_attribute("data-letters") or ""))
    page.locator("h1").hover()
    expect(laid).to_have_count(0)


def test_an_error_keeps_what_was_typed(sit: Sit) -> None:
    page = open_board(sit, "?rack-1=EINDRST", viewport=PHONE)
    play(page, "8H ZOO")
    expect(page.locator("#error-move")).to_contain_text("The rack has no O")
    expect(page.locator("#move")).to_have_value("8H ZOO")


def test_another_engine_is_chosen_while_one_searches(sit: Sit) -> None:
    page = open_board(sit, "?rack-1=BEFILRB", viewport=DESK)
    page.route(lambda url: "part=engine" in url, lambda _: None)  # the search never ends
    page.get_by_role("link", name="Score and tiles kept").click()
    expect(page.get_by_text("Searching…")).to_be_visible()
    page.get_by_role("link", name="Off", exact=True).click()
    expect(page.locator("#engine-off[aria-current]")).to_be_attached()


@pytest.mark.parametrize("engine", ["static"])
def test_it_works_without_scripts(sit: Sit, engine: str) -> None:
    page = open_board(sit, f"?rack-1=BEFILRB&engine={engine}", viewport=PHONE, java_script_enabled=False)
    page.get_by_role("button", name="Play FRIBBLE").first.click()
    current(page, 1)
    page.locator("#step-first").click()
    current(page, 0)
    page.get_by_label("Keep this board as").fill("Plain")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("heading", name="Plain")).to_be_visible()


def test_tapped_tiles_make_a_word_in_letterpress(sit: Sit) -> None:
    me = sit(viewport=DESK)
    me.page.goto(f"{me.url}/letterpress/solver?board=bnbdaetgreliegbcnhdlxmhoi")
    me.page.get_by_role("button", name="Study").click()
    expect(me.page.locator("#study")).to_be_visible()
    me.page.wait_for_load_state()
    for cell in (0, 8, 5, 4, 3):
        me.page.locator(f"#tile-{cell}").click()
    expect(me.page.locator("#move")).to_have_value("BREAD 0 8 5 4 3")
    expect(me.page.locator("#board [data-word]")).to_have_count(5)
    me.page.locator("#move").press("Enter")
    current(me.page, 1)
    expect(me.page.locator("#board [data-owner='ours']")).to_have_count(5)
    me.page.get_by_role("link", name="2 moves ahead").click()
    me.page.locator(".study-line").first.hover()
    expect(me.page.locator("#board [data-word]")).not_to_have_count(0)
    me.page.locator(".study-line button").first.click()
    current(me.page, 2)
    expect(me.page.locator("#board [data-owner='theirs']")).not_to_have_count(0)


def open_wibble(sit: Sit) -> Page:
    me = sit(viewport=DESK)
    me.page.goto(f"{me.url}/wibble/solver?board=catsxodogxwertyplanezzqzz&gems=1,9&held=6")
    me.page.get_by_role("button", name="Study").click()
    me.page.wait_for_url("**/boards/new/wibble?*")
    me.page.wait_for_load_state()
    return me.page


def test_words_are_drawn_and_new_letters_entered_in_wibble(sit: Sit) -> None:
    me = sit(viewport=DESK)
    page = me.page
    page.goto(f"{me.url}/wibble/solver?board=catsxodogxwertyplanezzqzz&gems=1,9&held=6")
    page.get_by_role("button", name="Study").click()
    page.wait_for_url("**/boards/new/wibble?*")
    page.wait_for_load_state()
    me.drag((0, 1, 2, 3), release=False)
    expect(page.locator("#move")).to_have_value("CATS 0 1 2 3")
    page.mouse.up()
    current(page, 1)
    unknown = page.locator("#board .tile--unknown")
    expect(unknown).to_have_count(4)
    expect(page.get_by_text("7", exact=True).first).to_be_visible()
    page.locator("#tile-2").click()
    expect(page.get_by_label("New letters")).to_be_focused()
    page.get_by_label("New letters").fill("rain")
    expect(page.locator("#tile-3")).to_contain_text("N")
    page.locator("#brush-gem").check(force=True)
    page.locator("#tile-3").click()
    page.locator("#brush-x2").check(force=True)
    page.locator("#tile-0").click()
    page.locator("#brush-word").check(force=True)
    expect(unknown).to_have_count(0)
    expect(page.locator("#tile-3")).to_have_attribute("data-bonuses", "gem")
    expect(page.locator("#tile-0")).to_have_attribute("data-bonuses", "x2")
    for cell in (0, 1, 2, 3):
        page.locator(f"#tile-{cell}").click()
    expect(page.locator("#board [aria-pressed=true]")).to_have_count(4)
    page.get_by_role("link", name="Most points").click()
    expect(page.locator(".study-line").first).to_be_visible()
    page.locator("#move").fill("doe")
    expect(page.locator("#board [aria-pressed=true]")).to_have_count(3)
    page.locator("#tile-0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#move")).to_have_value("A 1")
    line = page.locator(".study-line").filter(has_text="swap").first
    line.hover()
    expect(page.locator("#board [data-swapped]")).not_to_have_count(0)
    line.get_by_role("button").click()
    current(page, 2)
    expect(page.locator("#node-2")).to_contain_text("swap")


def paint_gem(page: Page) -> None:
    page.locator("#brush-gem").check(force=True)
    page.locator("#tile-20").click()


def expect_gem(page: Page) -> None:
    """Expect that it has been saved, which gives the board an address."""
    page.wait_for_url(lambda url: "/new/" not in url)
    page.reload()
    expect(page.locator("#known-gems")).to_have_value("1,9,20")


def test_gems_painted_while_the_engine_searches_are_kept(sit: Sit) -> None:
    page = open_wibble(sit)
    held = Held(page, lambda url: "part=engine" in url, times=1)
    page.get_by_role("link", name="Most points").click()
    held.wait()
    paint_gem(page)
    held.release()
    expect(page.locator(".study-line").first).to_be_visible()
    page.locator("#brush-word").check(force=True)
    expect_gem(page)


def test_gems_are_saved_before_a_link_is_followed_or_a_move_made(sit: Sit) -> None:
    page = open_wibble(sit)
    paint_gem(page)
    page.get_by_role("link", name="Most points").click()
    expect(page.locator(".study-line").first).to_be_visible()
    expect_gem(page)
    paint_gem(page)  # takes it away
    play(page, "cats")
    current(page, 1)
    page.locator("#step-first").click()
    current(page, 0)
    expect(page.locator("#known-gems")).to_have_value("1,9")


def test_painted_gems_that_are_refused_are_shown_with_the_reason(sit: Sit) -> None:
    page = open_wibble(sit)
    gems = page.locator("#known-gems")
    expect(gems).to_be_hidden()
    page.locator("#brush-gem").check(force=True)
    for cell in range(10, 20):
        page.locator(f"#tile-{cell}").click()
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator("#error-known-gems")).to_contain_text("12 cells: a board of Classic has up to 10")
    expect(gems).to_be_visible()


def test_a_word_is_traced_on_a_board_of_boggle(sit: Sit) -> None:
    me = sit(viewport=PHONE)
    me.page.goto(f"{me.url}/boggle/board?board=chos+arei+ltnd+wges")
    me.page.get_by_role("button", name="Study").click()
    expect(me.page.locator("#study")).to_be_visible()
    me.page.wait_for_load_state()
    for cell in (0, 1, 4, 5, 4, 4, 5, 5, 5):
        me.page.locator(f"#tile-{cell}").click()
    expect(me.page.locator("#move")).to_have_value("CHAR 0 1 4 5")
    expect(me.page.locator("#board [data-word]")).to_have_count(4)
    me.page.locator("#tile-15").click()
    expect(me.page.locator("#move")).to_have_value("S 15")
    play(me.page, "char")
    current(me.page, 1)
    expect(me.page.locator("#trail-line")).to_have_attribute("points", "0.5,0.5 1.5,0.5 0.5,1.5 1.5,1.5")
    me.page.get_by_role("link", name="Common words").click()
    line = me.page.locator(".study-line").first
    line.hover()
    expect(me.page.locator("#board [data-word]")).to_have_count(len(line.get_attribute("data-letters") or ""))
    line.get_by_role("button").click()
    current(me.page, 2)


def test_tapped_letters_make_a_word_in_scrabblet(sit: Sit) -> None:
    me = sit(viewport=PHONE)
    me.page.goto(f"{me.url}/scrabblet/player?hand=crpei")
    me.page.get_by_role("button", name="Study").click()
    expect(me.page.locator("#study")).to_be_visible()
    me.page.wait_for_load_state()
    for cell in (0, 1, 3, 3, 0):
        me.page.locator(f"#tile-{cell}").click()
    me.page.get_by_role("button", name="Erase a letter").click()
    expect(me.page.locator("#move")).to_have_value("CREE")
    for cell in (2, 4, 3):
        me.page.locator(f"#tile-{cell}").click()
    expect(me.page.locator("#board [data-word]")).to_have_count(5)
    me.page.locator("#move").press("Enter")
    current(me.page, 1)
    expect(me.page.locator(".study-scores dd")).to_have_text("11")
    me.page.get_by_role("link", name="All words").click()
    line = me.page.locator(".study-line").first
    line.hover()
    expect(me.page.locator("#board [data-word]")).not_to_have_count(0)
    line.get_by_role("button").click()
    current(me.page, 2)
