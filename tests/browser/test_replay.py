"""Replays: by links, arrow keys, slider and address; export and import."""

import pytest
from playwright.sync_api import Route, expect

from tests.browser import letterpress
from tests.browser.conftest import NO_HISTORY, NO_NETWORK, Complaints, Sit
from tests.browser.kind import Kind, has_moved
from tests.browser.kinds import EACH_KIND
from tests.browser.page_checks import SMALL, fits_width
from tests.browser.seat import Seat
from tests.browser.slow_network import Held

SHOWN = "(text) => document.querySelector('.replay-event').textContent.includes(text)"
"""Checked with every frame, as autoplay shows a move only for a moment."""
LONG_WORDS = """() => {
  for (const word of document.querySelectorAll("#analysis .turn-line a")) word.textContent = "OUTBLUFFED";
}"""
#: The words in more than one line which one line would hold.
BROKEN = """() => {
  const review = document.getElementById("analysis");
  const texts = document.createTreeWalker(review, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const around = node.parentElement;
    if (!around.checkVisibility() || around.closest("svg, .visually-hidden")) continue;
    for (const {0: word, index} of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const parts = [...range.getClientRects()];
      const width = parts.reduce((sum, part) => sum + part.width, 0);
      if (new Set(parts.map(({top}) => top)).size > 1 && width <= review.clientWidth) found.push(word);
    }
  }
  return found;
}"""


def finished(seat: Seat) -> tuple[str, list[str]]:
    """The address of a finished game of two words, and the words."""
    address = seat.open("zen")
    words = [seat.play_word().word for _ in range(2)]
    seat.finish()
    return address, words


def test_a_word_is_built_where_the_history_is_refused(sit: Sit) -> None:
    me = sit()
    me.page.add_init_script(NO_HISTORY)
    letterpress.KIND.open(me)
    me.type("teams")
    assert letterpress.word(me) == "TEAMS"


def test_a_replay_goes_on_in_its_page_where_the_history_is_refused(sit: Sit) -> None:
    me = sit()
    address, _ = finished(me)
    me.page.add_init_script(NO_HISTORY)
    me.page.goto(f"{address}/plies/0")
    me.page.wait_for_load_state()
    me.press("ArrowRight")
    expect(me.page.locator(".replay-event")).to_have_text("New board")
    assert me.page.url == f"{address}/plies/0"


def test_a_game_is_stepped_through_by_links_keys_and_slider(sit: Sit) -> None:
    me = sit()
    address, (first, second) = finished(me)
    me.page.get_by_role("link", name="Replay").click()
    event = me.page.locator(".replay-event")
    expect(event).to_have_text("Start of the game")
    me.page.wait_for_load_state()  # with its script; before, links leave the page and keys do nothing
    me.page.get_by_role("link", name="Next move").click()
    expect(event).to_have_text("New board")
    me.press("ArrowRight")
    expect(event).to_contain_text(first.upper())
    expect(me.page.locator(".tile--drawn")).to_have_count(len(first))
    expect(me.page.locator(".trail-drawn")).to_have_count(1)
    assert me.page.url == f"{address}/plies/2", "every ply has an address to share"
    me.page.get_by_label("Move", exact=True).fill("3")
    expect(event).to_contain_text(second.upper())
    me.page.get_by_role("link", name="Last move").click()
    expect(event).to_have_text("Finished")
    expect(me.page.get_by_role("link", name="Last move")).to_be_focused()
    me.press("Home")
    expect(event).to_have_text("Start of the game")
    me.page.go_back()
    me.page.wait_for_url(address)


def test_the_meaning_is_that_of_the_word_shown(sit: Sit) -> None:
    me = sit()
    address, _ = finished(me)

    def explain(route: Route) -> None:
        """Add definitions, as a server with a dictionary does."""
        answer, ply = route.fetch(), route.request.url.rpartition("/")[2]
        meaning = f'<p class="replay-meaning">Meaning {ply}</p><nav class="steps"'
        route.fulfill(response=answer, body=answer.text().replace('<nav class="steps"', meaning))

    me.page.route("**/plies/*", explain)
    me.page.goto(f"{address}/plies/3")
    me.page.wait_for_load_state()
    me.press("ArrowLeft")
    expect(me.page.locator(".replay-meaning")).to_have_text("Meaning 2")
    me.page.unroute_all(behavior="wait")


def test_a_step_that_fails_late_leaves_the_move_shown_since(sit: Sit, complaints: Complaints) -> None:
    complaints.allow(*NO_NETWORK)
    me = sit()
    address, _ = finished(me)
    held = Held(me.page, "**/plies/4", times=1)
    me.page.goto(f"{address}/plies/0")
    me.page.wait_for_load_state()
    me.press("End")
    me.press("ArrowLeft")
    me.page.wait_for_url(f"{address}/plies/3")
    me.page.evaluate("window.stays = true")
    held.wait()
    held.routes[0].abort()
    me.page.wait_for_timeout(500)
    assert me.page.evaluate("window.stays")


def test_a_replay_plays_by_itself_until_a_hand_takes_it(sit: Sit) -> None:
    me = sit()
    address, (first, _) = finished(me)
    me.page.goto(f"{address}/plies/1")
    me.page.get_by_role("button", name="Autoplay").click()
    expect(me.page.get_by_role("button", name="Autoplay")).to_have_attribute("aria-pressed", "true")
    me.page.wait_for_function(SHOWN, arg=first.upper())
    me.press("ArrowLeft")
    expect(me.page.get_by_role("button", name="Autoplay")).to_have_attribute("aria-pressed", "false")


def test_a_replay_works_without_script(sit: Sit) -> None:
    me, reader = sit(), sit(java_script_enabled=False)
    address, (first, _) = finished(me)
    reader.page.goto(f"{address}/plies/1")
    reader.page.get_by_role("link", name="Next move").click()
    expect(reader.page.locator(".replay-event")).to_contain_text(first.upper())
    assert reader.page.url == f"{address}/plies/2"


def test_the_analysis_leads_to_the_move_in_the_replay(sit: Sit) -> None:
    me = sit()
    _, (first, _) = finished(me)
    expect(me.page.locator("#analysis .graph-played")).to_have_count(2)
    me.page.get_by_role("link", name="Turn 1").click()
    expect(me.page.locator(".replay-event")).to_contain_text(first.upper())


@pytest.mark.parametrize("size", [16, 32], ids="letters of {} pixels".format)
@EACH_KIND
def test_no_word_of_a_review_is_broken_on_a_small_phone(sit: Sit, kind: Kind, size: int) -> None:
    me = sit(viewport=SMALL, has_touch=True, is_mobile=True)
    kind.open(me)
    ply = me.ply
    kind.send(me)
    if not kind.queues_words:
        has_moved(me, ply)
    me.page.request.post(f"{me.address}/moves", form={"type": "resign"})
    me.page.context.new_cdp_session(me.page).send(
        "Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size * 13 // 16}}
    )
    me.page.goto(f"{me.address}/analysis")
    me.page.locator("#analysis").wait_for()
    me.page.evaluate(LONG_WORDS)
    me.page.evaluate("document.fonts.ready.then(() => 0)")
    assert me.page.evaluate(BROKEN) == []
    fits_width(me, kind.name)


def test_the_chart_of_the_analysis_can_be_read_in_forced_colours(sit: Sit) -> None:
    me = sit(forced_colors="active")
    finished(me)
    colour = "(all, part) => all.map((one) => getComputedStyle(one, part).backgroundColor)"
    keys = me.page.locator("#analysis .graph-key")
    expect(keys).to_have_count(2)
    assert len(set(keys.evaluate_all(colour, "::before"))) == 2
    bars = me.page.locator("#analysis meter")
    assert bars.first.evaluate(
        "(bar) => getComputedStyle(bar).backgroundColor !== getComputedStyle(document.body).backgroundColor"
    )


def test_a_game_is_exported_as_text_and_opened_again(sit: Sit) -> None:
    me = sit()
    _, (first, _) = finished(me)
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name="Download game").click()
    text = download.value.path().read_text(encoding="utf-8")
    me.page.goto(f"{me.url}/import")
    me.page.locator("#text").fill(text)
    me.page.get_by_role("button", name="Open").click()
    me.page.wait_for_url("**/plies/0")
    me.press("ArrowRight")
    me.press("ArrowRight")
    expect(me.page.locator(".replay-event")).to_contain_text(first.upper())
