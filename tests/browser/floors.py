"""Checks of pages: accessibility, layout shift, weight, size."""

from collections.abc import Iterator
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import ViewportSize

from tests.browser.conftest import DESK, PHONE
from tests.browser.seat import Seat

SMALL: Final[ViewportSize] = {"width": 320, "height": 568}
LANDSCAPE = {"width": 640, "height": 360}
TABLET = {"width": 820, "height": 1180}
SCREENS = pytest.mark.parametrize("screen", [PHONE, DESK], ids=["phone", "desk"])
LOOKS: Final[tuple[tuple[ViewportSize, Literal["light", "dark"]], ...]] = (
    (PHONE, "light"),
    (DESK, "dark"),
)
"""A phone in light colours and a desktop in dark ones."""
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
RUN_AXE = """async () => {
  const run = async (where, options) => {
    const {violations} = await axe.run(where, {resultTypes: ["violations"], ...options});
    return violations.flatMap(({id, nodes}) => nodes.map(({html}) => [id, html]));
  };
  const look = (one) => {
    const {color, fontSize} = getComputedStyle(one);
    return [one.tagName, one.className, color, fontSize];
  };
  const seen = new Set();
  for (const operation of document.querySelectorAll(".operation")) {
    const before = seen.size;
    for (const one of operation.querySelectorAll("*")) seen.add(`${look(one)} ${look(one.parentElement)}`);
    operation.toggleAttribute("data-alike", seen.size === before);
  }
  if (!document.querySelector("[data-alike]")) return run(document, {});
  return [
    ...(await run(document, {rules: {"color-contrast": {enabled: false}}})),
    ...(await run({exclude: [["[data-alike]"]]}, {runOnly: ["color-contrast"]})),
  ];
}"""
"""What axe finds. The contrast takes longest by far, so it is not looked at in those operations and types of
the API reference that have no kind of text that the ones before do not have."""
SMALL_PRINT = """() => {
  const board = ".cell, .tile, .square, [aria-hidden], .visually-hidden, svg, template, code";
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (texts.nextNode()) {
    const {nodeValue, parentElement} = texts.currentNode;
    if (!nodeValue.trim() || !parentElement.checkVisibility() || parentElement.closest(board)) continue;
    if (parseFloat(getComputedStyle(parentElement).fontSize) < 14) found.add(parentElement.outerHTML);
  }
  return [...found];
}"""
REPEATED_IDS = """() => [...document.querySelectorAll("[id]")].map(({id}) => id)
    .filter((id, place, all) => all.indexOf(id) !== place)"""
BELOW_THE_END = """() => {
  const end = Math.max(innerHeight, document.body.getBoundingClientRect().bottom + scrollY) + 1;
  const scrolls = (one) => getComputedStyle(one).overflowY !== "visible";
  return [...document.querySelectorAll("body *")].filter((one) => {
    if (one.getBoundingClientRect().bottom + scrollY <= end) return false;
    if (getComputedStyle(one).position !== "absolute") return false;
    for (let each = one.parentElement; each && each !== one.offsetParent; each = each.parentElement)
      if (scrolls(each)) return true;
    return false;
  }).map(({outerHTML}) => outerHTML.slice(0, 100));
}"""
"""What lengthens the page from within a scrolled part, which does not contain it."""
MOVED_ON_ARRIVAL = """async (path) => {
  const html = await (await fetch(path)).text();
  const frame = document.createElement("iframe");
  frame.style.cssText = "position: fixed; inset: 0; width: 100vw; height: 100vh; border: 0";
  document.body.append(frame);
  const page = frame.contentDocument;
  page.open();
  const body = html.indexOf("<body");
  page.write(html.slice(0, body));
  const sheets = [...page.querySelectorAll("link[rel=stylesheet]")];
  await Promise.all(sheets.map((one) => one.sheet ?? new Promise((done) => (one.onload = done))));
  await page.fonts.load("1rem Rubik");
  const seen = new Map();
  const moved = [];
  for (const tag of html.slice(body).match(/<[^<]*/g)) {
    page.write(tag);
    for (const one of page.querySelectorAll("main > *, main > * > *")) {
      const {y} = one.getBoundingClientRect();
      const before = seen.get(one) ?? y;
      if (before < innerHeight && Math.abs(before - y) > 4) moved.push([one.className, before, y, tag]);
      seen.set(one, y);
    }
  }
  page.close();
  return [seen.size, moved];
}"""
"""Writes a page tag by tag, as a slow network brings it: how many parts it has, and which moved when."""
ENDS_OF_MOTION = """() => [
  ...[...document.querySelectorAll("*")]
    .map((one) => getComputedStyle(one))
    .filter(({animationName}) => animationName !== "none")
    .map(({animationDelay, animationDuration, animationIterationCount}) => {
      const times = animationIterationCount === "infinite" ? Infinity : Number(animationIterationCount);
      return 1000 * (parseFloat(animationDelay) + times * parseFloat(animationDuration));
    }),
  ...document.getAnimations().map(({effect}) => effect.getComputedTiming().endTime),
]"""
"""When each animation ends that the styles give, or that is under way: in milliseconds after its start."""
MOST_BYTES = 60_000


def violations(seat: Seat) -> list[str]:
    """What axe finds on the page as it looks now."""
    if not seat.page.evaluate("'axe' in window"):
        seat.page.evaluate(AXE_SCRIPT)
    found = seat.page.evaluate(RUN_AXE)
    return [f"{rule}: {html}" for rule, html in found]


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


def weighs_little(seat: Seat, address: str, part: str = "#table") -> None:
    """Assert that a table loads with less than MOST_BYTES, up to this part of it."""
    sizes = received(seat)
    seat.visit(address)
    seat.page.wait_for_load_state("load")
    seat.page.wait_for_selector(part, state="attached")
    seat.page.wait_for_timeout(300)  # an event stream keeps the network busy
    assert 10_000 < sum(sizes) < MOST_BYTES, sum(sizes)


def fits_width(seat: Seat, what: str = "") -> None:
    """Assert that nothing is wider than the screen, and the page ends with its content, in its own font."""
    seat.page.evaluate("document.fonts.ready.then(() => null)")
    assert seat.page.evaluate("document.documentElement.scrollWidth") <= _screen(seat)["width"], what
    assert seat.page.evaluate(BELOW_THE_END) == [], f"{what}: one can scroll beyond the end of the page"


def fits_screen(seat: Seat, what: str = "") -> None:
    """Assert that everything is on the screen without scrolling."""
    fits_width(seat, what)
    assert seat.page.evaluate("document.documentElement.scrollHeight") <= _screen(seat)["height"], what


def assert_accessible(seat: Seat, what: str = "") -> None:
    """Assert that axe finds no violation, no ID stands twice, all fits and no text is under 14 pixels."""
    assert violations(seat) == [], what
    assert seat.page.evaluate(REPEATED_IDS) == [], what
    assert seat.page.evaluate(SMALL_PRINT) == [], what
    fits_width(seat, what)


def in_all_looks(seat: Seat) -> Iterator[str]:
    """Give the page one look after another, by name; at the end it has its own again."""
    own = _screen(seat)
    for screen, scheme in LOOKS:
        seat.page.set_viewport_size(screen)
        seat.page.emulate_media(color_scheme=scheme)
        yield f"{scheme}, {screen['width']} pixels wide"
    seat.page.set_viewport_size(own)
    seat.page.emulate_media(color_scheme="light")


def assert_accessible_in_all_looks(seat: Seat, what: str = "") -> None:
    """Assert that axe finds no violation and nothing is wider than the screen, in each look."""
    for look in in_all_looks(seat):
        assert_accessible(seat, f"{what}, {look}")


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
