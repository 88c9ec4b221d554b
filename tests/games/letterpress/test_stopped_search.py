"""Stopped searches return their results so far."""

from itertools import pairwise

import pytest

from app.games.letterpress.anagrams import Anagrams
from app.games.letterpress.placements import placements_of
from app.games.letterpress.solver import Position, Solver
from app.games.letterpress.territory import Territory
from app.words.lexicon import Lexicon
from tests.games.letterpress.brute import closed


def test_a_search_that_is_stopped_answers_with_what_it_has(solver: Solver) -> None:
    position = Position(board="eeeesssstttaaarrriiinnnlo")
    found = solver.solve(position, stop=lambda _: True)
    assert found.moves
    assert found.depth == 1


@pytest.mark.parametrize("top", [1, 3, 30])
@pytest.mark.parametrize("millions", [0, 1, 3, 8, 16])
def test_a_search_that_is_stopped_prefers_a_word_not_known_to_lose_to_a_pass(
    solver: Solver, millions: int, top: int
) -> None:
    """The longest words of this board, which are searched first, let the other side fill it and win."""
    position = Position(board="ytisseoemclmaospietlloibn")
    found = solver.solve(position, top=top, stop=lambda seen: seen > 1_000_000 * millions)
    assert found.depth == 1
    assert found.moves[0].word
    assert not found.moves[0].loses
    assert len({move.mask for move in found.moves}) == len(found.moves) == top


def test_a_search_that_is_stopped_in_the_third_ply_is_exact_to_two(solver: Solver) -> None:
    position = Position(board="kudcllorzsvetoawpyakwlmrg")
    two = solver.solve(position, top=32)
    three = solver.solve(position, plies=3, stop=lambda positions: positions > two.positions)
    assert three.depth == 2
    assert {move.mask for move in three.moves} <= {move.mask for move in two.moves}


@pytest.mark.parametrize("looks", [0, 1, 3, 10])
def test_a_search_that_is_stopped_fills_its_list_with_moves_that_may_be_played(
    solver: Solver, looks: int
) -> None:
    territory = Territory(ours=0b1110111, theirs=0b1111 << 20)
    position = Position(board="kudcllorzsvetoawpyakwlmrg", territory=territory, played=("workload",))
    left = iter(range(looks))
    found = solver.solve(position, top=12, stop=lambda _: next(left, None) is None)
    assert found.depth == 1
    assert len({move.mask for move in found.moves}) == len(found.moves) == 12
    for move in found.moves:
        assert not closed(move.word, position.played)
        assert move.territory == territory.after(move.mask)
        if move.reply and move.word:
            assert not closed(move.reply.word, (*position.played, move.word))
            assert move.value == move.territory.turned.after(move.reply.mask).turned.evaluate


@pytest.mark.usefixtures("uncompiled")
def test_uncompiled_it_looks_at_the_clock_often(few_words: Lexicon) -> None:
    seen = [0]
    position = Position(board="etaoinshrdluetaoinshrdlue")

    def stop(positions: int) -> bool:
        seen.append(positions)
        return False

    Solver(few_words).solve(position, stop=stop)
    most = max(after - before for before, after in pairwise(seen))
    assert most <= 2 * len(placements_of(position.board, Anagrams(few_words)).masks) + 5_000
