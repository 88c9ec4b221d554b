"""Study boards of every room: moves, variations, keeping, copies, files and games."""

import json
import re
from html import unescape
from typing import Final
from urllib.parse import parse_qsl

import pytest
from fastapi.testclient import TestClient

from app.store.retention import DAY
from app.store.study_boards import LOOSE_DAYS, MOST_LOOSE, prune_boards
from tests.driver import open_game, play, see, sit_down
from tests.web.board_trials import EACH, TRIALS
from tests.web.boards import PAGE, board_after, change, errors, moves, proposed, rows, text
from tests.web.busy_pool import engines_busy
from tests.web.conftest import Clock, Serve


def listed(client: TestClient, kind: str, *moves: str) -> list[str]:
    """Moves as boards list them."""
    study = client.app.state.services.rooms[kind].study  # type: ignore[attr-defined]
    return [study.label(move) for move in moves]


LEFT: Final = re.compile(r"(\d[\d,]*) words left, worth")


@EACH
def test_a_board_is_stored_by_its_first_move_and_has_variations(client: TestClient, kind: str) -> None:
    trial = TRIALS[kind]
    assert moves(text(client, trial.address)) == []
    assert "/delete" not in client.get("/boards", headers=PAGE).text, "viewing stores nothing"
    board = board_after(client, trial.address, *trial.moves)
    answer = change(client, board, "play", 0, move=trial.other)
    assert moves(answer.text) == listed(client, kind, trial.moves[0], trial.other, trial.moves[1])
    assert rows(answer.text) == [(0, 1), (1, 1), (0, 1)]
    assert str(answer.url).endswith("?at=3")
    again = change(client, board, "play", 0, move=trial.moves[0])
    assert str(again.url).endswith("?at=1"), "playing an existing move selects it"
    promoted = change(client, board, "promote", 3)
    assert moves(promoted.text)[:1] == listed(client, kind, trial.other)
    removed = change(client, board, "remove", 2)
    assert moves(removed.text) == listed(client, kind, trial.other)


@EACH
def test_a_move_against_the_rules_is_refused_beside_its_field(client: TestClient, kind: str) -> None:
    trial = TRIALS[kind]
    answer = change(client, trial.address, "play", move=trial.wrong)
    assert answer.status_code == 422
    assert trial.says in errors(answer.text)["move"]
    assert trial.wrong in answer.text, "the input is kept"
    assert "cookie" not in answer.headers.get("set-cookie", ""), "nothing is stored"


@EACH
def test_the_engine_is_switched_on_and_its_moves_are_played(client: TestClient, kind: str) -> None:
    trial = TRIALS[kind]
    join = "&" if "?" in trial.address else "?"
    assert proposed(text(client, trial.address)) == []
    engine = client.app.state.services.rooms[kind].study.engines[0][0]  # type: ignore[attr-defined]
    found = proposed(text(client, f"{trial.address}{join}engine={engine}"))
    assert found
    answer = change(client, trial.address, "play", move=found[0], engine=engine)
    assert moves(answer.text) == listed(client, kind, found[0])
    assert f"engine={engine}" in str(answer.url)
    part = client.get(str(answer.url), headers={"HX-Request": "true"})
    assert "<html" not in part.text
    assert "part=engine" in part.text, "the engine is called after the board is shown"


@EACH
def test_a_board_is_kept_found_renamed_and_deleted(client: TestClient, clock: Clock, kind: str) -> None:
    board = board_after(client, TRIALS[kind].address, *TRIALS[kind].moves)
    answer = change(client, board, "keep", 1, title="<My> board")
    assert "Kept. Anyone with the link can see it." in answer.text
    assert "&lt;My&gt; board" in client.get("/boards", headers=PAGE).text
    database = client.app.state.services.games.database  # type: ignore[attr-defined]
    assert prune_boards(database, clock.now + 99 * DAY) == 0
    assert "Another name" in change(client, board, "keep", title="Another name").text
    assert client.post(f"{board}/delete", headers=PAGE).status_code == 200
    assert client.get(board, headers=PAGE).status_code == 404


def test_an_invisible_character_in_a_title_is_refused_but_no_matter_in_the_name_of_a_file(
    client: TestClient,
) -> None:
    trial = TRIALS["fribble"]
    board = board_after(client, trial.address, *trial.moves)
    answer = change(client, board, "keep", title="My \u202eboard")
    assert errors(answer.text)["title"].startswith("The title of a board may not contain RIGHT-TO-LEFT")
    files = {"file": ("\u202emine.json", client.get(f"{board}?download=json").content)}
    opened = client.post("/boards/open", data={"kind": "fribble"}, files=files, headers=PAGE)
    assert "Fribble board" in opened.text


@EACH
def test_others_see_a_board_and_change_a_copy(client: TestClient, stranger: TestClient, kind: str) -> None:
    trial = TRIALS[kind]
    board = board_after(client, trial.address, *trial.moves)
    assert "Someone else’s board" in text(stranger, board)
    answer = change(stranger, board, "play", 0, move=trial.other)
    assert answer.url.path != board
    assert len(moves(answer.text)) == 3
    assert len(moves(text(client, board))) == 2
    assert stranger.post(f"{board}/delete", headers=PAGE).status_code == 404


@EACH
def test_a_board_is_downloaded_and_opened_again(client: TestClient, kind: str) -> None:
    trial = TRIALS[kind]
    board = board_after(client, trial.address, *trial.moves)
    change(client, board, "comment", 1, comment="Why <not>?")
    file = client.get(f"{board}?download=json")
    assert "attachment" in file.headers["content-disposition"]
    opened = client.post(
        "/boards/open", data={"kind": "fribble"}, files={"file": ("mine.json", file.content)}, headers=PAGE
    )
    assert opened.url.path != board
    assert moves(opened.text) == listed(client, kind, *trial.moves)
    assert "Why &lt;not&gt;?" in opened.text
    assert client.get(f"{opened.url.path}?download=json").content == file.content


@EACH
def test_a_broken_file_is_refused_with_its_place(client: TestClient, kind: str) -> None:
    board = board_after(client, TRIALS[kind].address, *TRIALS[kind].moves)
    tree = client.get(f"{board}?download=json").json()

    def said(content: str | bytes) -> str:
        files = {"file": ("x.json", content)}
        answer = client.post("/boards/open", data={"kind": kind}, files=files, headers=PAGE)
        assert answer.status_code == 422
        return errors(answer.text)["file"]

    assert said("{").startswith("Invalid JSON: ")
    assert said(json.dumps(tree | {"colour": "red"})) == "Colour: there is no such field."
    both = said(json.dumps(tree | {"colour": "red", "comment": 1}))
    assert both == "Comment: text expected, 1 given; colour: there is no such field."
    assert said(json.dumps(tree | {"nodes": [tree["nodes"][0] | {"parent": 3}]})).startswith("Node 1 (")
    wrong = tree["nodes"][0] | {"move": TRIALS[kind].wrong}
    assert said(json.dumps(tree | {"nodes": [wrong]})).startswith(f"Node 1 ({TRIALS[kind].wrong}): ")
    twin = [tree["nodes"][0]] * 2
    assert "node 1 is the same move" in said(json.dumps(tree | {"nodes": twin}))
    assert "400" in said(json.dumps(tree | {"nodes": tree["nodes"] * 300}))
    assert said(b"\xff\xfe") == "The file is not text in UTF-8."


@EACH
def test_a_comment_and_names_are_saved(client: TestClient, kind: str) -> None:
    board = board_after(client, TRIALS[kind].address, *TRIALS[kind].moves)
    assert "A fine start" in change(client, board, "comment", 0, comment="A fine start").text
    named = change(client, board, "names", 0, **{"name-1": "Ada", "name-2": "Bob"})
    assert 'value="Ada"' in named.text
    assert (
        "up to 1,000 characters"
        in errors(change(client, board, "comment", 1, comment="x" * 1001).text)["comment"]
    )


@pytest.mark.parametrize("kind", [kind for kind, trial in TRIALS.items() if trial.known])
def test_facts_known_after_a_move_are_set(client: TestClient, kind: str) -> None:
    trial = TRIALS[kind]
    board = board_after(client, trial.address, *trial.moves)
    before = text(client, f"{board}?download=json")
    with engines_busy(client):
        assert change(client, board, "known", 1, **trial.known).status_code == 503
        assert text(client, f"{board}?download=json") == before, "nothing is stored without a replay"
    answer = change(client, board, "known", 1, **trial.known)
    assert answer.status_code == 200, errors(answer.text)
    tree = client.get(f"{board}?download=json").json()
    assert tree["nodes"][0]["known"]
    assert len(moves(answer.text)) == 2


def test_boards_that_are_not_kept_are_deleted(client: TestClient, clock: Clock) -> None:
    database = client.app.state.services.games.database  # type: ignore[attr-defined]
    first = board_after(client, "/fribble/board", "8H FRIBBLE")
    clock.now += 1
    board_after(client, "/fribble/board", "8H FRIBBLE")
    assert prune_boards(database, clock.now + LOOSE_DAYS * DAY - 0.5) == 1
    assert client.get(first, headers=PAGE).status_code == 404
    for _ in range(MOST_LOOSE + 1):
        clock.now += 1
        board_after(client, "/fribble/board", "8H FRIBBLE")
    assert client.get("/boards", headers=PAGE).text.count("/delete") == MOST_LOOSE


def test_a_guest_sees_how_long_boards_and_cards_stay(client: TestClient) -> None:
    client.post("/api/cards", json={"words": ["stone"]}).raise_for_status()
    board_after(client, TRIALS["wibble"].address, *TRIALS["wibble"].moves)
    for page in ("/boards", "/cards/all"):
        assert "Removed 180 days after your last visit" in client.get(page).text
    client.post("/me/phrase").raise_for_status()
    for page in ("/boards", "/cards/all"):
        assert "after your last visit" not in client.get(page).text


def test_a_change_of_an_old_revision_is_refused(client: TestClient) -> None:
    board = board_after(client, "/fribble/board", "8H FRIBBLE")
    assert change(client, board, "comment", 1, comment="one", revision="1").status_code == 200
    assert change(client, board, "comment", 1, comment="two", revision="1").status_code == 409


def test_an_unknown_change_is_refused_and_an_unknown_board_is_not_found(client: TestClient) -> None:
    answer = change(client, "/fribble/board", "jump")
    assert answer.status_code == 422
    assert errors(answer.text)["change"].startswith("Do: 'jump' is unknown; accepted: play")
    assert client.get("/boards/new/chess", headers=PAGE).status_code == 404
    assert client.get("/boards/nonesuch", headers=PAGE).status_code == 404


@EACH
def test_a_finished_game_opens_at_the_turn(client: TestClient, stranger: TestClient, kind: str) -> None:
    trial = TRIALS[kind]
    game = open_game(client, kind, trial.options, seats=trial.seats)
    if trial.seats > 1:
        sit_down(stranger, game)
    running = client.get(f"/boards/games/{game['id']}", headers=PAGE)
    assert running.status_code == 409
    for each in trial.game_moves:
        play(client, game, **each)
    for other in (stranger, client)[2 - trial.seats :]:
        if see(other, game)["finished_at"] is None:
            play(other, game, "resign")
    assert (
        f"/boards/games/{game['id']}?ply=1" in client.get(f"/games/{game['id']}/plies/1", headers=PAGE).text
    )
    html = text(client, f"/boards/games/{game['id']}")
    assert moves(html) == listed(client, kind, *trial.game_nodes)
    assert f'data-at="{len(trial.game_nodes)}"' in html
    assert 'data-at="0"' in text(client, f"/boards/games/{game['id']}?ply=0")
    answer = change(client, f"/boards/games/{game['id']}", "comment", 1, comment="Why?")
    assert "Why?" in answer.text
    assert answer.url.path != f"/boards/games/{game['id']}"


@EACH
def test_an_answered_puzzle_opens_on_a_board(client: TestClient, kind: str) -> None:
    puzzle = client.get(f"/api/puzzles/{kind}/today").json()
    engine = client.app.state.services.rooms[kind].study.engines[0][0]  # type: ignore[attr-defined]
    assert proposed(text(client, f"/boards/puzzles/{puzzle['id']}?engine={engine}"))


def test_a_merge_moves_boards_and_erasing_removes_them(client: TestClient, serve: Serve) -> None:
    board = board_after(client, "/fribble/board", "8H FRIBBLE")
    change(client, board, "keep", title="Mine")
    exported = client.get("/me/export").json()
    assert [each["title"] for each in exported["boards"]] == ["Mine"]
    assert exported["boards"][0]["tree"]["nodes"][0]["move"] == "8H FRIBBLE"
    client.delete("/api/me").raise_for_status()
    assert client.get(board, headers=PAGE).status_code == 404


ENGINES: Final = [(kind, engine) for kind in ("boggle", "scrabblet") for engine in ("all", "common")]


@pytest.mark.parametrize(("kind", "engine"), ENGINES)
def test_the_engine_lists_the_words_that_are_left(client: TestClient, kind: str, engine: str) -> None:
    trial = TRIALS[kind]
    before = text(client, f"{trial.address}&engine={engine}")
    best = proposed(before)[0]
    answer = change(client, trial.address, "play", move=best, engine=engine)
    assert best not in proposed(answer.text)
    left = [int(LEFT.search(html)[1]) for html in (before, answer.text)]  # type: ignore[index]
    assert left[0] - left[1] == 1


def test_the_engine_says_when_every_word_has_been_found(client: TestClient) -> None:
    assert "Every word has been found." in text(client, "/boards/new/boggle?board=bcd+fgh&engine=all")
    assert "Every word has been found." in text(client, "/boards/new/scrabblet?rack=z&engine=all")


@pytest.mark.parametrize(
    ("address", "field", "says"),
    [
        ("/boards/new/boggle?board=abc", "board", "3 letters do not make a square"),
        ("/boards/new/boggle?board=cat+dog&found=tac+zebra", "found", "ZEBRA is not on this board"),
        ("/boards/new/boggle?min_length=9", "min_length", "8 or less expected, 9 given"),
        (
            "/boards/new/boggle?scoring=best",
            "scoring",
            "'best' is unknown; accepted: length, cancel, find_all",
        ),
        ("/boards/new/scrabblet?rack=c4t", "rack", "tiles are the letters a to z, and ? for a blank"),
        ("/boards/new/scrabblet?rack=cat&found=cats", "found", "CATS needs S: the hand has CAT"),
        ("/boards/new/scrabblet?rack=cat&lost=5", "lost", "5 is more than the words have made"),
    ],
)
def test_a_mistake_in_a_setup_is_shown_beside_its_field(
    client: TestClient, address: str, field: str, says: str
) -> None:
    assert says in errors(text(client, address, 422))[field]


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("/boards/new/boggle?board=abc&min_length=9&scoring=best", ["board", "min_length", "scoring"]),
        ("/boards/new/letterpress?board=abc&owners=12&played=c4t", ["board", "owners", "played"]),
        ("/boards/new/letterpress?board=abc&ours=99", ["board", "owners"]),
        ("/boards/new/scrabblet?rack=c4t&lost=-1", ["lost", "rack"]),
        ("/boards/new/wibble?board=a4c&round=0&dl=x", ["board", "dl", "round"]),
        ("/boards/new/wibble?dl=99&gems=30&round=99", ["dl", "gems", "round"]),
        ("/boards/new/wibble?board=abc&round=0&lexicon=none", ["board", "lexicon", "round"]),
        ("/boards/new/wibble?dl=99&held=99&to_move=3", ["dl", "held", "to_move"]),
        (
            "/boards/new/boggle?board=cat+dog&found=zebra&found_2=yak&lexicon=none",
            ["found", "found_2", "lexicon"],
        ),
        ("/boards/new/fribble?rack-1=zzz&rack-2=qqq&lexicon=none", ["lexicon", "rack-1", "rack-2"]),
        ("/boards/new/fribble?score-1=99999&score-2=-99999", ["score-1", "score-2"]),
        (
            "/boards/new/fribble?position=abc&rack-1=4&rack-2=5&score-1=x&score-2=9x&preset=none",
            ["position", "preset", "rack-1", "rack-2", "score-1", "score-2"],
        ),
    ],
)
def test_all_mistakes_in_a_setup_are_shown(client: TestClient, address: str, fields: list[str]) -> None:
    assert sorted(errors(text(client, address, 422))) == fields
    empty, _, query = address.partition("?")
    refused = change(client, empty, "setup", **dict(parse_qsl(query)))
    assert sorted(errors(refused.text)) == fields


@pytest.mark.parametrize(
    ("kind", "wrong", "fields"),
    [
        ("fribble", {"rack-1": "A1", "rack-2": "B2"}, ["known-rack-1", "known-rack-2"]),
        ("fribble", {"rack-1": "ZZZ", "rack-2": "QQQ"}, ["known-rack-1", "known-rack-2"]),
        ("wibble", {"fresh": "abc", "gems": "x", "tl": "1 2"}, ["known-fresh", "known-gems", "known-tl"]),
        ("wibble", {"fresh": "ab9d", "x2": "b"}, ["known-fresh", "known-x2"]),
        ("wibble", {"gems": "25", "tl": "99"}, ["known-gems", "known-tl"]),
    ],
)
def test_all_mistakes_in_what_is_known_after_a_move_are_shown(
    client: TestClient, kind: str, wrong: dict[str, str], fields: list[str]
) -> None:
    trial = TRIALS[kind]
    board = board_after(client, trial.address, trial.moves[0])
    for at in (1,) if "fresh" in wrong else (0, 1):  # at the start no tile is new
        refused = change(client, board, "known", at, **(trial.known | wrong))
        assert refused.status_code == 422
        assert sorted(errors(refused.text)) == fields
        assert all(value in unescape(refused.text) for value in wrong.values())
        assert '<details class="fold" id="setup">' in refused.text, "the setup form stays closed"


def test_both_players_words_and_their_scoring_are_set_up(client: TestClient) -> None:
    board = "/boards/new/boggle?board=chos+arei+ltnd+wges"
    html = text(client, f"{board}&found=char+rend&found_2=char&scoring=cancel")
    assert re.findall(r"<dd>(\d+)</dd>", html) == ["1", "0"]
    assert re.findall(r"<dd>(\d+)</dd>", text(client, f"{board}&found=char&found_2=char")) == ["1", "1"]


def test_the_solver_of_boggle_leads_to_the_study_board(client: TestClient) -> None:
    answer = client.get("/boggle/solver?board=cat+dog&min_length=2", headers=PAGE)
    assert (answer.url.path, answer.url.query) == ("/boards/new/boggle", b"board=cat+dog&min_length=2")
    assert 'value="cat dog"' in answer.text
    assert client.get("/boggle/solver", headers=PAGE).url.path == "/boards/new/boggle"
