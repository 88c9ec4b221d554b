"""A slow or broken network."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route

SCRIPTS = re.compile(r"\.js$")


def intercept(page: Page, url: Any, handler: Callable[[Route], object], times: int | None = None) -> None:
    """Like ``Page.route``, but the page's next request is intercepted, too.

    The browser hands the route to the page's process without waiting for it: an input may overtake it there.
    """
    page.route(url, handler, times=times)
    page.evaluate("0")


class Held:
    """Holds back the requests of a page for a URL, as ``Page.route`` takes it, until they are released."""

    def __init__(self, page: Page, url: Any, times: int | None = None) -> None:
        self.routes: list[Route] = []
        """The requests so far, released or not."""
        self._page = page
        self._released = False
        intercept(page, url, self._hold, times)

    def _hold(self, route: Route) -> None:
        self.routes.append(route)
        if self._released:
            route.continue_()

    def wait(self) -> None:
        """Wait until a request is held; the page may have sent it before the call."""
        for _ in range(1000):
            if self.routes:
                return
            self._page.wait_for_timeout(30)
        raise AssertionError("no request")

    def release(self) -> None:
        """Let the requests go on, and all later ones. Waits for the first, which would be held for ever."""
        self.wait()
        self._released = True
        for route in tuple(self.routes):
            route.continue_()
