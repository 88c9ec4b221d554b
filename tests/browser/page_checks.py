"""Checks of pages: accessibility, layout shift, weight, size."""

import json
from collections.abc import Iterator
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import ViewportSize

from tests.browser.conftest import DESK, PHONE
from tests.browser.seat import Seat

SMALL: Final[ViewportSize] = {"width": 320, "height": 568}
LANDSCAPE: Final[ViewportSize] = {"width": 640, "height": 360}
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
# Without shifts in response to an input.
SURPRISES = SHIFTS.replace("getEntries()", "getEntries().filter((entry) => !entry.hadRecentInput)")
RUN_AXE = """async (passed) => {
  const colours = ["color-contrast", "link-in-text-block"];
  const known = new Set(passed);
  const always = {resultTypes: ["violations"], preload: false, elementRef: true, selectors: false};
  const run = (where, options) => axe.run(where, {...always, ...options});
  const grounds = new Map();
  const ground = (one) => {
    if (!one) return "";
    if (!grounds.has(one)) {
      const {backgroundColor, backgroundImage, opacity} = getComputedStyle(one);
      const own = `${backgroundColor} ${backgroundImage} ${opacity}`;
      grounds.set(one, ground(one.parentElement) + (own === "rgba(0, 0, 0, 0) none 1" ? "" : `${own}, `));
    }
    return grounds.get(one);
  };
  const floats = new Map();
  const isOver = (one) => {
    if (!one) return false;
    if (!floats.has(one)) {
      const own = ["absolute", "fixed", "sticky"].includes(getComputedStyle(one).position);
      floats.set(one, own || isOver(one.parentElement));
    }
    return floats.get(one);
  };
  const look = (one) => {
    const {tagName, className, parentElement} = one;
    const {color, fontSize, fontWeight, textShadow, textDecorationLine} = getComputedStyle(one);
    const around = [parentElement.className, getComputedStyle(parentElement).color];
    const letters = [color, fontSize, fontWeight, textShadow, textDecorationLine];
    return [tagName, className, ...around, ...letters, ground(one)].join(" ");
  };
  const holdsText = (one) => [...one.childNodes].some(({nodeType, data}) => nodeType === 3 && data.trim());
  const texts = new Map();
  const alike = {};
  for (const one of document.body.querySelectorAll("*")) {
    if (!one.matches("input, select, textarea") && !holdsText(one)) continue;
    const kind = look(one);
    if (!one.checkVisibility()) continue;
    alike[kind] = (alike[kind] ?? 0) + 1;
    if (isOver(one) || (alike[kind] <= 3 && !known.has(kind))) texts.set(one, kind);
  }
  const violations = [];
  const found = [];
  if (texts.size) {
    // First, while the page still has all of them.
    const options = {runOnly: colours, resultTypes: ["violations", "passes"]};
    const results = await run({include: [...texts.keys()]}, options);
    violations.push(...results.violations);
    const {nodes} = results.passes.find(({id}) => id === "color-contrast") ?? {nodes: []};
    found.push(...nodes.flatMap(({element}) => texts.get(element) ?? []));
  }
  const others = Object.fromEntries(colours.map((rule) => [rule, {enabled: false}]));
  violations.push(...(await run(document, {rules: others})).violations);
  return [violations.flatMap(({id, nodes}) => nodes.map(({html}) => `${id}: ${html}`)), found];
}"""
"""Returns axe's violations, and the styles of the texts with sufficient contrast.

The colour rules take longest by far, so they check at most three texts of a page with the same element,
colours and font, and none if one of them passed on an earlier page; but they check every text that may lie
over another part of the page. Preloading style sheets, which no applicable rule needs, is off: that saves a
fifth of the time.
"""
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
"""Elements in a scrolled part that lengthen the page, as the part is not their containing block."""
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
    for (const one of page.querySelectorAll(":is(main > *, main > * > *):not([hidden])")) {
      const {y} = one.getBoundingClientRect();
      const before = seen.get(one) ?? y;
      if (before < innerHeight && Math.abs(before - y) > 4) moved.push([one.className, before, y, tag]);
      seen.set(one, y);
    }
  }
  page.close();
  return [seen.size, moved];
}"""
"""Writes a page tag by tag, as from a slow network; returns the number of parts and those that moved."""
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
"""The end of each animation, from the styles or running, in milliseconds after its start."""
MOST_BYTES = 60_000
_sufficient: set[str] = set()
"""Styles of texts whose contrast is known to be sufficient."""


def violations(seat: Seat) -> list[str]:
    """Return axe's violations on the current page."""
    if not seat.page.evaluate("'axe' in window"):
        seat.page.evaluate(AXE_SCRIPT)
    found, sufficient = seat.page.evaluate(RUN_AXE, list(_sufficient))
    _sufficient.update(sufficient)
    return list(found)


def shifts(seat: Seat) -> list[Any]:
    """The layout shifts on a page with the script SHIFTS or SURPRISES."""
    found: list[Any] = seat.page.evaluate("window.shifts")
    return found


def restyled(seat: Seat, change: str) -> int:
    """The number of elements that the browser styles again because of this change, a script."""
    browser = seat.page.context.browser
    assert browser is not None
    seat.page.evaluate("() => { document.body.offsetWidth; }")
    browser.start_tracing(page=seat.page, categories=["-*", "devtools.timeline", "blink.user_timing"])
    seat.page.evaluate(
        "() => {"
        f' performance.mark("change"); {change}; document.body.offsetWidth; performance.mark("styled"); '
        "}"
    )
    events = json.loads(browser.stop_tracing())["traceEvents"]
    # A clock that ticks meanwhile is styled again, too.
    start, end = (
        next(event["ts"] for event in events if event["name"] == name) for name in ("change", "styled")
    )
    return sum(
        event.get("args", {}).get("elementCount", 0)
        for event in events
        if event["name"] == "UpdateLayoutTree" and start <= event["ts"] <= end
    )


def received(seat: Seat) -> list[float]:
    """Return a list that grows by the size of each file loaded from now on."""
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
    """Assert that nothing is wider than the screen, the page ends with its content and uses its own font."""
    seat.page.evaluate("document.fonts.ready.then(() => null)")
    assert seat.page.evaluate("document.documentElement.scrollWidth") <= _screen(seat)["width"], what
    assert seat.page.evaluate(BELOW_THE_END) == [], f"{what}: the page scrolls beyond its end"


def fits_screen(seat: Seat, what: str = "") -> None:
    """Assert that everything fits on the screen without scrolling."""
    fits_width(seat, what)
    assert seat.page.evaluate("document.documentElement.scrollHeight") <= _screen(seat)["height"], what


def assert_accessible(seat: Seat, what: str = "") -> None:
    """Assert that there are no axe violations, duplicate IDs, overflow or texts under 14 pixels."""
    assert violations(seat) == [], what
    assert seat.page.evaluate(REPEATED_IDS) == [], what
    assert seat.page.evaluate(SMALL_PRINT) == [], what
    fits_width(seat, what)


def in_all_looks(seat: Seat) -> Iterator[str]:
    """Switch the page to each look in turn and yield its name; restore the original at the end."""
    own = _screen(seat)
    for screen, scheme in LOOKS:
        seat.page.set_viewport_size(screen)
        seat.page.emulate_media(color_scheme=scheme)
        yield f"{scheme}, {screen['width']} pixels wide"
    seat.page.set_viewport_size(own)
    seat.page.emulate_media(color_scheme="light")


def in_both_fonts(seat: Seat) -> Iterator[str]:
    """Show the page in its own font, then in the one that it has while that is late; yield their names."""
    for font in ("Rubik, Stand-in", "Stand-in"):
        seat.page.evaluate("(font) => document.documentElement.style.setProperty('--text', font)", font)
        yield font


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
