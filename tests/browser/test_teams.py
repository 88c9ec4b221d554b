"""Teams at the table: partners see their shared score, from the invitation to the result."""

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.page_checks import assert_accessible, fits_screen, fits_width, weighs_little
from tests.browser.seat import Seat


def test_partners_play_bots_and_see_their_score(sit: Sit) -> None:
    me, friend = sit(), sit()
    me.home()
    me.page.locator("#teams > summary").click()
    for number, who in (("1", "1"), ("2", "friend"), ("3", "1")):
        me.page.select_option(f"#team-seat-{number}", who)
    assert_accessible(me)
    me.page.locator("form:has(input[value=teams]) button").click()
    friend.page.goto(me.page.locator("#invitation").input_value())
    friend.page.get_by_role("button", name="Join team A, with Player 1").click()
    me.await_ply(1)
    scored = me.play_word()
    own = me.page.locator(".team--own")
    expect(own).to_contain_text("Your team")
    expect(own.locator(".score")).to_have_text(str(me.score))
    expect(friend.page.locator(".team--own .score")).to_have_text(str(me.score))
    expect(friend.page.locator(".team--own")).to_contain_text("Player 1")
    expect(friend.table).not_to_have_attribute("data-idle", "")
    friend.play_word()
    expect(own.locator(".score")).not_to_have_text(str(scored.points))
    assert_accessible(me)
    fits_width(me)
    expect(me.table).not_to_have_attribute("data-idle", "")
    weighs_little(sit(storage_state=me.page.context.storage_state()), me.address)
    for seat in (friend, me):
        assert seat.page.request.post(f"{me.address}/moves", form={"type": "resign"}).ok
    again = sit(storage_state=me.page.context.storage_state())
    weighs_little(again, me.address, "#analysis")
    me.page.reload()
    won = me.page.locator(".team-result.lit")
    expect(won).to_contain_text("Their team")
    expect(me.page.locator(".team-result")).to_have_count(2)
    assert_accessible(me)
    fits_width(me)


def with_a_partner(sit: Sit) -> tuple[Seat, Seat]:
    """Open a game of teams against bots, with a friend as partner."""
    me, friend = sit(), sit()
    me.open_game("/play", mode="teams", opponents=["1", "friend", "1"])
    friend.page.goto(me.page.locator("#invitation").input_value())
    friend.page.get_by_role("button", name="Join team").first.click()
    me.await_ply(1)
    return me, friend


def test_a_partner_shows_a_word_while_the_other_draws(sit: Sit) -> None:
    me, friend = with_a_partner(sit)
    expect(friend.page.locator(".turn-shows")).to_have_text("Draw a word to show it: 3 left")
    assert_accessible(friend)
    word, mine = friend.word(5), me.word(3)
    me.type(mine.word[:2])
    friend.drag(word.cells)
    expect(friend.report).to_contain_text(f"You show {word.word.upper()}")
    expect(me.announced).to_contain_text(f"shows {word.word.upper()}")
    expect(me.field).to_have_value(mine.word[:2])
    me.press("Escape")
    play = me.page.locator(".shown-word button")
    expect(play).to_contain_text(f"Play {word.word.upper()}")
    assert_accessible(me)
    fits_screen(me)
    points = play.locator("b").inner_text()
    play.click()
    own = me.page.locator(".team--own .score")
    expect(own).to_have_text(points)
    expect(play).to_have_count(0)


def test_leaving_without_a_partner_says_that_the_other_team_wins(sit: Sit) -> None:
    me, friend = with_a_partner(sit)
    explained = me.page.locator("#finish-dialog p")
    expect(explained).to_have_text("The others play on.")
    assert friend.page.request.post(f"{me.address}/moves", form={"type": "resign"}).ok
    expect(explained).to_have_text("The other team wins.")
