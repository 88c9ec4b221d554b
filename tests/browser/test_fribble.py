"""Fribble in a real browser: the rack, two players, bots, a spectator, and page quality."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESK, PHONE, Sit, Site
from tests.browser.fribble import (
    CORNER,
    KIND,
    best,
    laid,
    lay,
    move_cursor,
    play_best,
    rack,
    recall,
    shuffle,
    square,
    type_move,
)
from tests.browser.kind import has_moved
from tests.browser.page_checks import SCREENS, violations
from tests.browser.slow_network import Held

AHEAD = """
  const [origin, now] = [performance.timeOrigin, Date.now];
  Date.now = () => now() + 3_600_000;
  Object.defineProperty(performance, "timeOrigin", { value: origin + 3_600_000 });
"""


def test_tiles_are_shuffled_sorted_and_exchanged(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    tiles = me.data("rack")
    shuffle(me)
    assert sorted(rack(me)) == sorted(tiles)
    me.page.locator("#sort").click()
    assert rack(me) == tiles
    shuffle(me)
    me.page.locator("#more").click()
    me.page.locator("#open-exchange").click()
    offered = me.page.locator("[data-exchange]")
    tiles = "".join(tile.get_attribute("data-exchange") or "" for tile in offered.all())
    assert tiles == rack(me), "in the order of the rack"
    confirm = me.page.locator("#exchange-confirm")
    expect(confirm).to_have_attribute("aria-disabled", "true")
    expect(confirm).to_have_accessible_description(re.compile("Choose the tiles to exchange"))
    confirm.click(force=True)
    expect(me.page.locator("#exchange-dialog").get_by_role("status")).to_have_text(
        "Choose the tiles to exchange"
    )
    offered.nth(0).click()
    offered.nth(2).click()
    expect(confirm).to_have_text("Exchange 2")
    confirm.click()
    friend.await_turn()
    expect(me.page.locator("#history li").first).to_contain_text(
        "exchanged " + "".join(sorted([tiles[0], tiles[2]]))
    )
    expect(friend.page.locator("#history li").first).to_contain_text("exchanged 2")
    assert len(rack(me)) == 7


def test_a_tile_for_an_exchange_chosen_on_a_slow_network_counts(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    held = Held(me.page, "**/fribble/exchange.js")
    me.page.locator("#more").click()
    me.page.locator("#open-exchange").click()
    tile = me.page.locator("[data-exchange]").first
    tile.click()
    expect(tile).to_have_attribute("aria-pressed", "false")
    held.release()
    expect(tile).to_have_attribute("aria-pressed", "true")
    expect(me.page.locator("#exchange-confirm")).to_have_text("Exchange 1")


def test_the_rack_keeps_its_order_over_a_reload(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    tiles = me.page.locator("#rack .tile")
    dealt = tiles.all_text_contents()
    shuffle(me)
    order = tiles.all_text_contents()
    assert order != dealt
    me.page.reload()
    expect(me.table).to_have_attribute("data-phase", "playing")
    expect(tiles).to_have_text(order)


def test_laid_tiles_stay_over_a_reload_until_they_are_played(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    type_move(me, best(me))
    before, left = laid(me), rack(me)
    arrow = me.page.locator("[data-cursor]").get_attribute("id")
    way = me.page.locator("#board").get_attribute("data-way")
    me.page.reload()
    expect(me.page.locator("#preview")).to_be_visible()
    expect(me.page.locator("[data-cursor]")).to_have_id(str(arrow))
    expect(me.page.locator("#board")).to_have_attribute("data-way", str(way))
    assert laid(me) == before
    assert rack(me) == left
    me.page.locator("#send").click()
    friend.await_turn()
    me.page.reload()
    expect(me.page.locator("#rack .tile:not([hidden])")).to_have_count(7)
    assert laid(me) == {}


@SCREENS
def test_two_bots_play_while_a_player_watches(sit: Sit, site: Site, screen: dict[str, int]) -> None:
    me = sit(viewport=screen, bypass_csp=True)
    me.page.goto(f"{me.url}/fribble")
    me.page.get_by_text("Watch bots play").click()
    me.page.locator("#first").select_option("2")
    me.page.locator("#second").select_option("1")
    assert violations(me) == []
    me.page.get_by_role("button", name="Watch", exact=True).click(timeout=60_000)
    me.page.wait_for_url(re.compile(r"/games/[^/]+$"))
    expect(me.page.locator(".seat-name")).to_have_text([re.compile("Moss"), re.compile("Pip")])
    site.clock.ahead += 15
    expect(me.page.locator(".fri-move")).not_to_have_count(0)
    assert violations(me) == []
    # Read at once, as the table is replaced with each move.
    watching, tally = me.page.evaluate(
        """() => [".fri-watching", ".fri-unseen"]
          .map((name) => document.querySelector(name).getBoundingClientRect().toJSON())"""
    )
    apart = watching["bottom"] <= tally["top"] or watching["left"] >= tally["right"]
    assert apart, (watching, tally)
    site.clock.ahead += 3600
    expect(me.page.locator("#again")).to_have_text("Watch another game", timeout=90_000)
    expect(me.page.locator(".fri-shares")).to_be_visible()
    assert violations(me) == []


def test_tiles_laid_while_the_other_thinks_are_not_lost(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    friend.page.locator("#tile-0").click()
    square(friend, 0).click()
    if friend.page.locator("#blank-dialog").is_visible():
        friend.press("e")
    friend.press("Enter")
    expect(friend.report).to_contain_text("Not your turn yet")
    play_best(me)
    friend.await_turn()
    assert list(laid(friend)) == [0]


def test_a_score_that_comes_late_does_not_hide_why_a_move_is_refused(sit: Sit) -> None:
    _, friend = KIND.together(sit)
    held = Held(friend.page, "**/preview")
    lay(friend, 0)
    friend.press("Enter")
    expect(friend.report).to_contain_text("Not your turn yet")
    with friend.page.expect_response(re.compile("/preview$")):
        held.release()
    friend.page.wait_for_timeout(200)
    expect(friend.report).to_contain_text("Not your turn yet")
    recall(friend)
    expect(friend.report).not_to_contain_text("Not your turn yet")


def test_tiles_laid_before_the_first_move_are_not_called_wrong(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    with friend.page.expect_response(re.compile("/preview$")):
        lay(friend, CORNER)
    friend.page.wait_for_timeout(200)
    expect(friend.report).not_to_have_class(re.compile("word-report--trouble"))
    expect(friend.report).not_to_contain_text("centre")
    move = best(me)
    recall(friend)
    lay(friend, CORNER, move["placed"][0]["cell"])
    play_best(me)
    friend.await_turn()
    assert laid(friend) == {}, "a square has been taken"
    lay(friend, CORNER + 1)
    expect(friend.report).to_contain_text("touch no other")


def test_tiles_on_their_way_to_a_word_are_called_wrong_only_once_they_are_played(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    lay(me, CORNER)
    expect(me.report).to_contain_text("covers the centre")
    expect(me.report).not_to_have_class(re.compile("word-report--trouble"))
    me.press("Enter")
    expect(me.report).to_have_class(re.compile("word-report--trouble"))


def test_a_move_is_shown_until_the_next_input(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    lay(friend, CORNER)
    move = play_best(me)
    friend.await_turn()
    friend.page.wait_for_timeout(600)  # longer than a preview takes
    line = re.compile(rf"Player 1:\s*{move['word'].upper()}\s*{move['score']}")
    expect(friend.report).to_have_text(line)
    expect(friend.report).not_to_have_class(re.compile("word-report--trouble"))
    expect(friend.announced).to_contain_text(f"for {move['score']}")
    lay(friend, CORNER + 1)
    expect(friend.report).to_contain_text("touch no other")
    recall(friend)
    expect(friend.report).to_have_text(line)
    expect(friend.report).not_to_have_class(re.compile("word-report--trouble"))


def test_a_bot_answers_and_gives_a_rematch(sit: Sit, site: Site) -> None:
    me = sit()
    me.page.goto(f"{me.url}/fribble")
    me.page.get_by_role("button", name="Pip").click()
    me.page.wait_for_url(re.compile(r"/games/"))
    play_best(me)
    site.clock.ahead += 120
    me.await_turn()
    me.page.locator("#more").click()
    me.page.locator("#power-finish").click()
    me.page.locator("#finish-confirm").click()
    expect(me.page.locator(".summary-verdict")).to_have_text("Pip wins")
    expect(me.page.locator("#analysis .fri-turn")).to_have_count(2)
    expect(me.announced).to_have_text("Game review complete", timeout=60_000)
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name="GCG").click()
    assert download.value.suggested_filename.endswith(".gcg")
    address = me.address
    me.page.locator("#again").click()
    me.page.wait_for_url(lambda url: "/games/" in url and url != address)
    expect(me.page.locator(".seats")).to_contain_text("Pip")


def test_a_watcher_sees_the_game_and_has_no_rack(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    watcher = sit()
    watcher.visit(me.address)
    move = play_best(me)
    expect(watcher.page.locator("#history")).to_contain_text(move["word"])
    expect(watcher.page.locator("#send, #rack, #more")).to_have_count(0)
    assert watcher.data("rack") == ""
    friend.await_turn()


def test_the_board_is_enlarged_around_the_square_in_use(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    move_cursor(me, 14, "across")
    before = square(me, 14).bounding_box()
    me.page.locator("#zoom").click()
    expect(me.page.locator("#stage")).to_have_attribute("data-zoomed", "")
    after = square(me, 14).bounding_box()
    stage = me.page.locator("#stage").bounding_box()
    assert before
    assert after
    assert stage
    assert after["width"] > 1.8 * before["width"]
    assert after["width"] >= 40
    assert stage["x"] <= after["x"] <= stage["x"] + stage["width"] - after["width"] / 2
    rack_box = me.page.locator("#rack").bounding_box()
    assert rack_box
    assert rack_box["y"] + rack_box["height"] <= PHONE["height"]
    me.page.locator("#zoom").click()
    expect(me.page.locator("#stage")).not_to_have_attribute("data-zoomed", "")
    box = square(me, 14).bounding_box()
    assert box
    assert box["width"] == pytest.approx(before["width"], abs=1)


def test_two_quick_taps_turn_the_arrow_and_enlarge_nothing(sit: Sit) -> None:
    me = sit(has_touch=True, is_mobile=True)
    KIND.open(me)
    move_cursor(me, 14, "across")
    me.touch(me.page.locator("#board"))  # loads what enlarges it
    me.page.wait_for_load_state("networkidle")
    for _ in range(2):
        me.touch(square(me, 20))
    expect(me.page.locator("#board")).to_have_attribute("data-way", "down")
    expect(me.page.locator("#stage")).not_to_have_attribute("data-zoomed", "")


def test_without_scripts_a_move_is_written(sit: Sit) -> None:
    me = sit(java_script_enabled=False)
    KIND.open(me)
    move = best(me)
    me.page.locator("#typed").fill(f"{move['coordinate']} {move['word']}")
    me.page.get_by_role("button", name="Play", exact=True).click()
    expect(me.page.locator("#history")).to_contain_text(move["word"])
    me.page.locator("#more").click()
    me.page.locator("#power-finish").click()
    me.page.locator("#finish-confirm").click()
    expect(me.page.locator(".summary-verdict")).to_have_text("Pip wins")
    me.page.get_by_role("link", name="Game review", exact=True).click()
    expect(me.page.locator("#analysis .fri-turn").first).to_be_visible()


def test_a_device_whose_clock_is_ahead_asks_no_longer_once_the_turn_is_over(sit: Sit, site: Site) -> None:
    me = sit()
    me.page.add_init_script(AHEAD)
    KIND.open(me, turn_seconds="60")
    play_best(me)  # from the first move on the clock runs
    site.clock.ahead += 15
    me.await_turn()
    ply = me.ply
    site.clock.ahead += float(me.data("ends-at")) - site.clock() - 1
    me.page.reload()
    expect(me.table).not_to_have_attribute("data-ply", str(ply))
    site.clock.ahead += 15
    me.await_turn()
    looks: list[str] = []
    me.page.on("request", lambda request: looks.append(request.url) if "/table?" in request.url else None)
    me.page.wait_for_timeout(2500)
    assert looks == []


def test_on_a_phone_the_review_has_the_square_in_front_of_the_word(sit: Sit) -> None:
    me = sit(viewport=PHONE)
    address = KIND.open(me)
    KIND.send(me)
    has_moved(me, 0)
    me.page.request.post(f"{address}/moves", form={"type": "resign"})
    for screen, headings in ((PHONE, 0), (DESK, 1)):
        me.page.set_viewport_size(screen)
        me.page.goto(f"{address}/analysis")
        turn = me.page.locator("#turn-1 .fri-best")
        expect(turn.get_by_role("columnheader", name="Square")).to_have_count(headings)
        for row in turn.locator("tbody tr").all_inner_texts():
            assert len(re.findall(r"\b(?:8[A-O]|H\d+)\b", row)) == 1, row
