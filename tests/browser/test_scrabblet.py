"""Scrabblet at the table, in a real browser: tapped, typed, shuffled, hinted, finished, read again."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESK, NO_NETWORK, PHONE, Complaints, Sit
from tests.browser.page_checks import LANDSCAPE, SCREENS, SMALL, TABLET, fits_screen
from tests.browser.scrabblet import HAND, Hand
from tests.browser.slow_network import Held

Deal = Callable[..., Hand]


@pytest.fixture
def at(sit: Sit) -> Deal:
    """Make a player at Scrabblet with a browser of their own."""
    return lambda **options: Hand(sit(**options))


def test_a_word_is_tapped_letters_repeating(at: Deal) -> None:
    me = at(has_touch=True)
    me.deal()
    me.tap("creep")
    expect(me.seat.field).to_have_value("creep")
    expect(me.page.locator("#word-points")).to_have_text("9")
    assert me.lit == set("crep")
    me.page.locator("#delete").click()
    me.page.locator("#delete").click()
    expect(me.seat.field).to_have_value("cre")
    me.tap("epie")
    me.page.locator("#enter").click()
    me.seat.await_ply(1)
    expect(me.seat.report).to_contain_text("CREEPIE +11")
    expect(me.score).to_have_text("11")
    assert (me.found, me.lit) == (["creepie"], set())


def test_a_word_is_typed_taken_back_and_sent_with_the_keyboard_alone(at: Deal) -> None:
    me = at()
    me.deal()
    me.seat.type("pricx")
    expect(me.page.locator("#word-points")).to_have_text("not dealt")
    me.seat.press("Backspace")
    me.seat.type("e")
    me.seat.press("Enter")
    me.seat.await_ply(1)
    expect(me.seat.announced).to_have_text(re.compile("^price, 9 points. Score 9. "))
    me.seat.type("nice")
    me.seat.press("Escape")
    expect(me.seat.field).to_have_value("")
    me.seat.press("Enter")
    assert me.seat.ply == 1
    me.seat.press("ArrowDown", "ArrowRight")
    expect(me.page.locator("#hand .tile").nth(1)).to_be_focused()
    me.seat.press("Space")
    expect(me.seat.field).to_have_value(HAND[1])


def test_the_field_itself_takes_what_a_phone_types(at: Deal) -> None:
    me = at(has_touch=True)
    me.deal()
    me.seat.field.click()
    me.seat.type("Pr1ce ")
    expect(me.seat.field).to_have_value("prce")
    me.seat.press("ArrowLeft", "ArrowLeft")
    me.seat.field.fill("PRICE")
    me.seat.press("Enter")
    me.seat.await_ply(1)
    assert me.found == ["price"]
    expect(me.seat.field).to_be_focused()


def test_what_is_wrong_with_a_guess_is_shown_and_said(at: Deal) -> None:
    me = at(reduced_motion="no-preference")
    me.deal(penalty="5")
    me.guess("creepie")
    for word, says, left in (
        ("creepie", "was already found", 11),
        ("pie", "is too short: 4 letters or more", 11),
        ("crab", "cannot be spelled from these tiles", 11),
        ("crppe", "is not in the word list", 6),
        ("zzqxx", "cannot be spelled from these tiles", 1),
    ):
        me.guess(word)
        expect(me.seat.report).to_contain_text(f"{word.upper()} {says}")
        expect(me.seat.report.locator("strong")).to_have_css("text-decoration-line", "line-through")
        expect(me.seat.announced).to_contain_text(f"{word} {says}")
        expect(me.score).to_have_text(str(left))
    assert me.found == ["creepie"]


def test_a_blank_asks_for_its_letter(at: Deal) -> None:
    me = at()
    me.deal("zin?")
    me.tap("zin")
    me.tap("?")
    dialog = me.page.locator("#blank-dialog")
    expect(dialog).to_be_visible()
    expect(dialog.locator('[value="z"]')).to_be_disabled()
    me.seat.press("c")
    expect(dialog).not_to_be_visible()
    expect(me.seat.field).to_have_value("zinc")
    assert me.lit == set("zin?")
    me.seat.press("Enter")
    me.seat.await_ply(1)
    expect(me.score).to_have_text("12")


def test_shuffling_is_display_only_and_outlasts_a_guess(at: Deal) -> None:
    me = at(reduced_motion="no-preference")
    me.deal()
    asked: list[str] = []
    me.page.on("request", lambda request: asked.append(request.url))
    me.page.locator("#shuffle").click()
    shuffled = me.order
    assert shuffled != HAND
    assert sorted(shuffled) == sorted(HAND)
    assert [address for address in asked if "/games/" in address] == []
    me.guess("price")
    assert me.order == shuffled
    me.page.reload()
    assert me.order == HAND


def test_the_words_found_are_sorted_as_one_likes(at: Deal) -> None:
    me = at()
    me.deal()
    me.guess("nice", "price", "creepie", "epic")
    assert me.found == ["epic", "creepie", "price", "nice"]
    choice = me.page.get_by_label("Sort by")
    choice.select_option("alphabet")
    assert me.found == ["creepie", "epic", "nice", "price"]
    choice.select_option("points")
    assert me.found == ["creepie", "price", "epic", "nice"]
    me.guess("precinct")
    assert me.found[0] == "precinct"
    expect(choice).to_have_value("points")
    expect(me.page.locator("#found .found-word--pangram")).to_contain_text("PRECINCT")


def test_the_rank_grows_and_shows_how_far_the_next_one_is(at: Deal) -> None:
    me = at()
    me.deal()
    rank = me.page.locator("#rank")
    expect(rank).to_contain_text("Beginner")
    away = int(re.findall(r"(\d+) to Learner", rank.inner_text())[0])
    me.guess("price")
    expect(rank).to_contain_text(f"{away - 9} to Learner")
    me.guess("recipe", "piece")
    expect(rank).to_contain_text("Learner")
    expect(rank).to_contain_text("to Reader")
    assert me.page.locator(".rank-fill").count() >= 1
    rank.click()
    expect(me.page.locator(".rank-step")).to_have_count(9)
    expect(me.page.locator('.rank-step[aria-current="step"]')).to_contain_text("Learner")


@SCREENS
def test_hints_are_opened_and_follow_what_is_found(at: Deal, screen: dict[str, int]) -> None:
    me = at(viewport=screen)
    me.deal()
    me.page.locator("#power-hint").click()
    count = me.page.locator("#hints-count")
    expect(count).to_be_visible()
    left = int(re.findall(r"(\d+) words", count.inner_text())[0])
    starts = me.page.locator("#hints .pill").all_inner_texts()
    assert sum(int(start.split()[1]) for start in starts) == left
    assert sum(int(cell) for cell in me.page.locator(".hints-sum").all_inner_texts()) == left
    if screen is PHONE:
        me.seat.press("Escape")
        expect(count).not_to_be_visible()
    me.guess("price")
    if screen is PHONE:
        me.page.locator("#power-hint").click()
    expect(count).to_contain_text(f"{left - 1} words")


def test_a_game_is_finished_and_shows_what_there_was_to_find(at: Deal) -> None:
    me = at()
    address = me.deal()
    me.guess("price", "crab", "precinct")
    me.page.locator("#power-finish").click()
    me.page.get_by_role("button", name="Keep playing").click()
    assert me.seat.ply == 3
    me.finish()
    expect(me.page.locator(".accuracy")).to_contain_text("2 of")
    found = me.page.locator("#analysis section").filter(has_text="Found").locator("a").all_inner_texts()
    assert found == ["PRECINCT", "PRICE"]
    missed = me.page.locator("#analysis section").first
    expect(missed.locator("li").first).to_contain_text("pangram")
    expect(missed).not_to_contain_text("PRECINCT")
    me.page.get_by_role("link", name="Replay").click()
    me.page.wait_for_url("**/plies/0")
    for event in ("PRICE +9", "CRAB cannot be spelled from these tiles", "PRECINCT +14", "Finished"):
        me.page.locator("#step-next").click()
        expect(me.page.locator("#replay-event")).to_contain_text(event)
    expect(me.page.locator(".replay-found li")).to_have_count(2)
    me.page.goto(address)
    me.page.get_by_role("button", name="New hand").click()
    expect(me.page.locator("#hand .tile")).to_have_count(7)


def test_a_lost_connection_loses_nothing(at: Deal, complaints: Complaints) -> None:
    complaints.allow(*NO_NETWORK)
    me = at()
    me.deal()
    me.page.context.set_offline(True)
    me.seat.type("price")
    me.seat.press("Enter")
    expect(me.seat.report).to_contain_text("No answer from the server")
    expect(me.seat.field).to_have_value("price")
    me.page.context.set_offline(False)
    me.seat.press("Enter")
    me.seat.await_ply(1)
    assert me.found == ["price"]


def price_under_way(me: Hand) -> Held:
    """Deal, and send a word whose answer waits."""
    me.deal()
    held = Held(me.page, "**/moves", times=1)
    me.seat.type("price")
    me.seat.press("Enter")
    held.wait()
    return held


def test_the_next_word_is_spelled_and_sent_while_one_is_under_way(at: Deal) -> None:
    me = at()
    held = price_under_way(me)
    me.tap("pie")
    me.seat.type("ce")
    expect(me.seat.field).to_have_value("piece")
    me.seat.press("Enter", "Enter")
    held.release()
    me.seat.await_ply(2)
    assert me.found == ["piece", "price"]
    expect(me.seat.field).to_have_value("")


def test_a_field_in_use_takes_the_next_word_while_one_is_under_way(at: Deal) -> None:
    me = at()
    me.deal()
    held = Held(me.page, "**/moves", times=1)
    me.seat.field.press_sequentially("xyz")
    me.seat.press("Enter")
    held.wait()
    me.seat.field.press_sequentially("pri")
    expect(me.seat.field).to_have_value("pri")
    held.release()
    expect(me.seat.report).to_contain_text("XYZ")
    expect(me.seat.report).to_have_class(re.compile("trouble"))
    expect(me.seat.field).to_have_value("pri")


def test_a_word_without_an_answer_comes_back_instead_of_the_next_one(
    at: Deal, complaints: Complaints
) -> None:
    complaints.allow(*NO_NETWORK)
    me = at()
    held = price_under_way(me)
    me.seat.type("ten")
    held.routes[0].abort()
    expect(me.seat.report).to_contain_text("No answer from the server")
    expect(me.seat.field).to_have_value("price")


def test_the_question_whether_to_finish_outlives_the_answer_to_a_word(at: Deal) -> None:
    me = at()
    held = price_under_way(me)
    me.page.locator("#power-finish").click()
    question, confirm = me.page.locator("#finish-dialog"), me.page.locator("#finish-confirm")
    expect(question).to_contain_text("no words yet")
    held.release()
    me.seat.await_ply(1)
    expect(question).to_contain_text("You keep your")
    confirm.click()
    expect(me.page.locator(".summary")).to_be_visible()
    expect(me.page.locator(".summary-facts")).to_contain_text("PRICE")


def test_the_daily_is_played_through_to_the_share_text(at: Deal) -> None:
    me = at()
    me.page.goto(f"{me.seat.url}/scrabblet")
    me.page.get_by_role("button", name="Play today").click()
    me.page.wait_for_url("**/games/*")
    me.guess(*me.words(me.order)[:4])
    score = me.score.inner_text()
    me.page.goto(f"{me.seat.url}/scrabblet")
    me.page.get_by_role("link", name="Continue the game").click()
    me.finish()
    me.page.get_by_role("link", name="Result and leaderboard").click()
    share = me.page.get_by_label("Share your result").input_value()
    assert re.search("^[🟩⬜]{8} [A-Z][a-z]+ [0-9]+%$", share, re.MULTILINE)
    expect(me.page.locator(".standings .mine")).to_contain_text(score)
    me.page.goto(f"{me.seat.url}/scrabblet")
    expect(me.page.locator(".card").first).to_contain_text(f"You scored {score}")


def test_without_scripts_the_whole_game_is_played_with_forms(at: Deal) -> None:
    me = at(java_script_enabled=False)
    me.deal()
    me.seat.field.fill("Price")
    me.page.locator("#enter").click()
    expect(me.score).to_have_text("9")
    me.page.locator("#power-hint").click()
    me.page.locator("#power-hint").click()
    expect(me.page.locator("#hints-count")).to_be_visible()
    me.seat.press("Escape")
    me.page.locator("#power-finish").click()
    me.page.locator("#finish-confirm").click()
    me.page.get_by_role("link", name="Show missed words").click()
    expect(me.page.locator("#analysis")).to_contain_text("PRICE")


@pytest.mark.parametrize(
    "screen",
    [
        PHONE,
        DESK,
        SMALL,
        LANDSCAPE,
        TABLET,
    ],
    ids=["phone", "desk", "small", "landscape", "tablet"],
)
def test_the_table_fits_every_screen_and_thumb(at: Deal, screen: dict[str, int]) -> None:
    me = at(viewport=screen)
    for hand in ("able", HAND, "abcdefghilmnost"):
        me.deal(hand)
        fits_screen(me.seat, hand)
        for button in me.page.locator("#table button:visible").all():
            box = button.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= screen["width"]
            assert box["y"] + box["height"] <= screen["height"], button
            if screen is PHONE:
                assert min(box["width"], box["height"]) >= 44, button.get_attribute("id")


@pytest.mark.parametrize("opener", ["#rank", "#power-hint"])
def test_a_sheet_is_closed_by_its_button_and_by_a_tap_beside_it_alone(at: Deal, opener: str) -> None:
    me = at(has_touch=True, is_mobile=True)
    me.deal()
    if opener == "#power-hint":
        me.seat.touch(me.page.locator(opener))
        me.seat.await_ply(1)
        me.page.locator("#hints [data-closes]").click()
    ply = me.seat.ply
    me.tap("ccccc")
    enter = me.page.locator("#enter").bounding_box()
    assert enter is not None
    sheet = me.page.locator("dialog:modal")
    for beside in (False, True):
        me.seat.touch(me.page.locator(opener))
        expect(sheet).to_be_visible()
        if beside:
            me.seat.touch_at(enter["x"] + enter["width"] - 20, enter["y"] + enter["height"] / 2)
        else:
            me.seat.touch(sheet.locator("[data-closes]"))
        expect(sheet).to_have_count(0)
        me.page.wait_for_timeout(300)
        assert me.seat.ply == ply, "nothing beneath is pressed"


def test_the_letters_in_hand_outlive_the_hints(at: Deal) -> None:
    me = at()
    me.deal()
    me.tap("cre")
    me.page.locator("#power-hint").click()
    expect(me.page.locator("#hints-count")).to_be_visible()
    expect(me.seat.field).to_have_value("cre")
    assert me.lit == set("cre")
    me.page.locator("#hints [data-closes]").click()
    me.guess("epie")
    assert me.found == ["creepie"]
    expect(me.seat.field).to_have_value("")


def test_the_end_of_a_long_word_is_visible(at: Deal) -> None:
    me = at(has_touch=True)
    me.deal()
    me.tap("creepiecreepiecreepie")
    beyond = "(field) => field.scrollWidth - field.clientWidth - field.scrollLeft"
    assert me.seat.field.evaluate("(field) => field.scrollLeft") > 0
    assert abs(me.seat.field.evaluate(beyond)) < 2


def test_one_point_is_written_in_the_singular(at: Deal) -> None:
    me = at()
    me.deal(penalty="10")
    me.guess("creepie", "crppe")
    me.page.locator("#power-finish").click()
    expect(me.page.locator("#finish-dialog p")).to_have_text(re.compile(r"^You keep your 1 point\. "))
