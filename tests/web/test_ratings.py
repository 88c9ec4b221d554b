"""Ratings on pages and in the API: visibility, and which games can be rated."""

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from app.settings import Settings
from app.store.database import Database
from app.store.ratings import bot_rating
from app.store.schema import ratings
from tests.driver import best_cells, open_game, play, problem, see, sit_down
from tests.web.browsing import HTML, start_game


def rated_game(client: TestClient, stranger: TestClient) -> str:
    """A rated game of Letterpress that both have ended by passing: a draw."""
    game = open_game(client, "letterpress", seats=2, rated=True)
    sit_down(stranger, game)
    play(client, game, "pass")
    play(stranger, game, "pass")
    return str(game["id"])


def test_a_rated_game_shows_each_player_the_change(client: TestClient, stranger: TestClient) -> None:
    game = rated_game(client, stranger)
    seen = client.get(f"/api/games/{game}").json()
    assert seen["rated"] is True
    assert seen["rating_change"]["before"] == seen["rating_change"]["after"] == pytest.approx(1500)
    assert seen["rating_change"]["deviation"] < 350
    assert [(seat["rating"], seat["provisional"]) for seat in seen["seats"]] == [(1500, True)] * 2
    assert TestClient(client.app).get(f"/api/games/{game}").json()["rating_change"] is None
    page = client.get(f"/games/{game}", headers=HTML).text
    assert "Rating 1500" in page
    assert "(±0)" in page


def test_the_end_of_a_rated_game_without_moves_says_why_it_is_not_rated(
    client: TestClient, stranger: TestClient
) -> None:
    game = open_game(client, "letterpress", seats=2, rated=True)
    sit_down(stranger, game)
    play(client, game, "resign")
    said = "Not rated: a player made no move"
    pages = [player.get(f"/games/{game['id']}", headers=HTML).text for player in (client, stranger)]
    assert all(said in page for page in pages)
    assert said not in TestClient(client.app).get(f"/games/{game['id']}", headers=HTML).text
    assert said not in client.get(f"/games/{rated_game(client, stranger)}", headers=HTML).text


def test_the_end_of_a_game_with_an_erased_player_claims_no_missing_move(
    client: TestClient, stranger: TestClient
) -> None:
    game = open_game(client, "wibble", {"mode": "versus"}, seats=2, rated=True)
    sit_down(stranger, game)
    for player in (client, stranger):
        play(player, game, "chain", cells=best_cells(player, see(player, game)))
    stranger.delete("/api/me").raise_for_status()
    assert play(client, game, "resign")["rating_change"] is None
    assert "Not rated" not in client.get(f"/games/{game['id']}", headers=HTML).text


def test_a_casual_game_shows_no_ratings(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, "letterpress", seats=2)
    sit_down(stranger, game)
    seen = see(client, game)
    assert (seen["rated"], seen["rating_change"]) == (False, None)
    assert {seat["rating"] for seat in seen["seats"]} == {None}


def test_a_bot_at_a_rated_table_has_its_measured_rating(client: TestClient) -> None:
    game = open_game(client, "letterpress", bots=[4], rated=True)
    assert see(client, game)["seats"][1]["rating"] == round(bot_rating("letterpress", 4).value)


@pytest.mark.parametrize(
    ("kind", "options", "says"),
    [
        ("wibble", {"mode": "zen"}, "a solo game cannot be rated"),
        ("boggle", {}, "a solo game cannot be rated"),
    ],
)
def test_a_table_that_cannot_be_rated_is_refused(
    client: TestClient, kind: str, options: dict[str, str], says: str
) -> None:
    body = {"kind": kind, "options": options, "rated": True}
    assert says in problem(client.post("/api/games", json=body), 422)["detail"]
    assert client.get("/api/me").json()["games"] == []


def test_a_form_opens_a_rated_table_and_the_lobby_says_so(client: TestClient, stranger: TestClient) -> None:
    fields = {"opponents": "friend", "listed": "true", "rated": "true"}
    address = start_game(client, "/boggle/play", **fields)
    assert ", rated" in client.get(address, headers=HTML).text
    assert ", rated" in stranger.get("/lobby", headers=HTML).text
    assert see(client, {"id": address.rsplit("/", 1)[1]})["rated"] is True


def test_the_own_page_lists_ratings_with_a_graph_and_the_games(
    client: TestClient, stranger: TestClient
) -> None:
    assert "Ratings" not in client.get("/me").text
    stranger.put("/api/me", json={"nickname": "Bob"})
    for _ in range(2):
        rated_game(client, stranger)
    own = client.get("/me").text
    assert 'href="/me/ratings/letterpress/rapid"' in own
    page = client.get("/me/ratings/letterpress/rapid").text
    assert "<polyline" in page
    assert page.count("<bdi>Bob</bdi>") == 2
    assert page.count("drawn") == 2
    assert "No rated game yet" in client.get("/me/ratings/wibble/days").text
    games = client.get("/api/me/ratings/letterpress/rapid").json()
    assert [game["place"] for game in games] == [1, 1]
    before = games[0]["number"]
    assert client.get(f"/api/me/ratings/letterpress/rapid?before={before}").json() == games[1:]
    [exported] = client.get("/me/export").json()["ratings"]
    assert exported["rated_games"] == games


def test_a_visitor_without_a_profile_has_no_rated_games(client: TestClient, stranger: TestClient) -> None:
    """Rows without a player belong to bots and erased players."""
    rated_game(client, stranger)
    stranger.delete("/api/me").raise_for_status()
    visitor = TestClient(client.app)
    assert visitor.get("/api/me/ratings/letterpress/rapid").json() == []
    assert visitor.get("/api/me/ratings").json() == {"hidden": False, "ratings": []}
    assert visitor.put("/api/me/ratings", json={"hidden": True}).json()["hidden"] is False
    assert "No rated game yet" in visitor.get("/me/ratings/letterpress/rapid").text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/me/ratings/chess/rapid", 404),
        ("/api/me/ratings/wibble/slow", 422),
        ("/api/me/ratings/wibble/rapid?limit=0", 422),
        ("/api/me/ratings/wibble/rapid?before=x", 422),
        ("/me/ratings/chess/rapid", 404),
        ("/me/ratings/wibble/slow", 404),
    ],
)
def test_an_unknown_rating_is_refused(client: TestClient, path: str, status: int) -> None:
    problem(client.get(path), status)


def test_hidden_ratings_are_seen_only_by_their_player(client: TestClient, stranger: TestClient) -> None:
    game = rated_game(client, stranger)
    client.post("/me/ratings/hidden", data={"hidden": "true"})
    assert client.get("/api/me/ratings").json()["hidden"] is True
    own, theirs = (see(viewer, {"id": game})["seats"][0]["rating"] for viewer in (client, stranger))
    assert (own, theirs) == (1500, None)
    assert "Only you see" in client.get("/me").text
    assert client.put("/api/me/ratings", json={"hidden": False}).json()["hidden"] is False
    assert see(stranger, {"id": game})["seats"][0]["rating"] == 1500
    problem(client.put("/api/me/ratings", json={"hidden": "maybe"}), 422)
    problem(client.put("/api/me/ratings", json={}), 422)


def test_leaderboards_list_settled_ratings_of_named_players(
    client: TestClient, stranger: TestClient, settings: Settings
) -> None:
    client.put("/api/me", json={"nickname": "Ada"})
    rated_game(client, stranger)
    assert client.get("/api/leaderboards").json()["ratings"] == []
    database = Database(settings.store_url)
    with database.writing() as connection:
        connection.execute(update(ratings).values(deviation=80.0, value=1612.4, games=20))
    database.close()
    [board] = client.get("/api/leaderboards").json()["ratings"]
    assert (board["kind"], board["speed"]) == ("letterpress", "rapid")
    assert [(line["nickname"], line["you"]) for line in board["leaderboard"]] == [("Ada", True)]
    page = client.get("/leaderboards").text
    assert "Highest ratings" in page
    assert "<td>1612</td>" in page
