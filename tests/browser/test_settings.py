"""Settings, on their page and as a sheet over a game."""

import pytest
from playwright.sync_api import expect

from app.web.preferences import Preferences
from tests.browser.conftest import NO_NETWORK, PHONE, Complaints, Sit
from tests.browser.page_checks import fits_width, in_all_looks, violations
from tests.browser.seat import Seat
from tests.browser.slow_network import intercept

LOOKS = [
    *(Preferences(theme="contrast", tiles=tiles) for tiles in ("cream", "clear")),
    *(Preferences(tiles=tiles) for tiles in ("walnut", "slate", "paper", "clear")),
]


def choose(me: Seat, **preferences: object) -> None:
    assert me.page.request.put(f"{me.url}/api/me/preferences", data=preferences).ok


def open_sheet(me: Seat) -> None:
    me.page.get_by_role("link", name="Settings").click()
    expect(me.page.locator("dialog:modal .settings")).to_be_visible()


def colour(me: Seat, selector: str) -> str:
    found: str = me.page.locator(selector).first.evaluate("(each) => getComputedStyle(each).backgroundColor")
    return found


def test_a_sheet_changes_the_looks_at_once_and_leaves_the_word_being_entered(sit: Sit) -> None:
    me = sit()
    me.open()
    word = me.word().word
    me.type(word)
    before = colour(me, "#tile-0"), colour(me, "body")
    open_sheet(me)
    sheet = me.page.locator("dialog:modal")
    with me.page.expect_response("**/settings") as saved:
        sheet.get_by_label("Walnut").check(force=True)
    assert saved.value.status == 204
    with me.page.expect_response("**/settings"):
        sheet.get_by_label("Dark", exact=True).check(force=True)
    after = colour(me, "#tile-0"), colour(me, "body")
    assert after[0] != before[0]
    assert after[1] != before[1]
    me.type("zz")  # these keys do nothing
    me.press("Escape")
    expect(sheet).to_have_count(0)
    expect(me.page.get_by_role("link", name="Settings")).to_be_focused()
    expect(me.field).to_have_value(word)
    me.page.reload()
    assert (colour(me, "#tile-0"), colour(me, "body")) == after, "kept, and there from the first paint"


@pytest.mark.parametrize("sheet", [False, True], ids=["page", "sheet"])
def test_a_visible_status_says_whether_a_setting_was_saved(
    sit: Sit, complaints: Complaints, *, sheet: bool
) -> None:
    complaints.allow(*NO_NETWORK, "with a status of 429")
    me = sit(viewport=PHONE)
    if sheet:
        me.open()
        open_sheet(me)
    else:
        me.page.goto(f"{me.url}/settings")
    form = me.page.locator("form.settings")
    state = form.get_by_role("status")
    expect(state).to_have_css("background-color", "rgba(0, 0, 0, 0)")  # nothing visible yet
    form.get_by_label("Dark", exact=True).check(force=True)
    expect(state).to_have_text("Saved")
    expect(state).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    intercept(me.page, "**/settings", lambda route: route.abort())
    form.get_by_label("Light", exact=True).check(force=True)
    expect(state).to_have_text("Not saved: no answer from the server")
    expect(state).to_be_in_viewport(ratio=1)
    me.page.unroute_all()
    intercept(
        me.page,
        "**/settings",
        lambda route: route.fulfill(status=429, json={"detail": "at most 30 a minute"}),
    )
    form.get_by_label("Dark", exact=True).check(force=True)
    expect(state).to_have_text("Not saved: at most 30 a minute")


def test_all_settings_work_without_script(sit: Sit) -> None:
    me = sit(java_script_enabled=False)
    me.page.goto(f"{me.url}/settings")
    form = me.page.locator("form.settings")
    form.get_by_label("Dark", exact=True).check(force=True)
    form.get_by_label("Slate").check(force=True)
    form.get_by_label("Largest").check(force=True)
    form.get_by_label("Confirm each dragged word").check()
    form.get_by_label("Vibrate").uncheck()
    form.get_by_label("Family filter").check()
    form.get_by_text("Save").click()
    expect(me.page.get_by_role("status").first).to_contain_text("Saved")
    root = me.page.locator("html")
    for name, value in {
        "theme": "dark",
        "tiles": "slate",
        "letters": "largest",
        "confirm": "on",
        "vibration": "off",
    }.items():
        expect(root).to_have_attribute(f"data-{name}", value)
    expect(form.get_by_label("Family filter")).to_be_checked()
    expect(form.get_by_label("Vibrate")).not_to_be_checked()


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.to_text())
def test_every_look_can_be_read(sit: Sit, look: Preferences) -> None:
    me = sit()
    choose(me, **look.model_dump(exclude_defaults=True))
    me.open()
    table = me.page.url
    for path in (table, f"{me.url}/letterpress", f"{me.url}/settings"):
        me.page.goto(path)
        for scheme in ("light", "dark"):
            me.page.emulate_media(color_scheme=scheme)
            assert violations(me) == [], (path, scheme)


def test_large_letters_fit(sit: Sit) -> None:
    me = sit()
    choose(me, letters="largest")
    for path in ("/", "/settings", "/me", "/lobby"):
        me.page.goto(me.url + path)
        for look in in_all_looks(me):
            fits_width(me, f"{path}, {look}")
    me.open()
    for look in in_all_looks(me):
        fits_width(me, f"table, {look}")


def test_a_player_who_only_taps_does_not_play_by_dragging(sit: Sit) -> None:
    me = sit()
    choose(me, pointer="tap")
    me.open()
    cells = me.word().cells
    me.drag(cells)
    assert me.chain == [cells[0]]
    for cell in cells[1:]:
        me.tap(cell)
    me.tap(cells[-1])
    me.await_ply(2)


def test_a_dragged_word_waits_for_its_confirmation(sit: Sit) -> None:
    me = sit()
    choose(me, confirm=True)
    me.open()
    ply, cells = me.ply, me.word().cells
    me.drag(cells)
    assert sorted(me.chain) == sorted(cells)
    assert me.ply == ply
    me.tap(cells[-1])
    me.await_ply(ply + 1)


def test_reduced_motion_is_a_choice_of_ones_own(sit: Sit) -> None:
    me = sit(reduced_motion="no-preference")
    me.home()
    assert me.page.evaluate("document.getAnimations().length") > 0
    choose(me, motion="reduced")
    me.home()
    assert me.page.evaluate("document.getAnimations().length") == 0
    me.open()
    me.play_word()
    assert me.page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("path", ["/play", "/letterpress/play", "/fribble/play", "/scrabblet/play"])
def test_a_left_handed_player_finds_the_buttons_mirrored(sit: Sit, path: str) -> None:
    me = sit()
    fields = {} if path in ("/play", "/scrabblet/play") else {"opponent": "1"}

    def places() -> list[float]:
        found: list[float] = me.page.evaluate(
            """() => [...document.querySelectorAll(".powers, .scrabblet .moves")].flatMap((row) =>
                [...row.children].map((each) => each.getBoundingClientRect()).filter(({ width }) => width)
                  .map(({ left, width }) => left + width / 2))"""
        )
        return found

    me.open_game(path, **fields)
    assert places() == sorted(places())
    choose(me, left_handed=True)
    me.page.reload()
    assert places() == sorted(places(), reverse=True)
    fits_width(me, path)
