import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urldefrag

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)
from pydantic import SecretStr

from app.games.wibble.solver import Solver
from app.main import create_app
from app.settings import Settings
from app.words.lexicon import Lexicon
from tests.browser.seat import Seat
from tests.seeds import Deals
from tests.servers import served_in_thread

# Assertions there are rewritten, so that failures show details.
pytest.register_assert_rewrite("tests.browser.boggle", "tests.browser.page_checks")

PHONE: Final[ViewportSize] = {"width": 360, "height": 640}
DESK: Final[ViewportSize] = {"width": 1440, "height": 900}
ADMIN_TOKEN: Final = SecretStr("0123456789abcdef" * 2)
LONG_NAME = "Maximiliane Großmann-Öst"
"""A nickname of the maximum length."""
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
PATIENCE: Final = 30_000
"""Timeout in milliseconds for expectations on a busy machine."""
expect.set_options(timeout=PATIENCE)
MESSAGES: Final[dict[str, Any]] = {"site_url": "https://words.example", "private_webhooks": True}
"""Settings that enable turn notifications."""
DAY: Final = 86_400
LONGEST_SESSION: Final = 3 * 3600
"""Upper bound in seconds for the whole test session."""
Sit = Callable[..., Seat]


class ServerClock:
    """The real time plus ``ahead`` seconds, moved past midnight if a day would end during the tests."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self._stopped_at: float | None = None
        left = DAY - time.time() % DAY
        self._hours = left if left < LONGEST_SESSION else 0.0

    def __call__(self) -> float:
        return (time.time() if self._stopped_at is None else self._stopped_at) + self._hours + self.ahead

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the server's clock during the block, however long a page takes."""
        began = self._stopped_at = time.time()
        try:
            yield
        finally:
            self.ahead -= time.time() - began
            self._stopped_at = None


class Site:
    """The real application on a real port."""

    def __init__(self, url: str, operators_link: str, clock: ServerClock, deals: Deals) -> None:
        self.url = url
        self.operators_link = operators_link
        """The path of a link that makes a player an operator."""
        self.clock = clock
        self.deals = deals


@pytest.fixture(scope="session")
def _running(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("browser")
    clock, deals = ServerClock(), Deals()
    # Longer reviews of hundreds of games would keep the cores busy during the tests.
    settings = Settings(
        data_dir=folder / "data",
        cache_dir=shared_cache,
        review_seconds=3,
        admin_token=ADMIN_TOKEN,
        **MESSAGES,
    )
    app = create_app(settings, clock=clock, seeds=deals)
    with served_in_thread(app) as url:
        link = f"/admin/join/{app.state.services.operators.add('Grace', clock())}"
        yield Site(url, link, clock, deals)


@pytest.fixture
def site(_running: Site, request: pytest.FixtureRequest) -> Iterator[Site]:
    """The running application, with its clock reset after the test."""
    _running.deals.begin(request.node.nodeid)
    yield _running
    _running.clock.ahead = 0.0


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser for the tests of this folder.

    Playwright keeps an event loop running in this thread, which would break later tests that run a loop of
    their own. So the browser is closed after this folder.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def solver(lexicon: Lexicon) -> Solver:
    return Solver(lexicon)


class Complaints(list[str]):
    """Errors and warnings in the pages' consoles, except those that a test allows."""

    def __init__(self) -> None:
        super().__init__()
        self._allowed: tuple[str, ...] = ()

    def allow(self, *parts: str) -> None:
        """Accept messages that contain one of these texts, such as those about a broken network."""
        self._allowed += parts

    def record(self, text: str) -> None:
        """Record a console message unless it is allowed."""
        if not any(part in text for part in self._allowed):
            self.append(text)


NO_WORKER = "Service Worker registration blocked by Playwright"
NO_HISTORY: Final = """
  history.replaceState = () => { throw new DOMException("100 times per 10 seconds", "SecurityError"); };
"""
"""Safari after a hundred changes of the history."""
NO_NETWORK = ("Failed to load resource: net::ERR_", "htmx:afterRequest", "htmx:sendError")
"""Console messages for a request that never reached the server."""


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Errors and warnings in the pages' consoles; the test fails if any remain that it does not allow.

    The browser logs every response with status 4xx or 5xx. Those of navigations are ignored; scripts get no
    such status for an ordinary refusal.
    """
    found = Complaints()
    yield found
    assert found == []


@pytest.fixture
def sit(site: Site, browser: Browser, solver: Solver, complaints: Complaints) -> Iterator[Sit]:
    """Make a player with a browser of their own."""

    def make(context: BrowserContext | None = None, **options: Any) -> Seat:
        if context is None:
            # Page.route does not see a service worker's requests.
            usual = {"viewport": PHONE, "reduced_motion": "reduce", "service_workers": "block"}
            context = browser.new_context(**{**usual, **options})
            contexts.callback(context.close)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.record(f"not handled: {error}"))
        pages: set[str] = set()

        def note(request: Request) -> None:
            if request.is_navigation_request():
                pages.add(urldefrag(request.url)[0])

        def record(message: ConsoleMessage) -> None:
            refused = "the server responded with a status of" in message.text
            is_page = refused and urldefrag(message.location["url"])[0] in pages
            if message.type in ("error", "warning") and not is_page and message.text != NO_WORKER:
                complaints.record(message.text)

        page.on("request", note)
        page.on("console", record)
        return Seat(page, site.url, solver)

    with ExitStack() as contexts:
        yield make
