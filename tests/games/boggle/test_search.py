"""Searching for boards: climbing to the richest, and boards that meet requirements."""

from collections.abc import Callable
from functools import partial
from itertools import chain, pairwise, repeat
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.games.boggle.board import Board, parse_size
from app.games.boggle.board_request import BoardRequest, Unsatisfiable, generate_boards
from app.games.boggle.climb import climb, schedule
from app.games.boggle.climb_kernels import anneal
from app.games.boggle.generators import generate
from app.games.boggle.kernels import ONE_WORD
from app.games.boggle.letter_statistics import statistics_of
from app.games.boggle.solver import Solver
from app.games.boggle.symmetry import canonical, symmetries
from app.games.boggle.target import CannotHide, Target, hidden_path, targeting
from app.games.grid import grid
from app.games.randomness import generator
from app.words.lexicon import Lexicon
from app.words.vocabulary import level_of
from tests.examples import examples

SIDES = st.integers(min_value=2, max_value=8)
LETTERS = st.one_of(st.integers(0, 25), st.sampled_from([0, 4, 8, 11, 17, 18, 19]))


@pytest.fixture(scope="module")
def solver(lexicon: Lexicon) -> Solver:
    return Solver(lexicon)


def rows(board: NDArray[np.uint8], columns: int) -> Board:
    return Board.of((board + ord("a")).astype(np.uint8).tobytes().decode(), columns)


@given(SIDES, SIDES, st.randoms(use_true_random=False))
def test_the_canonical_form_is_the_same_however_the_board_is_turned(
    width: int, height: int, random: Random
) -> None:
    board = np.array([random.randrange(3) for _ in range(width * height)], np.uint8)
    matrix = board.reshape(height, width)
    turned = [matrix, matrix[::-1], matrix[:, ::-1], np.rot90(matrix, 2)]
    if width == height:
        turned += [np.rot90(matrix), np.rot90(matrix, 3), matrix.T, np.rot90(matrix, 2).T]
    forms = {canonical(np.ascontiguousarray(image).reshape(-1), width, height).tobytes() for image in turned}
    assert forms == {min(np.ascontiguousarray(image).tobytes() for image in turned)}


@pytest.mark.parametrize(("width", "height", "images"), [(4, 4, 8), (4, 5, 4), (2, 2, 8)])
def test_turning_a_board_leaves_its_neighbours_beside_each_other(
    width: int, height: int, images: int
) -> None:
    shape = grid(height, width)
    assert len(set(map(tuple, symmetries(width, height).tolist()))) == images
    for image in symmetries(width, height).tolist():
        assert sorted(image) == list(range(width * height))
        for cell in range(width * height):
            assert sorted(shape.neighbours[image[cell]]) == sorted(
                image[other] for other in shape.neighbours[cell]
            )


def test_a_climb_ends_above_the_boards_that_it_starts_from(solver: Solver) -> None:
    found = climb(solver, 4, 4, "seed", evaluations=4000)
    drawn = generate("trip", 4, 4, 100, "seed", statistics_of(solver.lexicon))
    assert found.points > solver.score(drawn, 4, 4)[1].max()
    solution = solver.solve(rows(found.board, 4))
    assert (found.words, found.points) == (solution.count, solution.points)
    assert canonical(found.board, 4, 4).tolist() == found.board.tolist()
    assert (found.evaluations, found.complete) == (4000, True)


@examples(15)
@given(st.integers(2, 5), st.integers(2, 5), st.booleans(), st.data())
def test_a_heat_bath_evaluates_every_letter_of_a_cell(
    solver: Solver, width: int, height: int, in_words: bool, data: st.DataObject
) -> None:
    """With each letter in the cell, the board has the value that the solver gives it."""
    shape = grid(height, width)
    board = np.array(data.draw(st.lists(LETTERS, min_size=shape.cells, max_size=shape.cells)), np.uint8)
    place = data.draw(st.integers(0, shape.cells - 1))
    keys = np.arange(1, 27 * shape.cells + 1).reshape(shape.cells, 27)
    cache = np.zeros((1, 27), np.int64)
    chance = np.array([[(place + 0.5) / shape.cells, 1.0, 0.0, data.draw(st.floats(0, 0.99))]])
    result = np.zeros(1, np.int64)
    changed, room = board.copy(), solver.workspace
    made = anneal(
        solver.nodes,
        shape.masks,
        changed,
        solver.word_values,
        ONE_WORD if in_words else 1,
        20.0,
        1.0,
        0.5,
        chance,
        0,
        10**9,
        room.stamps,
        room.marks,
        room.scratch,
        room.bath,
        keys,
        cache,
        result,
    )
    every = np.repeat(board[None], 26, axis=0)
    every[:, place] = range(26)
    words, points = solver.score(every, width, height)
    assert made == 1
    assert cache[0, 1:].tolist() == (words if in_words else points).tolist()
    assert result[0] == cache[0, 1 + changed[place]]
    assert np.flatnonzero(changed != board).tolist() in ([], [place])


def test_a_climb_comes_again_and_may_aim_at_words(solver: Solver) -> None:
    towards_words = climb(solver, 3, 4, "seed", evaluations=3000, aim="words")
    again = climb(solver, 3, 4, "seed", evaluations=3000, aim="words")
    assert towards_words.board.tolist() == again.board.tolist()
    assert towards_words.words > climb(solver, 3, 4, "seed", evaluations=1).words


def test_a_climb_finds_another_board_than_those_known(solver: Solver) -> None:
    known: set[bytes] = set()
    for _ in range(3):
        found = climb(solver, 2, 2, "seed", evaluations=2000, known=known)
        assert found.board.tobytes() not in known
        known.add(found.board.tobytes())


def test_a_climb_stops_on_request(solver: Solver) -> None:
    for first in (0, 20, 300):
        asked = chain(repeat(False, first), repeat(True))
        found = climb(solver, 4, 4, "seed", stop=partial(next, asked))
        assert not found.complete
        assert found.evaluations >= first
        assert found.points > 0
    with pytest.raises(ValueError, match="at least 1"):
        climb(solver, 4, 4, "seed", evaluations=0)


def test_a_climb_within_two_hundred_boards_doubles_the_best_published_algorithm(solver: Solver) -> None:
    """Some ten milliseconds a board: see benchmarks/boggle_generators.py."""
    seeds = generate("greedy-cad", 4, 4, 1000, "seed", statistics_of(solver.lexicon))
    average = solver.score(seeds, 4, 4)[1].mean()
    climbs = [climb(solver, 4, 4, f"seed/{run}", evaluations=200).points for run in range(20)]
    assert np.mean(climbs) > 2 * average


@pytest.mark.parametrize(("cells", "expected"), [(16, (80, 25, 20_000)), (25, (180, 70, 60_000))])
def test_the_schedule_is_as_found(cells: int, expected: tuple[float, float, int]) -> None:
    assert schedule(cells) == pytest.approx(expected)


def test_every_size_has_a_schedule() -> None:
    for cells in range(4, 65):
        plan = schedule(cells)
        assert plan.hot > plan.cold > 0
        assert plan.evaluations >= 1000


@given(st.integers(min_value=2, max_value=16), st.text(max_size=5))
def test_a_hidden_path_is_one_that_a_word_may_take(length: int, seed: str) -> None:
    shape = grid(4, 4)
    path = hidden_path(shape, length, generator(seed, 0))
    assert len(set(path)) == len(path) == length
    assert all(shape.touch(one, other) for one, other in pairwise(path))


@pytest.mark.parametrize(
    "target",
    [
        Target(min_words=100, max_words=105),
        Target(min_points=2500),
        Target(max_words=5, max_points=5),
        Target(word="puzzle", min_words=80, max_words=200, common=50),
        Target(word="incomprehensible"),
    ],
)
def test_a_board_made_to_measure_is_all_that_was_asked_for(solver: Solver, target: Target) -> None:
    hit = targeting(solver).search(4, 4, "seed", target)
    assert hit.met
    solution = solver.solve(rows(hit.board, 4))
    found = [word.word for word in solution.words]
    assert target.min_words <= solution.count == hit.words
    assert target.min_points <= solution.points == hit.points
    assert target.max_words is None or solution.count <= target.max_words
    assert target.max_points is None or solution.points <= target.max_points
    assert not target.word or target.word in found
    lexicon = solver.lexicon
    assert sum(level_of(lexicon, word) in {"basic", "common"} for word in found) >= target.common
    offensive = {lexicon[index] for index in np.flatnonzero(lexicon.family == 0).tolist()}
    assert not offensive & set(found)
    assert hit.board.tolist() == targeting(solver).search(4, 4, "seed", target).board.tolist()


def test_words_may_be_hidden_that_no_lexicon_knows(solver: Solver) -> None:
    hit = targeting(solver).search(3, 3, "seed", Target(word="xqzjv"))
    assert hit.met
    shown = Solver(Lexicon.from_words(["xqzjv"], "made-up"), min_length=5)
    assert shown.score(hit.board.reshape(1, -1), 3, 3)[0].tolist() == [1]


def test_a_qu_face_stands_for_two_letters_of_a_hidden_word(lexicon: Lexicon) -> None:
    solver = Solver(lexicon, qu=True)
    hit = targeting(solver).search(3, 3, "seed", Target(word="quizzical"))
    assert "quizzical" in [word.word for word in solver.solve(rows(hit.board, 3)).words]
    with pytest.raises(CannotHide, match="every q is a Qu face"):
        targeting(solver).search(3, 3, "seed", Target(word="qat"))


def test_impossible_targets_fail_or_give_the_nearest(solver: Solver) -> None:
    with pytest.raises(CannotHide, match="takes 10 cells: the board has 9"):
        targeting(solver).search(3, 3, "seed", Target(word="impossible"))
    profane = solver.lexicon[int(np.flatnonzero(solver.lexicon.family == 0)[0])]
    with pytest.raises(CannotHide, match="offensive"):
        targeting(solver).search(8, 8, "seed", Target(word=profane))
    assert targeting(solver).search(8, 8, "seed", Target(word=profane, family=False)).words > 0
    nearest = targeting(solver).search(4, 4, "seed", Target(min_words=5000), evaluations=2000)
    assert not nearest.met
    assert nearest.words > 300
    with pytest.raises(ValueError, match="the minimum is above the maximum"):
        Target(min_words=10, max_words=9)
    with pytest.raises(ValueError, match="two or more letters a to z"):
        Target(word="l'amour")


@pytest.mark.parametrize(("size", "shape"), [("4", (4, 4)), ("4x5", (4, 5)), (" 2 X 8 ", (2, 8))])
def test_a_size_is_a_side_or_rows_times_columns(size: str, shape: tuple[int, int]) -> None:
    assert (parse_size(size).rows, parse_size(size).columns) == shape


def delivered(solver: Solver, stop: Callable[[], bool] = lambda: False, **order: object) -> list[int]:
    return generate_boards(BoardRequest.model_validate(order), solver, "seed", stop).words


def test_boards_with_enough_words_are_the_first_found(solver: Solver) -> None:
    words = delivered(solver, algorithm="freq", count=5, min_words=300)
    assert min(words) >= 300
    assert delivered(solver, algorithm="freq", count=2, min_words=300) == words[:2]
    with pytest.raises(Unsatisfiable, match="0 of 1 board with 5,000 words or more"):
        delivered(solver, lambda: True, algorithm="freq", min_words=5000)


def test_climbs_of_one_request_are_different_boards(solver: Solver) -> None:
    boards = generate_boards(
        BoardRequest(size="2", algorithm="climb", count=6, budget_ms=600), solver, "seed"
    ).boards
    assert len({canonical(board, 2, 2).tobytes() for board in boards}) == 6
    with pytest.raises(Unsatisfiable, match="board 0 reached"):
        delivered(solver, size="2", algorithm="climb", min_words=5000)


def test_generation_by_target_stops_on_request(solver: Solver) -> None:
    """This matters even if each board is found quickly, as a request may be for a thousand."""
    assert len(delivered(solver, algorithm="target", count=3, min_words=1)) == 3
    with pytest.raises(Unsatisfiable, match="1 of 3 boards was found"):
        delivered(solver, lambda: True, algorithm="target", count=3, min_words=1)


@examples(20)
@given(st.sampled_from(["7freq", "freq", "dice"]), st.sampled_from(["2", "3x5", "6"]))
def test_boards_of_any_size_are_generated(solver: Solver, name: str, size: str) -> None:
    request = BoardRequest(size=size, algorithm=name, count=3)
    assert generate_boards(request, solver, "seed").boards.shape == (3, request.grid.cells)
