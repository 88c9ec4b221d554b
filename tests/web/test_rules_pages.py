"""The rules pages take their numbers from the engine."""

import html
import itertools
import re

import pytest
from fastapi.testclient import TestClient

from app.games.boggle.deal import draws
from app.games.boggle.scoring import classic_points
from app.games.boggle.state import Choices as BoggleChoices
from app.games.fribble.presets import presets
from app.games.letterpress.territory import CELLS, MAJORITY
from app.games.scrabblet.modes import modes as scrabblet_modes
from app.games.scrabblet.ranks import Rank, ranks
from app.games.wibble.modes import Gems, modes
from app.grammar import format_count, format_duration
from app.rooms import ROOMS
from app.web.services import Services
from app.words.lexicon import Lexicon
from tests.web.browsing import HTML, HTMX, start_game, start_wibble

EACH_ROOM = pytest.mark.parametrize("kind", list(ROOMS))

PREMIUMS = {"=": "Triple word", "-": "Double word", '"': "Triple letter", "'": "Double letter"}


def plain(page: str) -> str:
    """The text of a page or fragment, without its markup; x is the multiplication sign."""
    page = page.replace("\N{MULTIPLICATION SIGN}", "x")
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", page)))


def rules_of(client: TestClient, kind: str) -> str:
    page = client.get(f"/rules/{kind}", headers=HTML)
    assert page.status_code == 200
    return plain(page.text[page.text.index("<main") : page.text.index("</main")])


def card(page: str, title: str) -> str:
    """The part of a page from the card with this title to the next one or the next section."""
    page = page[page.index(f"<h3>{title}</h3>") :]
    return plain(re.split(r"<h3>|</section>", page)[1])


def lexicon(client: TestClient) -> Lexicon:
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    return services.library.load()


@EACH_ROOM
def test_the_rules_are_a_page_and_a_sheet(client: TestClient, kind: str) -> None:
    page = client.get(f"/rules/{kind}", headers=HTML).text
    sheet = client.get(f"/rules/{kind}", headers=HTMX).text
    title = f"{ROOMS[kind].title} rules"
    assert f"<h1>{title}</h1>" in page
    assert f'href="{ROOMS[kind].address}">Play {ROOMS[kind].title}</a>' in page
    assert f"/{kind}/{kind}.css" in page, "the boards have the colours of the game"
    assert not re.search("to [0-9] \N{MULTIPLICATION SIGN}|scores 0", page), "a line would break within it"
    assert ">How to play</h2>" in page
    assert ">End of the game</h2>" in page
    assert "<html" not in sheet
    assert f"{title}</h2>" in sheet
    assert page.count("<section") == sheet.count("<section") >= 4
    assert 'class="drawing"' in sheet
    assert not re.search(r'\bid="', sheet), "no element that a script of the table could mistake for its own"


@EACH_ROOM
def test_the_rules_are_linked(client: TestClient, kind: str) -> None:
    link = f'href="/rules/{kind}"'
    assert link in client.get("/rules", headers=HTML).text
    assert link in client.get(ROOMS[kind].address, headers=HTML).text
    assert 'href="/rules"' in client.get("/lobby", headers=HTML).text
    opponent = {"fribble": {"opponent": "1"}, "letterpress": {"opponent": "1"}}.get(kind, {})
    address = start_wibble(client) if kind == "wibble" else start_game(client, f"/{kind}/play", **opponent)
    tool = rf'<a class="tool" href="(/rules/{kind}\?lexicon=[a-z]+)" target="_blank" data-sheet'
    found = re.search(tool, client.get(address).text)
    assert found
    assert "Word list of this game: " in plain(client.get(found[1], headers=HTMX).text)


def test_a_lesson_is_linked_where_there_is_one(client: TestClient) -> None:
    for kind, room in ROOMS.items():
        page = client.get(f"/rules/{kind}", headers=HTML).text
        assert (f'href="/learn/{kind}">Learn by playing</a>' in page) == (room.lesson is not None)


def test_there_are_no_rules_of_an_unknown_game(client: TestClient) -> None:
    assert client.get("/rules/chess", headers=HTML).status_code == 404


def test_the_rules_of_a_table_name_its_word_list(client: TestClient) -> None:
    with_list = client.get("/rules/wibble", params={"lexicon": "enable"}, headers=HTML).text
    assert re.search(r"Word list of this game: ENABLE \(English\)\s*, 172,823 words\.", plain(with_list))
    assert "Word list" not in client.get("/rules/wibble", headers=HTML).text
    answer = client.get("/rules/wibble", params={"lexicon": "klingon"}, headers=HTML)
    assert answer.status_code == 422
    assert "klingon" in answer.text


def test_wibbles_modes_are_those_of_the_data(client: TestClient) -> None:
    page = client.get("/rules/wibble", headers=HTML).text
    for rules in modes().values():
        text = card(page, rules.title)
        fewest, most = rules.seats
        assert f"Players {fewest}{f' to {most}' if most > fewest else ''}" in text
        assert f"Clock {format_duration(rules.seconds) if rules.seconds else 'None'}" in text
        assert (rules.rounds is None) == ("round" not in text)
        if rules.rounds:
            assert format_count(rules.rounds, "round") in text
        for factor in rules.letter_bonus_factors:
            assert f"{factor}x" in text
        if rules.word_bonus_factor:
            assert f"{rules.word_bonus_factor}x from round {rules.word_bonus_from_round}" in text
        if rules.long_word_length:
            assert f"+{rules.long_word_bonus} from {rules.long_word_length} letters" in text
        if rules.gems:
            for number in (rules.gems.start, rules.gems.most, rules.gems.on_board):
                assert re.search(rf"\b{number}\b", text)
        for cost in rules.costs.values():
            assert f"{rules.title}: {format_count(cost, 'gem') if cost else 'free'}" in plain(page)


def test_wibbles_example_is_scored_by_the_rules(client: TestClient) -> None:
    """C 5, H 4 tripled, A 1, I 1, N 2, S 2; doubled; 10 more for six letters."""
    text = rules_of(client, "wibble")
    assert "CHAINS" in text
    assert "chains" in lexicon(client)
    assert "C 5 + H 4 + A 1 + I 1 + N 2 + S 2 15" in text
    assert "23 2x word: 23 x 2 46 6 letters: +10 56 Total 56" in text


def test_wibbles_rules_follow_the_data(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rules_of(client, "wibble")
    changed = modes() | {
        "classic": modes()["classic"].model_copy(
            update={
                "rounds": 8,
                "long_word_length": 5,
                "long_word_bonus": 17,
                "word_bonus_factor": 4,
                "costs": {"shuffle": 2, "swap": 6, "hint": 9},
                "gems": Gems(start=5, most=13, on_board=11),
                "values": "scrabble",
            }
        ),
        "blitz": modes()["blitz"].model_copy(update={"seconds": 240}),
    }
    monkeypatch.setattr("app.rooms.wibble.rules_data.modes", lambda: changed)
    after = rules_of(client, "wibble")
    for text in (
        "8 rounds",
        "+17 from 5 letters",
        "4x from round 2",
        "Classic: 6 gems",
        "5 at the start, up to 13; 11 on the board",
        "Clock 4 minutes",
        "6 letters: +17",
        "C 3 + H 4 + A 1",
        "Zen, Classic, Blitz",
    ):
        assert text in after
        assert text not in before


def test_boggles_points_are_those_of_the_table(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_text = rules_of(client, "boggle")
    table = classic_points()
    assert "3–4 1 5 2 6 3 7 5 8+ 11" in plain_text  # noqa: RUF001 - a range
    assert f"GENERAL has 7 letters and scores {table[7]} points" in plain_text
    assert f"Clock {format_duration(BoggleChoices().seconds or 0)}" in plain_text
    assert f"The best of {draws()['rich']} random boards" in plain_text
    assert "general" in lexicon(client)
    assert "Ada: ARCH 1, LATER 2, GENERAL 5 7 Ben: ARCH 1, TREND 2 2" in plain_text, (
        "words found by both count for neither"
    )
    dearer = (*table[:5], 4, 6, 9, 20)
    for module in ("room", "rules_data"):
        monkeypatch.setattr(f"app.rooms.boggle.{module}.classic_points", lambda: dearer)
    monkeypatch.setattr("app.rooms.boggle.rules_data.draws", lambda: {"plain": 1, "fair": 7, "rich": 33})
    after = rules_of(client, "boggle")
    for text in ("5 4 6 6 7 9 8+ 20", "scores 9 points", "best of 33", "GENERAL 9 13"):
        assert text in after
        assert text not in plain_text


def test_the_words_of_boggles_examples_are_on_the_drawn_board(client: TestClient) -> None:
    text = rules_of(client, "boggle")
    (tiles,) = re.findall(r" ((?:[A-Z] ){16})GENERAL has", text)
    body = {"board": tiles.replace(" ", "").lower(), "limit": 1000}
    on_board = {each["word"] for each in client.post("/api/boggle/solve", json=body).json()["words"]}
    (examples,) = re.findall(r"Ada: .* Ben: .*? \d \d", text)
    words = {word.lower() for word in re.findall("[A-Z]{2,}", examples)}
    assert len(words) == 4
    assert words <= on_board


def test_letterpress_counts_its_tiles(client: TestClient) -> None:
    text = rules_of(client, "letterpress")
    assert f"{MAJORITY} of {CELLS}" in text
    assert "Before: 10 to 9" in text
    assert "After KINDLY: 14 to 7" in text
    assert "Y was protected, so they keep it" in text
    assert {"kindly", "kind"} <= set(lexicon(client))
    page = client.get("/rules/letterpress", headers=HTML).text
    drawings = re.findall(r'<svg class="drawing".*?</svg>', page, re.DOTALL)
    owned = [
        [len(re.findall(rf'<rect [^>]*data-owner="{side}"', one)) for side in ("ours", "theirs")]
        for one in drawings
    ]
    assert owned == [[10, 9], [14, 7]]
    assert "Yours: P R E S W L O A E G; theirs: N D M U Y T F I V; free: T H K I C B;" in page
    assert '; protected: P R E W L A F I V"' in page


def test_fribbles_presets_are_described_in_full(client: TestClient) -> None:
    page = client.get("/rules/fribble", headers=HTML).text
    text = plain(page)
    for preset in presets().values():
        part = plain(page.split(f"<h2>{preset.title}</h2>")[1].split("</section>")[0])
        assert f"+{preset.bingo}" in part
        assert f"{len(preset.tiles.full_bag)}, with {preset.tiles.counts['?']} blanks" in part
        assert f"{preset.scoreless_turns} turns in a row" in part
        for letter, number in preset.tiles.counts.items():
            assert letter == "?" or f"{letter} {number} " in part
        signs = "".join(preset.layout.rows)
        marks = [len(re.findall(rf"\b{mark}\b", part)) for mark in ("TW", "DW", "TL", "DL")]
        assert all(drawn >= signs.count(sign) for sign, drawn in zip("=-\"'", marks, strict=True))
        for sign, name in PREMIUMS.items():
            listed = re.search(rf"{name}: ((?:\d+[A-O][, ]*)+)", part)
            places = [
                f"{number}{'ABCDEFGHIJKLMNO'[at.start()]}"
                for number, row in enumerate(preset.layout.rows, 1)
                for at in re.finditer(re.escape(sign), row)
            ]
            assert listed
            assert sorted(re.findall(r"\w+", listed[1])) == sorted(places)
    assert "(4 + 1 + 1 + 4 + 4 + 2 + 1) x 2 34 All 7 tiles 35 Total 69" in text
    assert "(4 + 1 + 1 + 3 + 3x2 + 1 + 1) x 2 34 All 7 tiles 50 Total 84" in text
    assert "Word list ENABLE (English) , 172,823 words" in text
    assert "fribble" in lexicon(client)


def test_fribbles_rules_follow_the_presets(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    dear = presets()["standard"].model_copy(
        update={"title": "House", "bingo": 65, "exchange_minimum": 4, "scoreless_turns": 9, "seats": (2, 3)}
    )
    monkeypatch.setattr("app.rooms.fribble.rules_data.presets", lambda: {"house": dear})
    plain_text = rules_of(client, "fribble")
    for text in (
        "House",
        "+65",
        "With 4 or more tiles",
        "9 turns in a row",
        "2 to 3",
        "All 7 tiles 65 Total 99",
    ):
        assert text in plain_text
    assert "Words With Friends" not in plain_text


def test_scrabblets_modes_and_ranks_are_those_of_the_data(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = client.get("/rules/scrabblet", headers=HTML).text
    plain_text = plain(page)
    for rank in ranks():
        assert f"{rank.name} {rank.percent}%" in plain_text
    for mode in scrabblet_modes().values():
        part = card(page, mode.title)
        if mode.required:
            assert f"{mode.required[0]} to {mode.required[1]}" in part
        assert ("Pangrams" in part) == bool(mode.pangrams)
    for word, points in (("pier", 6), ("piece", 9), ("recipient", 13), ("precinct", 14)):
        assert word in lexicon(client)
        assert re.search(rf"{word.upper()} [()\w +]*\b{points}\b", plain_text)
    changed = {
        name: mode.model_copy(update={"penalty": {"non_words": 7, "wrong_guesses": 7}, "required": (12, 34)})
        for name, mode in scrabblet_modes().items()
    }
    monkeypatch.setattr("app.rooms.scrabblet.rules_data.modes", lambda: changed)
    ladder = (Rank(name="Novice", percent=0), Rank(name="Ace", percent=45))
    for module in ("app.rooms.scrabblet.rules_data", "app.games.scrabblet.ranks"):
        monkeypatch.setattr(f"{module}.ranks", lambda: ladder)
    after = rules_of(client, "scrabblet")
    for text in ("7 points", "12 to 34", "Ace 45%", "make you Ace"):
        assert text in after
        assert text not in plain_text


def test_the_drawn_paths_join_neighbours(client: TestClient) -> None:
    for kind in ("wibble", "boggle"):
        page = client.get(f"/rules/{kind}", headers=HTML).text
        (points,) = re.findall(r'class="drawing-path" points="([^"]+)"', page)
        centres = [tuple(map(float, point.split(","))) for point in points.split()]
        assert len(set(centres)) == len(centres) == page.count("drawing-tile--used")
        for (x, y), (to_x, to_y) in itertools.pairwise(centres):
            assert max(abs(to_x - x), abs(to_y - y)) == 1
