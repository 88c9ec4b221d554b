"""A game of Fribble through `/api/games`, and secrets that no response may reveal."""

import pytest
from fastapi.testclient import TestClient

from app.games.fribble import gcg
from tests.driver import address_of, best_placement, move, open_game, problem, sit_down
from tests.web.busy_pool import await_thoughts
from tests.web.conftest import Clock


@pytest.fixture
def game(client: TestClient, stranger: TestClient) -> str:
    """The address of a game between the client, who moves first, and the stranger."""
    game = open_game(client, "fribble")
    sit_down(stranger, game)
    return address_of(game)


def test_tiles_are_placed_or_written(client: TestClient, stranger: TestClient, game: str) -> None:
    found = best_placement(client, game)
    cells = found["cells"]
    tiles = found["tiles"]
    view = move(client, game, {"type": "place", "cells": cells, "tiles": tiles}).json()["view"]
    assert view["scores"] == [found["points"], 0]
    assert view["last"]["coordinate"] == found["coordinate"]
    reply = best_placement(stranger, game)
    answer = move(stranger, game, {"type": "write", "text": f"{reply['coordinate']} {reply['word']}"})
    assert answer.json()["view"]["scores"] == [found["points"], reply["points"]]
    assert [turn["words"][0] for turn in answer.json()["view"]["turns"]] == [
        found["words"][0],
        reply["words"][0],
    ]


def test_an_exchange_shows_others_only_the_number_of_tiles(
    client: TestClient, stranger: TestClient, game: str
) -> None:
    rack = client.get(game).json()["view"]["rack"]
    mine = move(client, game, {"type": "exchange", "tiles": rack[:3]}).json()["view"]["turns"]
    theirs = stranger.get(game).json()["view"]["turns"]
    assert (mine[0]["returned"], mine[0]["exchanged"]) == (rack[:3], 3)
    assert (theirs[0]["returned"], theirs[0]["exchanged"]) == ("", 3)


@pytest.mark.parametrize(
    ("move_fields", "says"),
    [
        ({"type": "write", "text": "9Z AB"}, "is not a move"),
        ({"type": "exchange", "tiles": "ab"}, "characters A to Z and ? expected"),
        ({"type": "challenge"}, "nothing to challenge"),
    ],
)
def test_impossible_input_is_refused_with_the_reason(
    client: TestClient, game: str, move_fields: dict[str, str], says: str
) -> None:
    answer = move(client, game, move_fields)
    assert says in problem(answer, 422)["detail"]
    assert client.get(game).json()["view"]["ply"] == 0


def test_the_first_word_covers_the_centre(client: TestClient, game: str) -> None:
    rack = client.get(game).json()["view"]["rack"].replace("?", "")
    answer = move(client, game, {"type": "write", "text": f"1A {rack[:2]}"})
    assert "covers the centre" in problem(answer, 422)["detail"]


def test_a_word_that_is_not_in_the_list_is_named(client: TestClient, game: str) -> None:
    """Racks in which no two different letters make a word are rare, so one of several will do."""
    rack = client.get(game).json()["view"]["rack"].replace("?", "")
    scored = [
        client.post("/api/fribble/score", json={"rack": rack, "move": f"8H {one}{other}"}).json()
        for one in rack
        for other in rack
        if rack.index(one) != rack.index(other)
    ]
    word = next(found["word"] for found in scored if not found["valid"])
    answer = move(client, game, {"type": "write", "text": f"8H {word}"})
    assert f"{word} is not in the word list" in problem(answer, 422)["detail"]


def test_out_of_turn_is_a_conflict_and_a_watcher_is_forbidden(
    client: TestClient, stranger: TestClient, game: str
) -> None:
    assert move(stranger, game, {"type": "pass"}).status_code == 409
    watcher = TestClient(client.app)
    assert move(watcher, game, {"type": "pass"}).status_code == 403
    late = client.post(f"{game}/moves", json={"ply": 3, "move": {"type": "pass"}})
    assert late.status_code == 409


def test_the_others_rack_and_the_bags_order_stay_hidden(
    client: TestClient, stranger: TestClient, game: str
) -> None:
    watcher = TestClient(client.app)
    page = game.removeprefix("/api")
    for mover in (client, stranger, client):
        found = best_placement(mover, game)
        move(mover, game, {"type": "write", "text": f"{found['coordinate']} {found['word']}"})
        views = {viewer: viewer.get(game).json()["view"] for viewer in (client, stranger, watcher)}
        assert views[watcher]["rack"] is None
        for me, other in ((client, stranger), (stranger, client), (watcher, client), (watcher, stranger)):
            secret = views[other]["rack"]
            answers = [me.get(path).text for path in (game, f"{game}/moves", page, f"{page}/table")]
            assert views[me]["racks"] is None
            assert views[me]["unseen"] == "".join(
                sorted(views[me]["unseen"], key="ABCDEFGHIJKLMNOPQRSTUVWXYZ?".index)
            )
            for text in answers:
                assert f'"{secret}"' not in text
                assert '"seed"' not in text
                assert '"bag":"' not in text


def test_a_preview_accepts_only_the_players_own_tiles(
    client: TestClient, stranger: TestClient, game: str
) -> None:
    url = f"{game.removeprefix('/api')}/preview"
    found = best_placement(stranger, game)
    cells = found["cells"]
    tiles = found["tiles"]
    preview = stranger.post(url, json={"cells": cells, "tiles": tiles}).json()
    assert preview["score"] == found["points"], "players may look ahead during the other's turn"
    assert all(word["valid"] for word in preview["words"])
    rack = client.get(game).json()["view"]["rack"]
    foreign = next(letter for letter in "ZQJXKVWYHBFPMCGUDLNSTRIOAE" if letter not in rack)
    assert (
        "the rack has no "
        in client.post(url, json={"cells": [112, 113], "tiles": f"{foreign}{foreign}"}).json()["trouble"]
    )
    assert TestClient(client.app).post(url, json={"cells": [112], "tiles": "A"}).status_code == 403
    assert client.post(url, json={"cells": [225], "tiles": "A"}).status_code == 422
    assert client.post("/games/nonesuch/preview", json={"cells": [112], "tiles": "A"}).status_code == 404


def test_where_words_may_be_challenged_the_preview_does_not_judge_them(client: TestClient) -> None:
    opened = open_game(client, "fribble", options={"challenge": "double"}, bots=[1])
    rack = opened["view"]["rack"].replace("?", "")
    preview = client.post(
        f"/games/{opened['id']}/preview", json={"cells": [112, 113], "tiles": rack[:2]}
    ).json()
    assert [word["valid"] for word in preview["words"]] == [None]


def test_a_finished_game_is_analysed_replayed_and_exported(
    client: TestClient, stranger: TestClient, game: str
) -> None:
    page = game.removeprefix("/api")
    for part in ("/analysis", "/plies/0", "/record"):
        assert client.get(f"{game}{part}").status_code == 409
    assert client.get(f"{page}/gcg").status_code == 409
    found = best_placement(client, game)
    move(client, game, {"type": "write", "text": f"{found['coordinate']} {found['word']}"})
    move(stranger, game, {"type": "pass"})
    move(client, game, {"type": "resign"})
    analysis = client.get(f"{game}/analysis").json()
    assert [turn["kind"] for turn in analysis["turns"]] == ["place", "pass"]
    assert analysis["turns"][1]["lost"] > 0
    shown = client.get(f"{game}/plies/1").json()
    assert shown["last_ply"] == 3
    assert [len(rack) for rack in shown["view"]["racks"]] == [7, 7]
    assert found["word"].upper() in client.get(f"{page}/plies/1").text
    record = client.get(f"{game}/record").text
    back = client.post("/api/games/import", content=record, headers={"Content-Type": "text/plain"})
    assert back.status_code == 201, back.text
    text = client.get(f"{page}/gcg")
    assert "attachment" in text.headers["content-disposition"]
    game_record = gcg.read(text.text)
    assert [name for _, name in game_record.players] == ["Player 1", "Player 2"]
    assert (game_record.events[0].coordinate, game_record.events[0].text) == (
        found["coordinate"],
        found["word"],
    )
    assert client.get(f"/games/{back.json()['id']}/gcg").status_code == 200


def test_the_player_on_turn_says_that_its_time_is_up(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    opened = open_game(client, "fribble", {"turn_seconds": 30})
    sit_down(stranger, opened)
    game = address_of(opened)
    move(client, game, {"type": "pass"})
    assert problem(move(stranger, game, {"type": "time_up"}), 409)["detail"] == "the clock has not run out"
    clock.now += 30.5  # within the grace period, after which it would happen by itself
    assert problem(move(client, game, {"type": "time_up"}), 409)["detail"] == "it is the turn of seat 1"
    passed = move(stranger, game, {"type": "time_up"}).json()
    assert (passed["view"]["turns"][-1]["kind"], passed["view"]["to_move"]) == ("timeup", 0)
    move(client, game, {"type": "resign"})
    assert [line["move"]["type"] for line in client.get(f"{game}/moves").json()["moves"]] == [
        "pass",
        "time_up",
        "resign",
    ]


def test_a_game_of_bots_left_alone_is_caught_up_with_step_by_step(client: TestClient, clock: Clock) -> None:
    """A player who returns after an hour does not wait for all bot moves to be computed."""
    address = address_of(open_game(client, "fribble", bots=[2, 1]))
    clock.now += 3600
    visitor = TestClient(client.app)
    plies = [0]
    while not (game := visitor.get(address).json())["finished_at"]:
        plies.append(game["view"]["ply"])
        assert 0 <= plies[-1] - plies[-2] <= 4
        await_thoughts(visitor)
    assert len(set(plies)) > 4
    log = client.get(f"{address}/moves").json()["moves"]
    assert all(line["at"] < clock.now - 60 for line in log), "each move has its own time"


def test_bots_on_every_seat_play_by_themselves(client: TestClient, clock: Clock) -> None:
    opened = open_game(client, "fribble", bots=[2, 1])
    assert opened["seat"] is None
    assert [seat["bot_level"] for seat in opened["seats"]] == [2, 1]
    clock.now += 20
    address = address_of(opened)
    assert client.get(address).json()["view"]["ply"] > 0
    assert move(client, address, {"type": "pass"}).status_code == 403
    error = problem(client.post("/api/games", json={"kind": "fribble", "bots": [1, 1, 1]}), 422)
    assert "3 bots leave no seat" in str(error)
    error = problem(client.post("/api/games", json={"kind": "letterpress", "bots": [1, 1]}), 422)
    assert "2 bots leave no seat" in str(error)
