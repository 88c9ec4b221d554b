"""Settings: stored in the browser and with the player, and applied before a page is painted."""

import re

import pytest
from fastapi.testclient import TestClient

from app.web.preferences import COOKIE
from tests.driver import problem
from tests.web.browsing import HTML, start_wibble

LOOKS = {
    "theme": ("light", "dark", "contrast"),
    "tiles": ("walnut", "slate", "paper", "clear"),
    "sound": ("off", "quiet", "full"),
    "motion": ("reduced",),
    "letters": ("large", "largest"),
    "pointer": ("tap",),
    "vibration": ("off",),
    "left_handed": ("on",),
    "confirm": ("on",),
}


def root(client: TestClient, path: str = "/") -> str:
    """The root element of a page."""
    return str(re.findall(r"<html[^>]*>", client.get(path, headers=HTML).text)[0])


def choose(client: TestClient, **fields: str) -> None:
    answer = client.post("/settings", data=fields, headers=HTML)
    assert answer.status_code == 200, answer.text
    assert "Saved." in answer.text


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in LOOKS.items() for value in values]
)
def test_a_choice_is_on_every_page_and_the_default_leaves_no_trace(
    client: TestClient, name: str, value: str
) -> None:
    plain = root(client)
    choose(client, **{name: value})
    for path in ("/", "/settings", "/lobby", start_wibble(client)):
        assert f'data-{name.replace("_", "-")}="{value}"' in root(client, path)
    assert "site/looks.css" in client.get("/").text
    usual = client.get("/api/me/preferences").json()
    client.put("/api/me/preferences", json={}).raise_for_status()
    assert root(client) == plain
    assert client.get("/api/me/preferences").json() != usual


def test_a_form_changes_only_what_it_contains(client: TestClient) -> None:
    choose(client, theme="dark", family="on")
    choose(client, tiles="slate")
    chosen = client.get("/api/me/preferences").json()
    assert (chosen["theme"], chosen["tiles"], chosen["family"]) == ("dark", "slate", True)


def test_only_a_word_list_that_is_here_is_chosen(client: TestClient) -> None:
    for refused in (
        client.post("/settings", data={"lexicon": "klingon"}),
        client.put("/api/me/preferences", json={"lexicon": "klingon"}),
    ):
        assert [error["location"] for error in problem(refused, 422)["errors"]] == [["body", "lexicon"]]
    choose(client, lexicon="enable")
    assert 'name="lexicon" value="enable"' in client.get("/").text


def test_a_chosen_word_list_that_was_removed_is_in_no_form(client: TestClient) -> None:
    client.cookies.set(COOKIE, "theme:dark|lexicon:removed")
    for path in ("/", "/me", "/settings"):
        page = client.get(path, headers=HTML).text
        assert "removed" not in page
        assert 'data-theme="dark"' in page
    chosen = client.get("/api/me/preferences").json()
    assert chosen["lexicon"] is None
    assert client.put("/api/me/preferences", json=chosen | {"sound": "off"}).status_code == 200


def test_preferences_go_along_to_another_device(client: TestClient, stranger: TestClient) -> None:
    choose(client, letters="large")
    client.put("/api/me", json={"nickname": "Ada"}).raise_for_status()
    choose(client, tiles="walnut")
    link = re.findall(r"/me/devices/[\w-]+", client.post("/me/devices", headers=HTML).text)[0]
    stranger.post(link, headers=HTML)
    assert 'data-letters="large"' in root(stranger)
    assert 'data-tiles="walnut"' in root(stranger)


def test_a_cookie_of_another_version_counts_as_far_as_it_is_understood(client: TestClient) -> None:
    client.cookies.set("wibble_settings", "theme:pink|letters:large|colour:9|lexicon:NO SUCH|:|family")
    assert 'data-letters="large"' in root(client)
    assert client.get("/api/me/preferences").json()["theme"] == "system"


def test_an_invalid_preference_is_refused_and_changes_nothing(client: TestClient) -> None:
    choose(client, theme="dark")
    page = client.post("/settings", data={"theme": "pink"}, headers=HTML)
    api = client.put("/api/me/preferences", json={"theme": "pink"})
    for answer in (page, api):
        assert answer.status_code == 422
        assert "pink" in answer.text
    assert api.json()["errors"][0]["location"] == ["body", "theme"]
    assert 'data-theme="dark"' in root(client)


def test_the_link_back_leads_to_a_game_only(client: TestClient) -> None:
    table = start_wibble(client)
    assert f'href="/settings?game={table}"' in client.get(table).text
    choice = {"theme": "dark"}
    assert f'href="{table}">Back to the game' in client.post("/settings", data=choice | {"game": table}).text
    for other in ("https://example.com", "//example.com", "/me", f"{table}/../../me"):
        answer = client.post("/settings", data=choice | {"game": other}, follow_redirects=False)
        assert answer.headers["location"] == "/settings?saved=1"
        assert "Back to the game" not in client.get("/settings", params={"game": other, "saved": 1}).text


def test_new_games_have_the_preferred_word_list(client: TestClient) -> None:
    other = client.get("/api/words").json()[-1]["name"]
    choose(client, lexicon=other)
    for path in ("/", "/boggle", "/letterpress", "/fribble", "/scrabblet"):
        page = client.get(path, headers=HTML).text
        assert f'<option value="{other}" selected' in page, path
    assert f'name="lexicon" value="{other}"' in client.get("/").text, "the form to play with a friend"


def test_the_family_filter_shortens_lists_of_words(client: TestClient) -> None:
    studied = {"study": "anagrams", "letters": "shit"}
    assert ">shit<" in client.get("/words", params=studied).text.lower()
    choose(client, family="on")
    assert ">shit<" not in client.get("/words", params=studied).text.lower()


def test_an_erased_player_leaves_no_preferences(client: TestClient) -> None:
    client.put("/api/me", json={"nickname": "Ada"}).raise_for_status()
    choose(client, theme="dark")
    link = re.findall(r"/me/devices/[\w-]+", client.post("/me/devices", headers=HTML).text)[0]
    client.delete("/api/me").raise_for_status()
    assert client.post(link, headers=HTML).status_code == 404
