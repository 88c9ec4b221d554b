import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from app.games.wibble.solver import Solver
from app.main import create_app
from app.settings import Settings
from app.words.lexicon import Lexicon
from tests.browser.seat import Seat
from tests.deals import Deals
from tests.serving import free_port

# What fails there is told in full, as in a test.
pytest.register_assert_rewrite("tests.browser.boggle", "tests.browser.floors")

PHONE = {"width": 360, "height": 640}
DESK = {"width": 1440, "height": 900}
LONG_NAME = "Maximiliane Großmann-Öst"
"""As long as a nickname may be."""
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
Sit = Callable[..., Seat]


class ServerClock:
    """The real time, and ``ahead`` seconds more."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


class House:
    """The real application behind a real port."""

    def __init__(self, url: str, clock: ServerClock, deals: Deals) -> None:
        self.url = url
        self.clock = clock
        self.deals = deals


@pytest.fixture(scope="session")
def _running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("browser")
    clock, deals = ServerClock(), Deals()
    app = create_app(Settings(data_dir=folder / "data", cache_dir=folder / "cache"), clock=clock, seeds=deals)
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", server_header=False)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server ended before it began"
        time.sleep(0.02)
    yield House(f"http://127.0.0.1:{port}", clock, deals)
    server.should_exit = True
    thread.join(10)


@pytest.fixture
def house(_running: House, request: pytest.FixtureRequest) -> Iterator[House]:
    """The running application, on time."""
    _running.deals.begin(request.node.nodeid)
    yield _running
    _running.clock.ahead = 0.0


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def solver(lexicon: Lexicon) -> Solver:
    return Solver(lexicon)


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the pages wrote to their consoles: at the end of a test, nothing."""
    heard: list[str] = []
    yield heard
    assert heard == []


@pytest.fixture
def sit(house: House, browser: Browser, solver: Solver, complaints: list[str]) -> Iterator[Sit]:
    """Make a player with a browser of their own."""

    def make(context: BrowserContext | None = None, **options: Any) -> Seat:
        if context is None:
            context = browser.new_context(**{"viewport": PHONE, "reduced_motion": "reduce", **options})
            contexts.callback(context.close)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            # A refused move is answered with 4xx, which the browser logs as an error of the network.
            lambda message: (
                complaints.append(message.text)
                if message.type in ("error", "warning") and "Failed to load resource" not in message.text
                else None
            ),
        )
        return Seat(page, house.url, solver)

    with ExitStack() as contexts:
        yield make
