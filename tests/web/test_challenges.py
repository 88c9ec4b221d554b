"""Challenges: others play the deal of a finished game, then see both games and a ranking."""

import html
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.rooms import ROOMS
from app.web.share.preview import Preview
from tests.driver import JSON, best_cells, daily, open_game, play, problem, see, sit_down, versus
from tests.web.browsing import HTML
from tests.web.conftest import Clock

ASKED: dict[str, JSON] = {
    "wibble": {"options": {"mode": "zen"}},
    "letterpress": {"bots": [1], "seats": 2},
    "boggle": {"options": {"seconds": 180}},
    "fribble": {"bots": [1], "seats": 2},
    "scrabblet": {},
}
EACH_ROOM = pytest.mark.parametrize("kind", list(ROOMS))


def begin(client: TestClient, game: JSON) -> None:
    if game["kind"] == "boggle":
        play(client, game, "start")


def play_a_word(client: TestClient, game: JSON) -> None:
    """Play a good word in a game of any kind."""
    services: Any = client.app.state.services  # type: ignore[attr-defined]
    table = services.games.read(game["id"])
    while table.bot_to_move is not None:
        client.post(f"/games/{game['id']}/skip").raise_for_status()
        table = services.games.read(game["id"])
    if game["kind"] == "boggle":
        found = client.post("/api/boggle/solve", json={"board": list(table.state.board)}).json()["words"]
        play(client, game, "word", word=found[len(table.state.rounds[0].found)]["word"])
        return
    if game["kind"] == "scrabblet":
        tiles = "".join(table.state.hand)
        words = client.post("/api/scrabblet/words", json={"hand": tiles}).json()["words"]
        play(client, game, "guess", word=words[len(table.state.found)]["word"])
        return
    move = table.game.bot(table.state, 0, len(table.game.bots)).move
    sent = services.rooms[game["kind"]].shown_move(move).model_dump(mode="json")
    play(client, game, sent.pop("type"), **sent)


def finish(client: TestClient, game: JSON, words: int = 1) -> JSON:
    begin(client, game)
    for _ in range(words):
        play_a_word(client, game)
    return play(client, game, "finish" if game["kind"] == "boggle" else "resign")


def finished(client: TestClient, kind: str = "wibble", words: int = 1) -> JSON:
    return finish(client, open_game(client, kind, **ASKED[kind]), words)


def challenge_of(client: TestClient, game: JSON) -> Any:
    return client.post(f"/api/games/{game['id']}/challenge")


def challenge(client: TestClient, game: JSON) -> JSON:
    answer: JSON = challenge_of(client, game).raise_for_status().json()
    return answer


def take_up(client: TestClient, challenge: JSON) -> JSON:
    game: JSON = client.post(f"/api/challenges/{challenge['id']}/game").raise_for_status().json()
    return game


def read(client: TestClient, challenge: JSON, **query: str) -> JSON:
    answer: JSON = client.get(f"/api/challenges/{challenge['id']}", params=query).raise_for_status().json()
    return answer


def mine(client: TestClient) -> list[JSON]:
    listed: list[JSON] = client.get("/api/challenges").json()
    return listed


@EACH_ROOM
def test_another_plays_the_same_deal_and_then_sees_both(
    client: TestClient, stranger: TestClient, kind: str
) -> None:
    theirs = finished(client, kind)
    link = challenge(client, theirs)
    assert (link["players"], link["comparison"]) == (1, None)
    assert challenge(client, theirs)["id"] == link["id"], "one challenge per game"

    before = read(stranger, link)
    assert (before["game_id"], before["standings"], before["comparison"]) == (None, None, None)
    game = take_up(stranger, link)
    assert take_up(stranger, link)["id"] == game["id"], "the first game counts"
    assert [seat["bot_level"] for seat in game["seats"]] == [seat["bot_level"] for seat in theirs["seats"]]
    services: Any = client.app.state.services  # type: ignore[attr-defined]
    own, other = (services.games.read(each["id"]) for each in (game, theirs))
    assert (own.seed, own.state.options) == (other.seed, other.state.options)
    begun = next(iter(services.games.positions(theirs["id"])))
    assert own.game.fingerprint(next(iter(services.games.positions(game["id"])))) == other.game.fingerprint(
        begun
    )

    during = read(stranger, link)
    assert (during["game_id"], during["standings"], during["comparison"]) == (game["id"], None, None)
    assert theirs["id"] not in str(during)
    finish(stranger, game, 2)

    after = read(stranger, link)
    assert {line["game_id"] for line in after["standings"]} == {game["id"], theirs["id"]}
    compared = after["comparison"]
    assert [each["game_id"] for each in compared["games"]] == [game["id"], theirs["id"]]
    assert len(compared["turns"]) == 2
    first, second = compared["turns"]
    assert all(first["words"])
    assert first["words"][0] == first["words"][1], "both played the best word of the same position"
    assert (first["scores"][0], first["leader"]) == (first["scores"][1], None)
    assert second["words"][1] is None
    led = [turn["leader"] for turn in compared["turns"]]
    assert compared["led"] == [led.count(0), led.count(1)]
    flipped = read(client, link)["comparison"]
    assert [each["game_id"] for each in flipped["games"]] == [theirs["id"], game["id"]]


@EACH_ROOM
def test_nothing_of_the_challenger_is_seen_before(
    client: TestClient, stranger: TestClient, kind: str
) -> None:
    theirs = finished(client, kind)
    link = challenge(client, theirs)
    address = f"/games/{theirs['id']}"
    assert stranger.get(f"/api{address}").status_code == 200, "a finished game is public"
    game = take_up(stranger, link)
    for hidden in ("", "/moves", "/plies/0", "/record", "/analysis"):
        assert "finish your own game" in problem(stranger.get(f"/api{address}{hidden}"), 409)["detail"]
    pages = ["", "/table", "/plies/1", "/record", "/analysis", "/preview.png", "/plies/1/preview.png"]
    pages += ["/analysis/progress?searched=0", "/turns/1/retry", *["/gcg"] * (kind == "fribble")]
    for hidden in pages:
        refused = stranger.get(f"{address}{hidden}", headers=HTML)
        assert refused.status_code == 409, hidden
        assert "your own game of this challenge" in html.unescape(refused.text), hidden
    assert stranger.post(f"{address}/turns/1/retry", data={"ask": "solution"}).status_code == 409
    page = stranger.get(f"/challenges/{link['id']}", headers=HTML).text
    assert theirs["id"] not in page
    assert "Continue your game" in page
    finish(stranger, game)
    assert stranger.get(f"/api{address}/plies/0").status_code == 200
    assert stranger.get(address, headers=HTML).status_code == 200


def test_the_preview_shows_no_board(
    client: TestClient, stranger: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Preview] = []

    def remember(preview: Preview) -> bytes:
        drawn.append(preview)
        return b"png"

    monkeypatch.setattr("app.web.share.pages.render", remember)
    link = challenge(client, finished(client))
    page = stranger.get(f"/challenges/{link['id']}", headers=HTML).text
    assert f"/challenges/{link['id']}/preview.png" in page
    stranger.get(f"/challenges/{link['id']}/preview.png").raise_for_status()
    assert drawn[-1].title == "Wibble Zen"
    assert "".join(tile.letter for tile in drawn[-1].tiles[0]) == "WIBBLE"


def test_the_challenger_sees_new_results_until_they_look(
    client: TestClient, stranger: TestClient, third: TestClient, clock: Clock
) -> None:
    link = challenge(client, finished(client))
    for number, guest in enumerate((stranger, third), 1):
        clock.now += 60
        game = take_up(guest, link)
        assert mine(client)[0]["new"] == number - 1, "an unfinished game is not listed"
        finish(guest, game)
        assert (mine(client)[0]["new"], mine(client)[0]["players"]) == (number, number + 1)
    assert "2 new in your challenges" in re.sub("<[^>]+>", "", client.get("/", headers=HTML).text)
    assert "2 new</span>" in client.get("/me", headers=HTML).text
    assert (mine(stranger)[0]["new"], mine(stranger)[0]["yours"]) == (0, False)
    assert "in your challenges" not in stranger.get("/", headers=HTML).text
    assert client.get(f"/challenges/{link['id']}", headers=HTML).status_code == 200
    assert mine(client)[0]["new"] == 0
    assert "in your challenges" not in client.get("/", headers=HTML).text


def test_all_who_finished_are_ranked_and_ties_share_a_rank(
    client: TestClient, stranger: TestClient, third: TestClient, clock: Clock
) -> None:
    client.put("/api/me", json={"nickname": "Ada"}).raise_for_status()
    link = challenge(client, finished(client, words=1))
    for guest, words in ((stranger, 2), (third, 1)):
        clock.now += 60
        finish(guest, take_up(guest, link), words)
    ranked = read(third, link)["standings"]
    assert [line["rank"] for line in ranked] == [1, 2, 2]
    assert [line["you"] for line in ranked] == [False, False, True]
    assert [(line["nickname"], line["challenger"]) for line in ranked][1] == ("Ada", True)
    best = ranked[0]["game_id"]
    assert read(third, link, against=best)["comparison"]["games"][1]["game_id"] == best
    page = third.get(f"/challenges/{link['id']}?against={best}", headers=HTML).text
    assert "Turn by turn" in page
    assert "<bdi>Ada</bdi>" in page
    problem(third.get(f"/api/challenges/{link['id']}", params={"against": "unknown"}), 404)


def test_a_game_played_for_a_challenge_belongs_to_it(client: TestClient, stranger: TestClient) -> None:
    link = challenge(client, finished(client))
    game = finish(stranger, take_up(stranger, link))
    assert challenge(stranger, game)["id"] == link["id"]
    page = stranger.get(f"/games/{game['id']}", headers=HTML).text
    assert "See the challenge" in page
    assert "challenge" not in client.get(f"/games/{game['id']}", headers=HTML).text.lower()


def test_the_clock_of_a_challenge_starts_with_its_player(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = open_game(client, options={"mode": "blitz"})
    play(client, game, "start")
    play(client, game, "chain", cells=best_cells(client, see(client, game)))
    link = challenge(client, play(client, game, "resign"))
    mine = take_up(stranger, link)
    clock.now += 3600
    assert see(stranger, mine)["finished_at"] is None
    play(stranger, mine, "start")
    clock.now += 3600
    assert read(stranger, link)["finished"], "the clock has run out"


def test_a_game_that_cannot_be_a_challenge_is_refused_with_the_reason(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    running = open_game(client, options={"mode": "zen"})
    assert "in progress" in problem(challenge_of(client, running), 409)["detail"]
    problem(challenge_of(stranger, running), 403)
    together = versus(client)
    sit_down(stranger, together)
    play(client, together, "resign")
    assert "alone or against bots" in problem(challenge_of(client, together), 409)["detail"]
    secret = daily(client, 1)
    assert "daily" in problem(challenge_of(client, secret), 409)["detail"]
    refused = client.post(f"/games/{secret['id']}/challenge", headers=HTML)
    assert refused.status_code == 409
    assert "Challenge a friend" not in client.get(f"/games/{secret['id']}", headers=HTML).text
    clock.now += 3 * 86_400
    assert challenge(client, secret)["players"] == 1
    lesson = client.post("/learn/wibble", follow_redirects=False).headers["location"].rpartition("/")[2]
    play(client, lesson, "resign")
    assert "lesson" in problem(challenge_of(client, {"id": lesson}), 409)["detail"]
    problem(challenge_of(client, {"id": "unknown"}), 404)


def test_a_challenge_that_is_gone_says_so(client: TestClient, stranger: TestClient) -> None:
    link = challenge(client, finished(client))
    finish(stranger, take_up(stranger, link))
    client.delete("/api/me").raise_for_status()
    for asked in (
        stranger.get(f"/api/challenges/{link['id']}"),
        stranger.post(f"/api/challenges/{link['id']}/game"),
        stranger.get("/api/challenges/nowhere"),
    ):
        assert "its game was deleted" in problem(asked, 404)["detail"]
    page = stranger.get(f"/challenges/{link['id']}", headers=HTML)
    assert page.status_code == 404
    assert "its game was deleted" in html.unescape(page.text)
    assert mine(stranger) == []


def test_an_erased_player_leaves_the_ranking(client: TestClient, stranger: TestClient) -> None:
    link = challenge(client, finished(client))
    finish(stranger, take_up(stranger, link))
    assert stranger.get("/me/export").json()["challenges"][0]["id"] == link["id"]
    assert len(read(client, link)["standings"]) == 2
    stranger.delete("/api/me").raise_for_status()
    assert len(read(client, link)["standings"]) == 1
    assert read(client, link)["comparison"] is None


def test_a_challenge_that_cannot_be_opened_makes_no_guest(serve: Any) -> None:
    client = serve(open_games=1)
    stranger = TestClient(client.app)
    link = challenge(client, finished(client))
    assert "set-cookie" not in stranger.post("/api/challenges/unknown/game").headers
    assert "set-cookie" not in stranger.get(f"/challenges/{link['id']}").headers
    open_game(stranger, options={"mode": "zen"})
    problem(stranger.post(f"/api/challenges/{link['id']}/game"), 429)


def test_a_challenge_is_made_and_played_without_script(client: TestClient, stranger: TestClient) -> None:
    address = f"/games/{finished(client)['id']}"
    form = re.search(
        r'<button[^>]*id="challenge" formaction="([^"]+)"', client.get(address, headers=HTML).text
    )
    assert form
    page = client.post(form[1], headers=HTML)
    assert "Your challenge" in page.text
    assert str(page.url) in html.unescape(page.text), "the share text has the link"
    played = stranger.post(f"{page.url.path}/play", headers=HTML)
    assert re.fullmatch(r"/games/[\w-]+", played.url.path)
    assert stranger.post(f"{page.url.path}/play", headers=HTML).url == played.url
