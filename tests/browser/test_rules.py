"""The rules as a sheet over a game, by pointer and by keyboard."""

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Complaints, Sit
from tests.browser.kind import Kind
from tests.browser.kinds import EACH_KIND
from tests.browser.page_checks import SHIFTS, assert_accessible, in_all_looks, shifts
from tests.browser.seat import Seat
from tests.browser.slow_network import intercept

# The player's input.
STATE = """(table) => ({
  ply: table.dataset.ply,
  trail: table.querySelector("#trail-line")?.getAttribute("points"),
  fields: [...table.querySelectorAll("input")].map((field) => field.value),
  tiles: [...table.querySelectorAll(".fri-square, .tile")].map((tile) => [tile.className, tile.ariaPressed]),
})"""


def opener(me: Seat) -> Locator:
    return me.page.get_by_role("link", name="Rules")


def enter(me: Seat, kind: Kind) -> None:
    """Enter a word without sending it, and without a finger on it."""
    if kind.name == "wibble":
        me.type(me.word().word)
    else:
        kind.enter(me)


def sheet(me: Seat) -> Locator:
    return me.page.locator("dialog:modal")


@EACH_KIND
def test_the_rules_leave_the_game_as_it_was(sit: Sit, kind: Kind) -> None:
    me = sit()
    kind.open(me)
    address = me.address
    enter(me, kind)
    before = me.page.locator("#table").evaluate(STATE)
    opener(me).click()
    expect(sheet(me)).to_have_accessible_name("Rules")
    expect(sheet(me).get_by_role("heading", name="How to play")).to_be_visible()
    expect(sheet(me).get_by_role("button", name="Close")).to_be_focused()
    me.type("zz")  # these keys do nothing
    me.press("Backspace", "ArrowDown")
    me.press("Escape")
    expect(sheet(me)).to_have_count(0)
    expect(opener(me)).to_be_focused()
    assert me.page.locator("#table").evaluate(STATE) == before
    me.press("Enter")  # on the link
    expect(sheet(me)).to_be_visible()
    me.press("Enter")  # on the button that closes it
    expect(sheet(me)).to_have_count(0)
    expect(opener(me)).to_be_focused()
    opener(me).click()
    sheet(me).get_by_role("button", name="Close").click()
    expect(sheet(me)).to_have_count(0)
    assert me.page.locator("#table").evaluate(STATE) == before
    assert me.address == address
    assert len(me.page.context.pages) == 1


@EACH_KIND
def test_the_sheet_fits_and_is_accessible(sit: Sit, kind: Kind) -> None:
    me = sit()
    me.page.add_init_script(SHIFTS)
    address = kind.open(me)
    for look in in_all_looks(me):
        me.visit(address)
        earlier = len(shifts(me))
        opener(me).click()
        expect(sheet(me).locator(".drawing").first).to_be_visible()
        assert shifts(me)[earlier:] == [], look
        assert_accessible(me, look)
        box, screen = sheet(me).bounding_box(), me.page.viewport_size
        assert box
        assert screen
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= screen["width"]
        assert box["y"] + box["height"] <= screen["height"]
        assert sheet(me).evaluate("(each) => each.scrollWidth <= each.clientWidth"), look


def test_without_script_the_rules_are_a_page_of_their_own(sit: Sit) -> None:
    me = sit(java_script_enabled=False)
    me.open()
    with me.page.context.expect_page() as opened:
        opener(me).click()
    expect(opened.value.locator("h1")).to_have_text("Wibble rules")
    assert "/games/" in me.address


def test_a_half_drawn_word_is_drawn_on_and_played(sit: Sit) -> None:
    me = sit()
    me.open()
    found = me.word(5)
    for cell in found.cells[:3]:
        me.tap(cell)
    assert me.chain == list(found.cells[:3])
    opener(me).click()
    expect(sheet(me)).to_be_visible()
    me.press("Escape")
    assert me.chain == list(found.cells[:3])
    for cell in found.cells[3:]:
        me.tap(cell)
    me.tap(found.cells[-1])
    expect(me.report).to_contain_text(found.word.upper())
    expect(me.report).to_contain_text("+")


def test_enter_plays_the_word_after_typing_on(sit: Sit) -> None:
    me = sit()
    me.open()
    word = me.word(5).word
    me.type(word[:3])
    opener(me).click()
    expect(sheet(me)).to_be_visible()
    me.press("Escape")
    expect(opener(me)).to_be_focused()
    me.type(word[3:])
    me.press("Enter")
    expect(me.report).to_contain_text(word.upper())
    expect(sheet(me)).to_have_count(0)


def test_a_game_is_as_it_was_if_the_rules_cannot_be_loaded(sit: Sit, complaints: Complaints) -> None:
    complaints.allow("503")
    me = sit()
    me.open()
    word = me.word().word
    me.type(word)
    intercept(me.page, "**/rules/*", lambda route: route.fulfill(status=503, body="busy"), times=1)
    with me.page.context.expect_page() as opened:
        opener(me).click()
    expect(opened.value.locator("h1")).to_have_text("Wibble rules")
    expect(me.field).to_have_value(word)
