from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.games.fribble.board import Board, floating, words_on
from app.games.fribble.layout import CENTRE
from app.games.fribble.placement import Placement, lines
from app.games.fribble.position import words_of
from app.games.fribble.presets import presets, use_own
from app.games.fribble.scoring import score
from app.games.game import IllegalMove
from app.resources import resource

WWF = presets()["wwf"]


def test_the_wwf_board_and_tiles_are_those_of_the_issue() -> None:
    rows = WWF.layout.rows
    assert rows[:8] == (
        '...=.."."..=...',
        "..'..-...-..'..",
        ".'..'.....'..'.",
        '=.."...-..."..=',
        "..'...'.'...'..",
        '.-..."..."...-.',
        "\"...'.....'...\"",
        "...-.......-...",
    )
    assert rows[8:] == rows[6::-1]
    signs = "".join(rows)
    assert {sign: signs.count(sign) for sign in "=-\"'"} == {"=": 8, "-": 12, '"': 16, "'": 24}
    assert (int(WWF.layout.letter_multipliers.sum()), int(WWF.layout.word_multipliers.sum())) == (
        225 + 16 * 2 + 24,
        225 + 8 * 2 + 12,
    )
    assert len(WWF.tiles.full_bag) == 104
    assert (
        WWF.tiles.total_points("JQZXKVBCFMPWGHYDLNUAEIORST?")
        == 3 * 10 + 8 + 2 * 5 + 6 * 4 + 3 * 3 + 4 * 2 + 7
    )


def test_the_standard_board_doubles_the_centre_and_has_100_tiles() -> None:
    standard = presets()["standard"]
    assert standard.layout.rows[7][7] == "-"
    assert standard.layout.rows[8:] == standard.layout.rows[6::-1]
    assert len(standard.tiles.full_bag) == 100


@pytest.fixture
def none_added(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the presets that a test adds."""
    monkeypatch.setattr("app.games.fribble.presets._own", {})


SHIPPED = (resource("data") / "fribble" / "presets" / "wwf.toml").read_text()


@pytest.mark.usefixtures("none_added")
def test_a_file_of_the_users_is_another_preset(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(SHIPPED.replace("bingo = 35", "bingo = 99"))
    assert use_own(tmp_path / "nowhere") == []
    assert use_own(tmp_path) == []
    assert list(presets()) == ["wwf", "standard", "mine"]
    fribble = Placement(cells=tuple(range(CENTRE, CENTRE + 7)), tiles="FRIBBLE")
    assert score(Board(), fribble, presets()["mine"]).bonus == 99
    assert use_own(tmp_path) == [], "another application beside this one has the same"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        (
            "mine",
            SHIPPED.replace('"...=..', '"..x=..', 1),
            "mine.toml: layout.rows: row 1 has 'x'",
        ),
        (
            "mine",
            SHIPPED.replace("bingo = 35", "bingo = -1"),
            "bingo: 0 or more expected, -1 given",
        ),
        ("mine", SHIPPED.replace("bingo = 35", "bingo = 40000"), "expected, 40000 given"),
        ("mine", SHIPPED.replace("seats = [2, 2]", "seats = [4, 2]"), "a table is for 2 to 4"),
        ("mine", SHIPPED.replace("seats = [2, 2]", "seats = [1, 1]"), "a table is for 2 to 4"),
        ("mine", SHIPPED.replace("8 = ", "300 = "), "a letter is worth 0 to 100 points, not 300"),
        ("mine", SHIPPED.replace("10 = ", "100 = "), "at most 32,767 can be counted"),
        ("mine", SHIPPED.replace("Q = 1", "q = 1"), "1 tile of 'q': tiles are A to Z and ?"),
        ("mine", SHIPPED.replace("bingo = 35", "extra = 1"), "bingo: required"),
        ("mine", "title =", "mine.toml: Invalid value"),
        ("Mine", SHIPPED, "'Mine' is not a valid name"),
        ("wwf", SHIPPED, "there is a preset named 'wwf' already"),
    ],
)
@pytest.mark.usefixtures("none_added")
def test_a_file_that_is_no_preset_is_left_out_with_the_reason(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    (tmp_path / f"{name}.toml").write_text(text)
    (tmp_path / "sound.toml").write_text(SHIPPED)
    (fault,) = use_own(tmp_path)
    assert says in fault
    assert list(presets()) == ["wwf", "standard", "sound"]


@pytest.mark.parametrize(
    ("cells", "apart"),
    [
        ((), None),
        ((112, 113), None),
        ((112, 127, 128), None),
        ((0,), 0),
        ((112, 97, 81), 81),
        ((112, 14, 15), 14),
    ],
)
def test_tiles_hang_together_with_the_centre(cells: tuple[int, ...], apart: int | None) -> None:
    assert floating(Board().with_tiles(cells, "A" * len(cells))) == apart


boards = st.sets(st.integers(60, 164), min_size=5, max_size=60).map(
    lambda cells: Board().with_tiles(sorted(cells), "".join("AbC"[cell % 3] for cell in sorted(cells)))
)


@st.composite
def positions(draw: st.DrawFn) -> tuple[Board, Placement]:
    """A board, and tiles on the next free squares of one of its lines; most of these placements are legal."""
    board, down = draw(boards), draw(st.booleans())
    line, start = draw(st.integers(3, 11)), draw(st.integers(2, 10))
    along = [15 * place + line if down else 15 * line + place for place in range(start, 15)]
    free = [cell for cell in along if board.squares[cell] == "."]
    assume(free)
    tiles = draw(st.text("DEFxyz", min_size=1, max_size=7))[: len(free)]
    return board, Placement(cells=tuple(free[: len(tiles)]), tiles=tiles)


@given(position=positions())
def test_a_placement_makes_the_words_that_are_new_on_the_board(
    position: tuple[Board, Placement],
) -> None:
    board, placement = position
    try:
        made = lines(board, placement)
    except IllegalMove:
        return
    after = board.with_tiles(placement.cells, placement.tiles)
    fresh = [line for line in words_of(after) if set(line.cells) & set(placement.cells)]
    assert sorted(made, key=str) == sorted(fresh, key=str)
    assert set(placement.cells) <= set(made[0].cells) or len(placement.cells) == 1
    assert board.empty or sum(len(line.cells) for line in made) > len(placement.cells)


@given(position=positions())
def test_points_are_the_sum_over_new_words_counted_square_by_square(
    position: tuple[Board, Placement],
) -> None:
    board, placement = position
    try:
        found = score(board, placement, WWF)
    except IllegalMove:
        return
    signs = "".join(WWF.layout.rows)
    total = 35 if len(placement.cells) == 7 else 0
    for line in found.lines:
        points, factor = 0, 1
        for cell, letter in zip(line.cells, line.text, strict=True):
            sign = signs[cell] if cell in placement.cells else "."
            value = WWF.tiles.value(letter)
            points += value * {"'": 2, '"': 3}.get(sign, 1)
            factor *= {"-": 2, "=": 3}.get(sign, 1)
        total += points * factor
    assert found.total == total


def test_the_words_on_a_board_have_their_coordinates() -> None:
    rows = ["." * 15] * 15
    assert words_on(rows) == []
    rows[7] = "...UNWiT......."
    rows[8] = "...P..........."
    assert words_on(rows) == ["8D UNWIT", "D8 UP"]
