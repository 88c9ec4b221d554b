"""The page driver: a player at a table in a real browser."""

from collections.abc import Callable, Sequence
from urllib.parse import urlencode, urljoin

from playwright.sync_api import Locator, Page, expect

from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import FoundWord, Solver
from app.games.wibble.state import Board
from app.web.preferences import COOKIE
from app.words.letters import letter_values

Point = tuple[float, float]

WATCH_MOTION = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) { window.moved.push(this); return animate.apply(this, how); };
}"""
MOVED = "(selector) => window.moved.some((one) => one.matches(selector))"


class Seat:
    """A player's page: the player's actions and the visible state."""

    def __init__(self, page: Page, url: str, solver: Solver) -> None:
        self.page = page
        self.url = url
        self._solver = solver

    # What the player does

    def home(self) -> None:
        self.page.goto(self.url)

    def deal(self, path: str, **fields: str | Sequence[str]) -> str:
        """Open a game with the form that is sent to this path; return its address. Loads no page."""
        answer = self.page.request.post(
            f"{self.url}{path}",
            data=urlencode(fields, doseq=True),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
            max_redirects=0,
        )
        return urljoin(answer.url, answer.headers["location"])

    def open_game(self, path: str, **fields: str | Sequence[str]) -> str:
        """Open a game with the form that is sent to this path, and its page; return its address."""
        address = self.deal(path, **fields)
        self.visit(address)
        return address

    def open(self, mode: str = "classic", **options: str) -> str:
        """Open a game of Wibble for one; return its address."""
        return self.open_game("/play", mode=mode, **{"size": "5", **options})

    def open_with(self, *opponents: str, **options: str) -> str:
        """Open a table of Versus with bots ("1" to "5") and free seats ("friend"); return its address."""
        return self.open_game("/play", mode="versus", opponents=opponents, **options)

    def set_nickname(self, name: str) -> None:
        """Set a nickname, without the page."""
        assert self.page.request.post(f"{self.url}/me/nickname", form={"nickname": name}).ok

    def set_letters(self, size: str) -> None:
        """Set the size of letters, without the page."""
        self.page.context.add_cookies([{"name": COOKIE, "value": f"letters:{size}", "url": self.url}])

    def play_word(self, length: int = 4) -> FoundWord:
        """Drag a word and wait for the answer."""
        word, ply = self.word(length), self.ply
        self.drag(word.cells)
        expect(self.table).not_to_have_attribute("data-ply", str(ply))
        return word

    def visit(self, address: str) -> None:
        self.page.goto(address)
        expect(self.table).to_be_visible()

    def join(self, host: "Seat") -> None:
        """Join by the invitation that the host's table shows."""
        self.page.goto(host.page.locator("#invitation").input_value())
        if self.page.locator("#join #nickname").count():
            self.page.locator("#take-seat").click()
        expect(self.table).to_be_visible()
        self.page.wait_for_load_state()

    def drag(self, cells: Sequence[int], *, release: bool = True, steps: int = 4) -> None:
        """Draw a path with the mouse."""
        self._await_tiles()
        mouse = self.page.mouse
        mouse.move(*self.centre(cells[0]))
        mouse.down()
        for cell in cells[1:]:
            mouse.move(*self.centre(cell), steps=steps)
        if release:
            mouse.up()

    def finger(
        self,
        cells: Sequence[int],
        leave: Point | None = None,
        before_lifting: Callable[[], None] = lambda: None,
    ) -> None:
        """Draw a path with a finger, which may ``leave`` the board before it is lifted."""
        self._await_tiles()
        touch = self.page.context.new_cdp_session(self.page)
        points = [self.centre(cell) for cell in cells]
        for index, (x, y) in enumerate([*points, leave] if leave else points):
            kind = "touchStart" if index == 0 else "touchMove"
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        before_lifting()
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _await_tiles(self) -> None:
        """Wait until the page's scripts are ready and no tile falls or turns."""
        self.page.wait_for_load_state()
        self.page.wait_for_function(
            """() => (document.querySelector(".tiles")?.getAnimations({ subtree: true }) ?? [])
                .filter(({ effect }) => effect.getTiming().iterations !== Infinity)
                .every(({ playState }) => playState !== "running")"""
        )

    def touch(self, target: Locator) -> None:
        """Tap with a finger; the browser turns it into a click."""
        box = target.bounding_box()
        assert box is not None
        self.touch_at(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def touch_at(self, x: float, y: float) -> None:
        touch = self.page.context.new_cdp_session(self.page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def tap(self, cell: int) -> None:
        self.page.mouse.click(*self.centre(cell))

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def put_forward(self, seconds: float) -> None:
        """Move the page's clock forward, until it loads another page."""
        self.page.evaluate("by => { const now = Date.now; Date.now = () => now() + 1000 * by; }", seconds)

    def finish(self) -> None:
        """Finish the game, with confirmation."""
        self.page.locator("#power-finish").click()
        self.page.locator("#finish-confirm").click()
        expect(self.page.locator(".summary")).to_be_visible()

    # What the player sees

    @property
    def address(self) -> str:
        """The table's address. While it waits, the page has that of the invitation."""
        return self.page.url.partition("/join/")[0]

    @property
    def table(self) -> Locator:
        return self.page.locator("#table")

    @property
    def report(self) -> Locator:
        return self.page.locator("#report")

    @property
    def field(self) -> Locator:
        return self.page.locator("#word-field")

    @property
    def announced(self) -> Locator:
        """The live region."""
        return self.page.locator("#announcer")

    def tile(self, cell: int) -> Locator:
        return self.page.locator(f"#tile-{cell}")

    def power(self, name: str) -> Locator:
        return self.page.locator(f"#power-{name}")

    def data(self, name: str) -> str:
        return self.table.get_attribute(f"data-{name}") or ""

    @property
    def score(self) -> int:
        return int(self.data("score"))

    @property
    def ply(self) -> int:
        return int(self.data("ply"))

    @property
    def letters(self) -> str:
        found: str = self.page.evaluate(
            "[...document.querySelectorAll('#board button.tile')].map((tile) => tile.dataset.letter).join('')"
        )
        return found

    @property
    def chain(self) -> list[int]:
        """The highlighted cells."""
        found: list[int] = self.page.evaluate(
            "[...document.querySelectorAll('#board .tile[aria-pressed=true]')]"
            ".map((tile) => +tile.dataset.cell)"
        )
        return found

    def centre(self, cell: int) -> Point:
        box = self.tile(cell).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def await_ply(self, ply: int) -> None:
        expect(self.table).to_have_attribute("data-ply", str(ply))

    def await_turn(self) -> None:
        expect(self.table).to_have_attribute("data-mine", "")

    def watch_motion(self) -> None:
        """Record which elements the page animates from now on; one may end before it is checked."""
        self.page.evaluate(WATCH_MOTION)

    def moved(self, selector: str) -> bool:
        """Whether a matching element was animated since :meth:`watch_motion`."""
        return bool(self.page.evaluate(MOVED, selector))

    def await_moved(self, selector: str) -> None:
        self.page.wait_for_function(MOVED, arg=selector)

    # The words on the board

    def words(self) -> list[FoundWord]:
        """All words of the board on the screen, best first."""
        return self._words_on(self.letters)

    def word(self, length: int = 4) -> FoundWord:
        """A word of at least ``length`` letters; of any length if the board has none."""
        words = self.words()
        return next((word for word in words if len(word.word) >= length), words[0])

    def spelled_on(self, letters: str) -> str:
        """A word of the board on a page without scripts."""
        return self._words_on(letters)[0].word

    def nonsense(self) -> list[int]:
        """A path that spells no word."""
        letters = self.letters
        size = round(len(letters) ** 0.5)
        words = {word.word for word in self.words()}
        rows = [list(range(row * size, row * size + 4)) for row in range(size)]
        return next(
            cells
            for row in rows
            for cells in (row, row[::-1])
            if "".join(letters[cell] for cell in cells) not in words
        )

    def _words_on(self, letters: str) -> list[FoundWord]:
        scoring = Scoring(letter_values("scrabble"))
        return self._solver.words(Board(letters=letters), round(len(letters) ** 0.5), scoring)
