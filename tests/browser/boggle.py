"""Boggle in the browser."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.kind import Kind, Table
from tests.browser.seat import Seat

#  p e r s
#  l a t g
#  s i n e
#  t e r s
BOARD = "pers latg sine ters"
SLATE = (8, 4, 5, 6, 1)
TEAS = (6, 1, 5, 8)
GENT = (7, 11, 10, 6)


class BoggleKind(Kind):
    pages: ClassVar[tuple[str, ...]] = (
        "/boggle",
        "/boggle/daily",
        "/boggle/daily/archive",
        "/boggle/generator?algorithm=frequency&seed=1",
        "/boggle/generator?algorithm=dice&size=4x6&seed=a&count=4",
        "/boggle/generator?algorithm=target&word=x1&seed=a",
        "/boggle/board?rows=pers+latg+sine+ters&show=slate",
        "/boggle/board?board=slatetgenztttiqd",
        "/boards/new/boggle?players=2&scoring=cancel&found=cat&engine=all",
    )
    ending: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "start"}, {"type": "finish"})
    queues_words: ClassVar[bool] = True
    targets: ClassVar[str] = "button.tile, .power"

    def open(self, me: Seat, *opponents: str, begin: bool = True, **fields: str) -> str:
        """Open a game on a known board; start the round if it has a clock."""
        address = me.open_game("/boggle/play", opponents=opponents, **{"board": BOARD, **fields})
        if begin and fields.get("seconds") != "none":
            start(me)
        return address

    def open_table(self, me: Seat, **fields: str) -> str:
        return self.open(me, "friend", begin=False, **fields)

    def sit_down(self, me: Seat, friend: Seat, **fields: str) -> None:
        self.open_table(me, **fields)
        friend.join(me)
        for each in (me, friend):
            start(each)

    def enter(self, me: Seat) -> None:
        me.type("slate")

    def send(self, me: Seat) -> None:
        send(me, "slate")

    def finish(self, *players: Seat) -> None:
        for each in players:
            finish(each)

    def tour(self, sit: Sit, **options: Any) -> Iterator[Seat]:
        me, friend = self.together(sit, {"cancel": "true"}, **options)
        address = me.address
        send(me, "slate", "teas", "xyzzy")
        send(friend, "slate")
        me.type("tale")
        yield me
        me.press("Escape")
        me.page.locator("#power-finish").click()
        yield me
        me.page.locator("#finish-confirm").click()
        expect(me.page.locator("#await")).to_be_visible()
        yield me
        finish(friend)
        expect(friend.page.locator(".bog-miss").first).to_be_visible()
        friend.page.locator(".bog-all summary").click()
        yield friend
        me.page.goto(f"{address}/plies/3")
        yield me
        self.open(me, begin=False)
        yield me

    def play_for_a_while(self, *players: Seat) -> None:
        (me,) = players
        send(me, "slate", "teas", "xyzzy", "at")
        expect_found(me, "teas", "slate")
        me.drag(GENT)
        expect_found(me, "gent", "teas", "slate")

    @property
    def layouts(self) -> dict[str, Table]:
        return {
            "untimed": lambda me: self.open(me, seconds="none"),
            "bot": lambda me: self.open(me, "1"),
        }


def start(seat: Seat) -> None:
    seat.page.locator("#start").click()
    expect(seat.field).to_be_enabled()


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


KIND: Final = BoggleKind()
