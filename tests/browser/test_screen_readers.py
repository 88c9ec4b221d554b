"""What screen readers announce and read out, and where the keyboard focus goes."""

import re

import pytest
from playwright.sync_api import expect

from app.games.puzzle_sets import shipped_puzzles
from tests.browser import boggle, fribble, letterpress
from tests.browser.coach import Coach
from tests.browser.conftest import DESK, PHONE, Sit, Site
from tests.browser.kind import has_moved
from tests.browser.kinds import KINDS
from tests.browser.scrabblet import Hand
from tests.browser.seat import Seat
from tests.browser.slow_network import Held

LISTEN = """() => {
  window.heard = [];
  const live = "[aria-live], [role=status], [role=alert], output";
  new MutationObserver((changes) => {
    const regions = new Set();
    for (const { target, addedNodes } of changes) {
      regions.add((target instanceof Element ? target : target.parentElement)?.closest(live));
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const one of [node, ...node.querySelectorAll(live)]) regions.add(one.closest(live));
    }
    const texts = [...regions].map((one) => one?.isConnected && one.textContent.trim());
    window.heard.push(...texts.filter(Boolean));
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Records every text that appears in a live region."""
HOLD = """() => {
  const { setTimeout, clearTimeout } = window;
  const held = new Map();
  let id = 0;
  window.setTimeout = (act, delay, ...rest) => {
    if (delay !== 250) return setTimeout(act, delay, ...rest);
    held.set(--id, act);
    return id;
  };
  window.clearTimeout = (id) => held.delete(id) || clearTimeout(id);
  window.announce = () => {
    Object.assign(window, { setTimeout, clearTimeout });
    for (const act of held.values()) act();
  };
}"""
"""Holds what is about to be announced until ``announce()``, however slow the machine is."""
FOCUSED = "document.activeElement.id || document.activeElement.className"
BORDER = "(one) => getComputedStyle(one).borderStyle + ' ' + getComputedStyle(one).borderWidth"


def heard(seat: Seat, last: str) -> list[str]:
    """Wait until the live region contains ``last``; return all texts announced till then."""
    expect(seat.announced).to_contain_text(last)
    texts: list[str] = seat.page.evaluate("window.heard.splice(0)")
    return texts


@pytest.mark.parametrize("name", ["wibble", "boggle", "scrabblet"])
def test_a_typed_word_is_announced_once_letter_by_letter(sit: Sit, name: str) -> None:
    me = sit()
    KINDS[name].open(me)
    me.page.locator("#tip").evaluate("(tip) => tip.remove()")
    if name == "boggle":
        expect(me.announced).to_contain_text("The round begins")
    word = {"boggle": "slate", "scrabblet": "price"}.get(name) or me.word().word
    me.page.evaluate(LISTEN)
    me.page.evaluate(HOLD)
    me.type(word)
    me.page.evaluate("announce()")
    letters = " ".join(word.upper())
    (spoken,) = heard(me, letters)
    assert re.fullmatch(rf"{letters}, \d+ points?", spoken)
    me.press("Enter")
    me.page.wait_for_timeout(1200)
    assert len(me.page.evaluate("window.heard")) == 1


def test_the_start_of_a_round_announces_its_board(sit: Sit) -> None:
    me = sit()
    boggle.KIND.open(me, begin=False)
    me.press("Enter")
    expect(me.announced).to_have_text("The round begins. Board: P E R S. L A T G. S I N E. T E R S.")


def test_it_is_announced_when_others_start_and_finish_their_round(sit: Sit) -> None:
    me, friend, third = sit(), sit(), sit()
    boggle.KIND.open(me, "friend", "friend", begin=False)
    for one in (friend, third):
        one.join(me)
    for one in (third, me):
        boggle.start(one)
    expect(me.announced).to_contain_text("The round begins")
    boggle.start(friend)
    expect(me.announced).to_have_text("Player 2 has started. Player 3 has started.")
    boggle.send(me, "slate")
    expect(me.announced).to_contain_text("SLATE +2")
    boggle.finish(friend)
    expect(me.announced).to_have_text("Player 2 has finished. Player 3 has started.")
    boggle.finish(me)
    expect(me.announced).to_contain_text("Your round is over")
    boggle.finish(third)
    expect(friend.announced).to_contain_text("Everyone has finished")


def test_that_another_has_finished_is_announced_with_the_answer_to_a_word(sit: Sit) -> None:
    me, friend = boggle.KIND.together(sit)
    held = Held(me.page, "**/moves")
    boggle.send(me, "slate")
    held.wait()
    boggle.finish(friend)
    expect(friend.table).to_have_attribute("data-phase", "done")
    held.release()
    expect(me.announced).to_have_text("SLATE +2. Player 2 has finished.")


def test_news_that_follow_an_answer_at_once_are_announced_with_it(sit: Sit) -> None:
    me, friend = boggle.KIND.together(sit)
    me.page.evaluate(HOLD)
    boggle.send(me, "slate")
    expect(me.page.locator("[data-found=slate]")).to_be_visible()
    boggle.finish(friend)
    expect(me.page.locator("#others")).to_have_text("Player 2 has finished.")
    me.page.evaluate("announce()")
    expect(me.announced).to_have_text("SLATE +2. Player 2 has finished.")


def late_in_a_round(me: Seat, site: Site, left: int) -> None:
    """Begin a round of Boggle and let so many seconds be left; what is to be announced then is held."""
    boggle.KIND.open(me)
    expect(me.announced).to_contain_text("The round begins")
    me.page.evaluate(HOLD)
    me.put_forward(float(me.data("ends-at")) - site.clock() - left - 0.5)
    expect(me.page.locator("#clock")).to_have_text(f"0:{left}")


def test_the_seconds_left_are_announced_to_a_player_who_types(sit: Sit, site: Site) -> None:
    me = sit()
    late_in_a_round(me, site, 30)
    me.type("slate")
    me.page.evaluate("announce()")
    expect(me.announced).to_have_text("S L A T E, 2 points. 30 seconds left")


def test_what_is_out_of_date_at_the_end_is_not_announced(sit: Sit, site: Site) -> None:
    me = sit()
    late_in_a_round(me, site, 10)
    boggle.finish(me)
    expect(me.table).to_have_attribute("data-phase", "finished")
    me.page.evaluate("announce()")
    expect(me.announced).to_have_text("Everyone has finished. You 0 points.")


def test_a_letter_typed_does_not_take_the_place_of_anothers_move(sit: Sit) -> None:
    me, friend = KINDS["letterpress"].together(sit)
    KINDS["letterpress"].send(me)
    has_moved(me, 0)
    me.page.evaluate(HOLD)
    friend.page.request.post(f"{friend.address}/moves", form={"type": "pass", "ply": "1"})
    me.await_ply(2)
    me.type("x")
    me.page.evaluate("announce()")
    expect(me.announced).to_have_text(re.compile("Player 2 .*Your turn"))


def test_the_result_is_announced_with_the_question_that_a_phone_asks(sit: Sit) -> None:
    me = sit(viewport=PHONE, has_touch=True, is_mobile=True)
    me.open()
    me.page.evaluate(HOLD)
    me.finish()
    expect(me.page.locator(".sound-question")).to_be_visible()
    me.page.evaluate("announce()")
    question = "Play with sound? Choose below the result, or in the settings"
    expect(me.announced).to_have_text(f"Finished with 0 points and 0 words. {question}")


def test_a_remark_is_announced_with_other_news_in_the_answer_to_a_word(sit: Sit) -> None:
    me, friend = boggle.KIND.together(sit)
    held = Held(me.page, "**/moves")
    boggle.send(me, "slate")
    held.wait()
    assert friend.page.request.post(f"{friend.address}/remarks", form={"line": 0}).ok
    boggle.finish(friend)
    expect(friend.table).to_have_attribute("data-phase", "done")
    held.release()
    expect(me.announced).to_have_text("SLATE +2. Player 2 has finished. Player 2 Hello!")


def test_the_board_is_explored_on_anothers_turn_and_the_end_names_the_winner(sit: Sit) -> None:
    me, friend = KINDS["wibble"].together(sit)
    me.press("ArrowRight")
    me.type(me.word().word)
    me.press("Enter")
    expect(me.table).to_have_attribute("data-idle", "")
    expect(me.tile(0)).to_be_focused()
    me.press("ArrowDown", "ArrowRight", "Enter")
    expect(me.tile(6)).to_be_focused()
    assert me.chain == [], "the tiles take no word on another's turn"
    friend.finish()
    expect(me.announced).to_have_text(
        re.compile(rf"The game is over\. You win\. You {me.score}, Player 2 0\.$")
    )


def test_the_focus_stays_beside_the_board_after_actions_of_a_dialog(sit: Sit) -> None:
    me, friend = fribble.KIND.together(sit)
    for dialog in ("#open-exchange", "#power-pass"):
        me.page.locator("#more").focus()
        me.press("Enter")
        me.page.locator(dialog).focus()
        me.press("Enter")
        if dialog == "#open-exchange":
            tile = me.page.locator("[data-exchange]").first
            expect(tile).to_be_focused()
            me.press("Space")
            expect(tile).to_have_attribute("aria-pressed", "true")
            me.press("Escape")
            expect(me.page.locator("#more")).to_be_focused()
    friend.await_turn()
    expect(me.page.locator("#more")).to_be_focused()
    fribble.give_up(friend)
    expect(me.announced).to_have_text(re.compile("^Player 2 resigned. "))


@pytest.mark.parametrize(
    ("screen", "then"), [(PHONE, "power-hint"), (DESK, "hints-scroll")], ids=["phone", "desk"]
)
def test_the_focus_stays_at_the_hints(sit: Sit, screen: dict[str, int], then: str) -> None:
    me = sit(viewport=screen)
    Hand(me).deal()
    me.page.locator("#power-hint").focus()
    me.press("Enter")
    expect(me.page.locator("#hints-count")).to_be_visible()
    if screen == PHONE:
        me.press("Escape")
    expect(me.page.locator("#hints-count")).to_be_visible(visible=screen == DESK)
    assert me.page.evaluate(FOCUSED) == then


def test_a_hint_is_announced_and_the_focus_returns_to_its_button(sit: Sit) -> None:
    me = sit()
    boggle.KIND.open(me, find_all="true", seconds="none")
    me.page.locator("#power-hint").focus()
    me.press("Enter")
    me.page.locator("#hint-letter").focus()
    me.press("Enter")
    expect(me.page.locator("#hints").get_by_role("status")).to_have_text(re.compile("^Hint: [A-Z]…$"))
    me.press("Escape")
    expect(me.page.locator("#power-hint")).to_be_focused()


DESCRIBED = {
    "wibble": ("img", r"Board: ([A-Z] \d+( (double|triple) (letter|word))?( gem)?[,.]? ?){25}"),
    "letterpress": ("img", r"Board: ([A-Z]( (yours|theirs)( protected)?)?[,.]? ?){25}"),
    "boggle": ("img", r"Board: ([A-Z]+[.]? ?){16}"),
    "fribble": ("table", r"Board: ((\d+[A-O]|[A-O]\d+) [A-Z]+,? ?)+"),
    "scrabblet": ("img", r"Hand: ([A-Z] \d+,? ?)+"),
}


@pytest.mark.parametrize("kind", DESCRIBED)
def test_a_puzzle_says_all_that_its_board_shows(sit: Sit, kind: str) -> None:
    me = sit()
    puzzle = next(iter(shipped_puzzles(kind).values()))
    me.page.goto(f"{me.url}/puzzles/{puzzle.id}")
    role, pattern = DESCRIBED[kind]
    board = me.page.locator(f"#puzzle-board [role={role}]").first
    assert re.fullmatch(pattern, board.get_attribute("aria-label") or "")
    if kind == "letterpress":
        assert "yours" in (board.get_attribute("aria-label") or "")
    if kind == "fribble":
        expect(board.get_by_role("row")).to_have_count(15)
        expect(board.get_by_role("cell", name="1D, triple word")).to_have_count(1)
        rack = me.page.locator(".fri-still-rack").get_attribute("aria-label") or ""
        assert re.fullmatch(r"(([A-Z] \d+|blank),? ?){7}", rack)
    me.page.locator("#word").press_sequentially("zzz")
    me.press("Enter")
    expect(me.page.get_by_role("alert")).not_to_be_empty()
    expect(me.page.locator("#word")).to_be_focused()
    me.page.get_by_role("button", name="Show the solution").click()
    expect(me.page).to_have_title(re.compile("^The solution · "))


def test_each_event_of_a_rush_is_announced_once(sit: Sit, site: Site) -> None:
    me = sit()
    me.page.goto(f"{me.url}/puzzles")
    me.page.get_by_role("button", name="Start a Boggle rush of three minutes").click()
    me.page.wait_for_url("**/puzzles/rush/*")
    me.page.evaluate(LISTEN)
    me.page.locator("#word").press_sequentially("zzz")
    me.press("Enter")
    expect(me.page.get_by_role("alert")).to_have_text("ZZZ is not on this board.")
    me.page.wait_for_timeout(600)
    assert me.page.evaluate("window.heard.splice(0)") == ["ZZZ is not on this board."]
    me.page.get_by_role("button", name="Skip", exact=True).press("Enter")
    assert len(heard(me, "Skipped.")) == 1
    minutes, seconds = me.page.locator("#rush-clock").inner_text().split(":")
    me.put_forward(60 * int(minutes) + int(seconds) - 32)
    assert heard(me, "seconds left") == ["30 seconds left"]
    expect(me.page.locator("#word")).to_be_focused()
    site.clock.ahead = 200
    me.put_forward(32)
    assert heard(me, "Time’s up")[-1] == "Time’s up. 0 solved"
    expect(me.page.locator("#main")).to_be_focused()


def test_a_lesson_says_where_the_tiles_go(sit: Sit) -> None:
    coach = Coach(sit(), "fribble")
    coach.open()
    expect(coach.words).to_contain_text(re.compile(r"It starts on \d+[A-O] and goes across\."))


def test_owners_and_locks_are_read_and_seen_in_forced_colours(sit: Sit) -> None:
    me, friend = letterpress.KIND.together(sit, forced_colors="active")
    letterpress.tap(me, 0, 1, 6, 5, 7, 3)
    letterpress.send(me)
    friend.await_turn()
    swatches = [me.page.locator(f".seats .swatch[data-owner={side}]") for side in ("ours", "theirs")]
    tiles = [me.tile(0), friend.tile(0)]
    for shown in (swatches, tiles):
        assert [one.evaluate(BORDER) for one in shown] == ["solid 4px", "dashed 4px"]
    lock = me.page.locator(".tile[data-protected]").first
    assert lock.evaluate("(one) => getComputedStyle(one, '::after').backgroundColor") == me.page.evaluate(
        "getComputedStyle(document.body).color"
    )
    friend.finish()
    end = me.page.locator(".outcome [role=img]").get_attribute("aria-label") or ""
    assert end.startswith("The board at the end: H yours protected, O yours, ")


def test_tiles_just_laid_differ_from_the_latest_move_in_forced_colours(sit: Sit) -> None:
    me, friend = fribble.KIND.together(sit, forced_colors="active")
    fribble.KIND.send(me)
    friend.await_turn()
    friend.page.locator("#rack .tile").first.click()
    friend.page.locator("#board .fri-square:not(.tile)").first.click()
    borders = [
        friend.page.locator(f"#board .tile--{state}").first.evaluate(BORDER) for state in ("laid", "latest")
    ]
    assert borders == ["dashed 4px", "solid 4px"]
