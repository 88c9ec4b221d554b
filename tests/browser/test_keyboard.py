"""Playing by keyboard only, and with a screen reader."""

import pytest
from playwright.sync_api import Request, expect

from tests.browser.conftest import Sit
from tests.browser.kinds import KINDS


def test_a_typed_word_finds_its_path_and_scores(sit: Sit) -> None:
    me = sit()
    me.open()
    word = me.word()
    me.type(word.word)
    expect(me.field).to_have_value(word.word)
    assert len(me.chain) == len(word.word)
    me.press("Enter")
    me.await_ply(2)
    assert me.score > 0


def test_the_path_of_a_typed_word_is_the_best_there_is(sit: Sit) -> None:
    me = sit()
    me.open()
    for _ in range(4):
        word = me.words()[0]
        me.type(word.word)
        shown = int(me.page.locator("#word-points").inner_text())
        answer = me.page.request.post(
            f"{me.url}{me.data('moves-url')}",
            form={"type": "word", "word": word.word, "ply": str(me.ply)},
            headers={"HX-Request": "true"},
        )
        assert f'data-points="{shown}"' in answer.text()
        me.page.reload()


def test_backspace_escape_and_letters_that_lead_nowhere(sit: Sit) -> None:
    me = sit()
    me.open()
    word = me.word()
    missing = next(letter for letter in "qzxjkvbwpyg" if letter not in me.letters)
    me.type(word.word + missing)
    expect(me.page.locator("#word-points")).to_have_text("no path")
    assert me.chain == []
    me.press("Enter")
    expect(me.report).to_contain_text("no path")
    assert me.ply == 1, "a word without a path is not sent"
    me.press("Backspace")
    expect(me.field).to_have_value(word.word)
    assert len(me.chain) == len(word.word)
    me.press("Escape")
    expect(me.field).to_have_value("")
    assert me.chain == []


def test_typing_into_the_field_is_the_same(sit: Sit) -> None:
    me = sit()
    me.open()
    word = me.word()
    me.field.click()
    me.field.press_sequentially(word.word)
    assert len(me.chain) == len(word.word)
    me.field.press("Enter")
    me.await_ply(2)
    assert me.score > 0


def test_arrows_walk_the_board_and_space_adds_tiles(sit: Sit) -> None:
    me = sit()
    me.open()
    me.press("ArrowDown")
    expect(me.tile(0)).to_be_focused()
    me.press("Space", "ArrowRight", "Space", "ArrowDown", "Space")
    assert me.chain == [0, 1, 6]
    me.press("ArrowUp", "Space")
    assert me.chain == [0, 1], "back to the second-to-last"
    me.press("Enter")
    me.await_ply(2)
    expect(me.tile(1)).to_be_focused()


def test_a_typed_word_is_played_by_enter_even_with_a_button_in_focus(sit: Sit) -> None:
    me = sit()
    me.open("zen")
    me.power("shuffle").click()
    me.await_ply(2)
    word = me.word()
    me.type(word.word)
    me.press("Enter")
    me.await_ply(3)
    assert me.data("result") == "scored"


BUTTONS = {"wibble": "#rotate", "boggle": "#rotate", "letterpress": "#mix", "scrabblet": "#shuffle"}


@pytest.mark.parametrize("name", BUTTONS)
def test_enter_presses_a_button_that_tab_has_reached_after_the_word(sit: Sit, name: str) -> None:
    me = sit()
    KINDS[name].open(me)
    word = {"boggle": "slate", "letterpress": "teams", "scrabblet": "price"}.get(name) or me.word().word
    sent: list[Request] = []
    me.page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    me.type(word)
    for _ in range(80):
        me.press("Tab")
        if me.page.evaluate("(button) => document.activeElement.matches(button)", BUTTONS[name]):
            break
    me.press("Enter")
    me.page.wait_for_timeout(300)
    assert sent == []
    me.press("Escape")
    me.type(word)
    expect(me.page.locator(BUTTONS[name])).to_be_focused()
    with me.page.expect_request("**/moves"):
        me.press("Enter")


def test_a_whole_game_by_keyboard_alone(sit: Sit) -> None:
    me = sit()
    me.home()
    me.page.locator(".play-button").focus()
    me.press("Enter")
    me.page.wait_for_url("**/games/*")
    for ply in range(2, 6):
        me.type(me.word().word)
        me.press("Enter")
        me.await_ply(ply)
    me.power("finish").focus()
    me.press("Enter")
    expect(me.page.locator("#finish-dialog")).to_be_visible()
    me.press("Escape")
    expect(me.page.locator("#finish-dialog")).not_to_be_visible()
    me.type(me.word().word)
    me.press("Enter")
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.page.locator("#again")).to_be_focused()


def test_a_swap_by_keyboard_alone(sit: Sit) -> None:
    me = sit()
    me.open()
    me.power("swap").focus()
    me.press("Enter", "ArrowDown", "ArrowRight", "ArrowRight", "Enter")
    expect(me.page.locator("#swap-dialog")).to_be_visible()
    other = "q" if me.letters[2] != "q" else "z"
    me.press(other)
    me.await_ply(2)
    assert me.letters[2] == other


def test_the_live_region_announces_the_word_its_points_and_the_board(sit: Sit) -> None:
    me = sit()
    me.open()
    word = me.word()
    me.type(word.word)
    expect(me.announced).to_contain_text(" ".join(word.word.upper()))
    me.press("Enter")
    me.await_ply(2)
    expect(me.announced).to_contain_text(f"{word.word}, {me.score} point")
    expect(me.announced).to_contain_text(f"Board: {' '.join(me.letters[:5].upper())}.")
    me.drag(me.nonsense())
    expect(me.announced).to_contain_text("is not in the word list")


def test_the_board_is_a_grid_of_rows_and_labelled_cells(sit: Sit) -> None:
    me = sit()
    me.open()
    grid = me.page.get_by_role("grid", name="Board")
    expect(grid.get_by_role("row")).to_have_count(5)
    expect(grid.get_by_role("gridcell")).to_have_count(25)
    label = me.tile(0).get_attribute("aria-label") or ""
    assert label.startswith(f"{me.letters[0].upper()}, ")
    assert "point" in label


@pytest.mark.parametrize(
    ("path", "study"),
    [
        ("/wibble/solver?board=wibbletileschainwordgames", False),
        ("/wibble/solver?board=wibbletileschainwordgames", True),
        ("/letterpress/solver?board=hgkcmdqbomiezfankxlknrlpo", False),
        ("/letterpress/solver?board=hgkcmdqbomiezfankxlknrlpo", True),
        ("/fribble/board", False),
    ],
)
def test_arrow_keys_move_between_the_tiles_of_a_board_of_which_one_is_in_the_tab_order(
    sit: Sit, path: str, study: bool
) -> None:
    me = sit()
    me.page.goto(f"{me.url}{path}")
    if study:
        me.page.get_by_role("button", name="Study").click()
        me.page.wait_for_url("**/boards/new/**")
    me.page.wait_for_load_state()
    tiles = me.page.locator("#board [role=row] :is(.tile, .fri-square)")
    columns = me.page.locator("#board [role=row]").first.locator(":is(.tile, .fri-square)").count()
    tiles.nth(columns - 2).focus()
    for key, cell in (
        ("ArrowRight", columns - 1),
        ("ArrowRight", columns - 1),
        ("ArrowUp", columns - 1),
        ("ArrowDown", 2 * columns - 1),
        ("ArrowLeft", 2 * columns - 2),
    ):
        me.press(key)
        expect(tiles.nth(cell)).to_be_focused()
    expect(me.page.locator("#board [tabindex='0']")).to_have_count(1)
