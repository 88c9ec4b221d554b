"""Presses before the scripts of a page have loaded, or before an answer has come: none is lost.

A button that waits for its script is marked busy.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.coach import Coach
from tests.browser.conftest import DESK, NO_NETWORK, Complaints, Sit
from tests.browser.kind import Kind
from tests.browser.kinds import KINDS
from tests.browser.scrabblet import Hand
from tests.browser.seat import Seat
from tests.browser.slow_network import Held, intercept

WITH_TILES_TO_TAP: Final = pytest.mark.parametrize("name", [name for name in KINDS if name != "fribble"])
BUSY: Final = "aria-busy"
ALL_BUT_THE_FIRST: Final = re.compile(r"/(?!early)\w+(\.min)?\.js$")

NOTE_THE_FIRST: Final = """{
  const add = addEventListener;
  window.addEventListener = (type, ...more) => {
    window.listens ||= type === "change";
    add(type, ...more);
  };
}"""


@contextmanager
def before_the_scripts(me: Seat, address: str) -> Iterator[None]:
    """Open a page whose scripts come after the block."""
    held = Held(me.page, ALL_BUT_THE_FIRST)
    me.page.add_init_script(NOTE_THE_FIRST)
    me.page.goto(address, wait_until="commit")
    me.page.locator("#announcer").wait_for(state="attached")
    me.page.wait_for_function("() => window.listens")
    yield
    held.release()
    me.page.wait_for_load_state()


def press(me: Seat, address: str, button: Locator) -> None:
    """Press a button that must wait for its script, and wait until that has answered."""
    with before_the_scripts(me, address):
        button.click()
        expect(button).to_have_attribute(BUSY, "true")
    expect(button).not_to_have_attribute(BUSY, "true")


@WITH_TILES_TO_TAP
def test_a_tile_is_in_the_word(sit: Sit, name: str) -> None:
    me = sit()
    address = KINDS[name].open(me)
    tile = me.page.locator("#tile-0")
    letter = tile.get_attribute("data-letter") or tile.inner_text()
    press(me, address, tile)
    row = me.page.locator(".press-letters")
    if name == "letterpress":
        expect(row).to_have_text(re.compile(letter[0], re.IGNORECASE))
    else:
        expect(me.field).to_have_value(re.compile(letter, re.IGNORECASE))


def test_a_tile_of_the_rack_is_chosen_and_laid(sit: Sit) -> None:
    me = sit()
    address = KINDS["fribble"].open(me)
    tile, square = (
        me.page.locator("#rack .tile:not(.tile--blank)").first,
        me.page.locator("#board .fri-square").nth(112),
    )
    press(me, address, tile)
    expect(tile).to_have_attribute("aria-pressed", "true")
    with before_the_scripts(me, address):
        tile.click()
        square.click()
    expect(square).to_have_class(re.compile("tile--laid"))


def test_letters_typed_in_fribble_are_laid(sit: Sit) -> None:
    me = sit()
    address = KINDS["fribble"].open(me)
    letter = me.page.locator("#rack .tile:not(.tile--blank)").first.inner_text()[0]
    with before_the_scripts(me, address):
        me.page.keyboard.type(letter)
    expect(me.page.locator("#board .tile--laid")).to_have_count(1)


def test_a_link_is_copied(sit: Sit) -> None:
    me = sit(permissions=["clipboard-read", "clipboard-write"])
    address = KINDS["letterpress"].open_table(me)
    button = me.page.get_by_role("button", name=re.compile("^Cop(y|ied)$"))
    press(me, address, button)
    expect(button).to_have_text("Copied")


def test_the_result_is_copied(sit: Sit) -> None:
    me = sit(permissions=["clipboard-read", "clipboard-write"])
    address = me.open()
    me.page.request.post(f"{address}/moves", form={"type": "resign"})
    button = me.page.locator(".share-result")
    press(me, address, button)
    expect(button).to_have_text("Copied")


def test_a_replay_plays(sit: Sit) -> None:
    me = sit()
    address = me.open()
    me.play_word()
    me.page.request.post(f"{address}/moves", form={"type": "resign"})
    run = me.page.get_by_role("button", name="Autoplay")
    press(me, f"{address}/plies/0", run)
    expect(run).to_have_attribute("aria-pressed", "true")


def test_a_brush_of_the_solver_is_chosen(sit: Sit) -> None:
    me = sit()
    brush = me.page.get_by_role("button", name="Theirs")
    press(me, f"{me.url}/letterpress/solver", brush)
    expect(brush).to_have_attribute("aria-pressed", "true")


def test_an_order_chosen_for_the_words_found_stays(sit: Sit) -> None:
    me = sit(viewport=DESK)
    hand = Hand(me)
    address = hand.deal()
    hand.guess("price", "piece")
    with before_the_scripts(me, address):
        me.page.locator("#found-order").select_option("alphabet")
    expect(me.page.locator("#found-order")).to_have_value("alphabet")
    expect(me.page.locator("#found")).to_have_attribute("data-order", "alphabet")


def test_enter_on_a_button_presses_it_once(sit: Sit) -> None:
    me = sit()
    run = me.page.get_by_role("button", name="Autoplay")
    address = me.open()
    me.play_word()
    me.page.request.post(f"{address}/moves", form={"type": "resign"})
    with before_the_scripts(me, f"{address}/plies/0"):
        run.press("Enter")
    expect(run).to_have_attribute("aria-pressed", "true")


def test_a_field_keeps_its_letters_and_the_caret_its_place(sit: Sit) -> None:
    me = sit()
    with before_the_scripts(me, f"{me.url}/words"):
        me.page.locator("#letters").click()
        me.type("ct")
        me.press("ArrowLeft")
    me.type("a")
    expect(me.page.locator("#letters")).to_have_value("cat")


def test_a_chosen_file_loses_no_later_press(sit: Sit) -> None:
    me = sit()
    file = me.page.locator("input[type=file]").first
    with before_the_scripts(me, f"{me.url}/boards"):
        file.set_input_files({"name": "a.gcg", "mimeType": "text/plain", "buffer": b"#"})
    assert file.evaluate("(field) => field.files.length") == 1


@pytest.mark.parametrize("kind", ["boggle", "wibble", "letterpress"])
def test_letters_and_taps_are_in_the_answer_of_a_puzzle(sit: Sit, kind: str) -> None:
    me = sit()
    puzzle = me.page.request.get(f"{me.url}/api/puzzles/{kind}/today").json()["id"]
    address = f"{me.url}/puzzles/{puzzle}"
    with before_the_scripts(me, address):
        me.type("cat")
    expect(me.page.locator("#word")).to_have_value("cat")
    tile = me.page.locator("#puzzle-board .tile:not(.sheet-letter)").first
    with before_the_scripts(me, address):
        tile.click()
    expect(me.page.locator("#cells")).to_have_value("0")


def test_the_result_of_a_game_that_ended_by_itself_is_copied(sit: Sit) -> None:
    me = sit(permissions=["clipboard-read", "clipboard-write"])
    address = me.open()
    me.visit(address)
    held = Held(me.page, re.compile(r"/ending\.js$"))
    me.page.request.post(f"{address}/moves", form={"type": "resign"})
    me.page.evaluate("dispatchEvent(new Event('focus'))")
    button = me.page.locator(".share-result")
    button.click()
    held.release()
    expect(button).to_have_text("Copied")


def test_the_result_at_a_table_that_waited_is_copied_once(sit: Sit) -> None:
    me, friend = sit(permissions=["clipboard-read", "clipboard-write"]), sit()
    held = Held(me.page, re.compile(r"/ending\.js$"))
    KINDS["letterpress"].sit_down(me, friend)
    me.page.request.post(f"{me.address}/moves", form={"type": "resign"})
    me.page.evaluate("""() => {
        window.copied = 0;
        navigator.clipboard.writeText = async () => { window.copied++; };
    }""")
    button = me.page.locator(".share-result")
    button.click()
    expect(button).to_have_text("Copied")
    held.release()
    me.page.evaluate("(url) => import(url).then(() => new Promise(setTimeout))", held.routes[0].request.url)
    assert me.page.evaluate("() => window.copied") == 1


def open_rush(me: Seat) -> None:
    rush = me.page.request.post(f"{me.url}/api/puzzles/rushes", data={"room": "boggle"}).json()["id"]
    me.page.goto(f"{me.url}/puzzles/rush/{rush}")


def test_letters_typed_before_an_answer_of_a_rush_is_refused_replace_it(sit: Sit) -> None:
    me = sit()
    open_rush(me)
    held = Held(me.page, "**/puzzles/rush/*")
    me.page.locator("#word").fill("zzzz")
    me.press("Enter")
    held.wait()
    me.type("cat")
    held.release()
    expect(me.page.get_by_role("alert")).to_contain_text("ZZZZ")
    expect(me.page.locator("#word")).to_have_value("cat")


@pytest.mark.parametrize("is_part", [False, True], ids=["another word", "its end"])
def test_tiles_tapped_before_an_answer_of_a_rush_is_refused_stay(sit: Sit, is_part: bool) -> None:
    """The refused answer may be the end of the tapped word."""
    me = sit()
    open_rush(me)
    tiles = me.page.locator("#puzzle-board .tile")
    held = Held(me.page, "**/puzzles/rush/*")
    refused = tiles.nth(1).locator(".letter").inner_text() if is_part else "zzzz"
    me.page.locator("#word").fill(refused)
    me.press("Enter")
    held.wait()
    tiles.nth(0).click()
    tiles.nth(1).click()
    held.release()
    expect(me.page.locator("#refused")).not_to_be_empty()
    expect(me.page.locator("#cells")).to_have_value("0,1")
    expect(me.page.locator("#puzzle-board [data-picked]")).to_have_count(2)
    tiles.nth(2).click()
    expect(me.page.locator("#cells")).to_have_value("0,1,2")


def test_a_button_of_a_rush_keeps_the_focus_without_a_network(sit: Sit, complaints: Complaints) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    open_rush(me)
    intercept(me.page, "**/puzzles/rush/*", lambda route: route.abort())
    skip = me.page.get_by_role("button", name="Skip", exact=True)
    skip.press("Enter")
    expect(me.page.get_by_role("alert")).to_have_text("Not sent. Try again.")
    expect(skip).to_be_focused()


def word_under_way(me: Seat, kind: Kind) -> Held:
    """Play a word whose answer waits, and open the dialog that asks before the game ends."""
    kind.open(me)
    kind.enter(me)
    held = Held(me.page, "**/moves", times=1)
    kind.let_go(me)
    held.wait()
    me.page.locator("#power-finish").click()
    return held


@WITH_TILES_TO_TAP
def test_a_game_is_finished_once_a_word_under_way_has_its_answer(sit: Sit, name: str) -> None:
    me = sit()
    held = word_under_way(me, KINDS[name])
    me.page.locator("#finish-confirm").click()
    held.release()
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.page.locator(":focus-visible"), "a ring after a press of the mouse").to_have_count(0)


@WITH_TILES_TO_TAP
def test_a_game_goes_on_if_its_player_takes_back_finishing_before_the_answer(sit: Sit, name: str) -> None:
    me = sit()
    held = word_under_way(me, KINDS[name])
    me.page.locator("#finish-confirm").click()
    me.page.get_by_role("button", name="Keep playing").click()
    me.page.locator("#power-finish").click()
    held.release()
    expect(me.page.locator("#history li:not([data-under-way]) b, #found li b").last).to_be_visible()
    me.page.wait_for_timeout(300)
    expect(me.page.locator("#finish-dialog")).to_be_visible()


def words_under_way(me: Seat) -> Held:
    """Send two guesses; the answers wait."""
    Hand(me).deal()
    held = Held(me.page, "**/moves")
    for word in ("price", "piece"):
        me.type(word)
        me.press("Enter")
    held.wait()
    return held


def test_a_game_is_finished_after_the_next_word_that_waits_for_the_first(sit: Sit) -> None:
    me = sit()
    held = words_under_way(me)
    me.page.locator("#power-finish").click()
    me.page.locator("#finish-confirm").click()
    held.release()
    expect(me.page.locator(".summary-facts")).to_contain_text("PRICE")
    expect(me.page.locator("#analysis")).to_contain_text("2 of")


def test_the_question_whether_to_finish_outlives_the_next_word(sit: Sit) -> None:
    me = sit()
    held = words_under_way(me)
    me.page.locator("#power-finish").click()
    held.release()
    me.await_ply(2)
    expect(me.page.locator("#finish-dialog")).to_be_visible()


def test_hints_pressed_while_words_are_under_way_are_shown_after_them(sit: Sit) -> None:
    me = sit()
    held = words_under_way(me)
    me.page.locator("#power-hint").click()
    held.release()
    expect(me.page.locator("#hints-count")).to_be_visible()
    assert Hand(me).found == ["piece", "price"]


def test_a_button_pressed_twice_while_a_word_is_under_way_is_pressed_once(sit: Sit) -> None:
    me = sit()
    kind = KINDS["wibble"]
    kind.open(me)
    kind.enter(me)
    held = Held(me.page, "**/moves")
    kind.let_go(me)
    held.wait()
    me.power("shuffle").dblclick()
    held.release()
    me.await_ply(3)
    me.page.wait_for_timeout(300)
    assert me.ply == 3


def test_the_last_step_of_a_lesson_opens_one_game(sit: Sit) -> None:
    coach = Coach(sit(), "wibble")
    coach.open()
    Held(coach.page, re.compile(r"/submit_once\.js$"))
    games = Held(coach.page, "**/play")
    while coach.number:
        number = coach.number
        coach.page.locator("#coach-next").click()
        expect(coach.page.locator(f'#coach [name="step"][value="{number}"]')).to_have_count(0)
    start = coach.page.locator("#coach-side .button--primary")
    start.evaluate("(one) => { one.click(); setTimeout(() => one.click(), 200); }")
    coach.page.wait_for_timeout(1000)
    assert len(games.routes) == 1
