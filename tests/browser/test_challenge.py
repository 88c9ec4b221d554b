"""A challenge of two players: one sends the link, the other plays, and both see both games."""

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Sit
from tests.browser.test_daily import SHOWN_AGAIN


def test_two_play_the_same_letters_and_see_both_games(sit: Sit) -> None:
    me, friend = sit(), sit()
    me.open("zen")
    me.set_nickname("Ada")
    mine = me.play_word(4).word
    me.finish()
    me.page.locator("#challenge").click()
    expect(me.page.locator("h1")).to_have_text("Your challenge")
    link = me.page.locator("#share").input_value().splitlines()[-1]

    friend.page.goto(link)
    expect(friend.page.locator("h1")).to_have_text("Ada challenges you")
    expect(friend.page.locator("main")).not_to_contain_text(mine.upper())
    friend.page.locator("#play").click()
    expect(friend.table).to_be_visible()
    theirs = friend.play_word(3).word
    friend.page.goto(link)
    expect(friend.page.locator("main")).not_to_contain_text(mine.upper())
    friend.page.locator("#continue").click()
    friend.finish()
    friend.page.locator("#challenge").click()
    for seat, first, second in ((friend, theirs, mine), (me, mine, theirs)):
        if seat is me:
            me.home()
            expect(me.page.locator(".site-links")).to_contain_text("1 new in your challenges")
            me.page.locator(".site-links a", has_text="You").click()
            me.page.locator(".line", has_text="1 new").click()
        turn = seat.page.locator(".challenge-turns tbody tr").first
        expect(turn.locator("td").nth(0)).to_have_text(first.upper())
        expect(turn.locator("td").nth(2)).to_have_text(second.upper())
        expect(seat.page.locator(".standings tbody tr")).to_have_count(2)
    me.home()
    expect(me.page.locator(".site-links")).not_to_contain_text("new")


def test_a_challenge_that_a_player_goes_back_to_shows_the_results_once_they_have_finished(sit: Sit) -> None:
    """Playwright's browser keeps no page whole, so the test sends the event."""
    me, friend = sit(), sit()
    me.open("zen")
    me.finish()
    me.page.locator("#challenge").click()
    friend.page.goto(me.page.url)
    kept = friend.page.context.new_page()
    kept.goto(me.page.url)
    friend.page.locator("#play").click()
    friend.play_word()
    friend.finish()
    expect(kept.locator(".standings")).to_have_count(0)
    kept.evaluate(SHOWN_AGAIN)
    expect(kept.locator(".standings tbody tr")).to_have_count(2)


def test_words_of_nine_letters_are_not_broken_on_a_phone(sit: Sit) -> None:
    me, friend = sit(viewport=PHONE), sit(viewport=PHONE)
    me.open("zen")
    me.play_word()
    me.finish()
    me.page.locator("#challenge").click()
    friend.page.goto(me.page.url)
    friend.page.locator("#play").click()
    expect(friend.table).to_be_visible()
    friend.play_word()
    friend.finish()
    me.page.reload()
    for cell in me.page.locator(".challenge-word").all():
        height = cell.evaluate("(one) => one.offsetHeight")
        cell.evaluate("(one) => (one.textContent = 'HARSHNESS')")
        assert cell.evaluate("(one) => one.offsetHeight") == height
