"""Fribble's study board: racks, CGP and GCG, the engine's moves, endings, and the addresses of team mode."""

import re
from html import unescape
from threading import current_thread
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient

from app.games.fribble import gcg, gcg_writer
from app.games.fribble.reported_turns import texts_of
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Options, State
from app.games.fribble.study_lines import tree_of_gcg
from app.games.game import LexiconRef
from app.games.study_tree import StudyTree
from app.rooms import ROOMS
from app.words.lexicon import Lexicon
from tests.games.fribble.test_gcg import LONGER, OPENING
from tests.web.boards import PAGE, board_after, change, errors, moves, proposed, text

PATH = "/fribble/board"
FRIBBLE = "8H FRIBBLE"


def page(client: TestClient, status: int = 200, /, path: str = PATH, **fields: object) -> str:
    query = urlencode({name.replace("_", "-"): value for name, value in fields.items()})
    return text(client, f"{path}?{query}", status)


def scores(html: str) -> list[int]:
    (strip,) = re.findall(r'<dl class="study-scores">(.*?)</dl>', html, re.DOTALL)
    return [int(number) for number in re.findall(r"<dd>(-?\d+)</dd>", strip)]


def racks(html: str) -> list[str]:
    return re.findall(r'name="rack-\d" value="([^"]*)" maxlength', html)[:2]


def cgp_of(html: str) -> str:
    (shown,) = re.findall(r'<input id="cgp" value="([^"]+)"', html)
    return str(shown)


def test_moves_are_those_of_the_api(client: TestClient) -> None:
    html = page(client, rack_1="eindrs?", position="\n".join(BOARD), engine="static")
    answer = client.post("/api/fribble/moves", json={"board": BOARD, "rack": "EINDRS?"}).json()
    assert proposed(html) == [move["standard"] for move in answer["moves"]]
    assert f"{answer['stats']['moves']:,} moves in all" in html
    cells = re.findall(r'class="study-line" data-cells="([\d,]+)" data-letters="(\w+)"', html)
    assert cells[0][1] == answer["moves"][0]["tiles"]


BOARD = ["." * 15] * 7 + [".......FRIBBLE."] + ["." * 15] * 7


def test_a_game_elsewhere_is_followed_turn_by_turn(client: TestClient) -> None:
    board = board_after(client, f"{PATH}?rack-1=BEFILRB&engine=static", FRIBBLE, "m(c8,9,'riends')")
    html = text(client, f"{board}?at=2&engine=static")
    assert moves(html) == [FRIBBLE, "H8 .RIENDS"]
    assert scores(html)[:2] == [69, 24]
    assert "Enter the rack of the player to move" in html
    answer = change(client, board, "known", 2, engine="static", **{"rack-1": "aeiou??", "rack-2": ""})
    assert racks(answer.text) == ["AEIOU??", ""]
    assert len(proposed(answer.text)) == 10
    refused = change(client, board, "known", 2, **{"rack-1": "A1", "rack-2": ""})
    assert errors(refused.text)["known-rack-1"] == (
        "Rack of player 1: character 1 is '1': tiles are A to Z, and ? for a blank."
    )


def test_a_word_our_list_lacks_is_named_and_may_stay(client: TestClient) -> None:
    board = board_after(client, PATH, "8H FRIBBLZ")
    assert "FRIBBLZ: not in the word list" in text(client, f"{board}?at=1")


def test_an_exchange_is_proposed_where_it_is_better_than_any_move(client: TestClient) -> None:
    best = proposed(page(client, rack_1="AEIIIUU", engine="static"))[0]
    assert best.startswith("exchange ")
    assert not proposed(page(client, rack_1="AEIIIUU", engine="greedy"))[0].startswith("exchange")


def test_simulation_shows_how_often_a_move_wins(client: TestClient) -> None:
    html = page(client, rack_1="EINDRST", position="\n".join(BOARD), engine="simulating")
    shares = [float(share) for share in re.findall(r"wins ([\d.]+)% ± [\d.]+", html)]
    assert len(shares) >= 3
    assert shares[:3] == sorted(shares[:3], reverse=True)


@pytest.mark.parametrize(
    ("typed", "name", "says"),
    [
        ({"rack-1": "ABC1"}, "rack-1", "character 3 is '1'"),
        ({"position": "..."}, "position", "there is 1 row: a board has 15"),
        ({"position": "\n".join(["." * 15] * 14 + ["AT" + "." * 13])}, "position", "row 15, column A has"),
        ({"position": "#player1 a A\n#player2 b B\n>a: XX 8H XX +3 3"}, "position", "line 3:"),
        ({"position": "15/15/16 / 0/0 0"}, "position", "CGP: the board has 3 rows"),
        ({"score-1": "many"}, "score-1", "'many' is not a score"),
        ({"preset": "chess"}, "preset", "there is no preset named 'chess'"),
    ],
)
def test_an_impossible_position_is_refused_with_its_place(
    client: TestClient, typed: dict[str, str], name: str, says: str
) -> None:
    for answer in (
        client.get(PATH, params=typed, headers=PAGE),
        change(client, PATH, "setup", **typed),
    ):
        assert answer.status_code == 422
        assert says in errors(answer.text).get(name, errors(answer.text).get("position", ""))
        for value in typed.values():
            assert value in unescape(answer.text)


def played(lexicon: Lexicon, seed: str) -> list[State]:
    """A game between two bots to its end."""
    rules = Fribble(lexicon)
    states = [rules.start(Options(lexicon=LexiconRef.of(lexicon)), 2, seed)]
    while (state := states[-1]).reason is None:
        states.append(rules.apply(state, state.to_move, rules.bot(state, state.to_move, 4).move, 0.0))
    return states


def test_a_whole_game_ends_as_in_our_own_rules_and_survives_gcg(client: TestClient, lexicon: Lexicon) -> None:
    states = played(lexicon, "an end")
    written = gcg_writer.write(states, ("Ada", "Bob"))
    answer = change(client, PATH, "setup", position=written)
    assert answer.status_code == 200, errors(answer.text)
    board, last = answer.url.path, len(states[-1].turns)
    html = text(client, f"{board}?at={last}&engine=static")
    assert "The game is over: a rack is empty, and so is the bag" in html
    assert scores(html)[:2] == list(states[-1].scores)
    assert ("Ada won" if states[-1].scores[0] > states[-1].scores[1] else "Bob won") in html
    assert proposed(html) == []
    file = client.get(f"{board}?at={last}&download=gcg")
    assert "attachment" in file.headers["content-disposition"]
    assert gcg.read(file.text).players == (("Ada", "Ada"), ("Bob", "Bob"))
    read = gcg.replay(gcg.read(file.text), Fribble(lexicon), states[0].options)
    assert read[-1].scores == states[-1].scores
    assert "The game is over" in errors(change(client, board, "play", last, move="pass").text)["change"]


CGP = f"{'15/' * 7}7FRIBBLE1{'/15' * 7} DEINRST/ 24/69 1 lex enable; bdn CrosswordGame;"


def test_a_position_in_cgp_is_opened_and_written_again(client: TestClient) -> None:
    html = page(client, position=CGP, engine="static")
    assert scores(html)[:2] == [24, 69]
    assert racks(html) == ["DEINRST", ""]
    assert proposed(html)
    assert cgp_of(html) == CGP
    assert client.get(PATH, params={"position": CGP, "download": "cgp"}).text == f"{CGP}\n"


def test_the_side_to_move_is_first_in_cgp(client: TestClient) -> None:
    board = board_after(client, f"{PATH}?rack-2=EI", FRIBBLE)
    assert " EI/ 0/69 0 lex enable; bdn wwf;" in cgp_of(text(client, f"{board}?at=1"))


@pytest.mark.parametrize("kind", sorted(ROOMS))
def test_a_gcg_or_cgp_file_is_a_game_of_fribble_whatever_was_chosen(client: TestClient, kind: str) -> None:
    def opened(name: str, content: str) -> Any:
        return client.post("/boards/open", data={"kind": kind}, files={"file": (name, content)}, headers=PAGE)

    game = opened("game.gcg", OPENING)
    assert client.get(f"/api{game.url.path}").json()["kind"] == "fribble"
    assert client.get(f"/api{opened('here.cgp', CGP).url.path}").json()["kind"] == "fribble"
    refused = opened("game.gcg", OPENING.replace("8H", "99H"))
    assert refused.status_code == 422
    assert f'<option value="{kind}" selected>' in refused.text, "it stays chosen"


def test_a_gcg_file_is_read_in_the_engine_pool(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a whole game takes as long as a search."""
    threads: list[str] = []

    def read(*given: Any) -> StudyTree:
        threads.append(current_thread().name)
        return tree_of_gcg(*given)

    monkeypatch.setattr("app.rooms.fribble.study.tree_of_gcg", read)
    assert moves(client.get(PATH, params={"position": OPENING}, headers=PAGE).text)
    assert [name.partition("_")[0] for name in threads] == ["engine"]


@pytest.mark.parametrize("field", ["position", "turns"])
def test_a_game_of_too_many_turns_is_refused(client: TestClient, field: str) -> None:
    """In Words With Friends, players may pass for ever while no one has points."""
    lines = [f">{'ab'[number % 2]}: - +0 0" for number in range(401)]
    gcg_text = "\n".join(["#player1 a Ada", "#player2 b Bob", *lines])
    given = {"position": gcg_text, "turns": "\n".join(["pass"] * 401)}[field]
    refused = change(client, PATH, "setup", **{field: given, "preset": "wwf"})
    assert refused.status_code == 422
    assert "game has 401 turns; accepted: up to 400" in refused.text


def test_a_line_from_a_position_is_no_gcg(client: TestClient) -> None:
    answer = client.get(PATH, params={"position": CGP, "download": "gcg"})
    assert answer.status_code == 422
    assert "from an empty board" in answer.text
    assert "accepted: json, cgp and gcg" in client.get(PATH, params={"download": "pgn"}).text


def test_addresses_of_team_mode_lead_to_the_same_game(client: TestClient) -> None:
    query = {"turns": f"{FRIBBLE}\nH8 .RIENDS", "rack": "AEIOU", "first": "ours"}
    answer = client.get("/fribble/team", params=query, headers=PAGE)
    assert answer.url.path == PATH
    html = unescape(answer.text)
    assert moves(html) == [FRIBBLE, "H8 .RIENDS"]
    assert scores(html)[:2] == [69, 24]
    assert racks(html)[0] == "AEIOU"
    assert proposed(html)
    assert 'data-at="2"' in html
    opened = client.get("/fribble/team", params={"cgp": CGP}, headers=PAGE)
    assert cgp_of(opened.text) == CGP
    assert moves(client.get("/fribble/team", params={"board": OPENING}, headers=PAGE).text)
    wrong = client.get("/fribble/team", params={"turns": f"{FRIBBLE}\nA1 ZIT"}, headers=PAGE)
    assert wrong.status_code == 422
    assert "Turn 2 (A1 ZIT): the tiles touch no other" in unescape(wrong.text)


def test_turns_of_team_mode_match_a_game_of_ours(client: TestClient, lexicon: Lexicon) -> None:
    states = played(lexicon, "an end")
    query = {"turns": "\n".join(texts_of(states[-1].turns)), "first": "ours"}
    html = unescape(client.get("/fribble/team", params=query, headers=PAGE).text)
    assert len(moves(html)) == len(states[-1].turns)
    assert scores(html)[:2] == list(states[-1].scores)


def test_a_gcg_with_challenges_is_read_with_notes(client: TestClient) -> None:
    answer = change(client, PATH, "setup", position=LONGER)
    assert moves(answer.text) == [FRIBBLE, "H8 .RIENDS", "exchange VV", "pass"]
    assert "was challenged and withdrawn" in answer.text
