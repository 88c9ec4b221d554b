"""Fribble in a real browser: hand, keyboard, two players, bots, and the floors under the pages."""

import re
from itertools import permutations

import pytest
from playwright.sync_api import expect

from app.words.lexicon import Lexicon
from tests.browser.conftest import DESK, LONG_NAME, PHONE, Sit, Site
from tests.browser.floors import SCREENS, SMALL, violations
from tests.browser.fribble import (
    KIND,
    best,
    drag,
    laid,
    lay,
    middle,
    play_best,
    rack,
    recall,
    square,
    stand,
    type_move,
    with_blank,
)
from tests.browser.seat import Seat

CENTRE = 112
CORNER = 0
FACE = """(tile) => {
  const { backgroundColor, color } = getComputedStyle(tile);
  return [backgroundColor, color];
}"""
AHEAD = """
  const [origin, now] = [performance.timeOrigin, Date.now];
  Date.now = () => now() + 3_600_000;
  Object.defineProperty(performance, "timeOrigin", { value: origin + 3_600_000 });
"""


def test_tiles_are_dragged_to_the_board_about_it_and_back(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    tiles = me.data("rack")
    drag(me, "#tile-0", f"#square-{CENTRE}")
    me_first = "" if tiles[0] == "?" else tiles[0]
    assert list(laid(me)) == [CENTRE]
    assert laid(me)[CENTRE] == me_first
    drag(me, f"#square-{CENTRE}", "#square-113")
    assert list(laid(me)) == [113]
    drag(me, "#square-113", "#rack")
    assert laid(me) == {}
    assert rack(me) == tiles
    drag(me, "#tile-0", "#tile-6")
    assert rack(me) == tiles[1:] + tiles[0], "a tile is carried to another place of the rack"


@SCREENS
def test_what_is_dragged_looks_like_a_tile(sit: Sit, screen: dict[str, int]) -> None:
    me = sit(viewport=screen)
    KIND.open(me)
    ghost = me.page.locator(".fri-ghost")
    for start, end in (("#tile-0", f"#square-{CORNER}"), (f"#square-{CORNER}", f"#square-{CENTRE}")):
        if me.page.locator("#blank-dialog").is_visible():
            me.press("e")
        face = me.page.locator(start).evaluate(FACE)
        drag(me, start, end, release=False)
        box = ghost.bounding_box()
        assert box is not None
        assert box["width"] == pytest.approx(box["height"])
        assert 40 <= box["width"] <= 60
        assert ghost.evaluate(FACE) == face
        me.page.mouse.up()
        expect(ghost).to_have_count(0)


def test_a_finger_drags_a_tile_and_sees_where_it_goes(sit: Sit) -> None:
    me = sit(has_touch=True)
    KIND.open(me)
    touch = me.page.context.new_cdp_session(me.page)
    (x, y), (to_x, to_y) = middle(me, "#tile-2"), middle(me, f"#square-{CENTRE}")
    for step in range(6):
        at = {"x": x + (to_x - x) * step / 5, "y": y + (to_y + 34 - y) * step / 5}
        touch.send(
            "Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": [at]}
        )
    expect(square(me, CENTRE)).to_have_attribute("data-over-here", "")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert list(laid(me)) == [CENTRE]


OVERLAP = """([one, other]) => {
  const [a, b] = [one, other].map((name) => document.querySelector(name).getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


@pytest.mark.parametrize("cell", [0, 14, CENTRE, 224], ids=lambda cell: f"square {cell}")
def test_neither_tile_nor_finger_hides_the_square_it_goes_to(sit: Sit, cell: int) -> None:
    me = sit(has_touch=True)
    KIND.open(me)
    touch = Touch(me)
    x, y = middle(me, f"#square-{cell}")
    touch.drag("#tile-2", (x, y + 34), release=False)
    expect(square(me, cell)).to_have_attribute("data-over-here", "")
    ghost = me.page.locator(".fri-ghost").bounding_box()
    assert ghost is not None
    assert not me.page.evaluate(OVERLAP, [".fri-ghost", f"#square-{cell}"])
    assert ghost["x"] >= 0
    assert ghost["y"] >= 0
    assert ghost["x"] + ghost["width"] <= me.page.viewport_size["width"]  # type: ignore[index]
    box = square(me, cell).bounding_box()
    assert box["y"] + box["height"] < y + 34 - 15, "the finger's tip is below it"
    touch.release()
    expect(me.page.locator(".fri-ghost")).to_have_count(0)


def test_the_mouse_sees_the_square_too(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    drag(me, "#tile-0", f"#square-{CENTRE}", release=False)
    expect(square(me, CENTRE)).to_have_attribute("data-over-here", "")
    assert not me.page.evaluate(OVERLAP, [".fri-ghost", f"#square-{CENTRE}"])
    me.page.mouse.up()
    assert list(laid(me)) == [CENTRE] or me.page.locator("#blank-dialog[open]").count()


def test_a_tile_tapped_right_after_a_flick_is_chosen(sit: Sit) -> None:
    me = sit(has_touch=True)
    KIND.open(me)
    touch = Touch(me)
    x, y = middle(me, "#tile-2")
    for _ in range(3):
        touch.drag("#tile-2", (x + 60, y - 120), steps=2)
        touch.tap("#tile-4")
        expect(me.page.locator("#tile-4")).to_have_attribute("aria-pressed", "true")
        me.page.wait_for_timeout(600)
        expect(me.page.locator("#tile-4")).to_have_attribute("aria-pressed", "true")
        if laid(me):
            recall(me)
        else:
            touch.tap("#tile-4")
        expect(me.page.locator("#tile-4")).to_have_attribute("aria-pressed", "false")


class Touch:
    """One finger."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._session = seat.page.context.new_cdp_session(seat.page)

    def _send(self, kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def tap(self, selector: str) -> None:
        self._send("touchStart", middle(self._seat, selector))
        self.release()

    def drag(self, start: str, end: tuple[float, float], *, steps: int = 5, release: bool = True) -> None:
        x, y = middle(self._seat, start)
        self._send("touchStart", (x, y))
        for step in range(1, steps + 1):
            self._send("touchMove", (x + (end[0] - x) * step / steps, y + (end[1] - y) * step / steps))
        if release:
            self.release()

    def release(self) -> None:
        self._send("touchEnd")


def test_a_tapped_tile_goes_to_the_tapped_square(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    tiles = me.data("rack")
    me.page.locator("#tile-1").click()
    expect(me.page.locator("#tile-1")).to_have_attribute("aria-pressed", "true")
    square(me, CENTRE).click()
    assert laid(me) == {CENTRE: tiles[1]}
    square(me, CENTRE).click()
    assert laid(me) == {}
    assert rack(me) == tiles


def test_a_word_is_typed_previewed_taken_back_and_played(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    move = best(me)
    type_move(me, move)
    assert laid(me) == {tile["cell"]: tile["letter"] for tile in move["placed"]}
    preview = me.page.locator("#preview")
    expect(preview.locator("b")).to_have_text(str(move["score"]))
    expect(preview.locator(".fri-preview-word").first).to_have_attribute("data-valid", "true")
    expect(me.announced).to_contain_text(f"{move['score']} points")
    me.press("Backspace")
    assert len(laid(me)) == len(move["placed"]) - 1
    me.press("Escape")
    assert laid(me) == {}
    type_move(me, move)
    me.page.locator("#send").click()
    expect(friend.page.locator("#history li").first).to_contain_text(str(move["score"]))
    friend.await_turn()
    latest = friend.page.locator("#board .tile--latest")
    assert len(latest.all()) == len(move["placed"])
    expect(latest.first).to_have_attribute("aria-label", re.compile(r"^\d+[A-O], "))
    assert laid(me) == {}
    assert len(rack(me)) == 7


def test_arrows_turn_the_word_and_walk_the_board(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    stand(me, CENTRE, "across")
    me.press("ArrowDown")
    expect(me.page.locator("#board")).to_have_attribute("data-way", "down")
    expect(square(me, CENTRE)).to_be_focused()
    me.press("ArrowDown")
    expect(square(me, CENTRE + 15)).to_be_focused()
    me.press("ArrowRight", "ArrowRight")
    expect(square(me, CENTRE + 16)).to_be_focused()
    expect(square(me, CENTRE + 16)).to_have_attribute("tabindex", "0")


def test_a_blank_asks_for_its_letter(sit: Sit) -> None:
    me = sit()
    tiles = with_blank(me)
    me.page.locator(f"#tile-{tiles.index('?')}").click()
    square(me, CENTRE).click()
    dialog = me.page.locator("#blank-dialog")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    assert laid(me) == {}
    me.page.locator(f"#tile-{tiles.index('?')}").click()
    square(me, CENTRE).click()
    me.press("q")
    expect(square(me, CENTRE)).to_have_class(re.compile("tile--blank"))
    expect(square(me, CENTRE)).to_have_attribute("aria-label", "8H, blank as Q, laid")
    me.press("Escape")
    missing = next(letter for letter in "ZQXJKVWYHBF" if letter not in tiles)
    stand(me, CENTRE, "across")
    me.type(missing.lower())
    assert laid(me) == {CENTRE: missing}, "what is typed and not on the rack is the blank"


def test_no_word_is_told_at_once_and_refused_by_name(sit: Sit, lexicon: Lexicon) -> None:
    me, _ = KIND.together(sit)
    tiles = [tile for tile in me.data("rack") if tile != "?"]
    no_word = next("".join(pair) for pair in permutations(tiles, 2) if "".join(pair).lower() not in lexicon)
    stand(me, CENTRE, "across")
    me.type(no_word)
    word = me.page.locator("#preview .fri-preview-word")
    expect(word).to_have_attribute("data-valid", "false")
    me.press("Enter")
    expect(me.report).to_contain_text(f"{no_word} is not in the word list")
    assert len(laid(me)) == 2, "what was refused stays to be mended"


def test_tiles_are_shuffled_sorted_and_exchanged(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    tiles = me.data("rack")
    me.page.locator("#shuffle").click()
    assert sorted(rack(me)) == sorted(tiles)
    me.page.locator("#sort").click()
    assert rack(me) == tiles
    me.page.locator("#more").click()
    me.page.locator("#open-exchange").click()
    confirm = me.page.locator("#exchange-confirm")
    expect(confirm).to_have_attribute("aria-disabled", "true")
    expect(confirm).to_have_accessible_description(re.compile("Choose the tiles to exchange"))
    confirm.click(force=True)
    expect(me.announced).to_have_text("Choose the tiles to exchange")
    expect(me.page.locator("#exchange-dialog")).to_be_visible()
    me.page.locator("[data-exchange]").nth(0).click()
    me.page.locator("[data-exchange]").nth(2).click()
    expect(confirm).to_have_text("Exchange 2")
    confirm.click()
    friend.await_turn()
    expect(me.page.locator("#history li").first).to_contain_text(f"exchanged {tiles[0]}{tiles[2]}")
    expect(friend.page.locator("#history li").first).to_contain_text("exchanged 2")
    assert len(rack(me)) == 7


def test_the_rack_keeps_its_order_over_a_reload(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    tiles = me.page.locator("#rack .tile")
    dealt = tiles.all_text_contents()
    for _ in range(20):
        me.page.locator("#shuffle").click()
        me.page.wait_for_timeout(200)  # the rack may be shuffled after the click has been answered
        if tiles.all_text_contents() != dealt:
            break
    order = tiles.all_text_contents()
    assert order != dealt
    me.page.reload()
    expect(me.table).to_have_attribute("data-phase", "playing")
    expect(tiles).to_have_text(order)


@SCREENS
def test_the_machine_plays_itself_while_one_looks(sit: Sit, site: Site, screen: dict[str, int]) -> None:
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
    # In one look: the table is replaced with each move.
    told, tally = me.page.evaluate(
        """() => [".fri-watching", ".fri-unseen"]
          .map((name) => document.querySelector(name).getBoundingClientRect().toJSON())"""
    )
    apart = told["bottom"] <= tally["top"] or told["left"] >= tally["right"]
    assert apart, (told, tally)
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


def test_a_move_is_told_until_the_hand_is_used_again(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    lay(friend, CORNER)
    expect(friend.report).to_have_class(re.compile("word-report--trouble"))
    move = play_best(me)
    friend.await_turn()
    friend.page.wait_for_timeout(600)  # longer than a preview takes
    told = re.compile(rf"Player 1:\s*{move['word'].upper()}\s*{move['score']}")
    expect(friend.report).to_have_text(told)
    expect(friend.report).not_to_have_class(re.compile("word-report--trouble"))
    expect(friend.announced).to_contain_text(f"for {move['score']}")
    lay(friend, CORNER + 1)
    expect(friend.report).to_contain_text("touch no other")
    recall(friend)
    expect(friend.report).to_have_text(told)
    expect(friend.report).not_to_have_class(re.compile("word-report--trouble"))


def test_recall_brings_back_the_line_that_stood_there(sit: Sit, lexicon: Lexicon) -> None:
    me, _ = KIND.together(sit)
    tiles = [tile for tile in me.data("rack") if tile != "?"]
    no_word = next("".join(pair) for pair in permutations(tiles, 2) if "".join(pair).lower() not in lexicon)
    line = "Your turn: lay a word over the star"
    expect(me.report).to_have_text(line)
    lay(me, CORNER)
    expect(me.report).to_contain_text("centre")
    recall(me)
    expect(me.report).to_have_text(line)
    stand(me, CENTRE, "across")
    me.type(no_word)
    me.press("Enter")
    expect(me.report).to_contain_text("not in the word list")
    recall(me)
    expect(me.report).to_have_text(line)
    expect(me.report).not_to_have_class(re.compile("word-report--trouble"))


def test_what_is_wrong_with_a_play_fits_its_line(sit: Sit) -> None:
    me, friend = KIND.together(sit)

    def told(says: str, *cells: int) -> None:
        lay(friend, *cells)
        expect(friend.report).to_contain_text(says)
        for screen in (SMALL, DESK, PHONE):
            friend.page.set_viewport_size(screen)
            assert friend.report.evaluate("(line) => line.scrollHeight <= line.clientHeight"), says
            line, bar = friend.report.bounding_box(), friend.page.locator("#move-report").bounding_box()
            assert line is not None
            assert bar is not None
            assert bar["y"] <= line["y"] <= line["y"] + line["height"] <= bar["y"] + bar["height"], says
        recall(friend)

    told("covers the centre", CORNER)
    told("two letters or more", CENTRE)
    play_best(me)
    friend.await_turn()
    told("touch no other", CORNER)
    told("without gaps", CORNER, CORNER + 16)


def test_the_play_is_read_whole_beside_a_long_name(sit: Sit) -> None:
    me, friend = sit(), sit(viewport={"width": 320, "height": 568})
    me.set_nickname(LONG_NAME)
    KIND.sit_down(me, friend)
    play_best(me)
    friend.await_turn()
    line = friend.report.bounding_box()
    assert line is not None
    for part in friend.report.locator("strong, b").all():
        box = part.bounding_box()
        assert box is not None
        assert line["x"] <= box["x"] <= box["x"] + box["width"] <= line["x"] + line["width"]


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
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name="GCG").click()
    assert download.value.suggested_filename.endswith(".gcg")
    address = me.page.url
    me.page.locator("#again").click()
    me.page.wait_for_url(lambda url: "/games/" in url and url != address)
    expect(me.page.locator(".seats")).to_contain_text("Pip")


def test_a_watcher_sees_the_game_and_has_no_rack(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    watcher = sit()
    watcher.visit(me.page.url)
    move = play_best(me)
    expect(watcher.page.locator("#history")).to_contain_text(move["word"])
    expect(watcher.page.locator("#send, #rack, #more")).to_have_count(0)
    assert watcher.data("rack") == ""
    friend.await_turn()


def test_the_board_is_enlarged_around_the_square_in_use(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    stand(me, 14, "across")
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
    square(me, 14).dblclick()
    expect(me.page.locator("#stage")).not_to_have_attribute("data-zoomed", "")
    box = square(me, 14).bounding_box()
    assert box
    assert box["width"] == pytest.approx(before["width"], abs=1)


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
