"""Takes the README's screenshots from the running application: ``make screenshots``.

Games are seeded and moves are the engines' best, so that only the clocks differ from one run to the next.
"""

import shutil
import tempfile
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, BrowserContext, ViewportSize, sync_playwright

from app.games import kernel
from app.main import create_app
from app.settings import Settings
from tests.browser.conftest import DESK, FLAGS, ServerClock
from tests.conftest import CHROMIUM_NAMES
from tests.servers import served_in_thread

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
PHONE: Final[ViewportSize] = {"width": 390, "height": 780}
LARGEST: Final = 60_000
"""Bytes of a picture."""


class Player:
    """A player who opens games over the API, in the browser whose page is shown."""

    def __init__(self, context: BrowserContext, url: str, clock: ServerClock) -> None:
        self._context = context
        self._url = url
        self._clock = clock

    def call(self, path: str, body: Any = None) -> Any:
        """The answer of the API: to a POST if there is a ``body``."""
        request = self._context.request
        answer = request.get(self._url + path) if body is None else request.post(self._url + path, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def open(self, **new: Any) -> str:
        """Open a game; return its path in the API."""
        return f"/api/games/{self.call('/api/games', new)['id']}"

    def move(self, game: str, **move: Any) -> None:
        """Make a move, and let bots answer."""
        self.call(f"{game}/moves", {"move": move})
        for _ in range(200):
            view = self.view(game)
            if view.get("to_move", 0) == 0:
                return
            self._clock.ahead += 2
            time.sleep(0.05)
        raise AssertionError("the bot does not move")

    def view(self, game: str) -> Any:
        return self.call(game)["view"]


def wibble(player: Player) -> str:
    """Classic, in its third round."""
    game = player.open(kind="wibble", options={"mode": "classic"})
    for _ in range(2):
        board = "".join(tile["letter"] for tile in player.view(game)["tiles"])
        best = player.call("/api/wibble/solve", {"board": board})["best"]
        player.move(game, type="chain", cells=best["cells"])
    return game


def letterpress(player: Player) -> str:
    """A game against a bot, after three turns each."""
    game = player.open(kind="letterpress", bots=[3])
    for _ in range(3):
        view = player.view(game)
        played = [turn["word"] for turn in view["turns"] if turn["word"]]
        ours, theirs = view["owned"]
        asked = {
            "board": view["board"],
            "ours": ours,
            "theirs": theirs,
            "played": played,
            "vocabulary": "common",
        }
        player.move(game, type="word", cells=player.call("/api/solve", asked)["moves"][0]["cells"])
    return game


def boggle(player: Player) -> str:
    """A round alone, with some words found."""
    game = player.open(kind="boggle")
    player.move(game, type="start")
    found = player.call("/api/boggle/solve", {"rows": player.view(game)["board"]})["words"]
    for word in found[4:20:2]:
        player.move(game, type="word", word=word["word"])
    return game


def fribble(player: Player) -> str:
    """A game against a bot, after five turns each."""
    game = player.open(kind="fribble", bots=[3])
    for _ in range(5):
        view = player.view(game)
        best = player.call("/api/fribble/moves", {"board": view["board"], "rack": view["rack"]})["moves"][0]
        player.move(game, type="write", text=best["standard"])
    return game


PICTURES: Final[dict[str, tuple[Callable[[Player], str], ViewportSize, Literal["light", "dark"]]]] = {
    "phone-light": (wibble, PHONE, "light"),
    "desk-light": (letterpress, DESK, "light"),
    "phone-dark": (boggle, PHONE, "dark"),
    "desk-dark": (fribble, DESK, "dark"),
}


@contextmanager
def browsing() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None:
        raise SystemExit(f"no browser: none of {', '.join(CHROMIUM_NAMES)} is on the PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS.split())
        yield browser
        browser.close()


def take(browser: Browser, name: str) -> bytes:
    """The picture as WebP, on a server of its own."""
    begin, viewport, scheme = PICTURES[name]
    clock = ServerClock()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder))
        with served_in_thread(create_app(settings, clock=clock, seeds=lambda: name)) as url:
            context = browser.new_context(
                viewport={"width": viewport["width"], "height": viewport["height"]},
                color_scheme=scheme,
                reduced_motion="reduce",
            )
            address = begin(Player(context, url, clock)).removeprefix("/api")
            page = context.new_page()
            page.goto(url + address, wait_until="load")
            page.evaluate("document.fonts.ready.then(() => true)")
            page.wait_for_timeout(1000)
            shot = context.new_cdp_session(page).send(
                "Page.captureScreenshot", {"format": "webp", "quality": 80}
            )
            context.close()
    return b64decode(shot["data"])


def main() -> None:
    kernel.warm_up()
    FOLDER.mkdir(exist_ok=True)
    with browsing() as browser:
        for name in PICTURES:
            picture = take(browser, name)
            assert len(picture) < LARGEST, (name, len(picture))
            (FOLDER / f"{name}.webp").write_bytes(picture)


if __name__ == "__main__":
    main()
