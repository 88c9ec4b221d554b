"""A network that takes its time."""

import re

from playwright.sync_api import Route

SCRIPTS = re.compile(r"\.js$")


class Held:
    """Requests that are kept waiting until they may go on."""

    def __init__(self) -> None:
        self.routes: list[Route] = []

    def __call__(self, route: Route) -> None:
        self.routes.append(route)

    def release(self) -> None:
        while self.routes:
            self.routes.pop(0).continue_()
