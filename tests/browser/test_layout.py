"""Layout of the pages: nothing is cut off or covered, and related elements are aligned."""

import itertools
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FloatRect, Locator, ViewportSize, expect

from app.rooms import ROOMS
from tests.browser import boggle
from tests.browser.addresses import challenge_pages, post
from tests.browser.conftest import DESK, LONG_NAME, PHONE, Complaints, Sit
from tests.browser.kind import Kind, has_moved
from tests.browser.kinds import EACH_KIND, KINDS
from tests.browser.page_checks import LANDSCAPE, SCREENS, SMALL, TABLET, fits_width, in_both_fonts
from tests.browser.seat import Seat

TALL: ViewportSize = {"width": 390, "height": 844}
FRONT_PAGES = pytest.mark.parametrize("path", [room.address for room in ROOMS.values()])

#: The choices of a page whose longest text does not fit beside the arrow.
CUT = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("select")].filter((one) => {
    if (!one.checkVisibility()) return false;
    const style = getComputedStyle(one);
    pen.font = style.font;
    const longest = Math.max(...[...one.options].map(({text}) => pen.measureText(text).width));
    return longest + parseFloat(style.paddingLeft) + 20 > one.clientWidth;
  }).map(({name}) => name);
}"""
#: The parts of the word's line that have an outline.
OUTLINED = """(all) => all
  .filter((one) => getComputedStyle(one).boxShadow.endsWith("0px 0px 0px 2px inset"))
  .map(({id}) => id)"""

#: What players press where two quick taps would zoom the page.
ZOOMED = """() => [...document.querySelectorAll(".tile, .fri-square, .rack, a, button, label, summary")]
  .filter((one) => one.checkVisibility())
  .filter((one) => {
    let at = one;
    while (at && getComputedStyle(at).touchAction === "auto") at = at.parentElement;
    return !at;
  })
  .map((one) => one.outerHTML.slice(0, 80))"""

#: Links and buttons below a finished game that are not as high as a thumb needs.
SHORT_LINKS = """() => [...document.querySelectorAll("#analysis *, .summary a, .keep-offer a")]
  .filter((one) => one.matches("a, button, summary") && one.checkVisibility())
  .map((one) => [one, one.getBoundingClientRect().height])
  .filter(([, height]) => height < 43.9)
  .map(([one, height]) => `${one.closest("[class]").className}: ${one.textContent.trim()} ${height}`)"""


def box(found: Locator) -> FloatRect:
    place = found.bounding_box()
    assert place is not None
    return place


@SCREENS
@pytest.mark.parametrize("name", ["wibble", "boggle"])
def test_the_outline_of_a_wrong_word_is_around_all_of_its_message(
    sit: Sit, name: str, screen: ViewportSize
) -> None:
    me = sit(viewport=screen)
    KINDS[name].open(me)
    me.drag(boggle.SLATE[:3] if name == "boggle" else me.nonsense())
    expect(me.report).to_contain_text("not in the word list")
    assert me.page.locator("#word, #word *").evaluate_all(OUTLINED) == ["word"]


def test_at_a_desk_the_words_of_a_game_with_a_friend_have_all_of_their_column(sit: Sit) -> None:
    me, _ = KINDS["letterpress"].together(sit, viewport=DESK)
    words, column = box(me.page.locator(".history-list")), box(me.page.locator(".history"))
    assert words["width"] == column["width"] > 200


def test_a_friends_word_is_on_one_line_beside_the_offer_of_a_lesson(sit: Sit) -> None:
    me, friend = KINDS["wibble"].together(sit, viewport=PHONE)
    expect(friend.page.locator(".lesson-offer")).to_be_visible()
    me.play_word(7)
    word = friend.page.locator("#history .pill > span")
    expect(word).to_be_visible()
    assert word.evaluate("(one) => one.getClientRects().length === 1 && one.offsetHeight < 24")


@pytest.mark.parametrize("width", [320, 360])
def test_the_vote_on_a_refused_word_is_whole_in_the_place_of_the_offer(sit: Sit, width: int) -> None:
    me, _ = KINDS["boggle"].together(sit, viewport={"width": width, "height": 640})
    expect(me.page.locator(".lesson-offer")).to_be_visible()
    before = box(me.page.locator("#board"))
    boggle.send(me, "persgtal")
    expect(me.page.locator(".vote .pill")).to_have_text("PERSGTAL should be a word")
    vote, strip = box(me.page.locator(".vote .pill")), box(me.page.locator("#history"))
    expect(me.page.locator(".lesson-offer")).to_be_hidden()
    assert strip["x"] + strip["width"] <= box(me.page.locator("#talk-open"))["x"]
    assert vote["x"] + vote["width"] <= strip["x"] + strip["width"]
    assert strip["y"] <= vote["y"]
    assert vote["y"] + vote["height"] <= strip["y"] + strip["height"]
    assert box(me.page.locator("#board")) == before


@pytest.mark.parametrize("has_font", [True, False], ids=["font", "late font"])
def test_on_a_phone_on_its_side_names_and_what_to_do_are_whole(
    sit: Sit, complaints: Complaints, *, has_font: bool
) -> None:
    complaints.allow("ERR_FAILED")
    for kind, texts in (("letterpress", ".seat-name"), ("fribble", "#report")):
        me, friend = sit(viewport=LANDSCAPE), sit()
        if not has_font:
            me.page.route("**/*.woff2", lambda route: route.abort())
        KINDS[kind].sit_down(me, friend)
        for text in me.page.locator(texts).all():
            assert text.evaluate("(one) => one.scrollWidth <= one.clientWidth"), text.inner_text()


@pytest.mark.parametrize("screen", [TALL, DESK, LANDSCAPE], ids=["tall phone", "desk", "on its side"])
def test_the_letters_for_a_swap_leave_the_board_in_view(sit: Sit, screen: ViewportSize) -> None:
    me = sit(viewport=screen)
    me.open()
    me.drag(me.nonsense())
    expect(me.report).to_contain_text("not in the word list")
    me.power("swap").click()
    expect(me.report).to_have_text("Choose the tile to swap")
    assert me.page.locator("#word, #word *").evaluate_all(OUTLINED) == []
    me.tap(3)
    expect(me.page.locator("#swap-dialog")).to_be_visible()
    sheet, board = box(me.page.locator("#swap-dialog")), box(me.page.locator("#board"))
    assert sheet["y"] + sheet["height"] <= board["y"] or board["x"] + board["width"] <= sheet["x"]
    expect(me.page.locator("[data-swapped]")).to_have_id("tile-3")
    me.press("Escape")
    expect(me.page.locator("[data-swapped]")).to_have_count(0)


def test_the_refusal_of_a_word_that_stays_covers_neither_it_nor_a_score(sit: Sit) -> None:
    me = sit(viewport=TALL)
    KINDS["letterpress"].open(me)
    for cell in (11, 12, 13, 14):
        me.page.locator(f"#tile-{cell}").click()
    me.page.locator("#send").click()
    expect(me.report).to_have_text("ZZZZ is not in the word list")
    word, refusal = box(me.page.locator("#word")), box(me.report)
    assert word["y"] + word["height"] <= refusal["y"]


@pytest.mark.parametrize("name", ["wibble", "letterpress"])
def test_the_question_about_sound_covers_nothing(sit: Sit, name: str) -> None:
    me = sit(has_touch=True, is_mobile=True)
    KINDS[name].open(me)
    me.page.request.post(f"{me.address}/moves", form={"type": "resign"})
    me.page.reload()
    question = box(me.page.locator(".sound-question"))
    actions, links = (box(me.page.locator(f".summary-{part}")) for part in ("actions", "links"))
    assert actions["y"] + actions["height"] <= question["y"]
    assert question["y"] + question["height"] <= links["y"]


@FRONT_PAGES
def test_a_front_page_is_even(sit: Sit, path: str) -> None:
    """The cards are as wide as the buttons, no choice is cut, and all that opens has the same mark."""
    me = sit()
    me.page.goto(me.url + path)
    me.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for screen in (PHONE, DESK):
        me.page.set_viewport_size(screen)
        assert me.page.evaluate(CUT) == []
        if me.page.locator(".play-now").count():
            button = me.page.locator(".play-button, .bog-choices").first
            assert box(me.page.locator(".play-now"))["width"] == pytest.approx(box(button)["width"], abs=1)
    marks = "(all) => all.map((one) => getComputedStyle(one, '::before').borderRightWidth)"
    assert set(me.page.locator("main summary").evaluate_all(marks)) == {"2px"}


@pytest.mark.parametrize("screen", [PHONE, SMALL], ids=["phone", "small"])
def test_a_newcomer_with_a_phone_sees_the_button_that_starts_a_game(sit: Sit, screen: ViewportSize) -> None:
    me = sit(viewport=screen)
    me.home()
    expect(me.page.locator(".play-button")).to_be_in_viewport(ratio=1)


def test_the_button_below_the_daily_games_has_room(sit: Sit) -> None:
    me = sit()
    me.home()
    games = box(me.page.locator(".dailies-list"))
    assert box(me.page.get_by_role("link", name="Puzzles").first)["y"] >= games["y"] + games["height"] + 8


@pytest.mark.parametrize("room", [name for name, room in ROOMS.items() if room.study])
def test_all_of_a_study_board_is_seen_at_a_desk(sit: Sit, room: str) -> None:
    me = sit(viewport=DESK)
    me.page.goto(f"{me.url}/boards/new/{room}")
    heights = me.page.locator(".workbench-side").evaluate("(one) => [one.scrollHeight, one.clientHeight]")
    assert heights[0] <= heights[1]


@EACH_KIND
def test_links_of_a_review_are_large_enough_for_a_thumb(sit: Sit, kind: Kind) -> None:
    me = sit(has_touch=True, is_mobile=True)
    kind.open(me)
    ply = me.ply
    kind.send(me)
    if kind.queues_words:
        expect(me.page.locator("[data-found]").first).to_be_attached()
    else:
        has_moved(me, ply)
    kind.finish(me)
    me.page.locator("#analysis a").first.wait_for()
    for font in in_both_fonts(me):
        assert me.page.evaluate(SHORT_LINKS) == [], font


def test_the_button_for_a_larger_board_is_large_enough_for_a_thumb(sit: Sit) -> None:
    me = sit()
    KINDS["fribble"].open(me)
    assert min(box(me.page.locator("#zoom"))[side] for side in ("width", "height")) >= 44


def test_a_puzzle_is_seen_whole_on_a_phone_held_sideways(sit: Sit) -> None:
    me = sit(viewport=LANDSCAPE)
    me.page.goto(f"{me.url}/puzzles/next/fribble")
    expect(me.page.get_by_role("button", name="Show the solution")).to_be_in_viewport(ratio=1)


def test_links_of_a_result_and_of_a_study_board_are_large_enough_for_a_thumb(sit: Sit) -> None:
    me = sit(has_touch=True, is_mobile=True)
    KINDS["wibble"].open(me)
    me.play_word()
    me.page.request.post(f"{me.address}/moves", form={"type": "resign"})
    for page, links in (
        (me.address, ".summary-links :is(a, button), a.pill, .retry"),
        (f"{me.url}/boards/new/fribble", ".study-engine .pill, .study-move"),
    ):
        me.page.goto(page)
        me.page.locator(links).last.wait_for()
        for font in in_both_fonts(me):
            assert all(box(link)["height"] >= 44 for link in me.page.locator(links).all()), (page, font)


@pytest.mark.parametrize("room", [name for name, room in ROOMS.items() if room.study])
def test_the_board_is_always_seen_on_a_phone_on_its_side(sit: Sit, room: str) -> None:
    me = sit(viewport=LANDSCAPE)
    me.page.goto(f"{me.url}/boards/new/{room}")
    board = me.page.locator(".study-scores + *")
    expect(board).to_be_in_viewport(ratio=1)
    me.page.get_by_role("heading", name="Engine").scroll_into_view_if_needed()
    expect(board).to_be_in_viewport(ratio=1)


def test_the_mark_beside_a_long_name_is_whole(sit: Sit) -> None:
    me = sit()
    ask = me.page.request
    circle = ask.post(f"{me.url}/api/circles", data={"name": "Lovelaces"}).json()["id"]
    for name in (LONG_NAME, ""):
        if name:
            ask.put(f"{me.url}/api/me", data={"nickname": name})
        me.page.goto(f"{me.url}/circles/{circle}")
        cell = box(me.page.locator(".standings th[scope=row]"))
        mark = box(me.page.locator(".standings .tag"))
        assert mark["x"] + mark["width"] <= cell["x"] + cell["width"]


def test_the_players_of_boggle_are_alike_and_the_clock_is_above_them_at_a_desk(sit: Sit) -> None:
    me = sit()
    boggle.KIND.open(me, "1")
    grounds = me.page.locator(".seat").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(grounds) == 2
    assert "rgba(0, 0, 0, 0)" not in grounds
    number, unit = box(me.page.locator("#found")), box(me.page.locator(".status-round small"))
    assert unit["x"] >= number["x"] + number["width"] + 3
    me.page.set_viewport_size(DESK)
    clock, seat = box(me.page.locator("#clock")), box(me.page.locator(".seat").first)
    assert clock["y"] + clock["height"] <= seat["y"]


@pytest.mark.parametrize("screen", [SMALL, PHONE, TABLET, DESK], ids=["small", "phone", "tablet", "desk"])
def test_the_games_in_the_header_have_names(sit: Sit, screen: ViewportSize) -> None:
    me = sit(viewport=screen)
    KINDS["wibble"].open(me)  # with "Your turn"
    me.home()
    for part in ("a:not(.button) > span", "a"):
        boxes = [box(one) for one in me.page.locator(f":is(.site-turn, .site-rooms) {part}").all()]
        assert all(one["width"] > 30 for one in boxes)
        assert all(one["x"] >= 0 and one["x"] + one["width"] <= screen["width"] for one in boxes)
        assert not any(overlap(one, other) for one, other in itertools.combinations(boxes, 2))
    names = me.page.locator(".site-rooms a:not(.button) > span").all_inner_texts()
    assert names == [room.title for room in ROOMS.values()]


def boxes_of(seat: Seat, selector: str) -> list[FloatRect]:
    """The boxes of what is seen of these parts."""
    return [box(one) for one in seat.page.locator(selector).all() if one.is_visible()]


def challenged(sit: Sit, me: Seat) -> None:
    """Give the player a challenge to answer and the result of another: two links have a number."""
    friend = sit()
    challenge_pages(me, friend)
    game = post(friend, "/api/games", {"kind": "letterpress"})
    post(me, f"/api/games/{game['id']}/seats", {"invitation": game["invitation"]})
    new = {"opponent": {"game": game["id"], "seat": 1}, "game": {"kind": "letterpress"}}
    post(friend, "/api/challenges", new)


@pytest.mark.parametrize("letters", ["normal", "largest"])
@pytest.mark.parametrize("width", [320, 360, 390, 480, 700, 832, 1056, 1440], ids="{} pixels".format)
def test_your_turn_has_room_between_a_name_and_numbers_in_the_header(
    sit: Sit, width: int, letters: str
) -> None:
    me = sit(viewport={"width": width, "height": 800})
    me.set_letters(letters)
    challenged(sit, me)
    others = ".wordmark, .site-rooms a, .site-links a, .site-links .tag, main"
    places = []
    for turns in (0, 1):
        me.page.goto(f"{me.url}/daily")
        me.page.evaluate("document.fonts.ready.then(() => 0)")
        expect(me.page.locator(".site-turn a")).to_have_count(turns)
        expect(me.page.locator(".site-links .tag")).to_have_count(2)
        places.append(boxes_of(me, others))
        post(me, "/api/games", {"kind": "letterpress", "bots": [1]})
    assert places[0] == places[1]
    fits_width(me)
    first_line, rooms = boxes_of(me, ".wordmark, .site-turn a, .site-links a"), boxes_of(me, ".site-rooms a")
    for line in (first_line, rooms):
        middles = [one["y"] + one["height"] / 2 for one in line]
        assert max(middles) - min(middles) < 4
    for parts in (first_line + rooms, boxes_of(me, ".wordmark, .site-turn a, .site-links .tag")):
        assert not any(overlap(one, other) for one, other in itertools.combinations(parts, 2))


def overlap(one: FloatRect, other: FloatRect) -> bool:
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    below = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return not (beside or below)


@EACH_KIND
def test_two_quick_taps_zoom_no_page(sit: Sit, kind: Kind) -> None:
    me = sit(has_touch=True, is_mobile=True)
    game = kind.open(me)
    me.page.wait_for_load_state()
    assert me.page.evaluate(ZOOMED) == []
    puzzle = me.page.request.get(f"{me.url}/api/puzzles/{kind.name}/today").json()["id"]
    home = ROOMS[kind.name].address
    for path in (home, f"/boards/new/{kind.name}", f"/puzzles/{puzzle}", f"{urlsplit(game).path}/plies/0"):
        me.page.goto(me.url + path)
        assert me.page.evaluate(ZOOMED) == [], path
