import contextlib
from string import ascii_letters, ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.fribble import cgp
from app.games.fribble.bag import ordered
from app.games.fribble.board import Board
from app.games.fribble.cgp import BrokenCgp, Cgp
from app.games.fribble.presets import presets
from tests.examples import examples

EMPTY = "/".join(["15"] * 15)
NATIONALS = f"{EMPTY} AELNOQT/ 0/0 0 lex NWL18; lm -2;"
MAVEN = (
    "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/"
    "1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7 IKLMTZ/AEINRU? 0/0 0 lex OSPD1;"
)

rows = st.text(alphabet="." * 20 + ascii_letters, min_size=15, max_size=15)
racks = st.text(alphabet=ascii_uppercase + "?", max_size=7).map(ordered)
scores = st.integers(-cgp.MOST_POINTS, cgp.MOST_POINTS)
words = st.text(alphabet=ascii_letters, min_size=1, max_size=8)
positions = st.builds(
    Cgp,
    board=st.lists(rows, min_size=15, max_size=15).map(lambda each: Board(rows=tuple(each))),
    racks=st.tuples(racks, racks),
    scores=st.tuples(scores, scores),
    scoreless=st.integers(0, cgp.MOST_SCORELESS),
    operations=st.dictionaries(words, words | st.just(""), max_size=4).map(lambda each: tuple(each.items())),
)


@given(positions)
@examples(200)
def test_a_written_position_is_read_as_the_same(position: Cgp) -> None:
    text = cgp.write(position)
    assert cgp.read(text) == position
    assert cgp.is_cgp(text)


@pytest.mark.parametrize("text", [NATIONALS, MAVEN])
def test_the_examples_of_the_specification_are_written_as_they_were_read(text: str) -> None:
    assert cgp.write(cgp.read(text)) == text


def test_the_fields_of_an_example() -> None:
    position = cgp.read(MAVEN)
    assert position.board.rows[0] == ".....BERGS....."
    assert position.board.rows[5] == "MA.TAW...c..H.."
    assert position.board.tiles.count("?") == 1
    assert position.racks == ("IKLMTZ", "AEINRU?")
    assert (position.scores, position.scoreless, position.lexicon) == ((0, 0), 0, "OSPD1")
    assert position.preset is None


@pytest.mark.parametrize("preset", ["wwf", "standard"])
def test_preset_and_word_list_are_named(preset: str) -> None:
    written = Cgp.of(Board(), ("TA?", ""), (10, -5), 2, preset=preset, lexicon="enable")
    position = cgp.read(cgp.write(written))
    assert (position.preset, position.lexicon) == (preset, "enable")
    assert position.preset in presets()
    assert position.racks == ("AT?", "")
    assert position.scores == (10, -5)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the text is empty"),
        (EMPTY, "the racks are missing"),
        (f"{EMPTY} A/", "the scores are missing"),
        (f"{EMPTY} A/ 0/0", "the number of scoreless turns is missing"),
        ("15/15 A/ 0/0 0", "the board has 2 rows; accepted: 15"),
        (f"{EMPTY[:-2]}7A8 A/ 0/0 0", "row 15 has 16 squares; accepted: 15"),
        (f"14/{EMPTY[3:]} A/ 0/0 0", "row 1 has 14 squares"),
        (f"/{EMPTY[3:]} A/ 0/0 0", "row 1 has 0 squares"),
        (f"16/{EMPTY[3:]} A/ 0/0 0", "row 1, column A: 16 empty squares; accepted: 1 to 15"),
        (f"7é7/{EMPTY[3:]} A/ 0/0 0", "row 1, column H: 'é'; accepted: a number of empty squares"),
        (f"7[QU]7/{EMPTY[3:]} A/ 0/0 0", "row 1, column H: [QU] is a tile of several letters"),
        (f"{EMPTY} [CH]A/ 0/0 0", "the first rack has a tile of several letters"),
        (f"{EMPTY} A/b 0/0 0", "the second rack has 'b'; accepted: A to Z, and ? for a blank"),
        (f"{EMPTY} A/ABCDEFGH 0/0 0", "the second rack has 8 tiles; accepted: up to 7"),
        (f"{EMPTY} A/B/C 0/0 0", "the racks are of 3 players; accepted: those of two"),
        (f"{EMPTY} A/ 0 0", "the scores are of 1 player; accepted: those of two"),
        (f"{EMPTY} A/ 0/x 0", "the second score is 'x'; accepted: -9999 to 9999"),
        (f"{EMPTY} A/ 0/0 -1", "the number of scoreless turns is '-1'; accepted: 0 to 99"),
        (f"{EMPTY} A/ 0/0 0 !;", "'!' is no operation"),
        (f"{EMPTY} A/ 0/0 0 lex a; lex b;", "there are two operations lex"),
        (f"{EMPTY} A/ 0/0 0 lex {'a' * 2000};", "characters: a position has up to 2,000"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, says: str) -> None:
    with pytest.raises(BrokenCgp) as raised:
        cgp.read(text)
    assert says in str(raised.value)


@given(st.text(alphabet="15/7A[]?;-0 q\u00b2lex", max_size=120))
@examples(300)
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(BrokenCgp):
        position = cgp.read(text)
        assert cgp.read(cgp.write(position)) == position


def test_rows_of_a_board_and_gcg_are_not_taken_for_cgp() -> None:
    assert not cgp.is_cgp("\n".join(Board().rows))
    assert not cgp.is_cgp("#player1 a/b")
    assert cgp.is_cgp(NATIONALS)
