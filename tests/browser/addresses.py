"""The addresses of all pages, and the setup that gives them content."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import APIResponse

from app.rooms import ROOMS
from app.web.site.daily_calendar import daily_rooms
from tests.browser.conftest import ADMIN_TOKEN, Sit, Site
from tests.browser.kind import Kind
from tests.browser.kinds import KINDS
from tests.browser.seat import Seat

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
    """The addresses of the operator pages, with me as an operator: Bob is reported and muted."""
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
    """The addresses of a rating after two games against a name that is one long word, and of one of them."""
    friend.set_nickname("Donaudampfschifffahrtsge")
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
    """The address of a page with two channels and a game, and of an invalid link."""
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
    """The address for retrying a mistake: a pass although there was a word."""
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


def site_pages(site: Site, sit: Sit, me: Seat) -> list[str]:
    """The addresses of all pages that do not belong to a room."""
    friend = sit()
    return [
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
