"""Every page there is, those of errors among them: the console is silent, axe finds nothing to object to."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.routing import iter_route_contexts
from playwright.sync_api import APIResponse, expect

from app.main import create_app
from app.rooms import ROOMS
from app.web.site.daily_calendar import with_daily
from tests.browser.conftest import Sit
from tests.browser.floors import violations
from tests.browser.seat import Seat

NO_PAGES = {
    "/games/{game_id}/table",  # the fragment of a page
    "/games/{game_id}/record",  # texts and data to be taken away
    "/games/{game_id}/gcg",
    "/fribble/team/gcg",
    "/me/export",
    "/letterpress/solver/random",  # the way to a page
    "/favicon.ico",  # files at fixed addresses
    "/apple-touch-icon.png",
    "/robots.txt",
}
FIXED = (
    "/",
    "/lobby",
    "/daily",
    "/daily/archive",
    "/boggle/daily/archive",
    "/boggle/daily",
    "/leaderboards",
    "/me",
    "/import",
    "/words",
    "/words?study=hooks&letters=quiz",
    "/words?study=statistics",
    "/words/quiz",
    "/words/nosuchwordatall",
    "/letterpress",
    "/letterpress/solver?board=hgkcmdqbomiezfankxlknrlpo",
    "/fribble",
    "/fribble/team",
    "/boggle",
    "/boggle/generator?algorithm=frequency&seed=1",
    "/boggle/board?board=slatetgenztttiqd",
    "/scrabblet",
    "/scrabblet/player?hand=crpeitn",
    "/scrabblet/gamesetup?seed=hill",
)
POSTED = """(action) => {
  const form = document.createElement("form");
  Object.assign(form, {method: "post", action});
  form.innerHTML = '<input name="level" value="1">';
  document.body.append(form);
  form.submit();
}"""
GAMES: tuple[tuple[dict[str, Any], list[dict[str, Any]]], ...] = (
    ({"options": {"mode": "zen"}}, [{"type": "shuffle"}, {"type": "resign"}]),
    ({"kind": "letterpress", "bots": [1]}, [{"type": "resign"}]),
    ({"kind": "boggle"}, [{"type": "start"}, {"type": "finish"}]),
    ({"kind": "fribble", "bots": [1]}, [{"type": "resign"}]),
    ({"kind": "scrabblet"}, [{"type": "guess", "word": "nonsense"}, {"type": "quit"}]),
)


def posted(seat: Seat, path: str, body: Any) -> dict[str, Any]:
    answer: APIResponse = seat.page.request.post(seat.url + path, data=body)
    assert answer.ok, answer.text()
    found: dict[str, Any] = answer.json()
    return found


def furnished(seat: Seat) -> list[str]:
    """The addresses of games of every kind: begun, over, waited for, replayed."""
    found = []
    for new, moves in GAMES:
        found.append(f"/games/{posted(seat, '/api/games', new)['id']}")
        over = posted(seat, "/api/games", new)["id"]
        for move in moves:
            posted(seat, f"/api/games/{over}/moves", {"move": move})
        found += [f"/games/{over}", f"/games/{over}/analysis", f"/games/{over}/plies/0"]
    waiting = posted(seat, "/api/games", {"kind": "letterpress", "listed": True})
    found += [f"/games/{waiting['id']}", f"/games/{waiting['id']}/join/nonesuch"]
    return found


def of_others(seat: Seat) -> list[str]:
    """Addresses that somebody else passes on: an invitation, a game to watch, a device."""
    game = posted(seat, "/api/games", {"kind": "letterpress"})
    for kind in with_daily(ROOMS):
        posted(seat, f"/api/daily?kind={kind}", {})
    today = datetime.now(UTC).date().isoformat()
    return [
        f"/daily/{today}",
        f"/boggle/daily/{today}",
        f"/games/{game['id']}",
        f"/games/{game['id']}/join/{game['invitation']}",
        "/me/devices/token",
    ]


def routes() -> set[str]:
    """The templates of all pages."""
    return {
        path
        for route in iter_route_contexts(create_app().routes)
        if "GET" in (route.methods or ())
        and (path := route.path_format or "") not in NO_PAGES
        and not path.startswith(("/api", "/openapi", "/metrics"))
    }


def fits(route: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"{\w+}", "[^/]+", route), urlsplit(path).path) is not None


def faults(me: Seat, paths: Iterable[str]) -> dict[str, list[str]]:
    """What axe objects to, by address; the consoles are listened to by the fixture."""
    found = {}
    for path in paths:
        me.page.goto(me.url + path)
        found[path] = violations(me)
    return {path: wrong for path, wrong in found.items() if wrong}


def test_every_page_is_silent_and_open_to_everybody(sit: Sit) -> None:
    friend, me = sit(), sit()
    paths = [*FIXED, *furnished(me), *of_others(friend)]
    assert [route for route in routes() if not any(fits(route, path) for path in paths)] == []
    assert faults(me, paths) == {}


def test_every_page_of_an_error_is_silent_and_open_to_everybody(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    me, friend = sit(), sit()
    theirs = posted(friend, "/api/games", {"options": {"mode": "zen"}})["id"]
    statuses = dict.fromkeys(("/nonesuch", "/games/nonesuch", "/daily/2001-02-03", "/words/123"), 404)
    statuses |= {"/games/x/plies/minus": 422, "/play": 405, "/me": 500, "/?cookie-given=": 403}

    def breaks(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("app.web.site.profile_page._page", breaks)
    for path, status in statuses.items():
        answer = me.page.goto(me.url + path)
        assert answer is not None
        assert answer.status == status, path
        assert violations(me) == [], path
        expect(me.page.locator("h1")).to_be_visible()
    me.page.goto(me.url)
    me.page.evaluate(POSTED, f"/games/{theirs}/bots")
    expect(me.page.locator("#report")).to_contain_text("Only players with a seat")
    assert violations(me) == []
