"""Letters half as large again and twice as large, on a phone: all is there, and one scrolls to it."""

from collections.abc import Callable

import pytest

from tests.browser import boggle, letterpress
from tests.browser.conftest import Sit
from tests.browser.floors import fits_width
from tests.browser.seat import Seat

#: Pairs of things that lie on each other, and what reaches beyond the screen.
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


def address(path: str) -> Callable[[Seat], object]:
    return lambda me: me.page.goto(me.url + path)


def deal(me: Seat) -> None:
    answer = me.page.request.post(f"{me.url}/scrabblet/play", form={"hand": "crpeitn"})
    me.visit(answer.url)


def analysed(me: Seat) -> None:
    ask = me.page.request
    game = ask.post(f"{me.url}/api/games", data={"kind": "scrabblet", "options": {"hand": "crpeitn"}}).json()[
        "id"
    ]
    for move in ({"type": "guess", "word": "price"}, {"type": "quit"}):
        ask.post(f"{me.url}/api/games/{game}/moves", data={"move": move})
    me.page.goto(f"{me.url}/games/{game}/analysis")
    assert "PRICE" in me.page.locator("#analysis").inner_text().upper()


def standings(path: str) -> Callable[[Seat], object]:
    """The page of a day that one with a long name has played."""

    def opened(me: Seat) -> None:
        ask = me.page.request
        game = ask.post(f"{me.url}/api/daily").json()["id"]
        ask.post(f"{me.url}/api/games/{game}/moves", data={"move": {"type": "resign"}})
        ask.put(f"{me.url}/api/me", data={"nickname": "Maximiliane Großmann-Öst"})
        me.page.goto(me.url + path)
        assert "Maximiliane" in me.page.locator(".standings").first.inner_text()

    return opened


OPENED: dict[str, Callable[[Seat], object]] = {
    "home": address("/"),
    "lobby": address("/lobby"),
    "daily": address("/daily"),
    "a daily played": standings("/daily"),
    "leaderboards": standings("/leaderboards"),
    "me": address("/me"),
    "wibble": lambda me: me.open(),
    "versus": lambda me: me.open_with("2", "5", "friend", turn_seconds="300"),
    "bots": lambda me: me.open_with("2", "5", turn_seconds="300"),
    "letterpress": lambda me: letterpress.open_game(me, "1"),
    "boggle": lambda me: boggle.open_game(me, seconds="none"),
    "boggle with a bot": lambda me: boggle.open_game(me, "1"),
    "boggle's front page": address("/boggle"),
    "generator": address("/boggle/generator?seed=large"),
    "solver": address("/letterpress/solver"),
    "scrabblet": deal,
    "scrabblet's analysis": analysed,
}


@pytest.mark.parametrize("size", [24, 32])
@pytest.mark.parametrize("page", OPENED)
def test_nothing_is_wider_than_the_screen_or_lies_on_another(sit: Sit, page: str, size: int) -> None:
    me = sit(has_touch=True, is_mobile=True)
    settings = me.page.context.new_cdp_session(me.page)
    settings.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size * 13 // 16}})
    OPENED[page](me)
    assert me.page.evaluate("getComputedStyle(document.documentElement).fontSize") == f"{size}px"
    if page == "home":
        me.page.locator(".table-settings summary").click()
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    fits_width(me)
    assert me.page.evaluate(ASTRAY) == []
    for tile in me.page.locator(":is(#board, #hand) button").all():
        box = tile.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= LEAST_TILE
