"""Hands at a table of Letterpress, and eyes."""

from typing import Any

from playwright.sync_api import Locator

from tests.browser.conftest import Sit
from tests.browser.seat import Seat

#  h o r s e
#  r a d i s
#  h z z z z
#  t e a m s
#  c a t z z
BOARD = "horseradishzzzzteamscatzz"
TEAMS = (15, 16, 17, 18, 19)


def open_game(seat: Seat, opponent: str = "friend", board: str = BOARD) -> str:
    """Open a game on a known board; its address."""
    answer = seat.page.request.post(
        f"{seat.url}/letterpress/play", form={"opponent": opponent, "board": board}
    )
    seat.visit(answer.url)
    return answer.url


def together(sit: Sit, **options: Any) -> tuple[Seat, Seat]:
    """Two who sit at one table; the first begins."""
    me, friend = sit(**options), sit(**options)
    sit_down(me, friend)
    return me, friend


def sit_down(me: Seat, friend: Seat) -> None:
    open_game(me)
    friend.join(me)
    me.await_turn()


def tap(seat: Seat, *cells: int) -> None:
    for cell in cells:
        seat.tile(cell).click()


def send(seat: Seat) -> None:
    ply = seat.ply
    seat.page.locator("#send").click()
    seat.await_ply(ply + 1)


def word(seat: Seat) -> str:
    """The word in the row."""
    return "".join(seat.page.locator(".press-letter").all_inner_texts())


def tiles(seat: Seat) -> tuple[str, str]:
    """The counts of both sides as the page shows them."""
    return seat.page.locator("#tiles-ours").inner_text(), seat.page.locator("#tiles-theirs").inner_text()


def letter(seat: Seat, cell: int) -> Locator:
    return seat.page.locator(f"#letter-{cell}")


def chosen(seat: Seat) -> list[int]:
    """The tiles that lie in the word, by cell."""
    found: list[int] = seat.page.evaluate(
        "[...document.querySelectorAll('.press-tile[aria-pressed=true]')].map((tile) => +tile.dataset.cell)"
    )
    return found


def owner(seat: Seat, cell: int) -> str | None:
    return seat.tile(cell).get_attribute("data-owner")
