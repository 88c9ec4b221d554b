"""Rotating the board by quarter turns, for one viewer only."""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from tests.browser import boggle
from tests.browser.conftest import Sit
from tests.browser.seat import Seat

#  p e r s t
#  l a t g e
#  s i n e a
WIDE = "perst latge sinea"
SLAT = (10, 5, 6, 7)


def shown(me: Seat) -> list[int]:
    """The cells in page order, which is the order for screen readers."""
    cells = me.page.locator("#board button.tile").evaluate_all(
        "tiles => tiles.map((tile) => tile.dataset.cell)"
    )
    return [int(cell) for cell in cells]


def aligned(me: Seat, cells: Sequence[int]) -> bool:
    """Whether the drawn line passes the centres of these tiles."""
    drawn = me.page.locator("#trail-line").evaluate(
        "line => [...line.points].map((point) => point.matrixTransform(line.getScreenCTM()))"
        ".map(({x, y}) => [x, y])"
    )
    return all(
        abs(x - mine[0]) < 2 and abs(y - mine[1]) < 2
        for (x, y), mine in zip(drawn, map(me.centre, cells), strict=False)
    )


@pytest.mark.parametrize(
    "turn", [lambda me: me.page.locator("#rotate").click(), lambda me: me.press("Shift+R")]
)
def test_a_turned_board_takes_words_as_before(sit: Sit, turn: Callable[[Seat], None]) -> None:
    me = sit()
    sent: list[str] = []
    boggle.KIND.open(me, board=WIDE)
    me.page.on("request", lambda request: sent.append(request.url))
    turn(me)
    expect(me.announced).to_have_text("Board: S L P. I A E. N T R. E G S. A E T")
    assert shown(me) == [10, 5, 0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4]
    assert all("/static/" in url for url in sent), "only its viewer knows"
    me.page.wait_for_timeout(350)
    me.drag(SLAT, release=False)
    assert sorted(me.chain) == sorted(SLAT)
    assert aligned(me, SLAT)
    me.page.mouse.up()
    boggle.expect_found(me, "slat")
    boggle.send(me, "ten")
    boggle.expect_found(me, "ten", "slat")
    me.tile(10).focus()
    me.press("ArrowRight", "ArrowDown")
    expect(me.tile(6)).to_be_focused()
    for cell in SLAT[1:]:
        me.tap(cell)
    assert sorted(me.chain) == sorted(SLAT[1:])
    turn(me)
    turn(me)
    turn(me)
    assert shown(me) == list(range(15))


def test_the_board_stays_turned_after_a_move(sit: Sit) -> None:
    me = sit()
    me.open("zen")
    word = me.word()  # read from the board, so before it is turned
    me.page.locator("#rotate").click()
    expect(me.announced).to_contain_text("Board: ")
    turned = shown(me)
    assert turned[0] == 20
    me.drag(word.cells)
    me.await_ply(2)
    assert shown(me) == turned
    letters = me.page.locator("#board button.tile").evaluate_all(
        "tiles => tiles.map((tile) => tile.dataset.letter.toUpperCase())"
    )
    rows = [" ".join(letters[start : start + 5]) for start in range(0, 25, 5)]
    expect(me.announced).to_contain_text(f"Board: {'. '.join(rows)}.")
    me.tile(20).focus()
    me.press("ArrowRight")
    expect(me.tile(15)).to_be_focused()


def test_the_same_key_mixes_the_hand(sit: Sit) -> None:
    me = sit()
    me.open_game("/scrabblet/play", size="7")
    order = "tiles => tiles.map(({id}) => id)"
    before = me.page.locator("#hand .tile").evaluate_all(order)
    me.press("Shift+R")
    after = me.page.locator("#hand .tile").evaluate_all(order)
    assert before != after
    assert sorted(before) == sorted(after)
