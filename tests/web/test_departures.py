"""How players leave a game, as people and programs read it: they resigned, ran out of time or never began."""

import html
import re

import pytest
from fastapi.testclient import TestClient

from tests.driver import JSON, move, open_game, play, problem, see, sit_down
from tests.web.browsing import HTML
from tests.web.conftest import Clock

OPTIONS: dict[str, JSON] = {"fribble": {}, "letterpress": {}, "wibble": {"mode": "versus"}}
LIMIT = 600


def seated(host: TestClient, *guests: TestClient, kind: str, options: JSON | None = None) -> JSON:
    """A game whose players may be claimed from after ten minutes."""
    seats = 1 + len(guests)
    game = open_game(host, kind, OPTIONS.get(kind, {}) | (options or {}), seats=seats, turn_limit=LIMIT)
    for guest in guests:
        sit_down(guest, game)
    return see(host, game)


def claim(client: TestClient, game: JSON) -> JSON:
    answer: JSON = client.post(f"/api/games/{game['id']}/claim").raise_for_status().json()
    return answer


def page(client: TestClient, game: JSON) -> str:
    return client.get(f"/games/{game['id']}", headers=HTML).text


def shown(client: TestClient, game: JSON, ply: int | None = None) -> str:
    """The text of a table, or of a position of its replay."""
    address = f"/games/{game['id']}" + (f"/plies/{ply}" if ply is not None else "")
    text = client.get(address, headers=HTML).text
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text[text.index("<h1") :])).split())


def announced(client: TestClient, game: JSON) -> str:
    found = re.search(r'data-announce="([^"]*)"', page(client, game))
    assert found
    return html.unescape(re.sub(r"<[^>]+>", "", html.unescape(found[1])))


@pytest.mark.parametrize(
    ("kind", "begun"),
    [("fribble", False), ("fribble", True), ("letterpress", False), ("wibble", False), ("wibble", True)],
    ids=["fribble", "fribble, begun", "letterpress", "wibble", "wibble, begun"],
)
def test_a_claimed_game_was_not_resigned(
    client: TestClient, stranger: TestClient, clock: Clock, kind: str, begun: bool
) -> None:
    game = seated(client, stranger, kind=kind)
    for one in (client, stranger) if begun else ():
        play(one, game, "pass")
    clock.now += LIMIT
    over = claim(stranger, game)
    how = "ran out of time" if begun else "did not begin in time"
    reason = "out of time" if begun else "not begun in time"
    assert (over["outcome"]["reason"], over["outcome"]["winners"]) == (reason, [1])
    assert [(left["seat"], left["how"]) for left in over["view"]["departures"]] == [(0, how)]
    for one in (client, stranger, TestClient(client.app)):
        assert f"· {reason}" in shown(one, game)
        assert f"<small>{how}</small>" in page(one, game)
        assert f"{how}." in announced(one, game)
        assert "resigned" not in page(one, game)
        assert how in shown(one, game, over["view"]["ply"]).lower()


def test_a_player_of_letterpress_who_has_begun_runs_out_of_time(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = seated(client, stranger, kind="letterpress", options={"board": "horseradishzzzzteamscatzz"})
    play(client, game, "word", cells=[15, 16, 17, 18, 19])
    play(stranger, game, "pass")
    clock.now += LIMIT
    assert claim(stranger, game)["outcome"]["reason"] == "out of time"
    assert "ran out of time." in announced(client, game)


@pytest.mark.parametrize(
    ("word", "how", "reason"),
    [("", "did not begin in time", "not begun in time"), ("singe", "ran out of time", "out of time")],
    ids=["without a word", "after a word"],
)
def test_a_claimed_round_of_boggle_did_not_finish(
    client: TestClient, stranger: TestClient, clock: Clock, word: str, how: str, reason: str
) -> None:
    # Without a clock, the first round begins by itself.
    options = {"seconds": None, "board": ["pers", "latg", "sine", "ters"]}
    game = seated(client, stranger, kind="boggle", options=options)
    if word:
        play(client, game, "word", word=word)
    play(stranger, game, "start")
    play(stranger, game, "finish")
    clock.now += LIMIT
    outcome = claim(stranger, game)["outcome"]
    assert (outcome["reason"], outcome["winners"]) == (reason, [1]), "even with fewer points"
    for one in (client, stranger):
        assert f"· {reason}" in shown(one, game)
        assert f"<small>{how}</small>" in page(one, game)
        assert announced(one, game).startswith(f"{'You' if one is client else 'Player 1'} {how}. ")
    [*_, last] = client.get(f"/api/games/{game['id']}/moves").json()["moves"]
    assert last["move"] == {"type": "forfeit", "began": bool(word)}


def test_a_claim_that_does_not_end_a_game_of_boggle_is_not_why_it_ended(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    third = TestClient(client.app)
    game = seated(client, stranger, third, kind="boggle")
    clock.now += LIMIT
    assert not claim(stranger, game)["outcome"]
    for one in (stranger, third):
        play(one, game, "start")
        over = play(one, game, "finish")
    assert over["outcome"]["reason"] == "everyone has finished"
    assert over["outcome"]["winners"] == [1, 2]


def test_a_player_of_wibble_who_has_drawn_no_word_has_begun(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = seated(client, stranger, kind="wibble")
    play(client, game, "shuffle")
    clock.now += LIMIT
    assert claim(stranger, game)["outcome"]["reason"] == "out of time"


@pytest.mark.parametrize("kind", [*OPTIONS, "boggle"])
def test_only_a_claim_forfeits(client: TestClient, stranger: TestClient, kind: str) -> None:
    game = seated(client, stranger, kind=kind)
    answer = problem(move(client, game, {"type": "forfeit"}), 422)
    assert "players cannot make a move of type 'forfeit'" in answer["detail"]


def test_a_claim_from_a_player_who_never_played_is_not_rated(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = open_game(client, "letterpress", seats=2, turn_limit=LIMIT, rated=True)
    sit_down(stranger, game)
    clock.now += LIMIT
    claim(stranger, game)
    assert stranger.get("/api/me/ratings").json()["ratings"] == []


@pytest.mark.parametrize("kind", ["fribble", "wibble"])
def test_the_players_who_stay_see_what_each_other_did(
    client: TestClient, stranger: TestClient, clock: Clock, kind: str
) -> None:
    third, fourth = (TestClient(client.app) for _ in range(2))
    options = {"preset": "standard"} if kind == "fribble" else {}
    game = seated(client, stranger, third, fourth, kind=kind, options=options)
    clock.now += LIMIT
    claim(third, game)
    assert "did not begin in time" in shown(third, game).lower()
    play(stranger, game, "resign")
    left = re.findall(r'<span class="visually-hidden">, ([a-z ]+)</span>', page(third, game))
    assert left == ["did not begin in time", "resigned", "to move"]
    late = problem(move(client, game, {"type": "pass"}), 409)
    assert "you did not begin in time" in late["detail"]


def turns(client: TestClient, game: JSON) -> list[str]:
    """Fribble's list of moves, the earliest first."""
    [listed] = re.findall(r'<ol class="fri-move-list".*?</ol>', page(client, game), re.DOTALL)
    lines = re.findall(r'<li class="fri-entry.*?</li>', listed, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", line).split()) for line in reversed(lines)]


def test_fribbles_list_of_moves_has_players_who_left_where_they_did(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    third, fourth = (TestClient(client.app) for _ in range(2))
    game = seated(client, stranger, third, fourth, kind="fribble", options={"preset": "standard"})
    clock.now += LIMIT
    claim(stranger, game)
    assert turns(client, game) == ["You did not begin in time"]
    play(stranger, game, "pass")
    play(fourth, game, "resign")  # out of turn
    assert announced(third, game).startswith("Player 4 resigned. ")
    assert "Player 4 resigned" in shown(third, game, None)
    play(third, game, "pass")
    assert turns(third, game) == [
        "Player 1 did not begin in time",
        "Player 2 passed 0",
        "Player 4 resigned",
        "You passed 0",
    ]
    assert announced(stranger, game).startswith("Player 3 passed. ")


def test_a_play_taken_back_after_a_player_left_is_what_happened_last(
    client: TestClient, stranger: TestClient
) -> None:
    third = TestClient(client.app)
    options = {"preset": "standard", "challenge": "double"}
    game = seated(client, stranger, third, kind="fribble", options=options)
    letters = "".join(sorted(game["view"]["rack"].replace("?", ""), reverse=True))[:5]
    play(client, game, "write", text=f"8H {letters}")
    play(third, game, "resign")
    assert announced(stranger, game).startswith("Player 3 resigned. ")
    ply = play(stranger, game, "challenge")["view"]["ply"]
    assert f": {letters} was challenged and taken back." in announced(stranger, game)
    assert f"{letters} taken back" in shown(stranger, game, ply)
    left, taken_back = turns(stranger, game)
    assert left == "Player 3 resigned"
    assert letters in taken_back


def test_a_player_of_fribble_who_misses_two_turns_in_a_row_has_run_out_of_time(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    third = TestClient(client.app)
    options = {"preset": "standard", "turn_seconds": 60}
    game = seated(client, stranger, third, kind="fribble", options=options)
    play(client, game, "pass")
    clock.now += 63
    play(third, game, "pass")
    play(client, game, "pass")
    clock.now += 63
    assert [each["how"] for each in see(client, game)["view"]["departures"]] == ["ran out of time"]
    assert turns(client, game).count("Player 2 ran out of time 0") == 2
    assert ", ran out of time</span>" in page(client, game)
    assert "You ran out of time." in shown(stranger, game)


def test_it_is_announced_who_left_a_game_of_wibble(client: TestClient, stranger: TestClient) -> None:
    third = TestClient(client.app)
    game = seated(client, stranger, third, kind="wibble")
    play(client, game, "pass")
    assert announced(client, game).startswith("You passed. Player 2’s turn.")
    play(client, game, "resign")
    assert announced(client, game).startswith("You left the game. Player 2’s turn.")
    assert announced(stranger, game).startswith("Player 1 left the game. Your turn.")
    play(third, game, "resign")
    assert announced(third, game).startswith("You resigned. The game is over. Player 2 wins.")
    assert announced(stranger, game).startswith("Player 3 resigned. The game is over. You win.")


def test_a_game_of_wibble_that_one_of_two_left_has_no_others(
    client: TestClient, stranger: TestClient
) -> None:
    game = seated(client, stranger, kind="wibble")
    play(client, game, "resign")
    assert "Versus · resigned" in shown(stranger, game)
    third = TestClient(client.app)
    larger = seated(client, stranger, third, kind="wibble")
    for one in (client, stranger):
        play(one, larger, "resign")
    assert "Versus · all others resigned" in shown(third, larger)


def test_the_sentences_of_an_announcement_are_apart(client: TestClient, stranger: TestClient) -> None:
    game = seated(client, stranger, kind="wibble")
    rows = [list(range(start, start + 5)) for start in range(0, 25, 5)]
    play(client, game, "chain", cells=[cell for row in rows for cell in row[:: (-1) ** (row[0] // 5)]])
    assert announced(client, game).endswith("is not in the word list. The board is unchanged. Your turn.")
