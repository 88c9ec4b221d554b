"""Puzzles are answered by tapping; a rush goes on without a reload; pages are light and accessible."""

import pytest
from playwright.sync_api import ViewportSize, expect

from app.games.puzzle_sets import shipped_puzzles
from app.games.puzzles import Puzzle
from tests.browser.addresses import retry_pages
from tests.browser.conftest import DESK, NO_NETWORK, PHONE, Complaints, Sit, Site
from tests.browser.page_checks import (
    LANDSCAPE,
    MOST_BYTES,
    SMALL,
    fits_width,
    in_all_looks,
    received,
    violations,
)
from tests.browser.seat import Seat
from tests.browser.slow_network import intercept

KINDS = ("wibble", "letterpress", "boggle", "fribble", "scrabblet")
BOARD_AND_ANSWER = ("#puzzle-board > :not(dialog)", "#word", ".puzzle-line .button--primary")


def opened(seat: Seat, kind: str, *, without: str = "") -> Puzzle:
    """Open a puzzle whose solution lacks the theme ``without``."""
    puzzle = next(each for each in shipped_puzzles(kind).values() if without not in each.themes)
    seat.page.goto(f"{seat.url}/puzzles/{puzzle.id}")
    return puzzle


def are_seen_whole(seat: Seat, *parts: str) -> None:
    """Assert that each of these parts is there, and all of it on the screen."""
    for part in parts:
        expect(seat.page.locator(part)).not_to_have_count(0)
        for each in seat.page.locator(part).all():
            expect(each).to_be_in_viewport(ratio=1)


def tap_word(seat: Seat, puzzle: Puzzle) -> None:
    for cell in puzzle.solution.cells:
        seat.page.locator("#puzzle-board .tile").nth(cell).click()
    expect(seat.page.locator("#word")).to_have_value(puzzle.solution.word.upper())
    seat.page.get_by_role("button", name="Answer").click()


@pytest.mark.parametrize("kind", ["wibble", "letterpress", "boggle"])
def test_a_word_is_tapped(sit: Sit, kind: str) -> None:
    me = sit()
    tap_word(me, opened(me, kind, without="swap"))
    expect(me.page.locator("#result-title")).to_have_text("Solved")


def test_back_leads_to_the_page_of_a_refused_word(sit: Sit, site: Site, complaints: Complaints) -> None:
    """Not to the browser's error page."""
    complaints.allow("422")
    me, friend = sit(), sit()
    opened(me, "boggle")
    puzzle = me.page.url
    for address in (puzzle, site.url + retry_pages(friend, me)[0]):
        me.page.goto(address)
        me.page.locator("#word").fill("qqqq")
        me.page.get_by_role("button", name="Answer").click()
        expect(me.page.locator("#refused")).not_to_be_empty()
        me.page.wait_for_load_state()
        me.page.get_by_role("button", name="Show the solution").click()
        expect(me.page.locator("#result-title")).to_have_text("The solution")
        me.page.go_back()
        expect(me.page.locator("#refused")).to_contain_text("QQQQ")


def swap(seat: Seat, cell: int, letter: str) -> None:
    seat.page.locator("#swap").click()
    seat.page.locator("#puzzle-board .board .tile").nth(cell).click()
    seat.page.locator("#swap-dialog").get_by_role("button", name=letter, exact=True).click()


def opened_with_swap(seat: Seat) -> Puzzle:
    puzzle = next(each for each in shipped_puzzles("wibble").values() if "swap" in each.themes)
    seat.page.goto(f"{seat.url}/puzzles/{puzzle.id}")
    return puzzle


def test_a_word_is_tapped_with_swaps(sit: Sit) -> None:
    me = sit()
    puzzle = opened_with_swap(me)
    letters = puzzle.position["board"]["letters"]
    for cell, letter in zip(puzzle.solution.cells, puzzle.solution.word, strict=True):
        if letters[cell] != letter:
            swap(me, cell, letter.upper())
    tap_word(me, puzzle)
    expect(me.page.locator("#result-title")).to_have_text("Solved")


def test_a_refused_swap_stays_and_is_cleared(sit: Sit) -> None:
    me = sit()
    opened_with_swap(me)
    swap(me, 0, "X")
    for cell in range(4):
        me.page.locator("#puzzle-board .board .tile").nth(cell).click()
    me.page.get_by_role("button", name="Answer").click()
    expect(me.page.locator("#refused")).not_to_be_empty()
    swapped = me.page.locator("#puzzle-board [data-swapped] .letter")
    expect(swapped).to_have_text("X")
    me.page.get_by_role("button", name="Clear").click()
    expect(swapped).to_have_count(0)


def test_no_more_letters_are_swapped_than_the_gems_pay_for(sit: Sit) -> None:
    me = sit()
    opened_with_swap(me)
    most = int(me.page.locator("#swap").get_attribute("data-most") or 0)
    for cell in range(most):
        swap(me, cell, "Q")
    me.page.locator("#swap").click()
    me.page.locator("#puzzle-board .board .tile").nth(24).click()
    expect(me.page.locator("#swap")).to_have_text("No swap left: tap a swapped tile")
    expect(me.page.locator("#swap-dialog")).to_be_hidden()


@pytest.mark.parametrize("kind", ["wibble", "letterpress", "boggle"])
def test_board_word_and_refusal_are_on_a_phones_screen_together(sit: Sit, kind: str) -> None:
    me = sit(viewport=PHONE)
    opened(me, kind)
    parts = ("#puzzle-board", "#word", ".puzzle-line .button--primary", "#refused")
    for part in parts[:-1]:
        expect(me.page.locator(part)).to_be_in_viewport(ratio=1)
    me.page.locator("#word").fill("zzzz")
    me.page.get_by_role("button", name="Answer").click()
    expect(me.page.locator("#refused")).to_contain_text("ZZZZ")
    for part in parts:
        expect(me.page.locator(part)).to_be_in_viewport(ratio=1)


def test_the_answer_stays_on_the_screen_beside_a_rack(sit: Sit) -> None:
    me = sit(viewport=PHONE)
    opened(me, "fribble")
    me.page.locator(".puzzle-rack").scroll_into_view_if_needed()
    assert me.page.evaluate("scrollY") > 0
    expect(me.page.get_by_role("button", name="Answer")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("kind", ["wibble", "boggle"])
def test_the_path_of_a_tapped_word_is_drawn(sit: Sit, kind: str) -> None:
    me = sit()
    opened(me, kind)
    for cell in (1, 0):
        me.page.locator("#puzzle-board .tile").nth(cell).click()
    expect(me.page.locator("#trail-line")).to_have_attribute("points", "1.5,0.5 0.5,0.5")
    me.page.get_by_role("button", name="Clear").click()
    expect(me.page.locator("#trail-line")).to_have_attribute("points", "")


def draw(seat: Seat, *cells: int) -> None:
    """Draw a path over tiles of the puzzle without letting go in between."""
    mouse = seat.page.mouse
    for order, cell in enumerate(cells):
        box = seat.page.locator("#puzzle-board .tile").nth(cell).bounding_box()
        assert box is not None
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
        if order == 0:
            mouse.down()
    mouse.up()


@pytest.mark.parametrize("kind", ["wibble", "boggle"])
def test_a_word_is_drawn(sit: Sit, kind: str) -> None:
    me = sit()
    puzzle = opened(me, kind, without="swap")
    draw(me, *puzzle.solution.cells)
    expect(me.page.locator("#word")).to_have_value(puzzle.solution.word.upper())
    me.page.get_by_role("button", name="Answer").click()
    expect(me.page.locator("#result-title")).to_have_text("Solved")


def test_a_drawn_path_is_shortened_continued_and_replaced(sit: Sit) -> None:
    me = sit()
    opened(me, "boggle")
    cells = me.page.locator("#cells")
    draw(me, 0, 1, 2)
    expect(cells).to_have_value("0,1,2")
    draw(me, 2, 3)
    expect(cells).to_have_value("0,1,2,3")
    me.page.locator("#puzzle-board .tile").nth(2).click()
    expect(cells).to_have_value("0,1")
    draw(me, 5, 6, 7, 6)
    expect(cells).to_have_value("0,1,5,6")
    draw(me, 5, 9)
    expect(cells).to_have_value("5,9")


def test_a_refused_path_stays_and_is_cleared(sit: Sit) -> None:
    me = sit()
    opened(me, "boggle")
    draw(me, 0, 1)
    me.page.get_by_role("button", name="Answer").click()
    expect(me.page.locator("#refused")).not_to_be_empty()
    expect(me.page.locator("#cells")).to_have_value("0,1")
    expect(me.page.locator("#trail-line")).to_have_attribute("points", "0.5,0.5 1.5,0.5")
    me.page.get_by_role("button", name="Clear").click()
    expect(me.page.locator("#word")).to_have_value("")
    me.page.locator("#word").fill("zz")
    me.page.get_by_role("button", name="Answer").click()
    me.page.get_by_role("button", name="Clear").click()
    expect(me.page.locator("#word")).to_have_value("")


def test_refused_tiles_stay_on_their_squares(sit: Sit) -> None:
    me = sit()
    opened(me, "fribble")
    squares = me.page.locator(".fri-square")
    corner = next(cell for cell in (0, 14, 210, 224) if not squares.nth(cell).inner_text())
    squares.nth(corner).click()
    tile = me.page.locator(".fri-still-rack .tile:not(.tile--blank)").first
    letter = tile.inner_text()[0]
    tile.click()
    me.page.get_by_role("button", name="Answer").click()
    expect(me.page.locator("#refused")).not_to_be_empty()
    expect(squares.nth(corner)).to_have_text(letter)
    expect(me.page.locator("#tiles")).to_have_value(letter)


def test_a_rush_brings_up_no_keyboard_after_a_tap(sit: Sit) -> None:
    me = sit(viewport=PHONE, has_touch=True, is_mobile=True)
    me.page.goto(f"{me.url}/puzzles")
    me.page.get_by_role("button", name="Start a Boggle rush of three minutes").tap()
    for _ in range(2):
        draw(me, 0, 1)
        me.page.evaluate("scrollTo(0, 200)")
        with me.page.expect_response("**/puzzles/rush/*"):
            me.page.get_by_role("button", name="Skip", exact=True).tap()
        expect(me.page.locator("#cells")).to_have_value("")
        expect(me.page.locator("#word")).not_to_be_focused()
        assert me.page.evaluate("scrollY") == 0


def test_a_rush_is_drawn(sit: Sit) -> None:
    me = sit()
    me.page.goto(f"{me.url}/puzzles")
    me.page.get_by_role("button", name="Start a Boggle rush of three minutes").click()
    for cells in ((0, 1), (4, 5)):
        draw(me, *cells)
        expect(me.page.locator("#cells")).to_have_value(",".join(map(str, cells)))
        me.page.get_by_role("button", name="Skip", exact=True).click()
        expect(me.page.locator("#cells")).to_have_value("")


@pytest.mark.parametrize(
    ("kind", "screen"),
    [
        ("wibble", PHONE),
        ("letterpress", PHONE),
        *((kind, LANDSCAPE) for kind in KINDS),
        ("fribble", {"width": 1280, "height": 720}),
    ],
    ids=["wibble", "letterpress", *(f"{kind} on its side" for kind in KINDS), "fribble on a notebook"],
)
def test_the_board_of_a_rush_is_seen_without_scrolling(sit: Sit, kind: str, screen: ViewportSize) -> None:
    me = sit(viewport=screen)
    me.page.goto(f"{me.url}/puzzles")
    me.page.locator(f"form[action='/puzzles/rush'] button[value={kind}]").click()
    tops = set()
    for skipped in range(3):
        expect(me.page.locator(".rush-status")).to_contain_text(f"{skipped} wrong")
        are_seen_whole(me, *BOARD_AND_ANSWER, "#rush-clock")
        tops.add(me.page.locator("#puzzle-board").evaluate("(one) => one.getBoundingClientRect().top"))
        me.page.get_by_role("button", name="Skip", exact=True).click()
    if kind != "letterpress":  # its task takes two lines
        assert len(tops) == 1, "the verdict moves the board"


@pytest.mark.parametrize("letters", ["normal", "largest"])
@pytest.mark.parametrize("kind", KINDS)
def test_board_and_answer_are_both_seen_on_a_phone_on_its_side(sit: Sit, kind: str, letters: str) -> None:
    me = sit(viewport=LANDSCAPE, has_touch=True, is_mobile=True)
    me.set_letters(letters)
    opened(me, kind)
    fits_width(me, kind)
    are_seen_whole(me, *BOARD_AND_ANSWER)


def test_a_rush_with_the_largest_letters_is_no_wider_than_the_smallest_phone(sit: Sit) -> None:
    me = sit(viewport=SMALL, has_touch=True, is_mobile=True)
    me.set_letters("largest")
    me.page.goto(f"{me.url}/puzzles")
    me.page.locator("form[action='/puzzles/rush'] button[value=fribble]").click()
    expect(me.page.locator("#rush-clock")).to_be_visible()
    me.page.wait_for_load_state()
    fits_width(me)
    full = next(each for each in shipped_puzzles("fribble").values() if len(each.position["rack"]) == 7)
    me.page.goto(f"{me.url}/puzzles/{full.id}")
    fits_width(me, "a full rack")


def test_tiles_are_laid_on_squares(sit: Sit) -> None:
    me = sit()
    puzzle = next(each for each in shipped_puzzles("fribble").values() if each.solution.tiles.isupper())
    me.page.goto(f"{me.url}/puzzles/{puzzle.id}")
    rack = list(puzzle.position["rack"])
    for cell, tile in zip(puzzle.solution.cells, puzzle.solution.tiles, strict=True):
        me.page.locator(".fri-square").nth(cell).click()
        slot = rack.index(tile)
        rack[slot] = ""
        me.page.locator(".fri-still-rack .tile").nth(slot).click()
    me.page.get_by_role("button", name="Answer").click()
    expect(me.page.locator("#result-title")).to_have_text("Solved")


def test_rows_and_columns_are_named_where_moves_are_typed(sit: Sit) -> None:
    me = sit(viewport=DESK)
    opened(me, "fribble")
    expect(me.page.locator(".fri-columns").get_by_text("H", exact=True)).to_be_visible()


def test_letters_may_repeat_and_clear_takes_them_back(sit: Sit) -> None:
    me = sit()
    opened(me, "scrabblet")
    first = me.page.locator("#puzzle-board .tile").first
    first.click()
    first.click()
    expect(me.page.locator("#cells")).to_have_value("0,0")
    me.page.get_by_role("button", name="Clear").click()
    expect(me.page.locator("#word")).to_have_value("")
    expect(me.page.locator("#cells")).to_have_value("")


def test_letters_typed_anywhere_are_the_answer_and_replace_a_refused_one(
    sit: Sit, complaints: Complaints
) -> None:
    complaints.allow("422")
    me = sit()
    opened(me, "boggle")
    me.page.wait_for_load_state()
    me.type("xz")
    me.press("ArrowLeft")
    me.type("yy")
    expect(me.page.locator("#word")).to_have_value("xyyz")
    me.press("Enter")
    expect(me.page.locator("#refused")).not_to_be_empty()
    me.type("zz")
    expect(me.page.locator("#word")).to_have_value("zz")


def test_a_rush_goes_on_without_a_reload(sit: Sit) -> None:
    me = sit()
    me.page.goto(f"{me.url}/puzzles")
    me.page.get_by_role("button", name="Start a Boggle rush of three minutes").click()
    me.page.wait_for_url("**/puzzles/rush/*")
    me.page.evaluate("window.stays = true")
    rush = me.page.request.get(f"{me.url}/api{me.page.url.removeprefix(me.url).replace('rush', 'rushes')}")
    tap_word(me, shipped_puzzles("boggle")[rush.json()["puzzle"]["id"]])
    expect(me.page.locator(".rush-latest")).to_contain_text("Solved.")
    me.page.get_by_role("button", name="Skip", exact=True).click()
    expect(me.page.locator(".rush-status")).to_contain_text("1 solved, 1 wrong")
    assert me.page.evaluate("window.stays")


def test_a_rush_without_a_network_says_so_and_asks_again_for_its_result(
    sit: Sit, site: Site, complaints: Complaints
) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    rush = me.page.request.post(f"{me.url}/api/puzzles/rushes", data={"room": "letterpress"}).json()["id"]
    me.page.goto(f"{me.url}/puzzles/rush/{rush}")
    intercept(me.page, "**/puzzles/rush/*", lambda route: route.abort())
    me.page.get_by_role("button", name="Skip", exact=True).click()
    refused = me.page.get_by_role("alert")
    expect(refused).to_have_text("Not sent. Try again.")
    site.clock.ahead = 200
    me.put_forward(200)
    expect(refused).to_have_text("No answer from the server. Trying again.")
    me.page.unroute("**/puzzles/rush/*")
    expect(me.page.locator("#rush[data-over] .rush-score")).to_be_visible()


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_light_and_accessible(sit: Sit, kind: str) -> None:
    me = sit()
    puzzle = next(iter(shipped_puzzles(kind).values()))
    sizes = received(me)
    me.page.goto(f"{me.url}/puzzles/{puzzle.id}", wait_until="networkidle")
    assert 10_000 < sum(sizes) < MOST_BYTES
    for _ in range(2):
        for look in in_all_looks(me):
            assert violations(me) == [], look
            fits_width(me, kind)
        me.page.request.post(f"{me.url}/api/puzzles/{puzzle.id}/answer", data={})
        me.page.reload()


def test_the_other_pages_are_accessible(sit: Sit) -> None:
    me = sit()
    rush = me.page.request.post(f"{me.url}/api/puzzles/rushes", data={"room": "letterpress"}).json()["id"]
    for path in ("/puzzles", "/puzzles/mistakes", f"/puzzles/rush/{rush}"):
        me.page.goto(me.url + path)
        for look in in_all_looks(me):
            assert violations(me) == [], (path, look)
            fits_width(me, path)
