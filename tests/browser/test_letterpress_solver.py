"""The solver's page in a real browser."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Sit
from tests.browser.page_checks import assert_accessible_in_all_looks
from tests.browser.slow_network import SCRIPTS, Held

BOARD = "hgkcmdqbomiezfankxlknrlpo"
PATH = "/letterpress/solver"


def open_solver(sit: Sit, query: str = "", **options: object) -> Page:
    me = sit(**options)
    me.page.goto(f"{me.url}{PATH}{query}")
    return me.page


def address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def owners(page: Page) -> str:
    script = "tiles => tiles.map(tile => (tile.dataset.owner ?? '.')[0]).join('')"
    return str(page.locator("#board .tile").evaluate_all(script))


def test_a_board_is_typed_and_solved_at_its_last_letter(sit: Sit) -> None:
    page = open_solver(sit)
    page.get_by_label("Board 25 letters").press_sequentially("hgkcm dqbom iezfa nkxlk nrlp")
    expect(page.locator("#tile-23")).to_have_text("P")
    expect(page.locator(".move")).to_have_count(0)
    page.get_by_label("Board 25 letters").press_sequentially("o")
    expect(page.locator(".move")).to_have_count(10)
    expect(page.locator(".stats")).to_contain_text("27,544")
    assert address(page) == {"board": BOARD}
    page.reload()
    expect(page.locator(".move")).to_have_count(10)


def test_tiles_change_hands_by_a_tap_and_the_moves_follow(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}")
    page.locator("#tile-0").click()
    page.wait_for_url(re.compile(r"ours=1(&|$)"))
    page.locator("#tile-0").click()
    page.wait_for_url(re.compile(r"theirs=1(&|$)"))
    expect(page.locator(".score-theirs").first).to_be_visible()
    page.go_back()
    expect(page.locator("#tile-0")).to_have_attribute("data-owner", "ours")
    page.go_back()
    expect(page.locator("#tile-0")).not_to_have_attribute("data-owner", re.compile("."))
    assert address(page) == {"board": BOARD}


def test_going_back_twice_is_not_lost_while_the_scripts_are_on_their_way(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}")
    for query in (r"ours=1(&|$)", r"theirs=1(&|$)"):
        page.locator("#tile-0").click()
        page.wait_for_url(re.compile(query))
    held = Held(page, SCRIPTS)
    page.go_back(wait_until="commit")
    expect(page.locator("#tile-0")).to_have_attribute("data-owner", "ours")
    page.go_back(wait_until="commit")
    held.release()
    expect(page.locator("#tile-0")).not_to_have_attribute("data-owner", re.compile("."))
    assert address(page) == {"board": BOARD}


def test_a_stroke_paints_all_the_tiles_it_passes(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}", viewport=DESK)
    for brush, first in (("Yours", 0), ("Theirs", 20)):
        page.get_by_role("button", name=brush, exact=True).click()
        start, end = (page.locator(f"#tile-{cell}").bounding_box() for cell in (first, first + 3))
        assert start is not None
        assert end is not None
        page.mouse.move(start["x"] + 20, start["y"] + 20)
        page.mouse.down()
        page.mouse.move(end["x"] + 20, end["y"] + 20, steps=12)
        page.mouse.up()
    assert owners(page) == "oooo" + "." * 16 + "tttt."
    page.wait_for_url(re.compile(r"ours=15&theirs=15728640"))


def test_the_keyboard_paints_as_well(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}")
    page.locator("#tile-0").focus()
    for key in ("o", "ArrowRight", "t", "ArrowDown", "Enter", "ArrowLeft", "m"):
        page.keyboard.press(key)
    assert owners(page) == "ot....o" + "." * 18
    expect(page.locator("#tile-5")).to_have_accessible_name("D, free, must be used")
    page.wait_for_url(re.compile(r"must_use=5"))
    # Each move uses the tile.
    expect(page.locator("#answer figure .tile--latest[data-cell='5']").first).to_be_attached()


def test_a_move_pointed_at_is_shown_on_the_board(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}&ours=3&theirs=16777216", viewport=DESK)
    before = owners(page)
    move = page.locator(".move summary").first
    move.hover()
    expect(page.locator("#caption")).to_contain_text("After")
    cells = [int(cell) for cell in str(move.get_attribute("data-cells")).split(",")]
    after = owners(page)
    assert all(after[cell] == "o" for cell in cells)
    expect(page.locator("#board [data-word]")).to_have_count(len(cells))
    reply = str(move.get_attribute("data-reply")).split(",")
    expect(page.locator("#board [data-reply]")).to_have_count(len(reply))
    page.locator("h1").hover()
    assert owners(page) == before
    move.focus()
    assert owners(page) == after
    move.press("Enter")
    page.locator(".move[open] figure").nth(1).hover()
    replied = owners(page)
    assert all(replied[int(cell)] == "t" or after[int(cell)] == "o" for cell in reply)
    assert replied != after


def test_a_game_is_followed_move_by_move(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}")
    move = page.locator(".move").first
    word = str(move.locator("> summary").get_attribute("data-name")).lower()
    move.locator("> summary").click()
    move.get_by_role("link", name="Play this move").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Their best moves")
    assert owners(page).count("o") == len(word)
    page.get_by_label("They played something else").fill("quiz")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator(".other-word .field-error")).to_be_visible()
    expect(page.get_by_label("They played something else")).to_have_value("quiz")
    page.get_by_label("They played something else").fill("pain")
    page.get_by_role("button", name="Play it").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Your best moves")
    expect(page.get_by_label("Words already played")).to_have_value(f"{word},pain")
    assert "t" in owners(page)
    page.go_back()
    page.go_back()
    page.go_back()
    assert address(page) == {"board": BOARD}
    assert owners(page) == "." * 25


def test_what_is_wrong_stands_beside_its_field_until_it_is_mended(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}")
    page.get_by_label("Words already played").fill("zzzz")
    page.get_by_label("Words already played").blur()
    expect(page.locator("#error-played")).to_contain_text("The board cannot make 'zzzz'")
    expect(page.get_by_label("Words already played")).to_have_attribute("aria-invalid", "true")
    page.reload()
    expect(page.get_by_label("Words already played")).to_have_value("zzzz")
    page.get_by_label("Words already played").fill("pain")
    page.get_by_label("Words already played").blur()
    expect(page.locator(".move")).to_have_count(10)
    expect(page.locator("#error-played")).to_be_empty()


def test_a_random_board_can_be_undone(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}&ours=3&plies=1")
    page.get_by_role("button", name="Random board").click()
    page.wait_for_url(lambda url: BOARD not in url)
    assert address(page).keys() == {"board", "plies"}
    expect(page.get_by_label("Board 25 letters")).to_have_value(address(page)["board"])
    page.go_back()
    assert owners(page) == "oo" + "." * 23


def test_the_page_is_complete_without_scripts(sit: Sit) -> None:
    page = open_solver(sit, java_script_enabled=False)
    page.get_by_label("Board 25 letters").fill(BOARD)
    page.get_by_label("Board 25 letters").press("Enter")
    expect(page.locator(".move")).to_have_count(10)
    page.locator("#tile-3").click()
    expect(page.locator("#tile-3")).to_have_attribute("data-owner", "ours")
    page.locator(".move summary").first.click()
    expect(page.locator(".move[open] .press-board").first).to_be_visible()
    page.get_by_role("link", name="Play it and the reply").first.click()
    assert {"o", "t"} <= set(owners(page))
    page.get_by_role("button", name="Random board").click()
    expect(page.locator(".move")).to_have_count(10)
    assert set(owners(page)) == {"."}


def test_the_other_placements_of_a_word_are_opened_shown_and_played(sit: Sit) -> None:
    page = open_solver(sit, "?board=horseradishzzzzteamscatzz&ours=3&budget_ms=10000", viewport=DESK)
    expect(page.locator(".move")).to_have_count(10)
    move = page.locator(".move", has=page.locator(".placement")).first
    move.locator("> summary").click()
    move.locator(".placements summary").click()
    other = move.locator(".placement").first
    other.hover()
    cells = [int(cell) for cell in str(other.get_attribute("data-cells")).split(",")]
    expect(page.locator("#board [data-word]")).to_have_count(len(cells))
    assert all(owners(page)[cell] == "o" for cell in cells)
    after = owners(page)
    page.locator("h1").hover()
    other.focus()
    assert owners(page) == after
    other.press("Enter")
    expect(page.get_by_role("heading", level=2)).to_have_text("Their best moves")
    assert owners(page) == after


def test_nothing_moves_under_the_pointer_while_a_move_is_shown(sit: Sit) -> None:
    page = open_solver(sit, "?board=horseradishzzzzteamscatzz&ours=3", viewport={"width": 360, "height": 640})
    top = "settings => settings.offsetTop"
    before = page.locator("#settings").evaluate(top)
    page.locator(".move > summary").first.focus()
    expect(page.locator("#caption")).to_contain_text("dots: the reply")
    assert page.locator("#settings").evaluate(top) == before


def test_the_list_is_sorted_with_and_without_scripts(sit: Sit) -> None:
    for scripts in (True, False):
        page = open_solver(sit, f"?board={BOARD}", java_script_enabled=scripts)
        page.locator("#settings summary").click()
        page.get_by_label("Sort by").select_option("length")
        if not scripts:
            page.get_by_role("button", name="Solve").click()
        page.wait_for_url(re.compile("sort=length"))
        expect(page.locator("#answer[aria-busy=false] .move")).to_have_count(10)
        names = [str(each.get_attribute("data-name")) for each in page.locator(".move > summary").all()]
        assert [len(name) for name in names] == sorted(map(len, names), reverse=True)


def test_a_move_and_the_settings_are_accessible_when_open(sit: Sit) -> None:
    me = sit(bypass_csp=True)
    me.page.goto(f"{me.url}{PATH}?board={BOARD}&ours=6655&theirs=3139072&budget_ms=10000")
    move = me.page.locator(".move", has=me.page.locator(".placement")).first
    move.locator("> summary").click()
    move.locator(".placements summary").click()
    for details in ("#settings", ".meanings"):
        me.page.locator(f"{details} summary").click()
    assert_accessible_in_all_looks(me)


def test_everything_to_press_is_large_enough(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}&budget_ms=10000")
    page.locator("#settings summary").click()
    move = page.locator(".move", has=page.locator(".placement")).first
    move.locator("> summary").click()
    move.locator(".placements summary").click()
    pressed = "main :is(a, button, summary, select, textarea, .field input, .check, .side)"
    for screen in (PHONE, DESK):
        page.set_viewport_size(screen)
        small = page.locator(f"{pressed}:visible").evaluate_all(
            "all => all.filter(each => each.offsetHeight < 43.9).map(each => each.outerHTML.slice(0, 80))"
        )
        assert small == [], screen


def test_searching_on_a_phone_scrolls_to_the_moves(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}")
    heading = page.get_by_role("heading", name="Your best moves")
    expect(heading).not_to_be_in_viewport()
    page.locator("#tile-0").click()
    page.wait_for_url(re.compile(r"ours=1(&|$)"))
    expect(heading).not_to_be_in_viewport()
    page.get_by_role("button", name="Solve").click()
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()
    expect(page.locator(".move").first).to_be_in_viewport()


def test_the_page_does_not_scroll_if_the_moves_are_visible(sit: Sit) -> None:
    page = open_solver(sit, f"?board={BOARD}", viewport=DESK)
    page.get_by_label("Board 25 letters").press("Enter")
    expect(page.locator("#answer[aria-busy=false] .move")).to_have_count(10)
    page.wait_for_timeout(300)
    expect(page.get_by_label("Board 25 letters")).to_be_focused()
    assert page.evaluate("scrollY") == 0


def test_placements_of_one_word_are_distinguishable(sit: Sit) -> None:
    page = open_solver(sit, "?board=horseradishzzzzteamscatzz&top=40&group=false")
    expect(page.locator(".move")).to_have_count(40)
    names = page.locator(".move summary").evaluate_all(
        "all => all.map(({textContent}) => textContent.trim())"
    )
    drawn = page.locator(".move-cells").evaluate_all("all => all.map(({innerHTML}) => innerHTML)")
    words = page.locator(".move summary").evaluate_all("all => all.map(({dataset}) => dataset.name)")
    assert len(set(words)) < len(words), "a board on which a word is listed twice"
    assert len(set(names)) == len(names)
    assert len(set(zip(words, drawn, strict=True))) == len(words)
