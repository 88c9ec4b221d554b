"""Tables of several players: invited friends, bots, turns, and the display of others' moves."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESK, LONG_NAME, PHONE, Sit, Site
from tests.browser.kind import Kind
from tests.browser.kinds import EACH_MULTIPLAYER_KIND
from tests.browser.letterpress import pass_turn
from tests.browser.page_checks import fits_width, in_both_fonts
from tests.browser.seat import Seat

WHILE_DRAWN = """() => {
  if (document.querySelectorAll("#board .tile[aria-pressed=true]").length < 2) return null;
  return {
    ply: document.querySelector("#table").dataset.ply,
    letters: [...document.querySelectorAll("#board button.tile")].map((tile) => tile.dataset.letter),
    turn: document.querySelector(".seat--now").textContent,
  };
}"""
"""The table's state while two tiles of the word are marked, read at once, as that lasts only a moment."""


def hand_over(mover: Seat, waiter: Seat) -> None:
    """The mover plays a word, and the other player's page updates by itself."""
    ply = mover.ply
    mover.play_word()
    waiter.await_ply(ply + 1)


def test_two_play_versus_by_the_invitation_link_to_the_end_of_a_round(sit: Sit) -> None:
    me, friend = sit(), sit()
    me.home()
    me.page.get_by_role("button", name="Play with a friend").click()
    expect(me.page.locator(".lobby")).to_contain_text("Waiting for 1 player")
    friend.join(me)
    me.await_ply(1)
    assert me.letters == friend.letters
    expect(me.page.locator(".seat--now")).to_contain_text("You")
    expect(friend.page.locator(".seat--now")).to_contain_text("Player 1")
    expect(friend.page.locator(".turn-notice")).to_have_text("Player 1’s turn")
    expect(friend.field).to_be_disabled()
    friend.drag([0, 1, 2])
    assert friend.chain == []
    hand_over(me, friend)
    expect(friend.report).to_contain_text("Player 1")
    expect(friend.page.locator(".seat--now")).to_contain_text("You")
    hand_over(friend, me)
    expect(me.table).to_have_attribute("data-ply", "3")
    expect(me.page.locator(".status")).to_contain_text("Round 2 of 5")


def test_the_points_of_a_long_word_and_its_gems_are_not_cut_on_a_phone(sit: Sit) -> None:
    me, friend = sit(), sit()
    me.open_with("friend")
    me.set_nickname(LONG_NAME)
    friend.join(me)
    me.await_ply(1)
    me.play_word(max(len(found.word) for found in me.words()))
    friend.await_ply(2)
    expect(friend.report).to_contain_text("gem")
    for seat in (me, friend):
        for width, height in ((320, 568), (360, 640), (568, 320), (640, 360)):
            seat.page.set_viewport_size({"width": width, "height": height})
            beyond = seat.report.evaluate("report => report.scrollWidth - report.clientWidth")
            assert beyond <= 0, (width, height)
    me.page.set_viewport_size(PHONE)
    expect(me.page.locator(".report-gems")).to_be_visible()


@pytest.mark.parametrize("screen", [PHONE, {"width": 640, "height": 360}], ids=["upright", "on its side"])
@EACH_MULTIPLAYER_KIND
def test_a_long_name_makes_no_table_wider_than_a_phone(sit: Sit, kind: Kind, screen: dict[str, int]) -> None:
    me, friend = sit(viewport=screen), sit(viewport=screen)
    me.set_nickname(LONG_NAME)
    kind.open_table(me, **kind.timed)
    friend.join(me)
    friend.set_nickname(LONG_NAME)
    for move in ("look", "pass"):  # the players take turns; in Boggle both can always move
        me.page.request.post(f"{friend.address}/moves", form={"type": move})
        for one in (me, friend):
            one.visit(friend.address)
            expect(one.page.locator(".seat-name", has_text=LONG_NAME)).to_be_visible()
            fits_width(one)
    for one in (me, friend):
        one.page.request.post(f"{friend.address}/moves", form={"type": "finish"})
    me.page.request.post(f"{friend.address}/moves", form={"type": "resign"})
    for one in (me, friend):
        one.visit(friend.address)
        expect(one.page.locator(".results")).to_be_visible()
        fits_width(one)


def test_a_finished_table_names_the_winner(sit: Sit) -> None:
    me, friend = sit(), sit()
    me.open_with("friend")
    friend.join(me)
    me.await_ply(1)
    hand_over(me, friend)
    friend.finish()
    expect(me.page.locator(".summary-verdict")).to_have_text("You win")
    expect(friend.page.locator(".summary-verdict")).to_have_text("Player 1 wins")
    expect(me.page.locator(".result")).to_have_count(2)
    expect(me.page.locator("#analysis .accuracy")).to_have_count(2)
    me.page.get_by_role("button", name="Rematch").click()
    expect(me.page.locator(".lobby")).to_be_visible()


def test_a_long_name_keeps_key_moments_to_a_line_each(sit: Sit) -> None:
    me, friend = sit(viewport=PHONE), sit(viewport=PHONE)
    me.open_with("friend")
    friend.join(me)
    friend.set_nickname(LONG_NAME)
    for player in (me, friend, me, friend):
        player.page.request.post(f"{friend.address}/moves", form={"type": "pass"})
    me.page.request.post(f"{friend.address}/moves", form={"type": "resign"})
    me.visit(friend.address)
    verdicts = me.page.locator(".moments .pill", has_text=LONG_NAME).locator(".verdict")
    expect(verdicts.first).to_be_visible()
    for verdict in verdicts.all():
        box = verdict.bounding_box()
        assert box is not None
        assert box["height"] < 24
    fits_width(me)


def test_a_bot_takes_a_free_seat_of_the_lobby_and_the_game_begins(sit: Sit) -> None:
    me = sit()
    me.open_with("friend", "friend")
    expect(me.page.locator(".lobby-seat.vacant")).to_have_count(2)
    me.page.get_by_label("Or add a bot").select_option("1")
    me.page.get_by_role("button", name="Add bot").click()
    expect(me.page.locator(".lobby-seat.vacant")).to_have_count(1)
    me.page.get_by_role("button", name="Add bot").click()
    me.await_ply(1)
    expect(me.page.locator(".seat")).to_have_count(3)


def test_the_address_of_a_waiting_table_is_its_invitation(sit: Sit) -> None:
    me, friend = sit(), sit()
    table = me.open_with("friend")
    invitation = me.page.locator("#invitation").input_value()
    expect(me.page).to_have_url(invitation)
    me.page.reload()
    expect(me.page).to_have_url(invitation)
    friend.page.goto(me.page.url)
    friend.page.locator("#take-seat").click()
    for seat in (me, friend):
        seat.await_ply(1)
        expect(seat.page).to_have_url(table)


def test_the_invitation_is_copied_with_one_touch(sit: Sit) -> None:
    me = sit(permissions=["clipboard-read", "clipboard-write"])
    me.open_with("friend")
    me.page.get_by_role("button", name="Copy").click()
    expect(me.page.get_by_role("button", name="Copied")).to_be_visible()
    copied = me.page.evaluate("navigator.clipboard.readText()")
    assert copied == me.page.locator("#invitation").input_value()
    assert copied.startswith(me.url)


def test_a_bots_word_is_drawn_over_the_tiles_it_takes_before_they_fall(sit: Sit) -> None:
    me = sit(reduced_motion="no-preference")
    me.open_with("2")
    me.play_word()
    expect(me.page.locator(".turn-notice")).to_have_text("Moss is thinking")
    me.page.wait_for_selector(".flying, .flying-points", state="detached")
    drawn = me.page.wait_for_function(WHILE_DRAWN).json_value()
    before = drawn["letters"]
    assert "Moss" in drawn["turn"]
    expect(me.table).not_to_have_attribute("data-ply", drawn["ply"])
    expect(me.report).to_contain_text("Moss")
    cells = [int(cell) for cell in me.data("cells").split(",")]
    strange = [cell for cell, letter in zip(cells, me.data("word"), strict=True) if before[cell] != letter]
    assert len(strange) <= 1, "but for a tile it swapped, the word lies on the board it was drawn on"
    me.page.wait_for_selector(".flying, .flying-points", state="detached")
    expect(me.page.locator("[data-score-of='1']")).to_have_text(me.data("scores").split(",")[1])
    assert me.chain == []
    me.play_word()


def test_pressing_a_bot_that_thinks_shows_what_it_plays(sit: Sit, site: Site) -> None:
    me = sit()
    me.open_game("/letterpress/play", opponent="1")
    with site.clock.stopped():  # so that the bot never finishes thinking
        pass_turn(me)
        expect(me.page.locator("#skip .dots")).to_be_visible()
        ply = me.ply
        me.page.get_by_role("button", name="Show Pip’s move now").click()
        me.await_ply(ply + 1)
        expect(me.page.locator("#skip")).to_have_count(0)


def test_a_turn_can_be_passed(sit: Sit) -> None:
    me, friend = sit(), sit()
    me.open_with("friend")
    friend.join(me)
    me.await_ply(1)
    me.power("pass").click()
    me.await_ply(2)
    expect(me.page.locator("#history li").first).to_contain_text("passed")
    expect(me.report).to_have_text("Passed")


def test_a_turn_that_runs_out_is_passed(sit: Sit, site: Site) -> None:
    me, friend = sit(), sit()
    me.open_with("friend", turn_seconds="30")
    friend.join(me)
    me.await_ply(1)
    expect(me.page.locator("#clock")).to_have_text(re.compile(r"0:(30|2\d)"))
    posted: list[str] = []
    me.page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    later = float(me.data("ends-at")) - site.clock() - 5
    site.clock.ahead += later
    me.put_forward(later)
    expect(me.page.locator("#clock")).to_have_attribute("data-urgent", "")
    me.await_ply(2)
    assert len(posted) == 1, "the page says so once, and does not wait for the server's clock"
    expect(me.page.locator(".seat--now")).to_contain_text("Player 2")


def test_the_others_play_on_when_one_leaves(sit: Sit) -> None:
    me = sit()
    me.open_with("1", "2")
    me.power("finish").click()
    expect(me.page.locator("#finish-dialog")).to_contain_text("The others play on.")
    me.page.locator("#finish-confirm").click()
    expect(me.page.locator(".seat--gone")).to_contain_text("You")
    expect(me.power("finish")).to_have_count(0)


def test_leaving_names_the_winner_if_only_one_would_be_left(sit: Sit) -> None:
    me = sit()
    me.open_with("2")
    explained = me.page.locator("#finish-dialog p")
    expect(explained).to_have_text("Moss wins.")
    me.play_word()
    expect(explained).to_have_text(f"Moss wins. You keep your {me.score} points.")


def test_a_dialog_stays_open_while_others_move(sit: Sit, site: Site) -> None:
    me = sit()
    me.open_with("1", "2")
    me.play_word()
    me.power("finish").click()
    site.clock.ahead += 60
    me.page.wait_for_timeout(2500)
    expect(me.page.locator("#finish-dialog")).to_be_visible()
    me.page.locator("#finish-confirm").click()
    expect(me.page.locator(".seat--gone")).to_contain_text("You")


def test_an_invitation_that_does_not_fit_is_a_clear_page(sit: Sit) -> None:
    me, stranger = sit(), sit()
    address = me.open_with("friend")
    stranger.page.goto(f"{address}/join/nonesuch")
    expect(stranger.page.get_by_role("heading", level=1)).to_have_text("This invitation link isn’t valid")
    expect(stranger.page.locator(".message-actions a")).to_have_text(["New game", "Watch the game"])
    expect(stranger.page.locator(".button--primary")).to_have_text("New game")
    stranger.page.get_by_role("link", name="Watch the game").click()
    expect(stranger.page.locator(".lobby")).to_contain_text("Watching")
    expect(stranger.page.locator("#invitation")).to_have_count(0)


def test_a_player_without_a_name_is_asked_once(sit: Sit) -> None:
    me, friend = sit(), sit()
    me.open_with("friend")
    me.page.locator("#nickname").fill("Ada")
    me.page.locator(".inline-form", has=me.page.locator("#nickname")).get_by_text("Save").click()
    expect(me.page.locator("#nickname")).to_have_count(0)
    friend.page.goto(me.page.locator("#invitation").input_value())
    expect(friend.page.locator(".join-seats")).to_contain_text("Ada")
    friend.page.locator("#nickname").fill("Bob")
    friend.page.locator("#take-seat").click()
    me.await_ply(1)
    expect(me.page.locator(".seats")).to_contain_text("Bob")
    me.open_with("friend")
    expect(me.page.locator("#nickname")).to_have_count(0)
    friend.page.goto(me.page.locator("#invitation").input_value())
    # A player with a name takes the seat without a form.
    friend.page.wait_for_url(re.compile(r"/games/[^/]+$"))
    me.await_ply(1)


def test_a_link_that_is_only_previewed_takes_no_seat(sit: Sit) -> None:
    me, preview = sit(), sit(java_script_enabled=False)
    me.open_with("friend")
    preview.page.goto(me.page.locator("#invitation").input_value())
    me.page.reload()
    expect(me.page.locator(".lobby-seat.vacant")).to_have_count(1)
    preview.page.get_by_role("button", name="Join game").click()
    me.await_ply(1)


def test_a_watcher_sees_the_game_of_others_go_on(sit: Sit) -> None:
    me, friend, watcher = sit(), sit(), sit()
    address = me.open_with("friend")
    friend.join(me)
    watcher.visit(address)
    me.play_word()
    watcher.await_ply(2)
    expect(watcher.power("pass")).to_have_count(0)
    assert watcher.letters == me.letters


def test_opponents_are_chosen_on_the_home_page(sit: Sit) -> None:
    me = sit()
    me.home()
    me.page.locator("#opponents > summary").click()
    for name in ("Pip", "Wren", "Sage", "Quill"):
        me.page.get_by_role("checkbox", name=name).check(force=True)
    expect(me.page.locator("#opponent-count")).to_contain_text("6 players")
    expect(me.page.get_by_role("checkbox", name="Friend 1")).to_be_disabled()
    me.page.get_by_role("button", name="Start game").click()
    me.await_ply(1)
    expect(me.page.locator(".seat")).to_have_count(6)


@pytest.mark.parametrize("others", [1, 2, 3])
def test_a_phone_shows_the_gems_of_up_to_three_others(sit: Sit, others: int) -> None:
    me = sit()
    me.open_with(*["1"] * others)
    for width, height in ((320, 568), (360, 640), (390, 844), (640, 360)):
        me.page.set_viewport_size({"width": width, "height": height})
        expect(me.page.locator(".seat-gems:visible")).to_have_count(others)


def test_the_notice_of_the_turn_of_a_player_with_a_long_name_is_one_line_without_a_gap(sit: Sit) -> None:
    me, friend = sit(), sit()
    me.set_nickname(LONG_NAME)
    me.open_with("friend")
    friend.join(me)
    friend.await_ply(1)
    notice = friend.page.locator(".turn-notice")
    expect(notice).to_have_text("Maximilian…’s turn")
    for width, height in ((320, 568), (360, 640), (390, 844), (640, 360), (1440, 900)):
        friend.page.set_viewport_size({"width": width, "height": height})
        lines = "(one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)"
        for font in in_both_fonts(friend):
            assert notice.evaluate(lines) < 1.5, (width, font)
            for part in (notice, notice.locator("bdi")):
                assert part.evaluate("(one) => one.scrollWidth <= one.clientWidth"), (width, font)


def test_at_a_desk_gems_are_beside_the_powers_that_they_pay_for(sit: Sit) -> None:
    me = sit(viewport=DESK)
    me.open_with("1")
    gems, powers = (me.page.locator(part).bounding_box() for part in (".status-gems", ".powers"))
    assert gems is not None
    assert powers is not None
    assert powers["x"] - gems["x"] - gems["width"] < 65
    middle = gems["y"] + gems["height"] / 2
    assert middle == pytest.approx(powers["y"] + powers["height"] / 2, abs=2)
