"""Every page, including error pages: axe finds no violation and the console stays empty."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

import pytest
from fastapi.routing import iter_route_contexts
from playwright.sync_api import FloatRect, expect

from app.main import create_app
from app.rooms import ROOMS
from app.web.room import Room
from tests.browser.addresses import WIDE_PAGES, game_pages, post, site_pages
from tests.browser.conftest import DESK, PHONE, Sit, Site
from tests.browser.kind import Kind
from tests.browser.kinds import EACH_KIND, KINDS
from tests.browser.page_checks import ENDS_OF_MOTION, fits_width, in_all_looks, violations
from tests.browser.seat import Seat

NO_PAGES = {
    "/games/{game_id}/table",  # the fragment of a page
    "/games/{game_id}/analysis/progress",
    "/games/{game_id}/events",  # a stream
    "/games/{game_id}/lesson",  # a fragment, too
    "/healthz",  # for programs
    "/readyz",
    *(f"{room}/play" for room in ("", "/letterpress", "/boggle", "/fribble", "/scrabblet")),  # to the form
    "/fribble/team",  # leads to the study board
    "/boggle/solver",
    "/games/{game_id}/record",  # downloads
    "/games/{game_id}/gcg",
    "/me/export",
    "/cards/export.csv",
    "/cards/export.txt",
    "/letterpress/solver/random",  # redirects
    "/wibble/adventure/{level}",
    "/wibble",  # the home page
    "/puzzles/next/{kind}",  # a redirect
    "/play-now",  # redirects unless the player is waiting: see tests/browser/test_pairing.py
    "/challenges/new",  # for a former opponent: see tests/web/test_direct_challenges.py
    "/favicon.ico",  # files at fixed addresses
    "/apple-touch-icon.png",
    "/robots.txt",
    "/manifest.webmanifest",
    "/sw.js",
}
POSTED = """(action) => {
  const form = document.createElement("form");
  Object.assign(form, {method: "post", action});
  form.innerHTML = '<input name="level" value="1">';
  document.body.append(form);
  form.submit();
}"""

OUTLINES = "(parts) => parts.map((part) => getComputedStyle(part).outlineStyle)"


def routes() -> set[str]:
    """The templates of all pages."""
    return {
        path
        for route in iter_route_contexts(create_app().routes)
        if "GET" in (route.methods or ())
        and (path := route.path_format or "") not in NO_PAGES
        and not path.startswith(("/api", "/openapi", "/metrics"))
        and not path.endswith("/preview.png")
    }


def fits(route: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"{\w+}", "[^/]+", route), urlsplit(path).path) is not None


def box(seat: Seat, selector: str) -> FloatRect:
    """The bounding box of an element."""
    found = seat.page.locator(selector).bounding_box()
    assert found is not None, selector
    return found


def violations_on(me: Seat, paths: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """Axe's violations on a phone in light colours and on a desktop in dark ones, by address and look."""
    found = {}
    for path in paths:
        me.page.goto(me.url + path)
        for look in in_all_looks(me):
            found[path, look] = violations(me)
            fits_width(me, path)
    return {place: faults for place, faults in found.items() if faults}


@EACH_KIND
def test_every_page_of_a_room_is_accessible_and_logs_nothing(sit: Sit, kind: Kind) -> None:
    """The fixture ``complaints`` reads the consoles."""
    me = sit()
    assert violations_on(me, [*kind.pages, *game_pages(me, kind)]) == {}


def test_every_page_of_the_site_is_accessible_and_logs_nothing(sit: Sit, site: Site) -> None:
    """Also checks that every page is either one of these or one of a room."""
    me = sit()
    pages = site_pages(site, sit, me)
    of_rooms = [page for kind in KINDS.values() for page in (*kind.pages, *game_pages(me, kind))]
    assert [route for route in routes() if not any(fits(route, path) for path in pages + of_rooms)] == []
    assert violations_on(me, pages) == {}
    for path in WIDE_PAGES:
        me.page.goto(me.url + path)
        fits_width(me, path)


@pytest.mark.parametrize("path", ["/me", "/lobby", "/words", "/words/quiz", "/daily", "/leaderboards"])
def test_columns_are_side_by_side_at_a_desk_and_one_below_the_other_on_a_phone(sit: Sit, path: str) -> None:
    me = sit()
    me.page.goto(me.url + path)
    places = {}
    for screen in (DESK, PHONE):
        me.page.set_viewport_size(screen)
        first, second = (box(me, f".columns:not(.columns ~ .columns) > :nth-child({n})") for n in (1, 2))
        places[screen["width"]] = (
            second["x"] >= first["x"] + first["width"],
            second["y"] >= first["y"] + first["height"],
        )
    assert places == {DESK["width"]: (True, False), PHONE["width"]: (False, True)}


@pytest.mark.parametrize("room", ROOMS.values(), ids=ROOMS)
def test_a_rooms_headline_and_board_are_side_by_side_at_a_desk_below_the_open_games(
    sit: Sit, room: Room
) -> None:
    me = sit(viewport=DESK)
    for _ in range(2):
        me.page.goto(me.url + room.address)
        intro, demo = (box(me, f".home > {part}") for part in (".intro", ":is([class*=demo], .bog-aside)"))
        assert intro["width"] > 400
        assert demo["x"] >= intro["x"] + intro["width"]
        assert abs(demo["y"] - intro["y"]) < 5
        post(me, "/api/games", {"kind": room.kind})
    games = box(me, ".open-games")
    assert games["width"] > 900
    assert games["y"] + games["height"] <= box(me, ".intro")["y"]


@pytest.mark.parametrize("path", [room.address for room in ROOMS.values()])
def test_nothing_on_a_front_page_moves_for_longer_than_five_seconds(sit: Sit, path: str) -> None:
    """WCAG 2.2.2: longer motion would need a way to stop it."""
    me = sit(reduced_motion="no-preference")
    me.page.goto(me.url + path)
    ends = me.page.evaluate(ENDS_OF_MOTION)
    assert max(ends, default=0) <= 5_000
    assert ends or path != "/", "the demonstration moves"


@pytest.mark.parametrize("path", ["/import", "/fribble", "/boards/new/fribble", "/boggle/generator"])
def test_fields_have_letters_large_enough_that_an_iphone_does_not_enlarge_the_page(
    sit: Sit, path: str
) -> None:
    me = sit(viewport=PHONE, has_touch=True, is_mobile=True)
    me.page.goto(me.url + path)
    fields = me.page.locator('textarea, input:not([type="hidden"], [type="checkbox"], [type="radio"])')
    sizes = fields.evaluate_all("(fields) => fields.map((one) => parseFloat(getComputedStyle(one).fontSize))")
    assert min(sizes) >= 16


def test_boards_whose_width_gives_their_height_are_grids(sit: Sit) -> None:
    """Otherwise Safari makes the tiles as high as the board with its padding: it is not square."""
    me = sit()
    for path in ("/letterpress", "/letterpress/solver", "/wibble/solver", "/boggle", "/boards/new/boggle"):
        me.page.goto(me.url + path)
        displays = me.page.locator(".board, .press-board").evaluate_all(
            "(boards) => boards.map((one) => getComputedStyle(one).display)"
        )
        assert set(displays) == {"grid"}, path


@pytest.mark.parametrize(
    "path", ["/settings", "/boggle", "/words", "/letterpress/solver", "/boards/new/wibble"]
)
def test_what_is_chosen_is_seen_without_backgrounds(sit: Sit, path: str) -> None:
    """With forced colours, as of a contrast theme of Windows."""
    me = sit(forced_colors="active")
    me.page.goto(me.url + path)
    chosen = me.page.locator(
        'main :is([type="radio"]:checked + span, [aria-current], [aria-pressed="true"]):visible'
    )
    assert set(chosen.evaluate_all(OUTLINES)) == {"solid"}


def test_whose_turn_it_is_is_seen_without_backgrounds(sit: Sit) -> None:
    me = sit(forced_colors="active")
    KINDS["letterpress"].open(me)
    assert me.page.locator(".seat").evaluate_all(OUTLINES) == ["solid", "none"]


def test_the_demonstration_lights_each_tile_as_its_letter_comes(sit: Sit) -> None:
    me = sit(reduced_motion="no-preference")
    me.page.goto(me.url)
    begins = "(parts) => parts.map((part) => parseFloat(getComputedStyle(part).animationDelay))"
    letters = me.page.locator(".demo-word span").evaluate_all(begins)
    tiles = [
        me.page.locator(f".demo-tile--{place}").evaluate_all(begins) for place in range(1, len(letters) + 1)
    ]
    assert tiles == [[begin] for begin in letters]
    assert letters == sorted(set(letters))


def test_every_error_page_is_accessible_and_logs_nothing(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    me, friend = sit(), sit()
    theirs = post(friend, "/api/games", {"options": {"mode": "zen"}})["id"]
    statuses = dict.fromkeys(("/nonesuch", "/games/nonesuch", "/daily/2001-02-03", "/words/123"), 404)
    statuses |= {
        "/games/x/plies/minus": 404,
        "/puzzles/mistakes?added=x": 422,
        "/cards/answer": 405,
        "/me": 500,
        "/?cookie-given=": 403,
    }

    def breaks(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("app.web.site.profile_page.show_profile", breaks)
    for path, status in statuses.items():
        answer = me.page.goto(me.url + path)
        assert answer is not None
        assert answer.status == status, path
        assert violations(me) == [], path
        expect(me.page.locator("h1")).to_be_visible()
    me.page.goto(me.url)
    me.page.evaluate(POSTED, f"/games/{theirs}/bots")
    expect(me.page.locator("#report")).to_contain_text("Only the players of this game")
    assert violations(me) == []
