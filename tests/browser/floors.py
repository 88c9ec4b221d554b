"""Checks of pages: accessibility, layout shift, weight, size."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ViewportSize

from tests.browser.conftest import DESK, PHONE
from tests.browser.seat import Seat

SMALL = {"width": 320, "height": 568}
LANDSCAPE = {"width": 640, "height": 360}
TABLET = {"width": 820, "height": 1180}
SCREENS = pytest.mark.parametrize("screen", [PHONE, DESK], ids=["phone", "desk"])
SCREENS_DOWN_TO_SMALL = pytest.mark.parametrize("screen", [PHONE, SMALL, DESK], ids=["360", "320", "desk"])
LOOKS = pytest.mark.parametrize(
    ("screen", "scheme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"]
)
SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      for (const {node, previousRect, currentRect} of entry.sources) {
        window.shifts.push([node?.id || node?.className || node?.nodeName, previousRect, currentRect]);
      }
    }
  }).observe({type: "layout-shift", buffered: true});
"""
# Without shifts in answer to an input.
SURPRISES = SHIFTS.replace("getEntries()", "getEntries().filter((entry) => !entry.hadRecentInput)")
MOST_BYTES = 60_000


def violations(seat: Seat) -> list[str]:
    found = Axe().run(seat.page).response["violations"]
    return [f"{rule['id']}: {node['html']}" for rule in found for node in rule["nodes"]]


def shifts(seat: Seat) -> list[Any]:
    """The shifts on a page that has the script SHIFTS or SURPRISES."""
    found: list[Any] = seat.page.evaluate("window.shifts")
    return found


def received(seat: Seat) -> list[float]:
    """A list that gets the size of each file loaded from now on."""
    network = seat.page.context.new_cdp_session(seat.page)
    network.send("Network.enable")
    sizes: list[float] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return sizes


def weighs_little(seat: Seat, address: str) -> None:
    """Assert that a table loads with less than MOST_BYTES."""
    sizes = received(seat)
    seat.visit(address)
    seat.page.wait_for_load_state("load")
    seat.page.wait_for_timeout(300)  # an event stream keeps the network busy
    assert 10_000 < sum(sizes) < MOST_BYTES


def fits_width(seat: Seat, what: str = "") -> None:
    """Assert that nothing is wider than the screen."""
    assert seat.page.evaluate("document.documentElement.scrollWidth") <= _screen(seat)["width"], what


def fits_screen(seat: Seat, what: str = "") -> None:
    """Assert that everything is on the screen without scrolling."""
    fits_width(seat, what)
    assert seat.page.evaluate("document.documentElement.scrollHeight") <= _screen(seat)["height"], what


def assert_accessible(seat: Seat, what: str = "") -> None:
    """Assert that axe finds no violation and nothing is wider than the screen."""
    assert violations(seat) == [], what
    fits_width(seat, what)


def within_reach(seat: Seat, targets: str, least: int = 44) -> None:
    """Assert that these targets are on the screen and large enough for a thumb."""
    for target in seat.page.locator(targets).all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= least, target
        assert box["y"] + box["height"] <= _screen(seat)["height"]


def _screen(seat: Seat) -> ViewportSize:
    size = seat.page.viewport_size
    assert size is not None
    return size
