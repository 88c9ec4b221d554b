"""Letterpress in the browser."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Sit
from tests.browser.kind import Kind
from tests.browser.seat import Seat

#  h o r s e
#  r a d i s
#  h z z z z
#  t e a m s
#  c a t z z
BOARD = "horseradishzzzzteamscatzz"
TEAMS = (15, 16, 17, 18, 19)


class LetterpressKind(Kind):
    pages: ClassVar[tuple[str, ...]] = (
        "/letterpress",
        "/letterpress/solver",
        "/letterpress/solver?board=abc",
        "/letterpress/solver?board=hgkcmdqbomiezfankxlknrlpo&ours=6655&theirs=3139072",
    )
    request: ClassVar[dict[str, Any]] = {"bots": [1]}
    targets: ClassVar[str] = ".press-board .tile, .press-letter, .power"
    shifts_for: ClassVar[int] = 2

    def open(self, me: Seat) -> str:
        return me.open_game("/letterpress/play", opponent="1", board=BOARD)

    def open_table(self, me: Seat, **fields: str) -> str:
        return me.open_game("/letterpress/play", **{"opponent": "friend", "board": BOARD, **fields})

    def enter(self, me: Seat) -> None:
        tap(me, *TEAMS)

    def let_go(self, me: Seat) -> None:
        me.page.locator("#send").click()

    def send(self, me: Seat) -> None:
        me.type("teams")
        me.press("Enter")

    def tour(self, sit: Sit, **options: Any) -> Iterator[Seat]:
        me, friend = self.together(sit, **options)
        address = me.address
        tap(me, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
        send(me)
        yield me
        friend.await_turn()
        tap(friend, 0, 11, 12)
        yield friend
        pass_turn(friend)
        me.await_turn()
        me.page.locator("#power-pass").click()
        expect(me.page.locator("#pass-dialog")).to_be_visible()
        yield me
        me.page.locator("#pass-confirm").click()
        expect(me.page.locator("#analysis .press-turn").first).to_be_visible()
        yield me
        me.page.goto(f"{address}/plies/1")
        yield me

    def play_for_a_while(self, *players: Seat) -> None:
        me, friend = players
        tap(me, *TEAMS)
        send(me)
        friend.await_turn()
        friend.type("cats")
        send(friend)
        me.await_turn()
        tap(me, 11, 12, 13, 14)
        me.page.locator("#send").click()
        expect(me.report).to_have_text("ZZZZ is not in the word list")


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
    """The cells of the tiles in the word."""
    found: list[int] = seat.page.evaluate(
        "[...document.querySelectorAll('#board [aria-pressed=true]')].map((tile) => +tile.dataset.cell)"
    )
    return found


def owner(seat: Seat, cell: int) -> str | None:
    return seat.tile(cell).get_attribute("data-owner")


KIND: Final = LetterpressKind()


def pass_turn(seat: Seat) -> None:
    """Pass, and confirm it."""
    seat.page.locator("#power-pass").click()
    seat.page.locator("#pass-confirm").click()
