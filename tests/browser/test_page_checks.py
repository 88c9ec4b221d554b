"""Quality of the table of every kind of game: accessibility, layout shift, weight, size."""

import pytest

from app.resources import resource
from app.rooms import ROOMS
from app.web.files import VERSION
from tests.browser.conftest import DESK, NO_NETWORK, PHONE, Complaints, Sit
from tests.browser.kind import Kind
from tests.browser.kinds import EACH_KIND, EACH_MULTIPLAYER_KIND
from tests.browser.page_checks import (
    MOST_BYTES,
    MOVED_ON_ARRIVAL,
    SCREENS,
    SHIFTS,
    SMALL,
    SURPRISES,
    assert_accessible_in_all_looks,
    fits_screen,
    fits_width,
    received,
    restyled,
    shifts,
    weighs_little,
    within_reach,
)
from tests.browser.seat import Seat


@EACH_KIND
def test_a_game_is_accessible_and_no_wider_than_the_screen(sit: Sit, kind: Kind) -> None:
    for step, seat in enumerate(kind.tour(sit, bypass_csp=True)):
        assert_accessible_in_all_looks(seat, f"step {step} of the tour")


@SCREENS
@EACH_KIND
def test_nothing_shifts_while_playing(sit: Sit, kind: Kind, screen: dict[str, int]) -> None:
    players = [sit(viewport=screen, reduced_motion=kind.motion) for _ in range(kind.shifts_for)]
    for player in players:
        player.page.add_init_script(SHIFTS if kind.no_shifts_on_input else SURPRISES)
    if len(players) == 1:
        kind.open(players[0])
    else:
        kind.sit_down(*players)
        for player in players:
            player.page.wait_for_load_state()
            player.page.evaluate("window.shifts.length = 0")  # the lobby made room for the board
    kind.play_for_a_while(*players)
    assert [shifts(player) for player in players] == [[]] * len(players)


CHANGES = {
    "a letter is chosen": "document.querySelector('#tile-3, .hand .tile').toggleAttribute('aria-pressed')",
    "a score counts up": "document.querySelector('.score').textContent = 7",
    "a word is played": "document.querySelector('#history, #found').append(document.createElement('li'))",
    "news": "document.querySelector('#announcer').textContent = 'Your turn'",
}


def restyles_little(seat: Seat) -> None:
    """Assert that no small change makes the browser style more than a fifth of the page again."""
    everything = seat.page.locator("body *").count()
    counts = {name: restyled(seat, change) for name, change in CHANGES.items()}
    assert 0 < max(counts.values()) < everything / 5, counts


@EACH_KIND
def test_a_small_change_restyles_a_small_part_of_the_table(sit: Sit, kind: Kind) -> None:
    """Otherwise a phone could not keep up with a word being drawn, or a score counting up."""
    me = sit()
    kind.open(me)
    restyles_little(me)


@EACH_MULTIPLAYER_KIND
def test_a_small_change_restyles_a_small_part_of_a_table_with_a_friend(sit: Sit, kind: Kind) -> None:
    me, _ = kind.together(sit)
    restyles_little(me)


@EACH_KIND
def test_a_table_weighs_under_60_kb_for_players_and_watchers(sit: Sit, kind: Kind) -> None:
    me = sit()
    address = kind.open(me)
    for screen in (PHONE, DESK):
        weighs_little(sit(viewport=screen), address)
        weighs_little(sit(viewport=screen, storage_state=me.page.context.storage_state()), address)


@EACH_KIND
def test_a_finished_game_weighs_under_60_kb_with_its_review(sit: Sit, kind: Kind) -> None:
    players = [sit() for _ in range(kind.shifts_for)]
    me = players[0]
    if len(players) == 1:
        kind.open(me)
    else:
        kind.sit_down(*players)
    kind.play_for_a_while(*players)
    me.page.request.post(f"{me.address}/moves", form={"type": "resign"})
    for screen in (PHONE, DESK):
        mine = sit(viewport=screen, storage_state=me.page.context.storage_state())
        for again in (sit(viewport=screen), mine):
            weighs_little(again, me.address, "#analysis")


def test_the_home_page_weighs_under_60_kb_and_does_not_shift(sit: Sit) -> None:
    me = sit()
    me.open()
    for screen in (PHONE, DESK):
        again = sit(viewport=screen, storage_state=me.page.context.storage_state())
        again.page.add_init_script(SURPRISES)
        sizes = received(again)
        again.home()
        again.page.wait_for_load_state("networkidle")
        assert 10_000 < sum(sizes) < MOST_BYTES
        assert shifts(again) == []


@SCREENS
@EACH_KIND
def test_a_front_page_does_not_move_while_it_arrives(sit: Sit, kind: Kind, screen: dict[str, int]) -> None:
    me = sit(viewport=screen, bypass_csp=True)
    address = ROOMS[kind.name].address
    me.page.goto(f"{me.url}{address}")
    parts, moved = me.page.evaluate(MOVED_ON_ARRIVAL, address)
    assert parts >= 3
    assert moved == []
    kind.open(me)
    more, moved = me.page.evaluate(MOVED_ON_ARRIVAL, address)
    assert more > parts, "the game in progress is on the page"
    assert moved == []


@EACH_MULTIPLAYER_KIND
def test_a_table_with_a_friend_weighs_under_60_kb(sit: Sit, kind: Kind) -> None:
    me, _ = kind.together(sit, kind.timed)
    for screen in (PHONE, DESK):
        again = sit(viewport=screen, storage_state=me.page.context.storage_state())
        weighs_little(again, me.address)


def test_a_table_that_was_seen_before_loads_no_file_again(sit: Sit) -> None:
    me = sit()
    address = me.open()
    loaded = """
      performance.getEntriesByType("resource").filter((one) => one.transferSize > 0).map((one) => one.name)
    """
    assert len(me.page.evaluate(loaded)) > 10
    me.home()
    me.visit(address)
    assert me.page.evaluate(loaded) == []


def test_style_sheets_say_the_same_without_their_white_space(sit: Sit) -> None:
    static = resource("static")
    same = """async ([path, text]) => {
      const rules = (text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        const brief = (rule) => rule.cssText.replace(/\\s+/g, " ").replace(/ ?([,{}]) ?/g, "$1");
        return [...sheet.cssRules].map(brief);
      };
      const served = rules(await (await fetch(path)).text());
      return rules(text).filter((rule, index) => rule !== served[index]);
    }"""
    me = sit()
    me.home()
    for sheet in static.rglob("*.css"):
        path = f"/static/{VERSION}/{sheet.relative_to(static)}"
        assert me.page.evaluate(same, [path, sheet.read_text(encoding="utf-8")]) == [], path


@pytest.mark.parametrize("font", ["own font", "no font"])
@EACH_KIND
def test_the_table_fits_and_targets_are_large_enough(
    sit: Sit, kind: Kind, font: str, complaints: Complaints
) -> None:
    me = sit()
    if font == "no font":  # as on a slow network: the page does not wait for it
        complaints.allow(*NO_NETWORK)
        me.page.route("**/*.woff2", lambda route: route.abort())
    kind.open(me)
    kind.enter(me)
    for screen in (PHONE, SMALL, DESK):
        me.page.set_viewport_size(screen)
        (fits_width if kind.scrolls else fits_screen)(me, f"{screen}")
        within_reach(me, kind.targets, kind.small_targets.get(screen["width"], 44))
