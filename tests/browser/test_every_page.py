"""Every page, including error pages: axe finds no violation and the console stays empty."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.routing import iter_route_contexts
from playwright.sync_api import APIResponse, FloatRect, expect

from app.main import create_app
from app.rooms import ROOMS
from app.web.room import Room
from app.web.site.daily_calendar import daily_rooms
from tests.browser.conftest import ADMIN_TOKEN, DESK, PHONE, Sit, Site
from tests.browser.floors import fits_width, in_all_looks, violations
from tests.browser.kind import Kind
from tests.browser.kinds import EACH_KIND, KINDS
from tests.browser.seat import Seat

NO_PAGES = {
    "/games/{game_id}/table",  # the fragment of a page
    "/games/{game_id}/analysis/progress",
    "/games/{game_id}/events",  # a stream
    "/games/{game_id}/lesson",  # a fragment, too
    "/healthz",  # for programs
    "/readyz",
    "/fribble/team",  # leads to the study board
    "/boggle/solver",
    "/games/{game_id}/record",  # texts and data to be taken away
    "/games/{game_id}/gcg",
    "/me/export",
    "/cards/export.csv",
    "/cards/export.txt",
    "/letterpress/solver/random",  # ways to a page
    "/wibble/adventure/{level}",
    "/puzzles/next/{kind}",  # a way to a page
    "/play-now",  # leads elsewhere unless one waits: see tests/browser/test_pairing.py
    "/challenges/new",  # for somebody met: see tests/web/test_direct_challenges.py
    "/favicon.ico",  # files at fixed addresses
    "/apple-touch-icon.png",
    "/robots.txt",
    "/manifest.webmanifest",
    "/sw.js",
}
SITE_PAGES = (
    "/lobby",
    "/leaderboards",
    "/me",
    "/me/programs",
    "/settings",
    "/offline",
    "/import",
    "/rules",
    *(f"/rules/{kind}" for kind in ROOMS),
    "/words",
    "/words?study=hooks&letters=quiz",
    "/words?study=statistics",
    "/words?letters=1&shortest=x",
    "/words?study=stems",
    "/words?study=lists",
    "/quiz",
    "/quiz?length=x",
    "/words/friends",
    "/words/quiz",
    "/words/nosuchwordatall",
    "/docs",
    "/docs/engines",
    "/docs/games",
    "/docs/types",
    "/docs/problems",
)
WIDE_PAGES = (
    "/words?letters=retains%3F",
    "/words?study=hooks&letters=top",
    "/words?study=pattern&letters=*isation*",
    "/words?study=stems&letters=satire",
    "/words?study=lists&list=bingo-stems",
    "/words/electroencephalographs",
)
LOBBY_GAME = {"kind": "letterpress", "listed": True}
POSTED = """(action) => {
  const form = document.createElement("form");
  Object.assign(form, {method: "post", action});
  form.innerHTML = '<input name="level" value="1">';
  document.body.append(form);
  form.submit();
}"""


def post(seat: Seat, path: str, body: Any) -> dict[str, Any]:
    answer: APIResponse = seat.page.request.post(seat.url + path, data=body)
    assert answer.ok, answer.text()
    found: dict[str, Any] = answer.json()
    return found


def game_pages(seat: Seat, kind: Kind) -> list[str]:
    """The addresses of games of this kind: new, finished, analysed, replayed."""
    new = {"kind": kind.name, **kind.request}
    game, finished = (post(seat, "/api/games", new)["id"] for _ in range(2))
    for move in kind.ending:
        post(seat, f"/api/games/{finished}/moves", {"move": move})
    over = f"/games/{finished}"
    lessons = [f"/learn/{kind.name}"] if ROOMS[kind.name].lesson else []
    return [f"/games/{game}", over, f"{over}/analysis", f"{over}/cards", f"{over}/plies/0", *lessons]


def lobby_pages(seat: Seat) -> list[str]:
    """The addresses of a waiting table and of a wrong invitation."""
    waiting = post(seat, "/api/games", LOBBY_GAME)
    return [f"/games/{waiting['id']}", f"/games/{waiting['id']}/join/nonesuch"]


def challenge_pages(friend: Seat, me: Seat) -> list[str]:
    """The addresses of a new challenge, and of one that both have finished."""
    links = []
    for answer in (False, True):
        game = post(friend, "/api/games", {"options": {"mode": "zen"}})["id"]
        post(friend, f"/api/games/{game}/moves", {"move": {"type": "resign"}})
        link = post(friend, f"/api/games/{game}/challenge", {})["id"]
        links.append(f"/challenges/{link}")
        if answer:
            mine = post(me, f"/api/challenges/{link}/game", {})["id"]
            post(me, f"/api/games/{mine}/moves", {"move": {"type": "resign"}})
    return links


def circle_pages(friend: Seat, me: Seat) -> list[str]:
    """The addresses of a circle of two, and of an invitation to one."""
    mine = post(friend, "/api/circles", {"name": "The Lovelaces"})
    link = mine["invitation"].rpartition("/")[2]
    post(me, f"/api/circles/{mine['id']}/members", {"invitation": link})
    game = post(friend, "/api/games", {"kind": "letterpress"})
    post(me, f"/api/games/{game['id']}/seats", {"invitation": game["invitation"]})
    post(me, "/api/me/blocks", {"game": game["id"], "seat": 0})
    return [
        "/circles",
        f"/circles/{mine['id']}",
        f"/circles/{mine['id']}/people",
        f"/games/{game['id']}/people",
        f"/games/{game['id']}/report",
        f"/circles/{mine['id']}/report?sent=true",
        post(friend, "/api/circles", {"name": "Others"})["invitation"],
    ]


def operator_pages(site: Site, bob: Seat, me: Seat) -> list[str]:
    """The addresses of what operators see, where I am one: Bob is reported and muted."""
    assert bob.page.request.put(bob.url + "/api/me", data={"nickname": "Bob"}).ok
    game = post(me, "/api/games", {"kind": "letterpress"})
    post(bob, f"/api/games/{game['id']}/seats", {"invitation": game["invitation"]})
    circle = post(bob, "/api/circles", {"name": "The Rude Ones"})["id"]
    for about in (
        {"kind": "name", "player": {"game": game["id"], "seat": 1}},
        {"kind": "game", "game": game["id"]},
    ):
        post(me, "/api/reports", {"about": about, "reason": "offensive", "comment": "see for yourself"})
    token = ADMIN_TOKEN.get_secret_value()
    assert me.page.request.post(me.url + "/admin/sign-in", form={"token": token}).ok
    me.page.goto(f"{me.url}/admin")
    player = me.page.locator("h2 a[href*=players]").first.get_attribute("href") or ""
    mute = f"{me.url}{player}/mute"
    assert me.page.request.post(mute, form={"reason": "rude", "days": "7"}).ok
    return [
        "/admin",
        "/admin/sign-in",
        "/admin/audit",
        "/admin/players?text=bob",
        player,
        f"/admin/games/{game['id']}",
        f"/admin/circles/{circle}",
        site.operators_link,
    ]


def rating_pages(friend: Seat, me: Seat) -> list[str]:
    """The addresses of a rating after two games, and of one of them."""
    for _ in range(2):
        game = post(friend, "/api/games", {"kind": "letterpress", "rated": True})
        post(me, f"/api/games/{game['id']}/seats", {"invitation": game["invitation"]})
        for seat in (friend, me):
            post(seat, f"/api/games/{game['id']}/moves", {"move": {"type": "pass"}})
    return ["/me", "/me/ratings/letterpress/rapid", f"/games/{game['id']}"]


def quiz_pages(seat: Seat) -> list[str]:
    """The addresses of a question of each kind, and of a result."""
    pages = []
    for kind in ("anagram", "hooks", "validity"):
        answer = seat.page.request.post(
            seat.url + "/quiz", form={"kind": kind, "questions": "1"}, max_redirects=1
        )
        assert answer.ok, answer.text()
        pages.append(answer.url.removeprefix(seat.url))
    done = seat.page.request.post(seat.url + pages[0], form={"answer": "xx"})
    return [*pages, done.url.removeprefix(seat.url)]


def card_pages(seat: Seat) -> list[str]:
    """The addresses of a card after an answer, and of all cards."""
    for ask, words in {"hooks": ["top"], "validity": ["zzyx"], "anagram": ["retina"]}.items():
        post(seat, "/api/cards", {"ask": ask, "words": words})
    said = {"word": "retina", "ask": "anagram", "reps": 0, "answer": "retina retain ratine"}
    post(seat, "/api/cards/answers", said)
    return ["/cards?answered=1", "/cards/all"]


def notification_pages(friend: Seat, me: Seat) -> list[str]:
    """The address of a page with two channels and a game, and of a link that is none of ours."""
    game = post(friend, "/api/games", {"kind": "letterpress"})
    post(me, f"/api/games/{game['id']}/seats", {"invitation": game["invitation"]})
    for daily in (False, True):
        url = f"https://hooks{daily}.example/of/wibble"
        post(
            me, "/api/me/notifications/channels", {"channel": {"kind": "webhook", "url": url}, "daily": daily}
        )
    return ["/me/notifications", "/unsubscribe/nonesuch"]


def puzzle_pages(seat: Seat) -> list[str]:
    """The addresses of a puzzle of each game, one of them answered, of a rush and of all puzzles."""
    pages = ["/puzzles", "/puzzles/mistakes?added=0"]
    for kind in KINDS:
        puzzle = seat.page.request.get(seat.url + f"/api/puzzles/{kind}/today").json()["id"]
        pages.append(f"/puzzles/{puzzle}")
    answered = seat.page.request.get(seat.url + "/api/puzzles/fribble/next").json()["id"]
    post(seat, f"/api/puzzles/{answered}/answer", {})
    rush = post(seat, "/api/puzzles/rushes", {"room": "letterpress"})["id"]
    return [*pages, f"/puzzles/{answered}", f"/puzzles/rush/{rush}"]


def board_pages(friend: Seat, me: Seat) -> list[str]:
    """The addresses of study boards: new ones, of a game, of a puzzle, with a variation, and another's."""
    puzzle = me.page.request.get(me.url + "/api/puzzles/fribble/today").json()["id"]
    game = post(me, "/api/games", {"kind": "fribble", "bots": [1]})["id"]
    post(me, f"/api/games/{game}/moves", {"move": {"type": "resign"}})
    pages = []
    for seat in (me, friend):
        address = f"{seat.url}/boards/new/fribble"
        first = seat.page.request.post(address, form={"do": "play", "at": "0", "move": "8H FRIBBLE"})
        path = urlsplit(first.url).path
        for move in ("H8 .RIENDS", "pass"):
            seat.page.request.post(seat.url + path, form={"do": "play", "at": "1", "move": move})
        pages.append(f"{path}?at=3&engine=static")
    return [
        "/boards",
        "/boards/new/fribble",
        "/boards/new/letterpress?engine=2",
        "/boards/new/wibble?gems=0,9,12&tl=7&x2=3&held=7&round=2&engine=plan",
        f"/boards/puzzles/{puzzle}",
        f"/boards/games/{game}?ply=0",
        *pages,
    ]


def retry_pages(friend: Seat, me: Seat) -> list[str]:
    """The address of a mistake to be tried again: a pass, where a word was to be had."""
    game = post(me, "/api/games", {"kind": "letterpress"})
    post(friend, f"/api/games/{game['id']}/seats", {"invitation": game["invitation"]})
    post(me, f"/api/games/{game['id']}/moves", {"move": {"type": "pass"}})
    post(friend, f"/api/games/{game['id']}/moves", {"move": {"type": "resign"}})
    return [f"/games/{game['id']}/turns/1/retry"]


def pages_of_others(site: Site, seat: Seat) -> list[str]:
    """Addresses that another player shares: results, an invitation, a game to watch, a device link."""
    game = post(seat, "/api/games", {"kind": "letterpress"})
    dailies = daily_rooms(ROOMS)
    for kind in dailies:
        post(seat, f"/api/daily?kind={kind}", {})
    today = datetime.fromtimestamp(site.clock(), UTC).date().isoformat()
    return [
        *(f"{dailies[kind].daily}/{today}" for kind in dailies),
        f"/games/{game['id']}",
        f"/games/{game['id']}/join/{game['invitation']}",
        "/me/devices/token",
        "/me/sign-in",
        "/me/mail/token",
    ]


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
    """The place of an element."""
    found = seat.page.locator(selector).bounding_box()
    assert found is not None, selector
    return found


def violations_on(me: Seat, paths: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """What axe finds on a phone in light colours and on a desktop in dark ones, by address."""
    found = {}
    for path in paths:
        me.page.goto(me.url + path)
        for look in in_all_looks(me):
            found[path, look] = violations(me)
            fits_width(me, path)
    return {place: faults for place, faults in found.items() if faults}


def test_every_page_is_checked(sit: Sit, site: Site) -> None:
    """By one of the tests below."""
    friend, me = sit(), sit()
    paths = [
        *SITE_PAGES,
        *lobby_pages(me),
        *pages_of_others(site, friend),
        *challenge_pages(friend, me),
        *circle_pages(friend, me),
        *rating_pages(friend, me),
        *quiz_pages(me),
        *card_pages(me),
        *operator_pages(site, sit(), me),
        *notification_pages(friend, me),
        *retry_pages(friend, me),
        *puzzle_pages(me),
        *board_pages(friend, me),
    ]
    for kind in KINDS.values():
        paths += [*kind.pages, *game_pages(me, kind)]
    assert [route for route in routes() if not any(fits(route, path) for path in paths)] == []


@EACH_KIND
def test_every_page_of_a_room_is_accessible_and_logs_nothing(sit: Sit, kind: Kind) -> None:
    """The fixture ``complaints`` reads the consoles."""
    me = sit()
    assert violations_on(me, [*kind.pages, *game_pages(me, kind)]) == {}


def test_every_page_of_the_site_is_accessible_and_logs_nothing(sit: Sit, site: Site) -> None:
    friend, me = sit(), sit()
    shared = [
        *pages_of_others(site, friend),
        *challenge_pages(friend, me),
        *circle_pages(friend, me),
        *rating_pages(friend, me),
        *quiz_pages(me),
        *card_pages(me),
        *operator_pages(site, sit(), me),
        *notification_pages(friend, me),
        *retry_pages(friend, me),
        *puzzle_pages(me),
        *board_pages(friend, me),
    ]
    assert violations_on(me, [*SITE_PAGES, *lobby_pages(me), *shared]) == {}
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


def test_every_error_page_is_accessible_and_logs_nothing(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    me, friend = sit(), sit()
    theirs = post(friend, "/api/games", {"options": {"mode": "zen"}})["id"]
    statuses = dict.fromkeys(("/nonesuch", "/games/nonesuch", "/daily/2001-02-03", "/words/123"), 404)
    statuses |= {"/games/x/plies/minus": 422, "/play": 405, "/me": 500, "/?cookie-given=": 403}

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
