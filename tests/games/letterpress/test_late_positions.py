"""The search compared with minimax over every word and pass, late in games, where passes matter."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from app.games.letterpress.solver import Position, Solver
from app.games.letterpress.territory import EVERY, Territory
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from tests.examples import TIMES
from tests.games.letterpress.brute import DepthLimited, Move, Side, all_moves, mask_of

POSITIONS = 200
VOWELS = "aeiou"
CONSONANTS = "bcdfghjkmpqsvwxyz"
MOST_MOVES = 24
"""Ways to lay a word on a board: minimax tries their third power."""


@pytest.fixture(scope="module")
def solver(lexicon: Lexicon) -> Solver:
    return Solver(lexicon)


@pytest.fixture(scope="module")
def positions(lexicon: Lexicon) -> list[tuple[Position, list[str]]]:
    return list(late_positions(lexicon, POSITIONS * TIMES))


def late_positions(lexicon: Lexicon, count: int) -> Iterator[tuple[Position, list[str]]]:
    """Positions with up to six tiles free, on boards that make few words; and those words."""
    random = Random(14)
    every = np.array(lexicon.letter_counts, np.int8)
    usable = every[:, [ALPHABET.index(letter) for letter in CONSONANTS + VOWELS]].sum(axis=1)
    vowels_in = every[:, [ALPHABET.index(vowel) for vowel in VOWELS]].sum(axis=1)
    total = every.sum(axis=1)
    candidates = np.flatnonzero((vowels_in < 2) & (usable == total) & (total > 1))
    counts = every[candidates]
    found = 0
    while found < count:
        vowels = random.choice([0, 0, 1])
        letters = random.choices(CONSONANTS, k=25 - vowels) + random.choices(VOWELS, k=vowels)
        board = "".join(random.sample(letters, 25))
        has = np.array([board.count(letter) for letter in ALPHABET])
        words = [lexicon[index] for index in candidates[(counts <= has).all(axis=1)]]
        if not 0 < len(all_moves(board, words)) <= MOST_MOVES:
            continue
        free = mask_of(random.sample(range(25), random.randint(1, 6)))
        ours = random.getrandbits(25) & ~free
        played = tuple(random.sample(words, random.randint(0, min(2, len(words) - 1))))
        territory = Territory(ours=ours, theirs=EVERY & ~ours & ~free)
        yield Position(board=board, territory=territory, played=played, passed=random.random() < 0.1), words
        found += 1


@pytest.mark.parametrize("plies", [2, 3])
def test_every_move_is_worth_what_minimax_with_passes_says(
    positions: list[tuple[Position, list[str]]], solver: Solver, plies: int
) -> None:
    decided: Counter[int] = Counter()
    for position, words in positions:
        brute = DepthLimited(position.board, words, words, position.played, passed=position.passed)
        side = Side(position.territory.ours, position.territory.theirs)
        found = solver.solve(position, plies=plies, top=100)
        assert found.depth == plies
        assert {move.mask for move in found.moves} == {move.mask for move in brute.first_moves}
        for move in found.moves:
            expected = brute.value(side, Move(move.word, move.mask), plies)
            assert move.value == expected, (position, move.word, move.mask)
            assert move.depth == plies
            decided[expected] += abs(expected) > 900
        assert [move.value for move in found.moves] == sorted(
            (move.value for move in found.moves), reverse=True
        )
        best = solver.solve(position, plies=plies, top=1).moves[0]
        assert best == found.moves[0]
    # Games that end by a word and by two passes, at each ply.
    assert {999, 998, 997, -999, -998} <= decided.keys()
    assert plies == 2 or -997 in decided


@pytest.mark.parametrize(
    ("board", "ours", "theirs", "played", "word", "cells"),
    [
        ("dvxdzcksmvjqkmwmgdgxbjbpv", 243769, 32260614, ("mm",), "cwms", (5, 14, 8, 7)),
        ("hcspsdphcpkgscqggxppvsmjx", 31562665, 1991764, ("shh", "hm"), "ch", (8, 7)),
    ],
)
@pytest.mark.parametrize("plies", [2, 3])
def test_two_passes_that_win_are_seen(
    solver: Solver,
    board: str,
    ours: int,
    theirs: int,
    played: tuple[str, ...],
    word: str,
    cells: tuple[int, ...],
    plies: int,
) -> None:
    position = Position(board=board, territory=Territory(ours=ours, theirs=theirs), played=played)
    moves = solver.solve(position, plies=plies, top=100).moves
    move = next(move for move in moves if (move.word, move.cells(board)) == (word, cells))
    assert (move.value, move.reply) == (997, None)
