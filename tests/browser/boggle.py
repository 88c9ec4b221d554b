"""Hands at a table of Boggle, and eyes."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.seat import Seat

#  p e r s
#  l a t g
#  s i n e
#  t e r s
BOARD = "pers latg sine ters"
SLATE = (8, 4, 5, 6, 1)
TEAS = (6, 1, 5, 8)
GENT = (7, 11, 10, 6)


def open_game(seat: Seat, *opponents: str, begin: bool = True, **fields: str) -> str:
    """Open a game on a known board; its address."""
    form: dict[str, str | float | bool] = {"board": BOARD, **fields}
    if opponents:
        form["opponents"] = opponents[0]
    answer = seat.page.request.post(f"{seat.url}/boggle/play", form=form)
    seat.visit(answer.url)
    if begin and fields.get("seconds") != "none" and opponents != ("friend",):
        start(seat)
    return answer.url


def start(seat: Seat) -> None:
    seat.page.locator("#start").click()
    expect(seat.field).to_be_enabled()


def together(sit: Sit, options: dict[str, Any] | None = None, **fields: str) -> tuple[Seat, Seat]:
    """Two whose rounds at one table have begun."""
    me, friend = sit(**(options or {})), sit(**(options or {}))
    open_game(me, "friend", begin=True, **fields)
    friend.join(me)
    for one in (me, friend):
        start(one)
    return me, friend


def send(seat: Seat, *words: str) -> None:
    for word in words:
        seat.type(word)
        seat.press("Enter")


def found(seat: Seat) -> list[str]:
    """The words found, newest first."""
    texts = seat.page.locator("[data-found] span").all_inner_texts()
    return [text.lower() for text in texts]


def expect_found(seat: Seat, *words: str) -> None:
    expect(seat.page.locator("[data-found]")).to_have_count(len(words))
    expect(seat.page.locator("[data-under-way]")).to_have_count(0)
    assert found(seat) == list(words)


def finish(seat: Seat) -> None:
    seat.page.locator("#power-finish").click()
    seat.page.locator("#finish-confirm").click()
