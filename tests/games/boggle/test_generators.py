"""Properties of the boards of each algorithm, for any seed."""

import gc
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import prod, sqrt
from pathlib import Path
from typing import Any
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.games.boggle import generators
from app.games.boggle.dice import dice
from app.games.boggle.generator_kernels import fill_by_mark, fill_combined, fill_with_triplets
from app.games.boggle.generators import ALGORITHMS, Options, best_vowels, generate
from app.games.boggle.letter_statistics import VOWELS, Statistics, statistics_of
from app.games.boggle.solver import Solver
from app.games.grid import grid
from app.games.randomness import chances
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon

SIZES = [(4, 4), (5, 4), (2, 2), (8, 8)]


@pytest.fixture(scope="module")
def statistics(lexicon: Lexicon) -> Statistics:
    return statistics_of(lexicon)


words = st.lists(st.text(alphabet="abcdefgz", min_size=1, max_size=7), min_size=1, max_size=12)


@given(words)
def test_statistics_agree_with_counting_by_hand(listed: list[str]) -> None:
    counted = statistics_of(Lexicon.from_words(listed, "small"))
    letters: Counter[str] = Counter()
    pairs: Counter[tuple[str, ...]] = Counter()
    triplets: Counter[tuple[str, ...]] = Counter()
    for word in set(listed):
        letters.update(word)
        for pair in pairwise(word):
            pairs.update({pair, pair[::-1]})
        for run in zip(word, word[1:], word[2:], strict=False):
            triplets.update({run, run[::-1]})
    for one, first in enumerate(ALPHABET):
        assert counted.letters[one] == letters[first]
        for other, second in enumerate(ALPHABET):
            assert counted.adjacency[one, other] == pairs[first, second]
    assert counted.triplets.sum() == triplets.total()
    for letters_of_run, number in triplets.items():
        assert counted.triplets[tuple(map(ALPHABET.index, letters_of_run))] == number
    vowels = sum(letters[vowel] for vowel in "aeiou")
    assert counted.vowel_share == pytest.approx(vowels / letters.total())


def test_statistics_are_symmetric_and_kept(lexicon: Lexicon, statistics: Statistics) -> None:
    assert np.array_equal(statistics.adjacency, statistics.adjacency.T)
    assert np.array_equal(statistics.triplets, statistics.triplets.transpose(2, 1, 0))
    assert statistics_of(lexicon) is statistics
    assert not statistics.adjacency.flags.writeable


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_boards_have_their_shape_and_come_again(
    name: str, width: int, height: int, statistics: Statistics
) -> None:
    boards = generate(name, width, height, 50, "again", statistics)
    assert boards.shape == (50, width * height)
    assert boards.dtype == np.uint8
    assert boards.max() < 26
    assert np.array_equal(boards, generate(name, width, height, 50, "again", statistics))
    assert not np.array_equal(boards, generate(name, width, height, 50, "otherwise", statistics))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_shorter_draw_is_the_beginning_of_a_longer_one(name: str, statistics: Statistics) -> None:
    longer = generate(name, 4, 4, 30, "seed", statistics)
    assert np.array_equal(generate(name, 4, 4, 10, "seed", statistics), longer[:10])


def test_an_unknown_name_and_impossible_options_are_refused(statistics: Statistics) -> None:
    with pytest.raises(ValueError, match="there are rnd, vcr, freq"):
        generate("worst", 4, 4, 1, "seed", statistics)
    with pytest.raises(ValueError, match="17 vowels on a board of 16 cells"):
        generate("7freq", 4, 4, 1, "seed", statistics, Options(vowels=17))
    with pytest.raises(ValueError, match="each side must be from 2 to 8"):
        generate("rnd", 9, 4, 1, "seed", statistics)


def shares(boards: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The share of each letter."""
    return np.bincount(boards.reshape(-1), minlength=26) / boards.size


def assert_close(found: NDArray[np.float64], expected: NDArray[np.float64], draws: int) -> None:
    """Within five standard errors of independent draws."""
    assert (abs(found - expected) <= 5 * np.sqrt(expected * (1 - expected) / draws) + 1e-12).all()


def test_rnd_takes_every_letter_as_often(statistics: Statistics) -> None:
    boards = generate("rnd", 4, 4, 5000, "seed", statistics)
    assert_close(shares(boards), np.full(26, 1 / 26), boards.size)


def test_vcr_has_the_share_of_vowels_and_no_favourites(statistics: Statistics) -> None:
    boards = generate("vcr", 4, 4, 5000, "seed", statistics)
    expected = np.full(26, (1 - statistics.vowel_share) / 21)
    expected[VOWELS] = statistics.vowel_share / 5
    assert_close(shares(boards), expected, boards.size)


def test_freq_takes_letters_by_their_frequency(statistics: Statistics) -> None:
    boards = generate("freq", 4, 4, 5000, "seed", statistics)
    assert_close(shares(boards), statistics.letters / statistics.letters.sum(), boards.size)


def test_bfreq_keeps_vowels_and_consonants_balanced_all_along(statistics: Statistics) -> None:
    for cells in (4, 16, 64):
        side = int(sqrt(cells))
        vowels = 0
        for placed in range(cells):
            vowels += placed == 0 or vowels / placed <= statistics.vowel_share
        boards = generate("bfreq", side, side, 200, "seed", statistics)
        assert (np.isin(boards, VOWELS).sum(axis=1) == vowels).all()
        where = np.isin(boards, VOWELS).mean(axis=0)
        assert where.min() > 0.2  # shuffled: vowels come to stand everywhere
        assert where.max() < 0.8


@given(st.integers(min_value=0, max_value=16))
def test_7freq_has_as_many_vowels_as_requested(statistics: Statistics, vowels: int) -> None:
    boards = generate("7freq", 4, 4, 20, "seed", statistics, Options(vowels=vowels))
    assert (np.isin(boards, VOWELS).sum(axis=1) == vowels).all()


def test_7freq_has_seven_vowels_by_default(statistics: Statistics) -> None:
    boards = generate("7freq", 4, 4, 2000, "seed", statistics)
    assert (np.isin(boards, VOWELS).sum(axis=1) == 7).all()
    kept = boards[np.isin(boards, VOWELS)]
    expected = np.zeros(26)
    expected[VOWELS] = statistics.letters[VOWELS] / statistics.letters[VOWELS].sum()
    assert_close(shares(kept), expected, kept.size)


def test_nfreq_finds_the_best_number_of_vowels(lexicon: Lexicon, statistics: Statistics) -> None:
    solver = Solver(lexicon)
    assert best_vowels(solver, 4, 4) == 7
    best = best_vowels(solver, 3, 4)

    def average(vowels: int) -> float:
        boards = generate("7freq", 3, 4, 2000, "check", statistics, Options(vowels=vowels))
        return float(solver.score(boards, 3, 4)[1].mean())

    assert average(best) > average(best - 3)
    assert average(best) > average(best + 3)


def test_what_was_found_for_a_solver_goes_with_it(lexicon: Lexicon) -> None:
    """Each takes megabytes, so a server with requests for many word lengths would fill its memory."""
    solver = Solver(lexicon)
    assert best_vowels(solver, 3, 4) == best_vowels(solver, 3, 4)
    gone = ref(solver)
    del solver
    gc.collect()
    assert gone() is None


def test_the_dice_show_one_face_each() -> None:
    nothing = Statistics(np.ones(26), np.ones((26, 26)), np.ones((26, 26, 26)))
    for side, count in ((4, 16), (5, 25)):
        assert dice(side * side).shape == (count, 6)
        boards = generate("dice", side, side, 300, "seed", nothing)
        for board in boards:
            assert can_be_thrown(board.tolist(), [set(faces) for faces in dice(side * side).tolist()])
    boards = generate("dice", 4, 4, 6000, "seed", nothing)
    assert_close(shares(boards), np.bincount(dice(16).reshape(-1), minlength=26) / 96, boards.size)


def can_be_thrown(letters: list[int], faces: list[set[int]]) -> bool:
    """Whether each letter can be assigned its own die (a matching by augmenting paths)."""
    owner: dict[int, int] = {}

    def find(cell: int, seen: set[int]) -> bool:
        for die, own in enumerate(faces):
            if letters[cell] in own and die not in seen:
                seen.add(die)
                if die not in owner or find(owner[die], seen):
                    owner[die] = cell
                    return True
        return False

    return all(find(cell, set()) for cell in range(len(letters)))


def test_small_and_large_boards_are_thrown_too() -> None:
    assert len(dice(4)) == 16
    assert len(dice(20)) == 25
    assert len(dice(64)) == 75


def neighbours(cell: int, columns: int, rows: int) -> Iterator[int]:
    for other in range(rows * columns):
        apart = max(abs(cell // columns - other // columns), abs(cell % columns - other % columns))
        if apart == 1:
            yield other


def by_mark(statistics: Statistics, seeds: int, given_chances: list[float]) -> list[int]:
    """A plain implementation of ADJ on 4x4."""
    board: dict[int, int] = {}
    marks: list[tuple[int, int]] = []
    empty = list(range(16))
    for placed in range(16):
        where, which = given_chances[2 * placed : 2 * placed + 2]
        if placed < seeds:
            entry = int(where * len(empty))
            cell = empty[entry]
            empty[entry] = empty[-1]
            empty.pop()
            letter = wheel(statistics.letters, which)
        else:
            cell, beside = marks[int(where * len(marks))]
            letter = wheel(statistics.adjacency[beside], which)
        board[cell] = letter
        marks = [mark for mark in marks if mark[0] != cell]
        marks += [(other, letter) for other in neighbours(cell, 4, 4) if other not in board]
    return [board[cell] for cell in range(16)]


def wheel(weights: NDArray[np.float64], chance: float) -> int:
    sums = np.cumsum(weights)
    return int(np.searchsorted(sums, chance * sums[-1], side="right"))


def combined(
    statistics: Statistics, greedy: bool, decay: float, triplets: bool, given_chances: list[float]
) -> list[int]:
    """CAD and its variants on 4x4: every weight is computed from the current board."""
    board: dict[int, int] = {}
    for placed in range(16):
        where, which = given_chances[2 * placed : 2 * placed + 2]
        if not placed:
            board[int(where * 16)] = wheel(statistics.letters, which)
            continue
        marks = {
            cell: [other for other in neighbours(cell, 4, 4) if other in board]
            for cell in range(16)
            if cell not in board
        }
        if greedy:
            most = max(map(len, marks.values()))
            choices = [cell for cell, beside in marks.items() if len(beside) == most]
        else:
            choices = [cell for cell, beside in marks.items() for _ in beside]
        cell = choices[int(where * len(choices))]
        weights = np.array(
            [
                decay ** list(board.values()).count(letter)
                * prod(statistics.adjacency[board[other], letter] for other in marks[cell])
                for letter in range(26)
            ]
        )
        if triplets:
            weights = weights**generators.TRIP_SHARPNESS
            for letter in range(26):
                for first, second, third in runs_through(cell, board):
                    run = [letter if one == cell else board[one] for one in (first, second, third)]
                    power = generators.TRIP_SHARPNESS * generators.TRIPLETS_TO_PAIRS
                    weights[letter] *= ((statistics.triplets[tuple(run)] + 1) / 1e3) ** power
        board[cell] = wheel(weights, which)
    return [board[cell] for cell in range(16)]


def runs_through(cell: int, board: dict[int, int]) -> Iterator[tuple[int, int, int]]:
    """Paths of three cells, each once, whose other two cells have their letters."""
    for second in neighbours(cell, 4, 4):
        if second in board:
            for first in neighbours(second, 4, 4):
                if first in board:
                    yield first, second, cell
            for other in neighbours(cell, 4, 4):
                if other in board and other > second:
                    yield second, cell, other


@pytest.mark.parametrize("seeds", [1, 3, 16])
def test_adj_agrees_with_its_plain_twin(statistics: Statistics, seeds: int) -> None:
    boards = generate("adj", 4, 4, 40, "twin", statistics, Options(seeds=seeds))
    drawn = chances("twin", 40 * 32).reshape(40, 32).tolist()
    assert boards.tolist() == [by_mark(statistics, seeds, given_chances) for given_chances in drawn]


@pytest.mark.parametrize(
    ("name", "greedy", "decay", "triplets"),
    [
        ("cad", False, 1.0, False),
        ("greedy-cad", True, 1.0, False),
        ("greedy-dcad", True, 0.8, False),
        ("trip", True, generators.TRIP_DECAY ** (1 / generators.TRIP_SHARPNESS), True),
    ],
)
def test_grown_boards_agree_with_their_plain_twin(
    statistics: Statistics, name: str, greedy: bool, decay: float, triplets: bool
) -> None:
    boards = generate(name, 4, 4, 40, "twin", statistics)
    drawn = chances("twin", 40 * 32).reshape(40, 32).tolist()
    expected = [combined(statistics, greedy, decay, triplets, given_chances) for given_chances in drawn]
    assert boards.tolist() == expected


def test_the_kernels_mean_the_same_uncompiled(statistics: Statistics) -> None:
    shape = grid(3, 4)
    given_chances = chances("plain", 5 * 24)
    letters, adjacency = statistics.letters, statistics.adjacency.reshape(-1)
    triplets = statistics.triplets.reshape(-1) + 1.0
    cases: list[tuple[Any, tuple[Any, ...]]] = [
        (fill_by_mark, (letters, adjacency, shape.near, 2)),
        (fill_combined, (letters, adjacency, shape.near, False, 0.5)),
        (fill_combined, (letters, adjacency, shape.near, True, 1.0)),
        (fill_with_triplets, (letters, adjacency, triplets / 1e3, triplets / 1e3, shape.near, 0.1)),
    ]
    for kernel, arguments in cases:
        compiled, plain = np.zeros(60, np.uint8), np.zeros(60, np.uint8)
        kernel(*arguments, given_chances, compiled)
        kernel.plain(*arguments, given_chances, plain)
        assert np.array_equal(compiled, plain)


def test_letters_that_never_meet_leave_a_choice_by_frequency() -> None:
    """With some lexicons, no letter fits all neighbours; the board is filled nevertheless."""
    statistics = statistics_of(Lexicon.from_words(["ab", "cd"], "strangers"))
    for name in ("adj", "cad", "greedy-dcad", "trip"):
        boards = generate(name, 5, 5, 50, "seed", statistics, Options(decay=0.0, seeds=25))
        assert boards.max() <= 3


def test_a_strong_decay_hardly_repeats_a_letter(statistics: Statistics) -> None:
    plain = generate("greedy-dcad", 4, 4, 500, "seed", statistics)
    strong = generate("greedy-dcad", 4, 4, 500, "seed", statistics, Options(decay=0.0))
    assert all(len(set(board)) == 16 for board in strong.tolist())
    assert np.mean([len(set(board)) for board in plain.tolist()]) < 11


def test_numbers_of_a_seed_are_spread_evenly() -> None:
    drawn = chances("even", 100_000)
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert_close(np.histogram(drawn, 20, (0, 1))[0] / len(drawn), np.full(20, 0.05), len(drawn))
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 5 / sqrt(len(drawn))
    assert chances("even", 3).tolist() == drawn[:3].tolist()
    # Recorded values: a seed gives the same boards in every version of Python and NumPy.
    assert [round(number, 6) for number in drawn[:2].tolist()] == [0.538652, 0.361146]


def test_our_algorithms_beat_the_best_published_one(reference: Path) -> None:
    """In game points, TRIP doubles greedy-CAD, and a stronger decay adds two fifths at the same cost."""
    listed = (reference / "words" / "enable2k.txt").read_text("ascii").split()
    lexicon = Lexicon.from_words(listed, "enable2k")
    solver, statistics = Solver(lexicon), statistics_of(lexicon)

    def average(name: str, options: Options | None = None) -> float:
        boards = generate(name, 4, 4, 2000, "ours", statistics, options)
        return float(solver.score(boards, 4, 4)[1].mean())

    seeds = average("greedy-cad")
    assert average("trip") > 1.8 * seeds
    assert average("greedy-dcad", Options(decay=0.03, sharpness=3.0)) > 1.4 * seeds
