import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.fribble.board import Board
from app.games.fribble.notation import BadNotation, coordinate, fribble_notation, parse, shortage, standard
from app.games.fribble.placement import Placement, lines
from app.games.game import IllegalMove

FRIBBLE = Board().with_tiles(range(112, 119), "FRIBBLE")


def test_the_readmes_examples() -> None:
    assert parse("m(r8,8,'fribble')", Board()) == Placement(cells=tuple(range(112, 119)), tiles="FRIBBLE")
    friends = parse("m(c8,9,'riends')", FRIBBLE)
    assert [line.word for line in lines(FRIBBLE, friends)] == ["FRIENDS"]
    board = Board().with_tiles([15 * 7 + 12], "L")  # PLAY in column 13 goes through an L in row 8
    pay = parse("mf(c13,'7 9 10','pay')", board)
    assert [line.word for line in lines(board, pay)] == ["PLAY"]


@pytest.mark.parametrize(
    ("board", "text", "seeds", "fields"),
    [
        (Board(), "m(r08,8,'fribble')", "m(r8,8,'FRIBBLE')", "8H FRIBBLE"),
        (Board(), " m( C8, 5, 'FRiBBlE' ) ", "m(c8,5,'FRiBBlE')", "H5 FRiBBlE"),
        (Board(), "8g Qi", "m(r8,7,'Qi')", "8G Qi"),
        (Board(), "m(r8,7,'?q?i')", "m(r8,7,'?q?i')", "8G ?q?i"),
        (FRIBBLE, "mf(c9,'7 9','ae')", "mf(c9,'7 9','AE')", "I7 A.E"),
        (FRIBBLE, "H8 .RIENDS", "m(c8,9,'RIENDS')", "H8 .RIENDS"),
        (FRIBBLE, "8H FRIBBLES", "m(r8,15,'S')", "8H .......S"),
        (FRIBBLE, "H8 (F)RIENDS", "m(c8,9,'RIENDS')", "H8 .RIENDS"),
    ],
)
def test_each_notation_is_read_and_written(board: Board, text: str, seeds: str, fields: str) -> None:
    placement = parse(text, board)
    assert (fribble_notation(board, placement), standard(board, placement)) == (seeds, fields)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fribble", "'fribble' is not a move; accepted: 8H WORD"),
        ("m(r16,8,'a')", "there is no row 16: rows are 1 to 15"),
        ("m(c0,8,'a')", "there is no column 0: columns are 1 to 15"),
        ("m(r8,16,'a')", "there is no position 16"),
        ("m(r8,14,'abc')", "runs off the edge"),
        ("m(r8,'1 2','ab')", "m takes one position"),
        ("m(r8,8,'a1')", "'a1' are not tiles"),
        ("m(r8,1,'abcdefgh')", "has 8 tiles: a rack has 7"),
        ("mf(r8,'1 3','abc')", "there are 3 tiles for 2 squares"),
        ("mf(r8,'3 1','ab')", "the positions of mf must ascend"),
        ("16A CAT", "there is no row 16"),
        ("8M CATS", "runs off the edge"),
        ("8H CAT", "row 8, column H has F, where 'CAT' has C"),
        ("1A C.T", "there is no tile on row 1, column B, where 'C.T' has '.'"),
        ("8H FRIBBLE", "lays no tile"),
        ("1A CATCATCA", "lays 8 tiles"),
        ("8H F?", "is not a word"),
    ],
)
def test_errors_say_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(BadNotation) as refused:
        parse(text, FRIBBLE)
    assert says in str(refused.value)


@given(
    line=st.integers(0, 14),
    places=st.sets(st.integers(0, 14), min_size=1, max_size=7),
    down=st.booleans(),
    letters=st.text("ABCXYZabcxyz", min_size=7, max_size=7),
    filled=st.sets(st.integers(0, 224), max_size=150),
)
def test_every_placement_survives_each_notation(
    line: int, places: set[int], down: bool, letters: str, filled: set[int]
) -> None:
    cells = sorted(15 * place + line if down else 15 * line + place for place in places)
    squares = "".join("Q" if cell in filled and cell not in cells else "." for cell in range(225))
    board, placement = Board.of(squares), Placement(cells=tuple(cells), tiles=letters[: len(cells)])
    try:
        lines(board, placement)
    except IllegalMove:
        return
    for write in (fribble_notation, standard):
        for tiles in (None, "ABCXYZ??", placement.used):
            assert parse(write(board, placement), board, tiles) == placement
    place = coordinate(board, placement)
    assert place[0].isdigit() != place[-1].isdigit()


@given(
    text=st.text("mfrcMF(),'\"\u201d 0123456789AHO?.aho\u0663\u212a\u017f", max_size=24),
    tiles=st.none() | st.text("AHO?", max_size=7),
)
def test_any_text_is_a_placement_or_refused(text: str, tiles: str | None) -> None:
    with contextlib.suppress(BadNotation):
        assert len(parse(text, FRIBBLE, tiles).cells) <= 7


@pytest.mark.parametrize(
    ("board", "text", "tiles", "laid"),
    [
        (Board(), "8H fribble", "BEFILRB", "FRIBBLE"),
        (Board(), "8h fribble", "BEFILRB", "FRIBBLE"),
        (Board(), "8h FRIBBLE", "BEFILRB", "FRIBBLE"),
        (Board(), "8H fribble", "BEFILR?", "FRIBbLE"),
        (Board(), "8H FRIBbLE", "BEFILRB", "FRIBbLE"),
        (Board(), "8H fri?bble", "BEFILB?", "FRIbBLE"),
        (Board(), "8H FRI?BBLE", "BEFILB?", "FRIbBLE"),
        (Board(), "8H fribble", "BEFILRX", "FRIBBLE"),
        (Board(), "m(r8,8,'fribble')", "BEFILR?", "FRIBbLE"),
        (FRIBBLE, "8H fribbles", "S?", "S"),
        (FRIBBLE, "8H fribbles", "E?", "s"),
        (FRIBBLE, "8H FRIBBLEs", "S?", "s"),
        (FRIBBLE, "h8 .riends", "EINDRST", "RIENDS"),
    ],
)
def test_small_letters_alone_are_tiles_and_blanks_where_tiles_are_lacking(
    board: Board, text: str, tiles: str, laid: str
) -> None:
    assert parse(text, board, tiles).tiles == laid


@pytest.mark.parametrize(
    "text",
    [
        """mf("c13","7,9,10","pay")""",
        """mf(c13,"7, 9, 10","pay")""",
        """mf('c13','7 9 10','pay')""",
        """mf(c13,7,9,10,'pay')""",
        """mf("c13", "7 9 10", "PAY")""",
        """mf(\u201cc13\u201d,\u201c7,9,10\u201d,\u201cpay\u201d)""",
    ],
)
def test_quotes_and_commas_as_people_type_them(text: str) -> None:
    assert parse(text, Board()) == parse("mf(c13,'7 9 10','PAY')", Board())
    assert parse("""m("r8",8,"fribble")""", Board()) == parse("8H FRIBBLE", Board())


@pytest.mark.parametrize(
    ("text", "rack", "says"),
    [
        ("8H FRIBBLE", "BEFILRB", None),
        ("8H FRIBBLE", "BEFILR?", "no second B; with a blank: 8H FRIBbLE"),
        ("8H FRIBBLE", "BEFIR??", "no second B and no L; with blanks: 8H FRIBblE"),
        ("8H FRIBBLE", "BEFIRX?", "no second B and no L"),
        ("8H FRIBbLE", "BEFILRB", "no blank"),
        ("8H FRIbbLE", "EFILRB?", "no second blank"),
        ("8H ZOO", "BEFILRX", "no O and no Z"),
    ],
)
def test_what_a_rack_lacks_is_named_and_the_blank_suggested(text: str, rack: str, says: str | None) -> None:
    assert shortage(Board(), parse(text, Board()), rack) == says
    if says and ": " in says:
        again = parse(says.split(": ")[1], Board(), rack)
        assert shortage(Board(), again, rack) is None
