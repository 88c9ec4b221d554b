"""Text of one and a half times and twice the size, on a phone: nothing is cut off or overlaps."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from app.rooms import ROOMS
from tests.browser import fribble
from tests.browser.coach import Coach
from tests.browser.conftest import LONG_NAME, PHONE, Sit
from tests.browser.kind import Kind, Table
from tests.browser.kinds import EACH_KIND, KINDS
from tests.browser.page_checks import LANDSCAPE, SMALL, fits_screen, fits_width
from tests.browser.seat import Seat
from tests.lessons import EACH_LESSON, LESSONS

#: Elements that overlap or reach beyond the screen.
ASTRAY = """() => {
  const parts = "#table > :not(dialog, [popover], .talk-open), .replay > *, .wordmark, .site-nav a, " +
    ".power, .seat > *, .status-item, .moves > *, .side-actions > *, .chip";
  const boxes = [...document.querySelectorAll(parts)]
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1);
  const name = (one) => one.id || one.className;
  const found = boxes.filter(([, box]) => box.right > innerWidth + 1).map(([one]) => name(one));
  for (const [one, a] of boxes) {
    for (const [other, b] of boxes) {
      if (one === other || one.contains(other) || other.contains(one)) continue;
      if (a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom) {
        found.push(`${name(one)} on ${name(other)}`);
      }
    }
  }
  return found;
}"""
#: The pixels left and right of the names on buttons.
ROOM_AROUND = """(names) => names.map((name) => {
  const text = document.createRange();
  text.selectNodeContents(name);
  return name.closest(".power").clientWidth - text.getBoundingClientRect().width;
})"""
MANY_POINTS = """() => {
  for (const score of document.querySelectorAll(".seat-score")) score.textContent = "285";
  for (const gems of document.querySelectorAll(".seat-gems")) gems.childNodes[1].textContent = "10";
}"""
ON_A_SCORE = """(gems) => gems.flatMap((one) => {
  const text = document.createRange();
  text.selectNodeContents(one.parentElement.querySelector(".seat-score"));
  const [score, mark] = [text.getBoundingClientRect(), one.getBoundingClientRect()];
  const beside = mark.left >= score.right || mark.right <= score.left;
  const apart = beside || mark.top >= score.bottom || mark.bottom <= score.top;
  return apart ? [] : [`${mark.left} to ${mark.right} on ${score.left} to ${score.right}`];
})"""
#: The icons, names and prices that reach beyond their button, and the buttons that reach beyond their row.
BEYOND_THE_BUTTON = """() => {
  const beyond = (one, around) => {
    const [inner, outer] = [one.getBoundingClientRect(), around.getBoundingClientRect()];
    return inner.width > 1 && (inner.left < outer.left - 1 || inner.right > outer.right + 1);
  };
  const buttons = [...document.querySelectorAll(".powers .power")].filter((one) => one.checkVisibility());
  return buttons.flatMap((one) => [
    ...(beyond(one, one.closest(".powers")) ? [one.id] : []),
    ...[...one.children].filter((part) => beyond(part, one)).map((part) => `${part.textContent} in it`),
  ]);
}"""
LEAST_TILE = 36
SHEETS_AT: dict[str, Table] = {"wibble": lambda me: me.open(), "fribble": KINDS["fribble"].open}
#: Where the open sheet begins, where the board ends, and whether anything is wider than the sheet.
SHEET_AND_BOARD = """() => {
  const sheet = document.querySelector("dialog:modal");
  const board = document.getElementById("board").getBoundingClientRect();
  return [sheet.getBoundingClientRect().left, board.right, sheet.scrollWidth > sheet.clientWidth];
}"""


def address(path: str) -> Table:
    return lambda me: me.page.goto(me.url + path)


def standings(path: str) -> Table:
    """A page on which a player with a long name has a result."""

    def opened(me: Seat) -> None:
        ask = me.page.request
        game = ask.post(f"{me.url}/api/daily").json()["id"]
        ask.post(f"{me.url}/api/games/{game}/moves", data={"move": {"type": "resign"}})
        ask.put(f"{me.url}/api/me", data={"nickname": LONG_NAME})
        me.page.goto(me.url + path)
        assert "Maximiliane" in me.page.locator(".standings").first.inner_text()

    return opened


def circle(me: Seat) -> None:
    """A circle of a player with a long name."""
    ask = me.page.request
    ask.put(f"{me.url}/api/me", data={"nickname": LONG_NAME})
    opened = ask.post(f"{me.url}/api/circles", data={"name": "The Lovelaces of Somerset and Devon"}).json()
    me.page.goto(f"{me.url}/circles/{opened['id']}")
    assert "Maximiliane" in me.page.locator(".standings").inner_text()


SITE_PAGES: dict[str, Table] = {
    "home": address("/"),
    "lobby": address("/lobby"),
    "daily": address("/daily"),
    "a daily played": standings("/daily"),
    "leaderboards": standings("/leaderboards"),
    "me": address("/me"),
    "sign in": address("/me/sign-in"),
    "a circle": circle,
}
PAGES: dict[str, dict[str, Table]] = {"site": SITE_PAGES}
for name, kind in KINDS.items():
    PAGES[name] = {page: address(page) for page in kind.pages if page != "/"} | kind.layouts
"""Pages to open in one browser, each as a new player."""


@pytest.mark.parametrize("pages", PAGES.values(), ids=PAGES)
def test_nothing_overlaps_or_is_wider_than_the_screen(sit: Sit, pages: dict[str, Table]) -> None:
    me = sit(has_touch=True, is_mobile=True)
    settings = me.page.context.new_cdp_session(me.page)
    for page, open_page in pages.items():
        me.page.context.clear_cookies()
        for size in (24, 32):
            settings.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size * 13 // 16}})
            if size == 24:
                open_page(me)
            else:
                me.page.reload()
            nothing_overlaps(me, size, page)


def nothing_overlaps(me: Seat, size: int, what: str) -> None:
    """Assert that the text has this size, that all parts are apart and that tiles can be hit."""
    assert me.page.evaluate("getComputedStyle(document.documentElement).fontSize") == f"{size}px", what
    closed = me.page.locator(".table-settings:not([open]) > summary")
    while closed.count():
        closed.first.click()
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    fits_width(me, what)
    assert me.page.evaluate(ASTRAY) == [], what
    for tile in me.page.locator(":is(#board, #hand) button").all():
        box = tile.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= LEAST_TILE, what


LETTERS = pytest.mark.parametrize("letters", ["normal", "largest"])


def on_a_phone(sit: Sit, screen: ViewportSize, letters: str = "largest") -> Seat:
    """A player with a phone and letters of this size."""
    me = sit(viewport=screen, has_touch=True, is_mobile=True)
    me.set_letters(letters)
    return me


@pytest.mark.parametrize("screen", [PHONE, LANDSCAPE], ids=["upright", "on its side"])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_largest_letters_of_the_settings_fit_a_small_phone(
    sit: Sit, kind: Kind, screen: ViewportSize
) -> None:
    me = on_a_phone(sit, screen)
    if kind.multiplayer:
        kind.sit_down(me, sit())
    else:
        kind.open(me)
    expect(me.page.locator("html")).to_have_attribute("data-letters", "largest")
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    fits_width(me, kind.name)
    assert me.page.evaluate(ASTRAY) == []
    for button in me.page.locator(".power:visible, .moves button:visible").all():
        expect(button).to_be_in_viewport(ratio=1)
        assert button.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1"), button.inner_text()


TABLES: dict[str, Table] = {
    "letterpress": KINDS["letterpress"].open,
    "wibble": Seat.open,
    "wibble with bots": KINDS["wibble"].layouts["bots"],
}


@LETTERS
@pytest.mark.parametrize("open_table", TABLES.values(), ids=TABLES)
def test_a_small_phone_on_its_side_shows_names_and_actions_whole(
    sit: Sit, open_table: Table, letters: str
) -> None:
    me = on_a_phone(sit, LANDSCAPE, letters)
    open_table(me)
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    for name in me.page.locator(".seat-name").all():
        assert name.evaluate("(one) => one.scrollWidth <= one.clientWidth"), name.inner_text()
    powers = me.page.locator(".power")
    boxes = powers.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert len({round(box["top"]) for box in boxes}) == 1, boxes
    assert min(box["width"] for box in boxes) >= LEAST_TILE, boxes
    wide = powers.evaluate_all("(all) => all.map((one) => one.scrollWidth - one.clientWidth)")
    assert max(wide) <= 1, wide
    assert min(me.page.locator(".power-name").evaluate_all(ROOM_AROUND)) >= 4


@pytest.mark.parametrize("width", [320, 360, 390], ids="{} pixels".format)
def test_the_names_of_six_actions_have_room_in_their_buttons_on_a_phone(sit: Sit, width: int) -> None:
    me = sit(viewport={"width": width, "height": 640})
    TABLES["wibble with bots"](me)
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    assert me.page.evaluate(BEYOND_THE_BUTTON) == []
    assert min(me.page.locator(".power-name").evaluate_all(ROOM_AROUND)) >= 4


@LETTERS
@pytest.mark.parametrize("name", ["wibble", "wibble with bots", "letterpress", "fribble"])
def test_the_names_of_the_buttons_fit_at_a_desk(sit: Sit, name: str, letters: str) -> None:
    me = sit()
    me.set_letters(letters)
    (TABLES | SHEETS_AT)[name](me)
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    for width, height in ((1440, 900), (1440, 800), (1280, 720), (1366, 650), (960, 576)):
        me.page.set_viewport_size({"width": width, "height": height})
        assert me.page.evaluate(BEYOND_THE_BUTTON) == [], (width, height)


@LETTERS
@pytest.mark.parametrize("screen", [SMALL, PHONE], ids=["small", "phone"])
def test_rounds_gems_and_clock_fit_beside_the_name(sit: Sit, screen: ViewportSize, letters: str) -> None:
    me = on_a_phone(sit, screen, letters)
    TABLES["wibble with bots"](me)
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    assert me.page.evaluate(ASTRAY) == []
    name, rounds = (me.page.locator(part).bounding_box() for part in (".wordmark", ".pips"))
    assert name is not None
    assert rounds is not None
    assert name["x"] + name["width"] <= rounds["x"]


@pytest.mark.parametrize("others", [1, 2, 5])
def test_gems_of_the_others_cover_no_score(sit: Sit, others: int) -> None:
    me = sit()
    me.open_with(*["1"] * others)
    me.await_ply(1)
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    shown = 0
    for width, height in ((280, 560), (320, 568), (360, 640), (390, 844), (640, 360), (1280, 720)):
        me.page.set_viewport_size({"width": width, "height": height})
        me.page.evaluate(MANY_POINTS)
        gems = me.page.locator(".seat-gems:visible")
        shown += gems.count()
        assert gems.evaluate_all(ON_A_SCORE) == [], (width, height)
    assert shown >= others


def swap(me: Seat) -> Locator:
    me.open()
    me.power("swap").click()
    me.tap(3)
    return me.page.locator("#swap-dialog")


def blank(me: Seat) -> Locator:
    fribble.with_blank(me)
    me.page.locator("#rack .tile--blank").click()
    fribble.square(me, fribble.CORNER).click()
    return me.page.locator("#blank-dialog")


def exchange(me: Seat) -> Locator:
    KINDS["fribble"].open(me)
    me.page.locator("#more").click()
    me.page.locator("#open-exchange").click()
    return me.page.locator("#exchange-dialog")


@LETTERS
@pytest.mark.parametrize("screen", [PHONE, LANDSCAPE], ids=["upright", "on its side"])
@pytest.mark.parametrize("open_sheet", [swap, blank, exchange])
def test_letters_and_tiles_are_chosen_beside_the_board(
    sit: Sit, open_sheet: Callable[[Seat], Locator], screen: ViewportSize, letters: str
) -> None:
    me = on_a_phone(sit, screen, letters)
    opened = open_sheet(me)
    expect(opened).to_be_visible()
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    sheet, squares = opened.bounding_box(), me.page.locator(".tiles, .fri-squares").bounding_box()
    assert sheet is not None
    assert squares is not None
    above, right = sheet["y"] + sheet["height"] <= squares["y"], squares["x"] + squares["width"] <= sheet["x"]
    assert above or right
    assert sheet["x"] + sheet["width"] <= screen["width"]
    for button in opened.get_by_role("button").all():
        expect(button).to_be_in_viewport(ratio=1)
        assert button.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1"), button.inner_text()


@LETTERS
def test_fribbles_advice_is_whole_on_a_small_phone_on_its_side(sit: Sit, letters: str) -> None:
    me = on_a_phone(sit, LANDSCAPE, letters)
    KINDS["fribble"].open(me)
    expect(me.report).to_contain_text("lay a word on the star")
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    assert me.report.evaluate("(one) => one.scrollWidth <= one.clientWidth")


@LETTERS
@EACH_LESSON
def test_a_lesson_fits_a_small_phone_on_its_side(sit: Sit, kind: str, letters: str) -> None:
    coach = Coach(on_a_phone(sit, LANDSCAPE, letters), kind)
    coach.open()
    for number in range(1, len(LESSONS[kind].script.steps)):
        (fits_width if KINDS[kind].scrolls else fits_screen)(coach.seat, f"step {number}")
        assert coach.page.evaluate(ASTRAY) == [], number
        assert coach.page.locator("#coach").evaluate("(one) => one.scrollHeight <= one.clientHeight"), number
        for button in coach.page.locator(".power:visible, .moves button:visible").all():
            expect(button).to_be_in_viewport(ratio=1)
        coach.press(coach.page.locator("#coach-next"))
        expect(coach.page.locator('#coach [name="step"]')).to_have_value(str(number + 1))


@pytest.mark.parametrize("screen", [SMALL, LANDSCAPE], ids=["upright", "on its side"])
@EACH_KIND
def test_a_replay_with_the_largest_letters_fits_a_small_phone(
    sit: Sit, kind: Kind, screen: ViewportSize
) -> None:
    me = on_a_phone(sit, screen)
    kind.open(me)
    me.page.request.post(f"{me.address}/moves", form={"type": "resign"})
    me.page.goto(f"{me.address}/plies/1")
    fits_screen(me)
    assert me.page.evaluate(ASTRAY) == []
    board = me.page.locator(".replay .tray").first.bounding_box()
    assert board is not None
    assert board["width"] >= 0.6 * min(screen["width"], screen["height"])


@LETTERS
@pytest.mark.parametrize("room", [name for name, room in ROOMS.items() if room.study])
def test_all_that_a_move_on_a_study_board_needs_is_seen_on_a_phone_on_its_side(
    sit: Sit, room: str, letters: str
) -> None:
    me = on_a_phone(sit, LANDSCAPE, letters)
    me.page.goto(f"{me.url}/boards/new/{room}")
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    needed = "h1, .study-scores, .study-scores + *, #caption, .study-steps > *, #move, #play button"
    for part in me.page.locator(needed).all():
        expect(part).to_be_in_viewport(ratio=1)


def test_the_scores_of_a_study_board_are_in_one_line_each(sit: Sit) -> None:
    me = on_a_phone(sit, SMALL)
    me.page.goto(f"{me.url}/boards/new/fribble")
    lines = "(all) => all.map((one) => one.clientHeight / parseFloat(getComputedStyle(one).fontSize))"
    assert max(me.page.locator(".study-scores dd").evaluate_all(lines)) < 2


@LETTERS
@pytest.mark.parametrize("screen", [SMALL, PHONE], ids=["small", "phone"])
@pytest.mark.parametrize("room", ["letterpress", "boggle", "scrabblet"])
def test_the_first_answer_of_a_rush_moves_no_board(
    sit: Sit, room: str, screen: ViewportSize, letters: str
) -> None:
    me = on_a_phone(sit, screen, letters)
    me.page.goto(f"{me.url}/puzzles")
    me.page.locator(f"form[action='/puzzles/rush'] button[value={room}]").click()
    tops = []
    for line in (".rush-task", ".rush-latest"):
        expect(me.page.locator(line)).to_be_visible()
        me.page.evaluate("document.fonts.ready.then(() => 0)")
        tops.append(me.page.locator("#puzzle-board").evaluate("(one) => one.offsetTop"))
        me.page.locator("#skip-form button").click()
    assert tops[0] == tops[1]


@pytest.mark.parametrize("width", [960, 1280, 1440])
@pytest.mark.parametrize("letters", ["normal", "largest"])
@pytest.mark.parametrize(
    ("name", "sheet"), [("wibble", "swap"), ("fribble", "exchange"), ("fribble", "blank")]
)
def test_a_sheet_beside_the_board_covers_no_column(
    sit: Sit, name: str, sheet: str, letters: str, width: int
) -> None:
    me = sit(viewport={"width": width, "height": 800})
    me.set_letters(letters)
    SHEETS_AT[name](me)
    me.page.evaluate("(id) => document.getElementById(id).showModal()", f"{sheet}-dialog")
    left, board, too_wide = me.page.evaluate(SHEET_AND_BOARD)
    assert left >= board
    assert not too_wide
    tops = me.page.locator(".fri-sheet-tiles .tile").evaluate_all("(all) => all.map((one) => one.offsetTop)")
    assert len(set(tops)) <= 1, "the tiles to exchange are in one row"
