"""Team mode as a browser without scripts meets it."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from app.games.fribble import gcg
from app.games.fribble.reported_turns import texts_of
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Options, State
from app.games.game import LexiconRef
from app.words.lexicon import Lexicon
from tests.games.fribble.test_gcg import LONGER, OPENING

PATH = "/fribble/team"
PAGE = {"accept": "text/html"}
FRIBBLE = "8H FRIBBLE"


def page(client: TestClient, status: int = 200, /, **fields: object) -> str:
    answer = client.get(
        PATH,
        params={name: str(value) for name, value in fields.items()},
        headers=PAGE,
        follow_redirects=False,
    )
    assert answer.status_code == status, answer.text
    return unescape(answer.text) if status != 303 else answer.headers["location"]


def fields_of(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def plays(html: str) -> list[dict[str, str]]:
    """The fields of the addresses that the moves listed lead to."""
    return [fields_of(address) for address in re.findall(r'class="button" href="([^"]+)">Play<', html)]


def error(html: str, name: str) -> str:
    (said,) = re.findall(rf'id="error-{name}">([^<]*)</p>', html)
    return str(said)


def scores(html: str) -> list[int]:
    (strip,) = re.findall(r'<dl class="team-scores">(.*?)</dl>', html, re.DOTALL)
    return [int(number) for number in re.findall(r"<dd>(-?\d+)</dd>", strip)]


def finals(html: str) -> list[str]:
    """What the two sides end with."""
    ends = re.findall(r"<dd>(?:<small>(at most)</small>)? ?<b>(\d+)</b></dd>", html)
    return [f"{bound} {score}".strip() for bound, score in ends]


def assert_over(html: str) -> None:
    """Assert that the page says that the game is over, and offers no more moves."""
    assert "The game is over" in html
    assert plays(html) == []
    assert not [offer for offer in ("Find moves", 'name="turn"', "Unseen", "team-scores") if offer in html]
    (actions,) = re.findall(r'<p class="actions">(<a.*?)</p>', html)
    assert re.findall(">([^<]+)</a>", actions) == ["New game", "Download GCG", "Take back the last turn"]


def test_an_empty_page_asks_for_the_tiles(client: TestClient) -> None:
    html = page(client)
    assert "Enter your rack to see the best moves" in html
    assert plays(html) == []
    assert scores(html) == [0, 0, 90]


def test_moves_are_those_of_the_api(client: TestClient) -> None:
    html = page(client, turns=FRIBBLE, first="theirs", rack="eindrs?", top=7)
    rows = ["." * 15] * 7 + [".......FRIBBLE."] + ["." * 15] * 7
    told = client.post("/api/fribble/moves", json={"board": rows, "rack": "EINDRS?", "limit": 7}).json()
    assert [play["turns"].splitlines()[1] for play in plays(html)] == [
        move["standard"] for move in told["moves"]
    ]
    assert [play.get("rack", "") for play in plays(html)] == [move["kept"] for move in told["moves"]]
    assert f"{told['stats']['moves']:,} moves" in html
    for move in told["moves"]:
        assert f"<code>{move['notation']}</code>" in html
    cells = re.findall(r'class="team-move" data-cells="([\d,]+)" data-letters="(\w+)"', html)
    assert cells[0][1] == "".join(tile["letter"] for tile in told["moves"][0]["placed"])


def test_a_game_goes_on_from_page_to_page(client: TestClient) -> None:
    first = plays(page(client, rack="BEFILRB"))[0]
    mine = page(client, **first)
    assert "It is their turn" in mine
    ours = scores(mine)[0]
    assert ours > 30
    after = fields_of(page(client, 303, **first, turn="exchange 3"))
    assert after["turns"].splitlines()[1] == "exchange 3"
    html = page(client, **(after | {"rack": "EINDRST"}))
    assert scores(html)[:2] == [ours, 0]
    assert len(plays(html)) == 10
    (undo,) = re.findall(r'href="([^"]+)">Take back the last turn', html)
    assert fields_of(undo)["turns"] == first["turns"]


@pytest.mark.parametrize("turn", ["H8 .RIENDS", "m(c8,9,'riends')", "h8 FRIENDS"])
def test_their_move_may_be_told_in_any_notation(client: TestClient, turn: str) -> None:
    after = fields_of(page(client, 303, turns=FRIBBLE, turn=turn))
    assert after["turns"].splitlines() == [FRIBBLE, "H8 .RIENDS"]
    assert scores(page(client, **after))[1] == 24


def test_our_own_move_takes_its_tiles_off_the_rack(client: TestClient) -> None:
    assert fields_of(page(client, 303, rack="BEFILRB", turn="8H FRIB"))["rack"] == "BEL"
    assert fields_of(page(client, 303, rack="BEFILRB", turn="exchange BB"))["rack"] == "EFILR"
    html = page(client, 422, rack="BEFILRB", turn="8H ZOO")
    assert error(html, "turn") == "Your rack has no O and no Z"
    assert len(plays(html)) == 10, "the moves stay in sight"


@pytest.mark.parametrize(
    ("typed", "name", "says"),
    [
        ({"turns": "8H FRIBBLE\nA1 ZIT"}, "turns", "Turn 2: the tiles touch no other"),
        ({"turns": "hello"}, "turns", "Turn 1: 'hello' is not a move"),
        ({"rack": "ABC1"}, "rack", "Character 3 is '1'"),
        ({"rack": "ABCDEFGH"}, "rack", "There are 8 tiles: a rack has up to 7"),
        ({"rack": "ZZ"}, "rack", "has no more Z"),
        ({"turn": "8H"}, "turn", "'8H' is not a move"),
        ({"board": "..."}, "board", "There is 1 row: a board has 15"),
        ({"board": "\n".join(["." * 15] * 14 + ["AT" + "." * 13])}, "board", "Row 15, column A has a tile"),
        ({"board": "\n".join(["." * 15] * 7 + [".......QXZ....."] + ["." * 15] * 7)}, "board", "QXZ"),
        ({"board": "#player1 a A\n#player2 b B\n>a: XX 8H XX +3 3"}, "board", "Line 3:"),
        ({"strategy": "wild"}, "strategy", "expected"),
        ({"lexicon": "klingon"}, "lexicon", "klingon"),
        ({"preset": "chess"}, "preset", "There is no preset named 'chess'"),
        ({"limit": "many"}, "limit", "A whole number expected"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_nothing_typed_is_lost(
    client: TestClient, typed: dict[str, str], name: str, says: str
) -> None:
    html = page(client, 422, **({"rack": "AEIOU"} | typed))
    assert says in error(html, name)
    assert 'aria-invalid="true"' in html
    for text in typed.values():
        assert text in html


def test_all_faults_are_told_at_once(client: TestClient) -> None:
    html = page(client, 422, rack="A1", turns="8H QQQ", limit="0")
    assert error(html, "limit") != ""
    html = page(client, 422, rack="A1", turns="hello")
    assert error(html, "rack") != "" != error(html, "turns")


def test_a_gcg_becomes_turns_and_who_is_to_move_is_us(client: TestClient) -> None:
    answer = client.post(PATH, data={"board": OPENING}, headers=PAGE, follow_redirects=False)
    assert answer.status_code == 303
    told = fields_of(answer.headers["location"])
    assert told == {"turns": "8H FRIBBLE\nH8 .RIENDS"}
    assert scores(page(client, **told))[:2] == [69, 24]
    answer = client.post(PATH, data={"board": LONGER}, headers=PAGE)
    assert answer.status_code == 200
    assert "exchange 2" in answer.text


def test_a_game_may_begin_from_a_board_with_points(client: TestClient) -> None:
    board = "\n".join(["." * 15] * 7 + [".......FRIBbLE."] + ["." * 15] * 7)
    answer = client.post(
        PATH, data={"board": board, "ours": "12", "theirs": "65", "rack": "EINDRST"}, headers=PAGE
    )
    assert answer.status_code == 200
    assert scores(answer.text) == [12, 65, 83]
    assert len(plays(unescape(answer.text))) == 10


def test_a_word_our_list_lacks_is_named_and_may_stay(client: TestClient) -> None:
    html = page(client, turns="8H FRIBBLZ", first="theirs", rack="EINDRST")
    assert "FRIBBLZ: not in our word list" in html
    assert len(plays(html)) == 10


def test_playing_on_tells_how_often_it_wins(client: TestClient) -> None:
    html = page(
        client, turns=FRIBBLE, first="theirs", rack="EINDRST", strategy="simulating", budget_ms=200, top=3
    )
    shares = [float(share) for share in re.findall(r"wins <b>([\d.]+)%</b> ± [\d.]+", html)]
    assert len(shares) == 3
    assert shares == sorted(shares, reverse=True)


def test_a_move_that_is_looked_at_lies_on_the_board(client: TestClient) -> None:
    html = page(client, turns=FRIBBLE, first="theirs", rack="EINDRST", show="H8 .RIENDS")
    assert re.search(r'class="[^"]*tile[^"]*"[^>]*aria-label="9H, R[^>]*>R<', html)
    assert "With H8 .RIENDS" in html


def test_an_exchange_is_proposed_where_it_is_better_than_any_move(client: TestClient) -> None:
    html = page(client, rack="AEIIIUU")
    assert "better than any move" in html
    (address,) = re.findall(r'class="button" href="([^"]+)">Exchange<', html)
    told = fields_of(address)
    back = told["turns"].removeprefix("exchange ")
    assert sorted(back + told.get("rack", "")) == sorted("AEIIIUU")
    after = page(client, **told)
    assert "It is their turn" in after
    assert f"exchange {len(back)}" in after
    assert "better than any move" not in page(client, rack="AEIIIUU", strategy="greedy")


def played(lexicon: Lexicon, seed: str, *, to_the_end: bool) -> State:
    """A game between two bots, to its end or until the bag is empty."""
    rules = Fribble(lexicon)
    state = rules.start(Options(lexicon=LexiconRef(name=lexicon.name, sha256=lexicon.sha256)), 2, seed)
    while state.reason is None and (to_the_end or state.bag):
        state = rules.apply(state, state.to_move, rules.bot(state, state.to_move, 4).move, 0.0)
    return state


def test_once_the_bag_is_empty_the_end_is_searched(client: TestClient, lexicon: Lexicon) -> None:
    state = played(lexicon, "an end", to_the_end=False)
    html = page(
        client,
        turns="\n".join(texts_of(state.turns)),
        first="ours" if state.to_move == 0 else "theirs",
        rack=state.racks[state.to_move],
        strategy="simulating",
        budget_ms=1500,
    )
    told = re.findall(r"<b>(wins|loses|draws)</b> with best play, [^<>]+ from here", html)
    assert len(told) == 1 or "± 50.0" in html, "the search may take longer on a slow machine"


@pytest.mark.parametrize("seat", [0, 1])
def test_at_the_end_what_is_left_is_counted_as_in_our_own_games(
    client: TestClient, lexicon: Lexicon, seat: int
) -> None:
    state = played(lexicon, "an end", to_the_end=True)
    assert state.out is not None
    html = page(
        client,
        turns="\n".join(texts_of(state.turns)),
        first="ours" if seat == 0 else "theirs",
        rack=state.racks[seat],
    )
    assert ("You are out" if state.out == seat else "They are out") in html
    assert finals(html) == [str(state.scores[seat]), str(state.scores[1 - seat])]
    assert_over(html)


STALLED = f"{FRIBBLE}\npass\nexchange 2\npass"


def test_turns_without_points_end_the_game_and_the_page(client: TestClient) -> None:
    html = page(client, turns=STALLED)
    assert "The last 3 turns made no points, which ends the game under Words With Friends rules" in html
    assert finals(html) == ["at most 69", "at most 0"]
    assert_over(html)
    html = page(client, turns="\n".join(["pass"] * 6), preset="standard")
    assert "The last 6 turns made no points, which ends the game under Standard rules" in html
    assert finals(html) == ["at most 0", "at most 0"]
    assert "Who wins depends on the tiles left" in html
    assert_over(html)


def test_no_turn_is_taken_after_the_end(client: TestClient, lexicon: Lexicon) -> None:
    over = "The game was already over"
    html = page(client, 422, turns=f"{STALLED}\n8G OFRIBBLE", rack="AEIQTUU")
    assert error(html, "turns") == f"Turn 5: {over[0].lower()}{over[1:]}"
    assert error(page(client, 422, turns=STALLED, turn="pass"), "turn") == over
    state = played(lexicon, "an end", to_the_end=True)
    told = {"turns": "\n".join(texts_of(state.turns)), "first": "ours"}
    assert error(page(client, 422, **told, turn="pass"), "turn") == over


def test_a_rack_of_more_tiles_than_we_hold_is_refused(client: TestClient, lexicon: Lexicon) -> None:
    state = played(lexicon, "an end", to_the_end=True)
    assert state.out is not None
    texts = texts_of(state.turns)[:-1]
    first = "ours" if state.out == 0 else "theirs"
    held = len(state.turns[-1].placement.used) if state.turns[-1].placement else 0
    left = "".join(page_unseen(client, turns="\n".join(texts), first=first))
    html = page(client, 422, turns="\n".join(texts), first=first, rack=left[: held + 1])
    assert error(html, "rack") == f"There are {held + 1} tiles: you hold {held} now"


def page_unseen(client: TestClient, **told: str) -> list[str]:
    """The tiles that nobody sees, as the page lists them."""
    (listed,) = re.findall(r'<ul class="pills">(.*?)</ul>', page(client, **told), re.DOTALL)
    found = re.findall(r'<li class="pill">(?:<span.*?>)?(\w+).*?<b>(\d+)</b>', listed)
    return [("?" if kind == "blank" else kind) * int(count) for kind, count in found]


def test_turns_without_points_end_no_game_in_which_nobody_has_any(client: TestClient) -> None:
    html = page(client, turns="pass\npass\npass\npass")
    assert "The game is over" not in html
    assert "Find moves" in html


def test_our_rack_is_counted_off_once_it_is_told(client: TestClient) -> None:
    html = page(client, turns=STALLED, rack="AEIQTUU")
    assert finals(html) == ["51", "at most 0"]
    assert "You win." in html
    assert "You hold 7 tiles: add the other 4." in page(client, turns=STALLED, rack="AEI")
    html = page(client, 422, turns=STALLED, rack="A1")
    assert "tiles are A to Z" in error(html, "rack")


def test_the_turns_tell_that_they_are_out_though_our_rack_is_not_told(
    client: TestClient, lexicon: Lexicon
) -> None:
    state = played(lexicon, "an end", to_the_end=True)
    assert state.out is not None
    html = page(client, turns="\n".join(texts_of(state.turns)), first="theirs" if state.out == 0 else "ours")
    assert "They are out" in html
    assert finals(html) == [str(state.scores[1 - state.out]), str(state.scores[state.out])]
    assert_over(html)


@pytest.mark.parametrize("rack", ["", "AEIQTUU"])
def test_a_game_without_points_at_its_end_is_taken_away_and_brought_back(
    client: TestClient, rack: str
) -> None:
    told = {"turns": STALLED} | ({"rack": rack} if rack else {})
    text = client.get(f"{PATH}/gcg", params=told).text
    assert "#incomplete" not in text
    assert text.endswith(f">You: {rack} ({rack}) -18 51\n" if rack else ">They: - +0 0\n")
    back = client.post(PATH, data={"board": text}, headers=PAGE, follow_redirects=False)
    assert fields_of(back.headers["location"]) == told


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("to_the_end", [False, True])
def test_a_game_is_taken_away_as_gcg_and_brought_back(
    client: TestClient, lexicon: Lexicon, seat: int, to_the_end: bool
) -> None:
    state = played(lexicon, "an end", to_the_end=to_the_end)
    told = {
        "turns": "\n".join(texts_of(state.turns)),
        "first": "ours" if seat == 0 else "theirs",
        "rack": state.racks[seat],
    }
    (address,) = re.findall(r'href="(/fribble/team/gcg[^"]+)" download', page(client, **told))
    answer = client.get(address)
    assert "attachment" in answer.headers["content-disposition"]
    assert gcg.read(answer.text).players == (
        (("You",) * 2, ("They",) * 2) if seat == 0 else (("They",) * 2, ("You",) * 2)
    )
    if to_the_end:
        assert f" {state.scores[seat]}\n" in answer.text
        assert f" {state.scores[1 - seat]}\n" in answer.text
    back = client.post(PATH, data={"board": answer.text}, headers=PAGE, follow_redirects=False)
    assert back.status_code == 303, unescape(back.text)
    again = {"first": "ours", "rack": ""} | fields_of(back.headers["location"])
    assert again == {"first": "ours"} | told


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"turns": "hello"}, "turn 1"),
        ({"turns": FRIBBLE, "ours": "12"}, "from an empty board"),
        ({"turns": FRIBBLE, "rack": "A1"}, "tiles are A to Z"),
    ],
)
def test_what_cannot_be_told_as_gcg_is_refused(client: TestClient, fields: dict[str, str], says: str) -> None:
    answer = client.get(f"{PATH}/gcg", params=fields)
    assert answer.status_code == 422
    assert says in answer.text
