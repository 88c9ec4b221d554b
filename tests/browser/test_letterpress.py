"""Letterpress in a real browser: pointer, keyboard, two players, bots, and page quality."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Sit, Site
from tests.browser.letterpress import (
    KIND,
    TEAMS,
    chosen,
    letter,
    owner,
    pass_turn,
    send,
    tap,
    tiles,
    word,
)
from tests.browser.page_checks import fits_width
from tests.browser.seat import Seat


def test_a_word_is_built_by_taps_and_shows_what_it_would_turn(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    tap(me, *TEAMS)
    assert word(me) == "TEAMS"
    assert chosen(me) == list(TEAMS)
    assert tiles(me) == ("5", "0")
    assert {owner(me, cell) for cell in TEAMS} == {"ours"}
    tap(me, 19)
    assert word(me) == "TEAM"
    assert owner(me, 19) is None
    letter(me, 16).click()
    assert word(me) == "TAM"
    me.page.locator("#clear").click()
    assert (word(me), tiles(me)) == ("", ("0", "0"))
    tap(me, *TEAMS)
    send(me)
    assert word(me) == ""
    expect(me.page.locator("#history li").first).to_contain_text("TEAMS")
    expect(me.tile(15)).to_have_attribute("aria-label", "T, yours")


def test_a_word_being_built_stays_over_a_reload_until_it_is_played(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    tap(me, *TEAMS)
    me.page.reload()
    expect(me.page.locator(".press-letter")).to_have_count(len(TEAMS))
    assert (word(me), chosen(me)) == ("TEAMS", list(TEAMS))
    me.press("q")
    me.page.reload()
    expect(me.page.locator(".press-letter")).to_have_count(len(TEAMS) + 1)
    expect(me.page.locator("#send")).to_have_attribute("aria-disabled", "true")
    me.press("Backspace")
    send(me)
    me.page.reload()
    expect(me.page.locator("#history li").first).to_contain_text("TEAMS")
    assert (word(me), chosen(me)) == ("", [])


def test_enter_is_the_buttons_own_once_no_typed_word_is_left(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    resign, question = me.page.locator("#power-finish"), me.page.locator("#finish-dialog")

    def enter_asks() -> None:
        resign.focus()
        me.press("Enter")
        expect(question).to_be_visible()
        me.press("Escape")

    for keys in (["t", "Escape"], ["t", "Backspace"], [*"teams", "Enter"]):
        me.press(*keys)
        expect(me.page.locator(".press-letter")).to_have_count(0)
        enter_asks()
    friend.await_turn()


def test_a_word_is_typed_and_takes_tiles_that_turn_first(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    tap(me, *TEAMS)
    send(me)
    friend.await_turn()
    friend.type("cats")
    assert word(friend) == "CATS"
    assert chosen(friend) == [15, 17, 19, 20]
    assert tiles(friend) == ("4", "2")
    friend.press("Backspace")
    assert word(friend) == "CAT"
    friend.press("Escape")
    assert word(friend) == ""
    friend.type("cat")
    ply = friend.ply
    friend.press("Enter")
    friend.await_ply(ply + 1)
    me.await_turn()
    assert owner(me, 15) == "theirs"
    expect(me.report).to_contain_text("CAT")
    expect(me.tile(20)).to_have_class(re.compile("tile--latest"))
    expect(me.tile(0)).not_to_have_class(re.compile("tile--latest"))


def test_a_word_with_letters_that_the_board_lacks_is_never_sent(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    expect(me.announced).to_contain_text("Your turn")
    for typed, reason in (("catq", "There is no Q on the board"), ("kq", "There is no K on the board")):
        me.type(typed)
        assert word(me) == typed.upper()
        expect(me.report).to_have_text(reason)
        expect(me.announced).to_have_text(reason)
        me.press("Enter")
        expect(me.page.locator("#send")).to_have_attribute("aria-disabled", "true")
        assert word(me) == typed.upper()
        me.press("Escape")
        assert word(me) == ""
    me.type("cattcs")
    expect(me.report).to_have_text("There is no other C on the board")
    assert len(chosen(me)) == 4
    me.press("Backspace", "Backspace", "Backspace")
    assert word(me) == "CAT"
    expect(me.report).to_be_hidden()
    me.type("q")
    tap(me, 18)
    assert word(me) == "CATM", "a tap drops what the board lacks"
    me.press("Backspace", "Enter")
    me.await_ply(1)
    expect(me.page.locator("#history li").first).to_contain_text("CAT")


def test_enter_sends_a_word_of_tapped_tiles(sit: Sit) -> None:
    me, _ = KIND.together(sit)
    tap(me, *TEAMS)
    me.press("ArrowLeft", "Enter")
    assert word(me) == "TEAS", "after an arrow key Enter is a tap"
    me.press("Escape")
    tap(me, *TEAMS)
    me.press("Enter")
    me.await_ply(1)
    expect(me.page.locator("#history li").first).to_contain_text("TEAMS")


def test_protected_tiles_are_marked_and_stay(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    tap(me, 5, 6, 7, 8, 9, 10)  # RADISH: with HORSE above, a row that cannot be taken
    send(me)
    friend.await_turn()
    pass_turn(friend)
    me.await_turn()
    tap(me, 0, 1, 2, 3, 4)
    assert me.tile(0).get_attribute("data-protected") is not None, "the preview shows what will be safe"
    send(me)
    friend.await_turn()
    expect(friend.tile(3)).to_have_attribute("aria-label", "S, of Player 1, protected")
    tap(friend, 20, 21, 22, 3)
    assert [owner(friend, cell) for cell in (20, 21, 22, 3)] == ["ours", "ours", "ours", "theirs"]
    assert tiles(friend) == ("3", "11")
    assert letter(friend, 3).get_attribute("data-owner") == "theirs"


def drag(seat: Seat, cell: int, before: int) -> None:
    """Drag a letter of the row to before another one, with the mouse."""
    start, goal = letter(seat, cell).bounding_box(), letter(seat, before).bounding_box()
    assert start is not None
    assert goal is not None
    mouse = seat.page.mouse
    mouse.move(start["x"] + start["width"] / 2, start["y"] + 20)
    mouse.down()
    mouse.move(goal["x"] + 5, goal["y"] + 22, steps=8)
    mouse.up()


def test_letters_are_dragged_and_carried_to_another_place(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    tap(me, 16, 17, 15, 18)
    assert word(me) == "EATM"
    drag(me, 15, 16)
    assert word(me) == "TEAM"
    letter(me, 18).focus()
    me.press("Shift+ArrowLeft", "Shift+ArrowLeft")
    assert word(me) == "TMEA"
    expect(letter(me, 18)).to_be_focused()
    me.press("ArrowLeft")
    expect(letter(me, 15)).to_be_focused()
    me.press("Enter")
    assert word(me) == "MEA"
    expect(letter(me, 18)).to_be_focused()
    me.page.locator("#mix").click()
    assert sorted(word(me)) == ["A", "E", "M"]


def test_a_dropped_letter_stays_where_the_drop_is_a_click(sit: Sit) -> None:
    """As in Safari; Chromium sends no click for a letter that was moved."""
    me = sit()
    KIND.open(me)
    tap(me, 16, 17, 15, 18)
    drag(me, 15, 16)
    letter(me, 15).dispatch_event("click", {"detail": 1})
    assert word(me) == "TEAM"
    letter(me, 18).click()
    assert word(me) == "TEA"


def test_the_hatching_is_mixed_in_srgb(sit: Sit) -> None:
    """Firefox loses the stripes of a repeating gradient between colours in OKLCH."""
    me = sit()
    me.page.goto(f"{me.url}/letterpress")
    theirs = me.page.locator('.press-board .tile[data-owner="theirs"]').first
    expect(theirs).to_have_css("background-image", re.compile(r"^repeating-linear-gradient\([^(]*in srgb"))


def test_a_finger_drags_a_letter(sit: Sit) -> None:
    me = sit(has_touch=True)
    KIND.open(me)
    tap(me, 17, 15)
    start, goal = letter(me, 15).bounding_box(), letter(me, 17).bounding_box()
    assert start is not None
    assert goal is not None
    touch = me.page.context.new_cdp_session(me.page)
    way = [start["x"] + start["width"] / 2 - step * 8 for step in range(8)]
    for kind, x in zip(["touchStart", *["touchMove"] * 7], way, strict=True):
        point = {"x": x, "y": start["y"] + 20}
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert word(me) == "TA"


def test_the_keyboard_alone_reaches_every_tile(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    me.tile(0).focus()
    me.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter", "ArrowRight", "Space")
    assert chosen(me) == [15, 16]
    expect(me.announced).to_have_text("T E: 2 to 0 tiles")
    me.press("Enter")
    assert chosen(me) == [15], "on a tile Enter is a tap"


def test_a_refused_word_stays_with_the_reason(sit: Sit) -> None:
    me = sit()
    KIND.open(me)
    tap(me, 11, 12, 13, 14)
    me.page.locator("#send").click()
    expect(me.report).to_have_text("ZZZZ is not in the word list")
    expect(me.announced).to_have_text("ZZZZ is not in the word list")
    assert word(me) == "ZZZZ"
    assert chosen(me) == [11, 12, 13, 14]
    tap(me, 0)
    expect(me.report).to_be_hidden()


def test_a_word_begun_while_the_other_thinks_is_not_lost(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    friend.type("cats")
    friend.press("Enter")
    expect(friend.report).to_contain_text("Not your turn yet")
    letter(friend, chosen(friend)[0]).focus()
    tap(me, *TEAMS)
    send(me)
    friend.await_turn()
    assert word(friend) == "CATS"
    send(friend)
    me.await_turn()
    expect(me.report).to_contain_text("CATS")


def test_passing_twice_is_asked_about_and_ends_the_game(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    tap(me, *TEAMS)
    send(me)
    friend.await_turn()
    friend.page.locator("#power-pass").click()
    expect(friend.page.locator("#pass-dialog")).to_contain_text("You take no tiles, and Player 1 plays next.")
    friend.page.locator("#pass-confirm").click()
    me.await_turn()
    me.page.locator("#power-pass").click()
    dialog = me.page.locator("#pass-dialog")
    expect(dialog).to_contain_text("the game ends 5 to 0 in tiles")
    dialog.get_by_role("button", name="Keep playing").click()
    expect(dialog).to_be_hidden()
    me.page.locator("#power-pass").click()
    me.page.locator("#pass-confirm").click()
    expect(me.page.locator(".summary-verdict")).to_have_text("You win")
    expect(friend.page.locator(".summary-verdict")).to_have_text("Player 1 wins")
    expect(me.page.locator("#analysis .press-turn")).to_have_count(3)
    expect(me.page.locator("#analysis .turn-title .retry")).not_to_have_count(0)
    tops = "(all) => all.map((one) => one.getBoundingClientRect().top)"
    numbers, links = (
        me.page.locator(f"#analysis .turn-title > {part}").evaluate_all(tops)
        for part in ("a:first-child", ".turn-actions")
    )
    assert numbers == pytest.approx(links, abs=2), "beside each other, whatever the verdict"


def test_a_hint_is_seen_and_leaves_the_letters(sit: Sit) -> None:
    me, friend = KIND.together(sit, viewport=PHONE)
    tap(me, *TEAMS)
    send(me)
    friend.await_turn()
    friend.finish()
    me.page.locator("#analysis .turn-title .retry").first.click()
    me.page.wait_for_url("**/retry")
    for cell in (0, 1, 2):
        me.page.locator("#puzzle-board .tile").nth(cell).click()
    word = me.page.locator("#word").input_value()
    assert len(word) == 3
    for hint in ("The word has", "It begins with"):
        me.page.get_by_role("button", name="Hint").click()
        expect(me.page.get_by_text(hint)).to_be_in_viewport()
        expect(me.page.locator("#word")).to_have_value(word)
        expect(me.page.locator("#puzzle-board .tile[data-picked]")).to_have_count(3)


def test_a_bot_answers_and_gives_a_rematch(sit: Sit, site: Site) -> None:
    me = sit()
    me.page.goto(f"{me.url}/letterpress")
    me.page.get_by_role("button", name="Pip").click()
    me.page.wait_for_url(re.compile(r"/games/"))
    pass_turn(me)
    expect(me.page.locator("#report")).to_contain_text("Pip is thinking")
    site.clock.ahead += 60
    me.await_turn()
    expect(me.page.locator(".tile--latest").first).to_be_visible()
    me.finish()
    expect(me.page.locator(".summary-verdict")).to_have_text("Pip wins")
    address = me.address
    me.page.locator("#again").click()
    me.page.wait_for_url(lambda url: "/games/" in url and url != address)
    expect(me.page.locator(".seats")).to_contain_text("Pip")


def test_a_watcher_sees_the_game_and_cannot_play(sit: Sit) -> None:
    me, friend = KIND.together(sit)
    watcher = sit()
    watcher.visit(me.address)
    tap(me, *TEAMS)
    send(me)
    expect(watcher.page.locator("#history")).to_contain_text("TEAMS")
    expect(watcher.page.locator("#send, #power-pass, #power-finish")).to_have_count(0)
    tap(watcher, 0)
    assert chosen(watcher) == []
    expect(watcher.page.locator(".watching")).to_contain_text("Player 2’s turn")
    friend.await_turn()


def test_a_phone_does_not_slide_sideways_however_many_words_were_played(sit: Sit) -> None:
    players = KIND.together(sit)
    for ply, played in enumerate(("horseradish", "teams", "radishes", "matches", "disarms", "thread")):
        players[ply % 2].await_turn()
        players[ply % 2].type(played)
        players[ply % 2].press("Enter")
        for player in players:
            player.await_ply(ply + 1)
    for player in players:
        assert player.page.locator("#history li").count() == 6
        fits_width(player)


def test_the_tiles_of_anothers_word_turn_one_by_one(sit: Sit) -> None:
    me, friend = KIND.together(sit, reduced_motion="no-preference")
    friend.page.evaluate(
        "document.addEventListener('htmx:afterSettle', () => { window.turned = "
        "document.getAnimations().filter((one) => one.effect.target.matches?.('.press-board .tile'))"
        ".map((one) => [+one.effect.target.dataset.cell, one.effect.getTiming().delay]); })"
    )
    tap(me, *TEAMS)
    send(me)
    friend.await_turn()
    turned = friend.page.evaluate("window.turned.filter(([, delay]) => delay >= 0)")
    delays = {cell: delay for cell, delay in turned if cell in TEAMS}
    assert sorted(delays, key=lambda cell: delays[cell]) == list(TEAMS)


def test_without_scripts_a_word_is_typed_and_passed_on(sit: Sit) -> None:
    me = sit(java_script_enabled=False)
    KIND.open(me)
    assert me.page.locator("#send").is_hidden()
    me.page.locator("#typed").fill("teams")
    me.page.get_by_role("button", name="Play", exact=True).click()
    expect(me.page.locator("#history")).to_contain_text("TEAMS")
    me.page.locator("#power-finish").click()
    me.page.locator("#finish-confirm").click()
    expect(me.page.locator(".summary-verdict")).to_have_text("Pip wins")
    me.page.get_by_role("link", name="Game review", exact=True).click()
    expect(me.page.locator("#analysis .press-turn").first).to_be_visible()


def test_no_long_word_breaks_in_the_review_on_a_phone(sit: Sit) -> None:
    me = sit(viewport=PHONE)
    address = me.open_game("/letterpress/play", opponent="1", board="counterrevolutionarieszzz")
    played = {"type": "word", "word": "counterrevolutionaries", "ply": "0"}
    me.page.request.post(f"{address}/moves", form={**played})
    me.page.request.post(f"{address}/moves", form={"type": "resign"})
    me.page.goto(f"{address}/analysis")
    words = me.page.locator(".press-move a")
    assert "COUNTERREVOLUTIONARIES" in words.all_inner_texts()
    assert max(words.evaluate_all("(words) => words.map((word) => word.offsetHeight)")) < 30
