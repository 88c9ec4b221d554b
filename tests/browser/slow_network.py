"""A slow network."""

import re
from typing import Any

from playwright.sync_api import Page, Route

SCRIPTS = re.compile(r"\.js$")


class Held:
    """Holds back the requests of a page for a URL, as ``Page.route`` takes it, until they are released."""

    def __init__(self, page: Page, url: Any, times: int | None = None) -> None:
        self.routes: list[Route] = []
        """The requests so far, released or not."""
        self._page = page
        self._released = False
        page.route(url, self._hold, times=times)

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
