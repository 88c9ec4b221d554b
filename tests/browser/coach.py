"""Plays a lesson in the browser by the coach's suggestions, with mouse, touch or keyboard."""

from collections.abc import Callable, Iterator
from typing import Literal

from playwright.sync_api import Locator, expect
from playwright.sync_api import TimeoutError as NoClick

from app.web.lesson import NO_BREAK
from tests.browser import fribble
from tests.browser.seat import Seat

Way = Literal["mouse", "finger", "keyboard"]


class Coach:
    """The coach of a lesson on a player's page."""

    def __init__(self, seat: Seat, kind: str, way: Way = "mouse") -> None:
        self.seat = seat
        self.page = seat.page
        self.kind = kind
        self.way = way

    def open(self) -> str:
        """Open the lesson from its page; return its address."""
        self.page.goto(f"{self.seat.url}/learn/{self.kind}")
        self.page.locator("#learn").click()
        self.page.wait_for_selector("#coach")
        self.page.wait_for_load_state("load")
        return self.page.url

    @property
    def words(self) -> Locator:
        return self.page.locator("#coach-text")

    @property
    def text(self) -> str:
        return self.words.inner_text()

    @property
    def over(self) -> bool:
        return self.page.locator(".coach--over").count() == 1

    @property
    def number(self) -> int:
        """The step, from 1; 0 at the end."""
        step = self.page.locator('#coach [name="step"]')
        return int(step.input_value()) if step.count() else 0

    def data(self, name: str) -> list[str]:
        found = self.words.get_attribute(f"data-{name}") or ""
        return [each for each in found.split(",") if each]

    @property
    def cells(self) -> list[int]:
        return [int(cell) for cell in self.data("cells")]

    def press(self, target: Locator) -> None:
        """Press a button."""
        if self.way == "keyboard":
            target.focus()
            self.page.keyboard.press("Enter")
        elif self.way == "finger":
            target.scroll_into_view_if_needed()
            self.page.evaluate(
                "window.clicked = false;"
                "addEventListener('click', () => { window.clicked = true }, {capture: true, once: true})"
            )
            target.tap()
            try:
                self.page.wait_for_function("() => window.clicked", timeout=4000)
            except NoClick:  # DevTools sends no click for the first tap after a drag
                target.tap()
        else:
            target.click()

    def follow(self) -> Iterator[int]:
        """Play to the end; yield the number of each step before it is done, and 0 at the end."""
        for _ in range(20):
            number, text = self.number, self.text
            if self.waits():
                expect(self.words).not_to_have_text(text, use_inner_text=True)
                continue
            yield number
            if number == 0:
                return
            self.step()
            expect(self.words).not_to_have_text(text, use_inner_text=True)
        raise AssertionError("the lesson does not end")

    def waits(self) -> bool:
        """Whether a bot is to move."""
        reading = (
            self.page.locator("#coach-next").count()
            and self.page.locator("#coach-next").inner_text() == "Next"
        )
        return not (self.over or reading or self.cells or self.data("controls"))

    def step(self) -> None:
        """Do what the step asks for."""
        if self.kind == "fribble" and "open-exchange" in self.data("controls"):
            self._exchange()
        elif self.data("controls"):
            for control in self.data("controls"):
                self.press(self.page.locator(f"#{control}"))
        elif not self.cells:
            self.press(self.page.locator("#coach-next"))
        else:
            plays: dict[str, Callable[[], None]] = {
                "letterpress": self._spell,
                "scrabblet": self._guess,
                "fribble": self._lay,
            }
            plays.get(self.kind, self._draw)()

    @property
    def word(self) -> str:
        """The word that the coach spells out."""
        bold = self.words.locator("b").inner_text()
        spelled = next(part for part in bold.split() if NO_BREAK in part)
        return spelled.strip(",.:").replace(NO_BREAK, "").lower()

    def _draw(self) -> None:
        if self.way == "keyboard":
            self.seat.type(self.word)
            self.seat.press("Enter")
        elif self.way == "finger":
            self.seat.finger(self.cells)
        else:
            self.seat.drag(self.cells)

    def _spell(self) -> None:
        for cell in self.cells:
            self.press(self.seat.tile(cell))
        self.press(self.page.locator("#send"))

    def _guess(self) -> None:
        if self.way == "keyboard":
            self.seat.type(self.word)
        else:
            for letter in self.word:
                self.press(self.page.locator(f'#hand .tile[data-letter="{letter}"]'))
        self.press(self.page.locator("#enter"))

    def _lay(self) -> None:
        letters = self.words.get_attribute("data-letters") or ""
        if self.way == "keyboard":
            cells = self.cells
            fribble.move_cursor(self.seat, cells[0], "down" if cells[-1] - cells[0] >= 15 else "across")
            self.seat.type(letters)
            self.seat.press("Enter")
            return
        for cell, letter in zip(self.cells, letters, strict=True):
            tile = self.page.locator(f'#rack .tile:not([hidden])[data-tile="{letter}"]').first
            if self.way == "finger":
                self.press(tile)
                self.press(self.page.locator(f"#square-{cell}"))
            else:
                place = tile.get_attribute("id")
                fribble.drag(self.seat, f"#{place}", f"#square-{cell}")
        self.press(self.page.locator("#send"))

    def _exchange(self) -> None:
        self.press(self.page.locator("#more"))
        self.press(self.page.locator("#open-exchange"))
        self.press(self.page.locator("[data-exchange]").first)
        self.press(self.page.locator("#exchange-confirm"))
