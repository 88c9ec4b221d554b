"""Scrabblet in the browser."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, Sit
from tests.browser.kind import Kind, Table
from tests.browser.seat import Seat

HAND: Final = "crpeitn"


class Hand:
    """A player at a table of Scrabblet."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.page: Page = seat.page

    def deal(self, hand: str = HAND, **fields: str) -> str:
        """Open a game with this hand; return its address."""
        return self.seat.open_game("/scrabblet/play", hand=hand, **fields)

    def words(self, hand: str = HAND) -> list[str]:
        """All words of a hand, best first."""
        body = {"hand": hand, "sort": "score"}
        answer = self.page.request.post(f"{self.seat.url}/api/scrabblet/words", data=body)
        return [one["word"] for one in answer.json()["words"]]

    def guess(self, *words: str) -> None:
        for word in words:
            ply = self.seat.ply
            self.page.keyboard.type(word)
            self.page.keyboard.press("Enter")
            self.seat.await_ply(ply + 1)

    def tap(self, word: str) -> None:
        for letter in word:
            self.page.locator(f'#hand .tile[data-letter="{letter}"]').click()

    def finish(self) -> None:
        self.page.locator("#power-finish").click()
        self.page.locator("#finish-confirm").click()
        expect(self.page.locator("#analysis")).to_be_visible()

    @property
    def found(self) -> list[str]:
        """The words in the list, from its top."""
        return [text.lower() for text in self.page.locator("#found .found-letters").all_inner_texts()]

    @property
    def order(self) -> str:
        """The letters of the hand in their order on the page."""
        letters: list[str] = self.page.locator("#hand .tile").evaluate_all(
            "(tiles) => tiles.map((tile) => tile.dataset.letter)"
        )
        return "".join(letters)

    @property
    def lit(self) -> set[str]:
        """The letters of the highlighted tiles."""
        return set(
            self.page.locator("#hand .tile--drawn").evaluate_all(
                "(tiles) => tiles.map((tile) => tile.dataset.letter)"
            )
        )

    @property
    def score(self) -> Locator:
        return self.page.locator("#score")


class ScrabbletKind(Kind):
    pages: ClassVar[tuple[str, ...]] = (
        "/scrabblet",
        "/scrabblet/player?hand=crpeitn",
        "/scrabblet/player?hand=crpe%3F&min_length=8&word=creepie",
        "/scrabblet/player?hand=crpei&sort=score",
        "/scrabblet/player?hand=cr8",
        "/scrabblet/gamesetup?seed=hill",
        "/boards/new/scrabblet?hand=crpei%3F&found=piece&engine=all",
    )
    request: ClassVar[dict[str, Any]] = {"options": {"rack": HAND}}
    ending: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "guess", "word": "price"}, {"type": "finish"})
    multiplayer: ClassVar[bool] = False
    motion: ClassVar[str] = "no-preference"
    no_shifts_on_input: ClassVar[bool] = True
    small_targets: ClassVar[dict[int, int]] = {1440: 40}
    targets: ClassVar[str] = "#table button:visible"

    def open(self, me: Seat) -> str:
        return Hand(me).deal()

    def enter(self, me: Seat) -> None:
        me.type("price")

    def send(self, me: Seat) -> None:
        self.enter(me)
        me.press("Enter")

    def tour(self, sit: Sit, **options: Any) -> Iterator[Seat]:
        me = sit(**options)
        me.page.goto(f"{me.url}/scrabblet")
        me.page.locator(".options summary").click()
        yield me
        hand = Hand(me)
        hand.deal("crpeit?")
        hand.guess("price", "precipice", "crab")
        me.type("pier")
        yield me
        me.press("Escape")
        me.page.locator("#power-hint").click()
        expect(me.page.locator("#hints-count")).to_be_visible()
        yield me
        me.press("Escape")
        if me.page.viewport_size == PHONE:
            me.page.locator("#rank").click()
            yield me
            me.press("Escape")
        hand.tap("?")
        yield me
        me.press("Escape")
        hand.finish()
        yield me
        me.page.goto(f"{me.page.url}/plies/1")
        yield me

    def play_for_a_while(self, *players: Seat) -> None:
        (me,) = players
        hand = Hand(me)
        for word in ("price", "price", "crab", "crppe", "precinct"):
            hand.guess(word)
            me.page.wait_for_selector(".flying-points", state="detached")
        me.page.locator("#power-hint").click()
        expect(me.page.locator("#hints-count")).to_be_visible()
        me.press("Escape")
        hand.finish()
        me.page.wait_for_timeout(300)

    @property
    def layouts(self) -> dict[str, Table]:
        return {"alone": self.open, "analysis": _open_analysis}


def _open_analysis(me: Seat) -> None:
    hand = Hand(me)
    address = hand.deal()
    hand.guess("price")
    hand.finish()
    me.page.goto(f"{address}/analysis")


KIND: Final = ScrabbletKind()
