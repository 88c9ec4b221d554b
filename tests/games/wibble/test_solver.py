from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, pairwise
from random import Random
from string import ascii_lowercase

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.wibble import workspace
from app.games.wibble.scoring import Scoring, points
from app.games.wibble.solver import FoundWord, Solver
from app.games.wibble.state import Board, Bonus
from app.words.letters import frequencies, letter_values
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games import brute

ONES = Scoring(values=(1,) * 26)
CLASSIC = Scoring(values=letter_values("spellcast"), long_word_length=6, long_word_bonus=10)
scorings = st.builds(
    Scoring,
    values=st.tuples(*[st.integers(0, 9)] * 26),
    long_word_length=st.none() | st.integers(1, 6),
    long_word_bonus=st.integers(0, 12),
)


@st.composite
def boards(draw: st.DrawFn, size: int, alphabet: str) -> Board:
    cells = st.integers(0, size * size - 1)
    bonuses = st.none() | st.builds(Bonus, cell=cells, factor=st.integers(1, 3))
    return Board(
        letters=draw(st.text(alphabet, min_size=size * size, max_size=size * size)),
        gems=tuple(sorted(draw(st.sets(cells, max_size=5)))),
        letter_bonus=draw(bonuses),
        word_bonus=draw(bonuses),
    )


def lexicons(alphabet: str, longest: int) -> st.SearchStrategy[Lexicon]:
    words = st.sets(st.text(alphabet, min_size=1, max_size=longest), min_size=1, max_size=10)
    return st.builds(Lexicon.from_words, words, st.just("few"))


def random_board(random: Random, size: int, letters: str | None = None) -> Board:
    """Drawn as the game draws boards: by the frequencies of prose, with gems and both bonuses."""
    cells = range(size * size)
    return Board(
        letters=letters or "".join(random.choices(ascii_lowercase, frequencies("prose"), k=len(cells))),
        gems=tuple(sorted(random.sample(cells, min(10, len(cells))))),
        letter_bonus=Bonus(cell=random.choice(cells), factor=random.choice([2, 3])),
        word_bonus=Bonus(cell=random.choice(cells), factor=2),
    )


@given(st.data(), st.integers(2, 4), scorings)
def test_words_are_those_of_the_brute_force_with_its_paths_in_its_order(
    data: st.DataObject, size: int, scoring: Scoring
) -> None:
    lexicon = data.draw(lexicons("abc", longest=5))
    board = data.draw(boards(size, "abcd"))
    solver = Solver(lexicon)
    expected = brute.all_words(board, size, scoring, lexicon)
    assert solver.words(board, size, scoring) == expected
    assert solver.count(board.letters, size) == len(expected)
    assert solver.best(board, size, scoring) == next(iter(expected), None)
    for each in expected:
        assert solver.best_path(board, size, scoring, each.word) == each


@given(st.data(), st.sampled_from([(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]), scorings)
@examples(60)
def test_swaps_are_those_of_trying_every_letter_on_every_cell(
    data: st.DataObject, setting: tuple[int, int], scoring: Scoring
) -> None:
    size, swaps = setting
    lexicon = data.draw(lexicons("abc", longest=6))
    board = data.draw(boards(size, "abcd"))
    expected = brute.best_word(board, size, scoring, lexicon, swaps)
    assert Solver(lexicon).best(board, size, scoring, swaps) == expected


@given(st.data(), st.sampled_from([(2, 0), (2, 2), (2, 3), (3, 0), (3, 1)]), scorings)
@examples(60)
def test_gems_collected_and_swaps_paid_are_weighed_with_the_points(
    data: st.DataObject, setting: tuple[int, int], scoring: Scoring
) -> None:
    size, swaps = setting
    lexicon = data.draw(lexicons("abc", longest=6))
    board = data.draw(boards(size, "abcd"))
    held = list(accumulate(data.draw(st.lists(st.integers(0, 9), min_size=20, max_size=20))))
    cost = data.draw(st.integers(0, 3))
    rows = [held[9 - cost * made :][: len(board.gems) + 1] for made in range(swaps + 1)]
    expected = brute.best_by_value(board, size, scoring, lexicon, rows)
    assert Solver(lexicon).best_by_value(board, size, scoring, rows) == expected


@given(st.data(), boards(3, "abc"), lexicons("abc", longest=4), st.integers(0, 1))
@examples(40)
def test_a_word_that_is_not_allowed_is_left_out(
    data: st.DataObject, board: Board, lexicon: Lexicon, swaps: int
) -> None:
    allowed = np.array(data.draw(st.lists(st.integers(0, 1), min_size=len(lexicon), max_size=len(lexicon))))
    solver = Solver(lexicon)
    left = [word for word, may in zip(lexicon, allowed, strict=True) if may]
    filtered = allowed.astype(np.uint8)
    assert solver.words(board, 3, ONES, filtered) == brute.all_words(board, 3, ONES, left)
    assert solver.best(board, 3, ONES, swaps, filtered) == brute.best_word(board, 3, ONES, left, swaps)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_word_with_a_swap_in_the_whole_lexicon(lexicon: Lexicon, seed: int) -> None:
    solver = Solver(lexicon)
    board = random_board(Random(seed), 4)
    plain = solver.words(board, 4, CLASSIC)
    swapped = [
        each._replace(swaps=((cell, letter),))
        for cell in range(16)
        for letter in ascii_lowercase
        if letter != board.letters[cell]
        for each in solver.words(_with(board, cell, letter), 4, CLASSIC)
        if cell in each.cells
    ]
    found = solver.best(board, 4, CLASSIC, swaps=1)
    best = [*plain, *swapped]
    assert found == min(
        best, key=lambda each: (-each.points, len(each.swaps), -each.gems, each.word, each.cells)
    )


def test_the_best_word_with_two_swaps_in_the_whole_lexicon(lexicon: Lexicon) -> None:
    solver = Solver(lexicon)
    board = random_board(Random(8), 3)
    found = solver.best(board, 3, CLASSIC, swaps=2)
    assert found is not None
    assert found.points == max(
        best.points
        for cell in range(9)
        for letter in ascii_lowercase
        if (best := solver.best(_with(board, cell, letter), 3, CLASSIC, swaps=1))
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_best_word_with_three_swaps_is_that_of_two_after_the_best_first_swap(
    lexicon: Lexicon, seed: int
) -> None:
    solver = Solver(lexicon)
    board = random_board(Random(seed), 3)
    found, two = solver.best(board, 3, CLASSIC, swaps=3), solver.best(board, 3, CLASSIC, swaps=2)
    assert found is not None
    assert two is not None
    assert found == two or found.points > two.points
    assert found.points == max(
        best.points
        for cell in range(9)
        for letter in ascii_lowercase
        if (best := solver.best(_with(board, cell, letter), 3, CLASSIC, swaps=2))
    )


def _with(board: Board, cell: int, letter: str) -> Board:
    return board.model_copy(update={"letters": board.letters[:cell] + letter + board.letters[cell + 1 :]})


@pytest.mark.parametrize("size", [4, 5, 7, 8])
@pytest.mark.parametrize("swaps", [0, 1, 2, 3])
def test_what_is_found_can_be_played_and_is_worth_what_it_says(
    lexicon: Lexicon, size: int, swaps: int
) -> None:
    solver = Solver(lexicon)
    for seed in range(5):
        board = random_board(Random(seed), size)
        found = solver.best(board, size, CLASSIC, swaps)
        assert found is not None
        assert found.word in lexicon
        assert len(found.swaps) <= swaps
        for cell, letter in found.swaps:
            assert board.letters[cell] != letter
            board = _with(board, cell, letter)
        assert "".join(board.letters[cell] for cell in found.cells) == found.word
        assert len(set(found.cells)) == len(found.cells)
        assert all(brute.touching(one, other, size) for one, other in pairwise(found.cells))
        assert found.points == points(board, found.cells, CLASSIC)
        assert found.gems == len(set(found.cells) & set(board.gems))


@pytest.fixture(scope="module")
def some_words(lexicon: Lexicon) -> Lexicon:
    return Lexicon.from_words(Random(1).sample(list(lexicon), 4000), "some")


def _answers(solver: Solver) -> Iterator[object]:
    for size in (2, 4, 5, 8):
        last_cell = Bonus(cell=size * size - 1, factor=2)
        board = random_board(Random(size), size).model_copy(update={"word_bonus": last_cell})
        yield solver.count(board.letters, size)
        yield solver.words(board, size, CLASSIC)
        yield solver.best(board, size, CLASSIC, swaps=2)


@pytest.fixture(scope="module")
def compiled_answers(some_words: Lexicon) -> list[object]:
    return list(_answers(Solver(some_words)))


@pytest.mark.usefixtures("uncompiled")
def test_answers_do_not_wait_for_the_compiler_and_are_the_same(
    some_words: Lexicon, compiled_answers: list[object]
) -> None:
    assert list(_answers(Solver(some_words))) == compiled_answers


class TestBoards:
    """Boards that are never dealt."""

    @pytest.mark.parametrize("size", [2, 5, 8])
    def test_one_letter_everywhere(self, size: int) -> None:
        solver = Solver(Lexicon.from_words(["a", "aa", "aaaa", "b", "aba"], "few"))
        board = Board(letters="a" * size * size)
        assert [found.word for found in solver.words(board, size, ONES)] == ["aaaa", "aa", "a"]
        best = FoundWord("aaaa", (0, 1, 2, 3), 4, 0)
        assert solver.words(board, size, ONES)[0] == solver.best(board, size, ONES, swaps=2) == best

    def test_no_vowels(self, lexicon: Lexicon) -> None:
        solver = Solver(lexicon)
        assert solver.words(Board(letters="xqwjv" * 5), 5, CLASSIC) == []
        assert solver.count("xqwjv" * 5, 5) == 0
        assert solver.best(Board(letters="xqwjv" * 5), 5, CLASSIC) is None
        found = solver.best(Board(letters="xqwjv" * 5), 5, CLASSIC, swaps=2)
        assert found is not None
        assert len(found.swaps) == 2

    def test_a_lexicon_of_one_word(self) -> None:
        solver = Solver(Lexicon.from_words(["cat"], "one"))
        board = Board(letters="cxxxtxxxx")
        assert solver.words(board, 3, ONES) == []
        assert solver.best(board, 3, ONES) is None
        assert solver.best(board, 3, ONES, swaps=1) == FoundWord("cat", (0, 1, 4), 3, 0, ((1, "a"),))
        assert solver.best(Board(letters="xxxxxxxxx"), 3, ONES, swaps=2) is None

    def test_a_word_longer_than_the_board(self) -> None:
        solver = Solver(Lexicon.from_words(["a" * 70, "aaaaa", "aaaa"], "long"))
        board = Board(letters="aaaa")
        assert [found.word for found in solver.words(board, 2, ONES)] == ["aaaa"]
        assert solver.best(board, 2, ONES, swaps=2) == FoundWord("aaaa", (0, 1, 2, 3), 4, 0)
        assert solver.best_path(board, 2, ONES, "aaaaa") is None

    def test_letters_worth_nothing_still_make_words(self) -> None:
        solver = Solver(Lexicon.from_words(["ab"], "one"))
        nothing = Scoring(values=(0,) * 26)
        assert solver.best(Board(letters="abcd"), 2, nothing) == FoundWord("ab", (0, 1), 0, 0)
        assert solver.best(Board(letters="cdab"), 2, nothing, swaps=2) == FoundWord("ab", (2, 3), 0, 0)

    def test_more_words_than_there_was_room_for(
        self, lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        board = random_board(Random(3), 5)
        expected = Solver(lexicon).words(board, 5, CLASSIC)
        monkeypatch.setattr(workspace, "FIRST_WORDS", 1)
        assert len(expected) > 100
        assert Solver(lexicon).words(board, 5, CLASSIC) == expected


def test_a_swapped_tile_keeps_its_bonus_and_its_gem() -> None:
    solver = Solver(Lexicon.from_words(["cat"], "one"))
    board = Board(
        letters="cxtx", gems=(1,), letter_bonus=Bonus(cell=1, factor=3), word_bonus=Bonus(cell=1, factor=2)
    )
    assert solver.best(board, 2, ONES, swaps=2) == FoundWord("cat", (0, 1, 2), 10, 1, ((1, "a"),))


def test_a_swap_that_gains_nothing_is_not_made() -> None:
    solver = Solver(Lexicon.from_words(["cat", "car"], "two"))
    board = Board(letters="cxtr" + "xaxxx" + "x" * 7)
    found = solver.best(board, 4, ONES, swaps=2)
    assert found is not None
    assert (found.word, found.swaps) == ("cat", ())


def test_the_search_for_a_count_stops_when_it_has_enough(lexicon: Lexicon) -> None:
    solver = Solver(lexicon)
    board = random_board(Random(1), 5)
    every = solver.count(board.letters, 5)
    assert [solver.count(board.letters, 5, enough) for enough in (0, 1, 20, 10**9)] == [0, 1, 20, every]
    assert every == len(solver.words(board, 5, CLASSIC)) > 20


def test_a_path_can_be_asked_for_any_word() -> None:
    solver = Solver(Lexicon.from_words(["cat"], "one"))
    board = Board(letters="cato" + "g" * 5)
    assert solver.best_path(board, 3, ONES, "cog") == FoundWord("cog", (0, 3, 4), 3, 0)
    for word in ("", "dog", "toc", "CAT", "c t", "catt"):
        assert solver.best_path(board, 3, ONES, word) is None


def test_a_word_with_more_paths_than_can_be_tried_is_traced_all_the_same() -> None:
    board = random_board(Random(1), 7, letters="e" * 49)
    found = Solver(Lexicon.from_words(["cat"], "one")).best_path(board, 7, CLASSIC, "e" * 30)
    assert found is not None
    assert len(set(found.cells)) == 30
    assert all(brute.touching(one, other, 7) for one, other in pairwise(found.cells))
    assert found.points == points(board, found.cells, CLASSIC)


def test_the_best_path_of_each_word_is_that_among_all_words(lexicon: Lexicon) -> None:
    solver = Solver(lexicon)
    board = random_board(Random(1), 7)
    for each in solver.words(board, 7, CLASSIC):
        assert solver.best_path(board, 7, CLASSIC, each.word) == each


def test_threads_share_a_solver(lexicon: Lexicon) -> None:
    solver = Solver(lexicon)
    dealt = [random_board(Random(seed), 5) for seed in range(40)]

    def answers(board: Board) -> object:
        return (
            solver.count(board.letters, 5),
            solver.words(board, 5, CLASSIC),
            solver.best(board, 5, CLASSIC, swaps=1),
        )

    expected = [answers(board) for board in dealt]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(answers, dealt * 3)) == expected * 3
