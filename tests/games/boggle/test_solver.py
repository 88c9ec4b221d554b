import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.games.boggle import kernels
from app.games.boggle.board import Board, parse_board
from app.games.boggle.scoring import classic_points, points_of
from app.games.boggle.solver import Paths, Solver, TooManyPaths, solver_of
from app.words.lexicon import Lexicon
from app.words.wordlist import read_words
from tests.examples import examples
from tests.games.brute import paths as all_paths

FEW_LETTERS = "abqu"
WORDS = st.lists(st.text(FEW_LETTERS, min_size=1, max_size=9), min_size=1, max_size=30)
SIDES = st.integers(2, 8)


@st.composite
def boards(draw: st.DrawFn, most_cells: int = 64) -> Board:
    columns = draw(SIDES)
    rows = draw(st.integers(2, max(2, min(8, most_cells // columns))))
    row = st.text(FEW_LETTERS, min_size=columns, max_size=columns)
    return Board(tuple(draw(st.lists(row, min_size=rows, max_size=rows))))


def brute(board: Board, words: set[str], min_length: int, qu: bool) -> dict[str, list[tuple[int, ...]]]:
    """Each word with all its paths, found by trying every path."""
    spelled = {word: word for word in words}
    if qu:
        spelled = {word.replace("qu", "q"): word for word in words if word.count("q") == word.count("qu")}
    found: dict[str, list[tuple[int, ...]]] = {}
    for faces, path in all_paths(board.letters, board.grid.columns, set(spelled)):
        if len(spelled[faces]) >= min_length:
            found.setdefault(spelled[faces], []).append(path)
    return found


def codes(*boards: Board) -> NDArray[np.uint8]:
    return np.stack([board.codes for board in boards])


def words_and_points(solver: Solver, board: Board, *, every_path: bool = False) -> tuple[int, int]:
    grid = board.grid
    counts, points = solver.score(codes(board), grid.columns, grid.rows, every_path=every_path)
    return int(counts[0]), int(points[0])


@given(boards(20), WORDS, st.integers(2, 5), st.booleans())
@example(Board(("qu", "iq")), ["quiq", "qi", "qu", "uq", "quuiq"], 2, True)
def test_every_word_is_found_with_all_its_paths(
    board: Board, words: list[str], min_length: int, qu: bool
) -> None:
    solver = Solver(Lexicon.from_words(words, "few"), min_length, qu)
    expected = brute(board, set(words), min_length, qu)
    points = {word: points_of(word, classic_points()) for word in expected}

    found = solver.solve(board, "all")
    assert {word.word: list(word.paths) for word in found.words} == {
        word: sorted(each) for word, each in expected.items()
    }
    assert [(word.word, word.points) for word in found.words] == sorted(
        points.items(), key=lambda item: (-item[1], item[0])
    )
    one = solver.solve(board)
    assert [(word.word, word.points, word.paths) for word in one.words] == [
        (word.word, word.points, word.paths[:1]) for word in found.words
    ]
    assert (found.count, found.points) == (one.count, one.points) == (len(expected), sum(points.values()))
    assert words_and_points(solver, board) == (found.count, found.points)
    assert words_and_points(solver, board, every_path=True) == (
        sum(map(len, expected.values())),
        sum(points[word] * len(each) for word, each in expected.items()),
    )


@given(boards(), st.booleans())
def test_large_boards_are_worth_what_their_words_are(board: Board, qu: bool) -> None:
    solver = Solver(Lexicon.from_words(["abba", "baub", "quab", "bauqu", "aaaa", "ubuq"], "few"), 2, qu)
    for paths in ("one", "all"):
        found = solver.solve(board, paths)
        number = [len(word.paths) for word in found.words]
        points = [len(word.paths) * word.points for word in found.words]
        assert words_and_points(solver, board, every_path=paths == "all") == (sum(number), sum(points))


@examples(25)
@given(st.data())
def test_uncompiled_kernels_answer_the_same(data: st.DataObject) -> None:
    board = data.draw(st.one_of(boards(35), st.just(Board(("abquabqu",) * 8))))
    solver = Solver(Lexicon.from_words(data.draw(WORDS), "few"), 2, data.draw(st.booleans()))
    grid, room = board.grid, (np.zeros((500, 2), np.int64), np.zeros(500 * 9, np.uint8))
    for every_path in (False, True):
        scoring = solver.word_values, every_path, solver.workspace.stamps, solver.workspace.scratch
        totals = np.zeros(2, np.int64)
        kernels.score_boards(solver.nodes, grid.masks, codes(board), *scoring, totals[:1])
        kernels.score_boards.plain(solver.nodes, grid.masks, codes(board), *scoring, totals[1:])
        found = kernels.find_paths(solver.nodes, grid.masks, board.codes, *scoring, *room)
        found_by_plain = kernels.find_paths.plain(solver.nodes, grid.masks, board.codes, *scoring, *room)
        assert {*totals.tolist()} == {int(found)} == {int(found_by_plain)}


def test_many_boards_are_scored_like_one(lexicon: Lexicon) -> None:
    """This includes boards after the 255th, when the stamps have run out."""
    draw = Random(5)
    many = [Board.of("".join(draw.choices("etaoinshr", k=12)), 4) for _ in range(600)]
    counts, points = solver_of(lexicon).score(codes(*many), 4, 3)
    fresh = Solver(lexicon)
    for board, count, worth_ in zip(many, counts.tolist(), points.tolist(), strict=True):
        found = fresh.solve(board)
        assert (count, worth_) == (found.count, found.points)


def test_a_board_too_rich_for_the_queue_is_scored_all_the_same() -> None:
    board = Board(("aaaaa",) * 5)
    words = ["a" * length for length in range(1, 9)]
    solver = Solver(Lexicon.from_words(words, "a"))
    assert words_and_points(solver, board) == (6, 1 + 1 + 2 + 3 + 5 + 11)
    expected = sum(1 for _ in all_paths(board.letters, 5, set(words[2:6])))
    assert words_and_points(Solver(Lexicon.from_words(words[:6], "a")), board, every_path=True)[0] == expected
    assert expected > kernels.WORDS
    with pytest.raises(TooManyPaths, match="ways: up to 50,000 are listed"):
        solver.solve(board, "all")
    assert [len(word.word) for word in solver.solve(board).words] == [8, 7, 6, 5, 3, 4]


def test_points_are_a_table_by_length() -> None:
    assert classic_points() == (0, 0, 1, 1, 1, 2, 3, 5, 11)
    lexicon = Lexicon.from_words(["abc", "abcd", "abcdefghi"], "abc")
    solver = Solver(lexicon, points=(0, 0, 0, 5, 0, 100))
    found = solver.solve(parse_board("abc fed ghi"))
    assert [(word.word, word.points) for word in found.words] == [("abcdefghi", 100), ("abc", 5), ("abcd", 0)]
    assert words_and_points(solver, parse_board("abc fed ghi")) == (3, 105)
    for table in ((), (0, -1)):
        with pytest.raises(ValueError, match="points by number of letters are 0 or more"):
            Solver(lexicon, points=table)
    with pytest.raises(ValueError, match="words of 1 letter: they have 2 or more"):
        Solver(lexicon, 1)


def test_a_qu_face_is_two_letters() -> None:
    lexicon = Lexicon.from_words(["quits", "qi", "suq", "quo", "qat"], "q")
    board = parse_board("qits")
    assert [(word.word, word.points) for word in Solver(lexicon, 2, qu=True).solve(board).words] == [
        ("quits", 2)
    ]
    assert [word.word for word in Solver(lexicon, 2).solve(board).words] == ["qi"]


@pytest.mark.parametrize(
    "given_", ["abcdefgh ijklmnop", "ABCDEFGH/IJKLMNOP", " abcdefgh,\nijklmnop ", ["abcdefgh", "ijklmnop"]]
)
def test_a_board_is_read_from_rows(given_: str | list[str]) -> None:
    assert parse_board(given_) == Board(("abcdefgh", "ijklmnop")) == Board.of("abcdefghijklmnop", 8)


def test_a_single_run_is_a_square() -> None:
    assert parse_board("abcdefghi").rows == ("abc", "def", "ghi")


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ("abcde", "5 letters do not make a square of 2x2 to 8x8: put a space between the rows"),
        ("", "0 letters do not make a square"),
        ("a" * 81, "81 letters do not make a square"),
        ("ab c", "row 2 has 1 letter: a row has 2 to 8"),
        ("ab cde", "row 2 has 3 letters, row 1 has 2: all rows have the same length"),
        ("ab c1", "row 2, column 2 holds '1': a cell is one letter, a to z"),
        ("ab cé", "row 2, column 2 holds 'é'"),
        (["ab", "c d"], "row 2, column 2 holds ' '"),
        (["ab"], "a board has 2 to 8 rows, this one has 1"),
        (["ab"] * 9, "a board has 2 to 8 rows, this one has 9"),
    ],
)
def test_what_is_no_board_is_refused(given_: str | list[str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_board(given_)


@pytest.mark.parametrize(
    ("array", "says"),
    [
        (
            np.zeros((2, 15), np.uint8),
            r"boards of uint8 and shape \(2, 15\): 4x4 requires uint8 and \(n, 16\)",
        ),
        (np.zeros(16, np.uint8), "requires uint8"),
        (np.zeros((2, 16), np.int64), "boards of int64"),
        (np.full((2, 16), 26, np.uint8), "letter 26: letters are numbers 0 to 25"),
    ],
)
def test_arrays_that_are_no_boards_are_refused(array: NDArray[Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Solver(Lexicon.from_words(["abc"], "abc")).score(array, 4, 4)


def test_no_boards_have_no_words() -> None:
    counts, points = Solver(Lexicon.from_words(["abc"], "abc")).score(np.zeros((0, 16), np.uint8), 4, 4)
    assert (counts.tolist(), points.tolist()) == ([], [])


RICHEST = {
    "perslatgsineters": 3625,
    "segsrntreiaeslps": 3603,
    "gepsnaletireseds": 3593,
    "ligdrmanesietildsracsepes": 10406,
}


def reference_boards(reference: Path) -> list[tuple[Board, int]]:
    scores = json.loads((reference / "boggle" / "enable2k_scores.json").read_text())
    known = [board for kinds in scores.values() for boards in kinds.values() for board in boards]
    return [(parse_board(letters), points) for letters, points in [*known, *RICHEST.items()]]


def disagreements(reference: Path) -> int:
    """The number of boards whose score differs from that of another solver."""
    solver = Solver(Lexicon.from_words(read_words(reference / "words" / "enable2k.txt"), "enable2k"), qu=True)
    known = reference_boards(reference)
    assert len(known) == 604
    wrong = 0
    for board, points in known:
        found = solver.solve(board)
        wrong += (found.points, *words_and_points(solver, board)) != (points, found.count, points)
    return wrong


def test_the_reference_boards(reference: Path) -> None:
    assert disagreements(reference) == 0


def test_the_reference_boards_on_any_processor(reference: Path, tmp_path: Path) -> None:
    """The code that a generic processor would compile, which may differ from this one's."""
    code = (
        "import sys; from pathlib import Path; from tests.games.boggle.test_solver import disagreements\n"
        "from app.games.boggle.kernels import find_paths, score_boards\n"
        "score_boards.warm(); find_paths.warm()\n"
        "sys.exit(disagreements(Path(sys.argv[1])))"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(reference)],
        cwd=Path(__file__).parents[3],
        env=os.environ
        | {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)},
        check=True,
    )


def test_a_solver_is_made_once(lexicon: Lexicon) -> None:
    assert solver_of(lexicon, qu=True) is solver_of(lexicon, qu=True)
    assert solver_of(lexicon, qu=True) is not solver_of(lexicon)


def test_paths_stand_for_their_words(lexicon: Lexicon) -> None:
    board = parse_board("perslatgsineters")
    modes: tuple[Paths, ...] = ("one", "all")
    for paths in modes:
        for word in solver_of(lexicon).solve(board, paths).words:
            for path in word.paths:
                assert "".join(board.letters[cell] for cell in path) == word.word
