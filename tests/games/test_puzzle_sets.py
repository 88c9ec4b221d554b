"""The shipped puzzles: enough of each game, and all of them verified again."""

from collections import Counter

import pytest

from app.games.puzzle_sets import puzzle_of_day, shipped_puzzles
from app.games.puzzles import is_shown, verify
from app.rooms import ROOMS
from app.words.family import has_offensive_word
from app.words.library import Library
from app.words.vocabulary import LEVELS, level_of

KINDS = ("wibble", "letterpress", "boggle", "fribble", "scrabblet")
FEWEST = 300
PARTS = 4
"""Tests per game, to be distributed among processes."""


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_enough_puzzles_and_no_answer_comes_twice(kind: str, library: Library) -> None:
    puzzles = shipped_puzzles(kind)
    assert len(puzzles) >= FEWEST
    assert Counter(puzzle.solution.word for puzzle in puzzles.values()).most_common(1)[0][1] == 1
    rules = ROOMS[kind].puzzles
    assert rules is not None
    for puzzle in puzzles.values():
        lexicon = library.load(puzzle.lexicon.name, puzzle.lexicon.sha256)
        assert puzzle.kind == kind
        assert puzzle.margin >= rules.clear_margin
        assert is_shown(lexicon, puzzle.solution.word)
        assert rules.is_common(puzzle)
        assert LEVELS.index(level_of(lexicon, puzzle.solution.word)) <= LEVELS.index(puzzle.level)
        assert not has_offensive_word(puzzle.second.word), "it is shown beside the solution"


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_all_shipped_puzzles_can_be_verified_again(kind: str, part: int, library: Library) -> None:
    rules = ROOMS[kind].puzzles
    assert rules is not None
    for puzzle in list(shipped_puzzles(kind).values())[part::PARTS]:
        verify(rules, ROOMS.games[kind](library.load(puzzle.lexicon.name, puzzle.lexicon.sha256)), puzzle)


def test_each_day_has_another_puzzle_until_all_had_theirs() -> None:
    days = range(739_000, 739_000 + FEWEST)
    for kind in KINDS:
        found = [puzzle_of_day(kind, day) for day in days]
        assert len({puzzle.id for puzzle in found if puzzle}) == FEWEST
    assert puzzle_of_day("chess", days[0]) is None
