"""The compiled search and the plain one give the same answers."""

from random import Random
from typing import Any

import pytest

from app.games import kernel
from app.games.letterpress.solver import Position, Solver
from app.games.letterpress.territory import Territory
from app.words.lexicon import Lexicon


def answers(lexicon: Lexicon) -> list[object]:
    solver = Solver(lexicon)
    random = Random(7)
    found: list[object] = []
    for plies in (1, 2, 3):
        board = "".join(random.choices("etaoinshrdlu", k=25))
        ours, theirs = random.getrandbits(25), random.getrandbits(25)
        territory = Territory(ours=ours, theirs=theirs & ~ours & ~1)
        solution = solver.solve(Position(board=board, territory=territory), plies=plies, top=3)
        found += [solution.moves, solution.placements, solution.positions]
    return found


@pytest.fixture(scope="module")
def compiled_answers(few_words: Lexicon) -> list[object]:
    return answers(few_words)


@pytest.mark.usefixtures("uncompiled")
def test_plain_python_gives_the_same_answers(few_words: Lexicon, compiled_answers: list[object]) -> None:
    assert answers(few_words) == compiled_answers


def test_no_kernel_was_compiled_while_a_caller_waited(compiled_answers: list[object]) -> None:
    for each in kernel._registered:
        compiled: Any = each._call
        assert len(compiled.signatures) == 1, each.plain.__name__
