"""The daily: one attempt, its share text and the leaderboard; the days before."""

import re

from playwright.sync_api import expect

from app.games.puzzle_sets import shipped_puzzles
from tests.browser.addresses import post
from tests.browser.conftest import Sit, Site
from tests.browser.seat import Seat

DAY = 86_400
SHOWN_AGAIN = "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"


def play_through(seat: Seat) -> str:
    """Today's daily from the home page to its end; the score."""
    seat.home()
    seat.page.get_by_role("button", name="Play today’s Wibble game").click()
    seat.page.wait_for_url("**/games/*")
    for _ in range(5):
        seat.play_word()
    return seat.page.locator("#score").inner_text()


def test_the_daily_is_played_through_to_the_share_text_and_the_leaderboard(sit: Sit) -> None:
    me = sit(permissions=["clipboard-read", "clipboard-write"])
    score = play_through(me)
    me.page.get_by_role("link", name="Result and leaderboard").click()
    me.page.wait_for_url("**/daily/*")
    share = me.page.get_by_label("Share your result").input_value()
    assert f"{score} points" in share
    assert len(re.findall("[🟩🟨⬜]", share)) == 5
    assert share.splitlines()[-1].startswith(f"{me.url}/daily/")
    me.page.get_by_role("button", name="Copy").click()
    expect(me.page.get_by_role("button", name="Copied")).to_be_visible()
    assert me.page.evaluate("navigator.clipboard.readText()") == share
    mine = me.page.locator(".standings .mine")
    expect(mine).to_contain_text(score)
    me.page.get_by_label("Choose a name for the leaderboard").fill("Ada <b>")
    me.page.get_by_role("button", name="Save").click()
    me.page.goto(f"{me.url}/daily")
    expect(mine).to_contain_text("Ada <b>")
    expect(me.page.get_by_label("Choose a name for the leaderboard")).to_have_count(0)
    me.home()
    expect(me.page.locator(".daily-line").first).to_contain_text(f"{score} points, 1 day in a row")


def test_the_style_of_the_share_text_stays_when_the_page_is_brought_up_to_date(sit: Sit) -> None:
    me = sit()
    play_through(me)
    me.page.get_by_role("link", name="Result and leaderboard").click()
    state = me.page.get_by_role("region", name="Your attempt")
    styles = state.get_by_role("radio")
    texts = styles.evaluate_all("(all) => all.map(({ value }) => value)")
    assert len(set(texts)) == len(texts) > 1
    styles.last.check()
    me.page.get_by_role("heading", level=1).click()
    state.evaluate("(part) => part.append('as it was')")
    me.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(state).not_to_contain_text("as it was")
    expect(styles.last).to_be_checked()
    assert styles.evaluate_all("(all) => all.map(({ value }) => value)") == texts
    expect(me.page.get_by_label("Share your result")).to_have_value(texts[-1])


def test_an_open_attempt_is_continued(sit: Sit) -> None:
    me = sit()
    me.home()
    me.page.get_by_role("button", name="Play today’s Wibble game").click()
    me.page.wait_for_url("**/games/*")
    address = me.address
    me.play_word()
    me.home()
    me.page.get_by_role("link", name="Continue the Wibble game").click()
    me.page.wait_for_url(address)


def test_pages_that_a_player_goes_back_to_show_what_was_played_since(sit: Sit) -> None:
    me = sit()
    page = me.page
    page.goto(f"{me.url}/puzzles")
    page.goto(f"{me.url}/leaderboards")
    me.home()
    page.goto(f"{me.url}/daily")
    page.get_by_role("button", name="Play today’s game").click()
    page.wait_for_url("**/games/*")
    game = me.address.removeprefix(me.url)
    puzzle = next(iter(shipped_puzzles("wibble")))
    assert page.request.post(f"{me.url}/puzzles/{puzzle}", form={"give_up": "true"}).ok
    for _ in ("/daily", "/"):
        page.go_back()
        expect(page.locator(f"main .button[href='{game}']")).to_have_text("Continue")
    page.go_back()
    expect(page.get_by_role("link", name="Continue")).to_be_visible()
    page.go_back()
    expect(page.locator(".puzzle-room").first).to_contain_text("0 of 1 solved")


def test_going_back_keeps_what_a_player_has_entered(sit: Sit) -> None:
    me = sit()
    page = me.page
    page.goto(f"{me.url}/boggle")
    page.locator("label:has([name=size][value='5x5'])").click()
    page.get_by_role("button", name="Pip").click()
    page.wait_for_url("**/games/*")
    page.go_back()
    expect(page.locator(".open-games")).to_contain_text("against Pip")
    expect(page.locator("[name=size][value='5x5']")).to_be_checked()


def test_a_page_that_the_browser_kept_whole_shows_what_was_played_since(sit: Sit) -> None:
    """Playwright's browser keeps none, so the test sends the event."""
    me = sit()
    me.page.goto(f"{me.url}/boggle")
    me.page.wait_for_load_state()
    post(me, "/api/games", {"kind": "boggle"})
    expect(me.page.locator(".open-games")).to_have_count(0)
    me.page.evaluate(SHOWN_AGAIN)
    expect(me.page.locator(".open-games")).to_contain_text("Boggle")


def test_the_lobby_that_the_browser_kept_whole_shows_what_was_played_since(sit: Sit) -> None:
    me = sit()
    me.page.goto(f"{me.url}/lobby")
    me.page.wait_for_load_state()
    me.page.get_by_label("Your name").fill("Ada")
    me.page.get_by_role("link", name="Daily game").last.focus()
    post(me, "/api/games", {"kind": "letterpress", "bots": [1]})
    me.page.evaluate(SHOWN_AGAIN)
    expect(me.page.locator(".open-games")).to_contain_text("Letterpress")
    expect(me.page.locator("#lobby")).not_to_contain_text("No games under way")
    expect(me.page.get_by_label("Your name")).to_have_value("Ada")
    expect(me.page).to_have_title(re.compile(r"^\(1\)"))
    expect(me.page.get_by_role("link", name="Daily game")).to_be_focused()


def test_a_board_is_not_given_away_by_the_leaderboard(sit: Sit) -> None:
    me, other = sit(), sit()
    play_through(me)
    other.page.goto(f"{other.url}/daily")
    expect(other.page.locator(".standings tbody tr").first).to_be_visible()
    expect(other.page.locator(".standings a")).to_have_count(0)


def test_a_past_day_is_found_in_the_archive_and_played_unranked(sit: Sit, site: Site) -> None:
    me, later = sit(), sit()
    play_through(me)
    site.clock.ahead += 2 * DAY  # yesterday is settled in an hour only
    later.page.goto(f"{later.url}/daily")
    later.page.get_by_role("link", name="Past days").click()
    later.page.locator(".line").first.click()
    later.page.get_by_role("button", name="Play (not ranked)").click()
    later.page.wait_for_url("**/games/*")
    later.play_word()


def test_a_daily_says_whose_it_is_and_leads_to_the_others(sit: Sit) -> None:
    me = sit()
    me.home()
    me.page.get_by_role("navigation", name="Site").get_by_role("link", name="Daily").click()
    dailies = me.page.get_by_role("navigation", name="Daily games")
    for room in ("Wibble", "Boggle", "Scrabblet"):
        dailies.get_by_role("link", name=room).click()
        expect(me.page.get_by_role("heading", level=1)).to_have_text(re.compile(f"^{room} daily game$"))
        expect(dailies.locator("[aria-current=page]")).to_have_text(room)


def test_the_share_text_of_boggle_is_shown_whole_on_a_phone(sit: Sit) -> None:
    me = sit(is_mobile=True, has_touch=True)
    ask = me.page.request
    game = ask.post(f"{me.url}/api/daily?kind=boggle").json()["id"]
    moves = f"{me.url}/api/games/{game}/moves"
    ask.post(moves, data={"move": {"type": "start"}})
    board = ask.get(f"{me.url}/api/games/{game}").json()["view"]["board"]
    words = ask.post(f"{me.url}/api/boggle/solve", data={"rows": board, "min_length": 3}).json()["words"]
    ask.post(moves, data={"move": {"type": "word", "word": words[0]["word"]}})
    ask.post(moves, data={"move": {"type": "finish"}})
    me.page.goto(f"{me.url}/boggle/daily")
    share = me.page.get_by_label("Share your result")
    assert len(share.input_value().splitlines()) == 4
    shown, needed = share.evaluate("field => [field.clientHeight, field.scrollHeight]")
    assert shown >= needed
