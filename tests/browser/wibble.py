"""Wibble in the browser."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.kind import Kind, Table
from tests.browser.seat import Seat

EFFECTS_HAVE_COME: Final = """() => performance.getEntriesByType("resource").some(
    ({name, responseEnd}) => name.includes("/effects.") && responseEnd > 0)"""


class WibbleKind(Kind):
    pages: ClassVar[tuple[str, ...]] = (
        "/",
        "/daily",
        "/daily/archive",
        "/wibble/adventure",
        "/wibble/solver",
        "/wibble/solver?board=abc",
        "/wibble/solver?board=wibbletileschainwordgames&tl=7&x2=12&gems=1,5,9",
    )
    request: ClassVar[dict[str, Any]] = {"options": {"mode": "zen"}}
    ending: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "shuffle"}, {"type": "resign"})
    timed: ClassVar[dict[str, str]] = {"turn_seconds": "300"}
    motion: ClassVar[str] = "no-preference"
    no_shifts_on_input: ClassVar[bool] = True
    targets: ClassVar[str] = "#board .tile, .power"

    def open(self, me: Seat) -> str:
        return me.open("zen")

    def open_table(self, me: Seat, **fields: str) -> str:
        return me.open_with("friend", **fields)

    def sit_down(self, me: Seat, friend: Seat, **fields: str) -> None:
        self.open_table(me, **fields)
        friend.join(me)
        me.await_ply(1)

    def enter(self, me: Seat) -> None:
        me.drag(me.word().cells, release=False)

    def let_go(self, me: Seat) -> None:
        me.page.mouse.up()

    def send(self, me: Seat) -> None:
        me.drag(me.word().cells)

    def tour(self, sit: Sit, **options: Any) -> Iterator[Seat]:
        me = sit(**options)
        me.home()
        me.page.locator("#opponents > summary").click()
        yield me
        me.open("blitz")
        yield me
        me.open()
        yield me
        me.drag(me.word().cells, release=False)
        yield me
        me.page.mouse.up()
        me.await_ply(2)
        yield me
        me.power("swap").click()
        me.tap(3)
        expect(me.page.locator("#swap-dialog")).to_be_visible()
        yield me
        me.press("Escape")
        me.finish()
        expect(me.page.locator("#analysis .turn")).to_have_count(1)
        yield me
        me.page.goto(f"{me.page.url}/plies/2")
        yield me
        table = me.open_with("friend", "friend")
        yield me
        me.page.goto(f"{table}/join/nonesuch")
        yield me
        me.open_with("1", "2", "3", "4", "5", **self.timed)
        yield me
        me.play_word()
        yield me

    def play_for_a_while(self, *players: Seat) -> None:
        (me,) = players
        # What moves the tiles is loaded with the first key. Late, it would move them under the next word.
        me.press("Shift")
        me.page.wait_for_function(EFFECTS_HAVE_COME)
        for _ in range(3):
            me.play_word()
            me.page.wait_for_selector(".flying, .flying-points", state="detached")
        ply = me.ply
        me.drag(me.nonsense())
        me.await_ply(ply + 1)
        me.power("shuffle").click()
        me.await_ply(ply + 2)
        me.finish()
        expect(me.page.locator("#analysis .turn")).to_have_count(3)
        me.page.wait_for_timeout(300)

    @property
    def layouts(self) -> dict[str, Table]:
        return {
            "alone": Seat.open,
            "lobby": lambda me: me.open_with("2", "5", "friend", **self.timed),
            "bots": lambda me: me.open_with("2", "5", **self.timed),
        }


KIND: Final = WibbleKind()
