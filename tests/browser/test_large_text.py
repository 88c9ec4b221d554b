"""Text of one and a half times and twice the size, on a phone: nothing is cut off or overlaps."""

import pytest

from tests.browser.conftest import LONG_NAME, Sit
from tests.browser.floors import fits_width
from tests.browser.kind import Table
from tests.browser.kinds import KINDS
from tests.browser.seat import Seat

#: Elements that overlap or reach beyond the screen.
ASTRAY = """() => {
  const parts = "#table > :not(dialog, [popover], .talk-open), .wordmark, .site-nav a, .power, .seat > *, " +
    ".status-item, .moves > *, .side-actions > *, .chip";
  const boxes = [...document.querySelectorAll(parts)]
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1);
  const name = (one) => one.id || one.className;
  const found = boxes.filter(([, box]) => box.right > innerWidth + 1).map(([one]) => name(one));
  for (const [one, a] of boxes) {
    for (const [other, b] of boxes) {
      if (one === other || one.contains(other) || other.contains(one)) continue;
      if (a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom) {
        found.push(`${name(one)} on ${name(other)}`);
      }
    }
  }
  return found;
}"""
LEAST_TILE = 36


def address(path: str) -> Table:
    return lambda me: me.page.goto(me.url + path)


def standings(path: str) -> Table:
    """A page on which a player with a long name has a result."""

    def opened(me: Seat) -> None:
        ask = me.page.request
        game = ask.post(f"{me.url}/api/daily").json()["id"]
        ask.post(f"{me.url}/api/games/{game}/moves", data={"move": {"type": "resign"}})
        ask.put(f"{me.url}/api/me", data={"nickname": LONG_NAME})
        me.page.goto(me.url + path)
        assert "Maximiliane" in me.page.locator(".standings").first.inner_text()

    return opened


SITE_PAGES: dict[str, Table] = {
    "home": address("/"),
    "lobby": address("/lobby"),
    "daily": address("/daily"),
    "a daily played": standings("/daily"),
    "leaderboards": standings("/leaderboards"),
    "me": address("/me"),
}
TABLES: dict[str, Table] = {
    f"{name}, {layout}": table for name, kind in KINDS.items() for layout, table in kind.layouts.items()
}
PAGES: dict[str, Table] = {
    page: address(page) for kind in KINDS.values() for page in kind.pages if page != "/"
}

ALL = SITE_PAGES | PAGES | TABLES


@pytest.mark.parametrize("open_page", ALL.values(), ids=ALL)
def test_nothing_overlaps_or_is_wider_than_the_screen(sit: Sit, open_page: Table) -> None:
    me = sit(has_touch=True, is_mobile=True)
    settings = me.page.context.new_cdp_session(me.page)
    for size in (24, 32):
        settings.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size * 13 // 16}})
        if size == 24:
            open_page(me)
        else:
            me.page.reload()
        assert me.page.evaluate("getComputedStyle(document.documentElement).fontSize") == f"{size}px"
        for closed in me.page.locator(".table-settings:not([open]) summary").all():
            closed.click()
        me.page.evaluate("document.fonts.ready.then(() => 0)")
        fits_width(me)
        assert me.page.evaluate(ASTRAY) == []
        for tile in me.page.locator(":is(#board, #hand) button").all():
            box = tile.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= LEAST_TILE
