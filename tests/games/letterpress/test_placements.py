"""Placements: the ways to choose cells for a word's letters."""

from typing import Any

import pytest
from hypothesis import given

from app.games.letterpress.anagrams import Anagrams
from app.games.letterpress.placements import PlacementCache, TooManyPlacements, placements_of
from app.games.letterpress.solver import Position, Solver
from app.words.lexicon import Lexicon
from tests.games.letterpress.brute import placements
from tests.games.letterpress.strategies import boards, lexicons


@given(boards, lexicons())
def test_placements_are_all_ways_to_choose_cells_for_the_letters(board: str, lexicon: Lexicon) -> None:
    table = placements_of(board, Anagrams(lexicon))
    expected = {mask for word in lexicon for mask in placements(board, word)}
    assert sorted(table.masks.tolist()) == sorted(expected)
    assert sorted(lexicon[index] for index in table.members.tolist()) == [
        word for word in lexicon if any(placements(board, word))
    ]


def test_a_board_with_more_placements_than_memory_is_refused() -> None:
    lexicon = Lexicon.from_words(["z" * 12], "few")
    assert len(placements_of("z" * 20 + "abcde", Anagrams(lexicon)).masks) == 125970
    with pytest.raises(TooManyPlacements, match="up to 6,000,000"):
        Solver(Lexicon.from_words(["z" * 12, "z" * 11], "few")).solve(Position(board="z" * 25))


def test_the_kept_tables_stay_within_their_bound(lexicon: Lexicon) -> None:
    built: list[str] = []
    anagrams = Anagrams(Lexicon.from_words(["aa", "bb"], "few"))

    def build(board: str) -> Any:
        built.append(board)
        return placements_of(board, anagrams)

    first, second = "a" * 25, "b" * 25
    cache = PlacementCache(build, max_bytes=build(first).bytes)
    for board in (first, first, second, second, first):
        cache(board)
    assert built == [first, first, second, first]
