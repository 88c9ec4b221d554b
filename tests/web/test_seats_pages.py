"""Tables of several players without scripts: invitations, bots, turns."""

import html
import re

import pytest
from fastapi.testclient import TestClient

from tests.driver import see
from tests.web.browsing import (
    HTML,
    HTMX,
    board,
    give_up,
    invitation,
    join,
    send_move,
    start_game,
    start_versus,
    start_wibble,
    type_best,
)
from tests.web.conftest import Clock


def test_a_friend_sits_down_by_the_link_and_both_play(
    client: TestClient, stranger: TestClient, third: TestClient
) -> None:
    address = start_versus(client, "friend")
    assert board(client.get(address).text) == "", "the board is hidden until all seats are taken"
    link = invitation(client, address)
    assert link not in html.unescape(stranger.get(address).text), "spectators are not shown the link"

    looked = stranger.get(link, headers=HTML)
    assert looked.status_code == 200
    assert f'action="{link}"' in looked.text
    assert see(client, address)["seats"][1]["occupant"] == "free", "viewing takes no seat"
    joined = stranger.post(link, headers=HTML)
    assert (joined.status_code, joined.url.path) == (200, address)
    assert len(board(joined.text)) == 25

    type_best(client, address)
    type_best(stranger, address)
    assert all(score > 0 for score in see(third, address)["view"]["scores"])
    for browser in (client, stranger):
        again = browser.get(link, headers=HTML, follow_redirects=False)
        assert (again.status_code, again.headers["location"]) == (303, address)
    for late in (third.get(link, headers=HTML), third.post(link, headers=HTML)):
        assert late.status_code == 200
        assert "This game is full" in late.text
        assert f'href="{address}"' in late.text, "one can still watch"
    assert see(third, address)["seat"] is None
    assert "wibble_player" not in third.cookies
    client.post(f"{address}/moves", data={"type": "resign"}, headers=HTML).raise_for_status()
    over = third.get(link, headers=HTML).text
    assert ("This game is over" in over, "See the game" in over, "full" in over) == (True, True, False)


def test_an_invitation_that_does_not_fit_is_a_clear_page(client: TestClient, stranger: TestClient) -> None:
    address = start_versus(client, "friend")
    other = invitation(client, start_versus(client, "friend")).rpartition("/")[2]
    for wrong in ("nope", other, "%3Cscript%3E", invitation(client, address).rpartition("/")[2][:-1]):
        for answer in (
            stranger.get(f"{address}/join/{wrong}", headers=HTML),
            stranger.post(f"{address}/join/{wrong}", headers=HTML),
        ):
            assert answer.status_code == 200
            assert "invitation link isn’t valid" in answer.text
            assert "<form" not in answer.text
            assert address in answer.text, "one can still watch"
    assert see(client, address)["seats"][1]["occupant"] == "free"
    alone = start_wibble(client)
    assert "isn’t valid" in stranger.get(f"{alone}/join/x", headers=HTML).text
    for nowhere in (
        stranger.get("/games/nope/join/x", headers=HTML),
        stranger.post("/games/nope/join/x", headers=HTML),
    ):
        assert nowhere.status_code == 404
        assert "<html" in nowhere.text


def test_gems_of_the_others_are_beside_their_scores(
    client: TestClient, stranger: TestClient, third: TestClient
) -> None:
    address = start_versus(client, "friend")
    join(stranger, client, address)
    send_move(client, address, type="shuffle")
    shown = re.compile(r'class="seat-gems">.*?</svg>(\d)')
    seen = [shown.findall(each.get(address, headers=HTML).text) for each in (client, stranger, third)]
    assert seen == [["3"], ["2"], ["2", "3"]], "one’s own are in the status line"


def test_a_bot_is_put_on_a_free_seat_by_a_form(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    address = start_versus(client, "friend", "2")
    refused = stranger.post(f"{address}/bots", data={"level": "1"}, headers=HTML)
    assert refused.status_code == 403
    assert "<html" in refused.text
    for level in ("0", "6", "x", ""):
        assert client.post(f"{address}/bots", data={"level": level}, headers=HTML).status_code == 422
    page = client.post(f"{address}/bots", data={"level": "4"}, headers=HTML)
    assert len(board(page.text)) == 25
    client.post(f"{address}/moves", data={"type": "pass"}).raise_for_status()
    clock.now += 60
    assert see(stranger, address)["view"]["to_move"] == 0
    fragment = client.post(f"{address}/bots", data={"level": "1"}, headers=HTMX)
    assert "<html" not in fragment.text


def test_a_bot_is_added_once_though_the_form_is_sent_twice(client: TestClient) -> None:
    address = start_versus(client, "friend", "friend")
    form = re.search(r'<form[^>]* action="[^"]*/bots".*?</form>', client.get(address).text, re.DOTALL)
    assert form
    free = re.search(r'name="free" value="(\d)"', form[0])
    assert free
    for _ in range(2):
        client.post(f"{address}/bots", data={"level": "1", "free": free[1]}).raise_for_status()
    assert [seat["occupant"] for seat in see(client, address)["seats"]] == ["player", "bot", "free"]


@pytest.mark.parametrize(
    "fields",
    [
        {"mode": "versus"},
        {"mode": "classic", "opponents": "friend"},
        {"mode": "versus", "opponents": ["friend"] * 6},
        {"mode": "versus", "opponents": "7"},
        {"mode": "versus", "opponents": "enemy"},
        {"mode": "zen", "turn_seconds": "30"},
        {"mode": "versus", "opponents": "1", "turn_seconds": "45"},
        {"mode": "versus", "opponents": "1", "turn_seconds": "soon"},
    ],
)
def test_impossible_opponents_are_refused_as_a_page(
    client: TestClient, fields: dict[str, str | list[str]]
) -> None:
    answer = client.post("/play", data=fields, headers=HTML)
    assert answer.status_code == 422
    assert "<html" in answer.text


def test_the_version_of_a_table_changes_only_when_the_table_does(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    address = start_versus(client, "friend", "friend", turn_seconds="30")
    link = invitation(client, address)
    seen = set()

    def version(browser: TestClient) -> str:
        page = browser.get(address).text
        found = re.search(r"table\?seen=([\w-]+)|data-version=\"([\w-]+)\"", html.unescape(page))
        assert found, "the page does not contain its version"
        return found[1] or found[2]

    def changed(since: str) -> bool:
        answer = stranger.get(f"{address}/table?seen={since}", headers=HTMX)
        assert answer.status_code in (200, 204)
        assert (answer.text == "") == (answer.status_code == 204)
        assert "<html" not in answer.text
        return answer.status_code == 200

    for happens in (
        lambda: stranger.post(link),
        lambda: client.post(f"{address}/bots", data={"level": "1"}),
        lambda: client.post(f"{address}/moves", data={"type": "pass"}),
        lambda: setattr(clock, "now", clock.now + 40),
    ):
        before = version(stranger)
        assert not changed(before)
        happens()
        assert changed(before)
        seen.add(before)
    assert len(seen) == 4
    assert stranger.get(f"{address}/table").status_code == 200
    assert stranger.get(f"{address}/table?seen={'x' * 41}", headers=HTML).status_code == 422
    assert stranger.get("/games/nope/table", headers=HTML).status_code == 404


def test_copying_the_invitation_is_the_main_action_until_a_player_has_joined(
    client: TestClient, stranger: TestClient
) -> None:
    def copy_button(address: str) -> str:
        page = client.get(address).text
        return "".join(re.findall(r'<button class="([^"]+)"[^>]*data-copy="invitation"', page))

    address = start_versus(client, "friend", "friend", "2")
    assert copy_button(address) == "button button--primary"
    join(stranger, client, address)
    assert copy_button(address) == "button"


def test_home_says_whose_turn_it_is(client: TestClient, clock: Clock) -> None:
    address = start_versus(client, "2")
    page = client.get("/").text
    assert address in page
    assert "your turn" in page.lower()
    client.post(f"{address}/moves", data={"type": "pass"})
    assert "your turn" not in client.get("/").text.lower()
    clock.now += 60
    assert "your turn" in client.get("/").text.lower()


def first_link(client: TestClient, path: str) -> tuple[str, ...]:
    """Address and text of the first link of the site's navigation, without markup."""
    found = re.search(r'<nav class="site-nav".*?href="(.*?)".*?>(.*?)</a>', client.get(path).text, re.DOTALL)
    assert found
    return found[1], re.sub("<.*?>", "", found[2]).strip()


def test_every_page_of_the_site_leads_to_the_games_that_wait_for_the_player(
    client: TestClient, stranger: TestClient
) -> None:
    start_wibble(client)
    one = start_versus(client, "friend")
    assert first_link(client, "/daily") == ("/", "Wibble"), "no player has joined"
    join(stranger, client, one)
    for path in ("/", "/daily", "/me", "/lobby", "/words", "/boggle", "/leaderboards"):
        assert first_link(client, path) == (one, "Your turn (1)"), path
    assert first_link(stranger, "/daily") == ("/", "Wibble")
    other = start_versus(client, "friend")
    join(stranger, client, other)
    assert first_link(client, "/daily") == ("/lobby", "Your turn (2)")
    client.post(f"{one}/moves", data={"type": "pass"}).raise_for_status()
    assert first_link(client, "/me") == (other, "Your turn (1)")
    assert first_link(stranger, "/me") == (one, "Your turn (1)")
    give_up(client, other)
    assert first_link(client, "/me") == ("/", "Wibble")


def test_a_round_that_everyone_plays_at_once_waits_for_each(client: TestClient, stranger: TestClient) -> None:
    address = start_game(client, "/boggle/play", opponents="friend", seconds="none")
    join(stranger, client, address)
    for each in (client, stranger):
        assert first_link(each, "/me") == (address, "Your turn (1)")
        each.post(f"{address}/moves", data={"type": "finish"}).raise_for_status()
        assert first_link(each, "/me") == ("/", "Wibble")


def test_the_game_to_continue_is_above_the_headline_with_the_opponent_and_the_score(
    client: TestClient, stranger: TestClient
) -> None:
    stranger.post("/me/nickname", data={"nickname": "Ada"}).raise_for_status()
    address = start_versus(client, "friend")
    join(stranger, client, address)
    start_wibble(client)
    top = client.get("/").text.partition("<h1")[0]
    card = re.sub("<.*?>", "", top[top.index(f'class="continue" href="{address}"') :])
    assert re.search(r"Versus\s+against Ada, 0 points, round 1 of 5\s+Your turn", card), card
    client.post(f"{address}/moves", data={"type": "pass"}).raise_for_status()
    top = client.get("/").text.partition("<h1")[0]
    assert address in top
    assert "Your turn" not in top


def test_an_impossible_name_keeps_the_seat_free_and_the_name_in_the_field(
    client: TestClient, stranger: TestClient
) -> None:
    link = invitation(client, start_versus(client, "friend"))
    answer = stranger.post(link, data={"nickname": "x" * 25}, headers=HTML)
    assert answer.status_code == 422
    assert "1 to 24 characters" in answer.text
    assert f'value="{"x" * 25}"' in answer.text
    joined = stranger.post(link, data={"nickname": " Ada  L "}, headers=HTML)
    assert joined.status_code == 200
    assert stranger.get("/api/me").json()["nickname"] == "Ada L"
