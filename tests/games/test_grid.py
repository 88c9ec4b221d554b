import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.grid import LONGEST_SIDE, SHORTEST_SIDE, Grid, grid, letter_numbers
from app.games.grid_kernels import LONGEST_PATH, ROOM, find_words, neighbour_mask, paired_nodes
from app.words.lexicon import Lexicon
from tests.games import brute

sides = st.integers(SHORTEST_SIDE, LONGEST_SIDE)
grids = st.builds(grid, sides, sides)


@given(grids)
def test_neighbours_are_the_cells_one_step_away_in_any_direction(board: Grid) -> None:
    for cell in range(board.cells):
        expected = [other for other in range(board.cells) if brute.touching(cell, other, board.columns)]
        assert list(board.neighbours[cell]) == expected
        assert all(board.touch(cell, other) == (other in expected) for other in range(board.cells))


@given(grids, st.data())
def test_masks_know_the_same_neighbours(board: Grid, data: st.DataObject) -> None:
    cells = data.draw(st.sets(st.integers(0, board.cells - 1)))
    expected = {other for cell in cells for other in board.neighbours[cell]}
    mask = sum((int(board.bits[cell]) for cell in cells), start=0)
    found = int(neighbour_mask(np.int64(mask), *board.frame)) % 2**64
    assert {cell for cell in range(board.cells) if found >> cell & 1} == expected
    for cell in range(board.cells):
        near = int(board.masks[cell]) % 2**64
        assert {other for other in range(board.cells) if near >> other & 1} == set(board.neighbours[cell])


@pytest.mark.parametrize(("rows", "columns"), [(1, 5), (5, 1), (9, 5), (5, 9), (0, 0), (-2, 4)])
def test_sides_out_of_range_are_refused(rows: int, columns: int) -> None:
    with pytest.raises(ValueError, match=f"{rows}x{columns}: each side must be from 2 to 8"):
        Grid(rows, columns)


@pytest.mark.parametrize(
    ("letters", "reason"),
    [
        ("abc", "3 letters for a board of 2x2: it takes 4"),
        ("abcde", "5 letters for a board of 2x2: it takes 4"),
        ("abCd", "cell 2 holds 'C': a letter must be one of a to z, lower case"),
        ("ab1d", "cell 2 holds '1'"),
        ("abcé", "cell 3 holds 'é'"),
        ("a cd", "cell 1 holds ' '"),
        ("", "0 letters for a board of 2x2"),
    ],
)
def test_what_is_no_board_of_letters_is_refused(letters: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        letter_numbers(letters, grid(2, 2))


@given(
    grids,
    st.data(),
    st.sets(st.text("abc", min_size=1, max_size=5), min_size=1, max_size=8),
)
def test_the_path_finder_finds_the_words_of_boards_of_every_shape(
    board: Grid, data: st.DataObject, words: set[str]
) -> None:
    letters = data.draw(st.text("abcd", min_size=board.cells, max_size=board.cells))
    lexicon = Lexicon.from_words(words, "few")
    found = np.zeros(len(lexicon), np.int32)
    count = find_words(
        paired_nodes(lexicon.trie),
        lexicon.trie.word,
        board.near,
        letter_numbers(letters, board),
        len(lexicon),
        np.zeros(8 * LONGEST_PATH, np.int64),
        np.zeros(4 * ROOM, np.int64),
        np.zeros(len(lexicon), np.int32),
        found,
    )
    expected = {word for word, _ in brute.paths(letters, board.columns, words)}
    assert sorted(lexicon[int(word)] for word in found[:count]) == sorted(expected)
