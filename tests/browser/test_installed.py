"""The site as an app: the service worker, its offline page, and the number of games to move."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.web.files import VERSION
from tests.browser.conftest import NO_NETWORK, Complaints, Sit
from tests.browser.kinds import KINDS
from tests.browser.page_checks import assert_accessible_in_all_looks
from tests.browser.seat import Seat

READY = "navigator.serviceWorker.ready.then(({active}) => active.scriptURL)"
KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    found[name] = (await (await caches.open(name)).keys()).map(({url}) => url);
  }
  return found;
}"""
BADGES = "window.badges = []; navigator.setAppBadge = async (count) => { window.badges.push(count); };"
TOP = "(element) => element.getBoundingClientRect().top"


def hide(page: Page, *, hidden: bool) -> None:
    """Make the page's tab look hidden or visible."""
    page.evaluate(
        """(hidden) => {
          Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_without_a_network_pages_say_so_and_only_versioned_files_are_kept(
    sit: Sit, complaints: Complaints
) -> None:
    complaints.allow(*NO_NETWORK, "net::ERR_")
    me = sit(service_workers="allow", bypass_csp=True)
    me.home()
    assert me.page.evaluate(READY) == f"{me.url}/sw.js"
    # An older version's files are removed by the next worker.
    me.page.evaluate(
        """async () => {
          await (await caches.open("wibble-0123456789ab")).add("/favicon.ico");
          await (await navigator.serviceWorker.ready).unregister();
        }"""
    )
    me.page.reload()
    me.page.evaluate(READY)
    me.page.wait_for_function("() => caches.keys().then((names) => names.length === 1)")
    address = me.open()
    me.page.goto(f"{me.url}/lobby")
    expect(me.page.get_by_role("heading", name="Lobby")).to_be_visible()
    kept = me.page.evaluate(KEPT)
    assert kept.keys() == {f"wibble-{VERSION}"}
    (urls,) = kept.values()
    assert f"{me.url}/offline?{VERSION}" in urls
    assert [url for url in urls if VERSION not in url] == []

    me.page.context.set_offline(True)
    for path in (address, f"{me.url}/lobby", f"{me.url}/words/quartz"):
        me.page.goto(path)
        expect(me.page.get_by_role("heading", name="No connection")).to_be_visible()
    assert me.page.evaluate("document.fonts.ready.then(() => document.fonts.check('1rem Rubik'))")
    assert_accessible_in_all_looks(me)
    refused = "fetch('/api/me', {method: 'PUT'}).then(() => 'answered', () => 'failed')"
    assert me.page.evaluate(refused) == "failed", "only pages have a substitute"
    me.page.context.set_offline(False)
    me.page.get_by_role("link", name="Try again").click()
    expect(me.page.get_by_role("heading", name="quartz")).to_be_visible()


def test_the_offline_page_appears_where_a_failed_preload_is_an_error_response(
    sit: Sit, complaints: Complaints
) -> None:
    """As in Firefox."""
    complaints.allow(*NO_NETWORK)
    me = sit(service_workers="allow")
    me.home()
    me.page.evaluate(READY)
    (worker,) = me.page.context.service_workers
    failed = "{get: () => Promise.resolve(Response.error())}"
    worker.evaluate(f"Object.defineProperty(FetchEvent.prototype, 'preloadResponse', {failed})")
    me.page.context.set_offline(True)
    me.page.goto(f"{me.url}/lobby")
    expect(me.page.get_by_role("heading", name="No connection")).to_be_visible()


def test_forms_and_streams_pass_the_service_worker(sit: Sit) -> None:
    ada, bob = (sit(service_workers="allow") for _ in range(2))
    for player in (ada, bob):
        player.home()
        player.page.evaluate(READY)
        player.page.reload()
        assert player.page.evaluate("navigator.serviceWorker.controller !== null")
    KINDS["letterpress"].sit_down(ada, bob)
    for player in (ada, bob):
        expect(player.page.locator("[data-presence][data-here]")).to_have_count(2)


def test_the_title_and_the_icon_say_in_how_many_games_it_is_my_turn(sit: Sit) -> None:
    ada, bob = sit(), sit()
    for player in (ada, bob):
        player.page.add_init_script(BADGES)
    KINDS["letterpress"].sit_down(ada, bob)
    waiting = {player: turns(player) for player in (ada, bob)}
    mover, other = sorted(waiting, key=waiting.__getitem__, reverse=True)
    assert (waiting[mover], waiting[other]) == (1, 0)
    for player in (ada, bob):
        assert "(" not in player.page.title(), "a visible table already shows whose turn it is"
        hide(player.page, hidden=True)
    expect(mover.page).to_have_title("(1) Letterpress · Wibble")
    other.page.wait_for_function("() => window.badges.length > 0")
    assert (badges(mover)[-1], badges(other)[-1]) == (1, 0)
    pass_turn(mover, mover.address.removeprefix(mover.url))
    expect(other.page).to_have_title("(1) Letterpress · Wibble")
    expect(mover.page).to_have_title("Letterpress · Wibble")

    other.page.goto(f"{other.url}/lobby")
    expect(other.page).to_have_title("(1) Lobby · Wibble")
    assert badges(other) == [1]
    table = other.page.get_by_role("link", name="Your turn (1)").get_attribute("href")
    pass_turn(other, table or "")
    hide(other.page, hidden=False)
    expect(other.page).to_have_title("Lobby · Wibble")
    assert badges(other) == [1, 0]


@pytest.mark.parametrize("looks_again", [True, False], ids=["looks again", "keeps looking"])
def test_a_room_says_when_it_has_become_my_turn(sit: Sit, *, looks_again: bool) -> None:
    players = sit(), sit()
    KINDS["letterpress"].sit_down(*players)
    mover, other = sorted(players, key=turns, reverse=True)
    page = other.page
    page.clock.install()
    page.goto(f"{other.url}/letterpress")
    first = page.locator(".continue")
    expect(first).to_contain_text("Open")
    top = page.locator("#main").evaluate(TOP)
    pass_turn(mover, mover.address.removeprefix(mover.url))
    if looks_again:
        hide(page, hidden=False)
    else:
        page.clock.run_for(11_000)
    expect(first).to_contain_text("Your turn")
    expect(page.get_by_role("link", name="Your turn (1)")).to_be_visible()
    assert page.locator("#main").evaluate(TOP) == top, "the page does not move under the finger"


def test_chromium_finds_nothing_wrong_with_the_manifest(sit: Sit) -> None:
    me = sit(service_workers="allow")
    me.home()
    me.page.evaluate(READY)
    session = me.page.context.new_cdp_session(me.page)
    found: dict[str, Any] = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"] == f"{me.url}/manifest.webmanifest"
    faults = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [fault["errorId"] for fault in faults if fault["errorId"] != "in-incognito"] == []


def turns(seat: Seat) -> int:
    """The number of games in which it is the player's turn, from the API."""
    return len(seat.page.request.get(f"{seat.url}/api/me/turns").json()["games"])


def pass_turn(seat: Seat, table: str) -> None:
    """Pass over the API."""
    answer = seat.page.request.post(f"{seat.url}/api{table}/moves", data={"move": {"type": "pass"}})
    assert answer.ok, answer.text()


def badges(seat: Seat) -> list[int]:
    """The numbers that the page put on the app's icon."""
    found: list[int] = seat.page.evaluate("window.badges")
    return found
