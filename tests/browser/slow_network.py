"""A slow network."""

import re

from playwright.sync_api import Page, Route

SCRIPTS = re.compile(r"\.js$")


class Held:
    """Holds requests back until they are released."""

    def __init__(self) -> None:
        self.routes: list[Route] = []

    def __call__(self, route: Route) -> None:
        self.routes.append(route)

    def wait(self, page: Page) -> None:
        """Wait until a request is held; the page may have sent it before the call."""
        for _ in range(1000):
            if self.routes:
                return
            page.wait_for_timeout(30)
        raise AssertionError("no request")

    def release(self) -> None:
        while self.routes:
            self.routes.pop(0).continue_()
