"""Brute-force search of a board: every path and every swap."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from app.games.wibble.scoring import Scoring, points
from app.games.wibble.solver import FoundWord
from app.games.wibble.state import Board


def touching(one: int, other: int, columns: int) -> bool:
    rows_apart = abs(one // columns - other // columns)
    columns_apart = abs(one % columns - other % columns)
    return max(rows_apart, columns_apart) == 1


def paths(letters: str, columns: int, words: set[str]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every word with every path that spells it."""
    beginnings = {word[:end] for word in words for end in range(len(word) + 1)}

    def grow(word: str, cells: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
        if word in words:
            yield word, cells
        for cell, letter in enumerate(letters):
            reached = not cells or touching(cells[-1], cell, columns)
            if reached and cell not in cells and word + letter in beginnings:
                yield from grow(word + letter, (*cells, cell))

    return grow("", ())


def all_paths(board: Board, size: int, scoring: Scoring, words: Iterable[str]) -> list[FoundWord]:
    """Every word with each of its paths."""
    return [
        FoundWord(word, cells, points(board, cells, scoring), len(set(cells) & set(board.gems)))
        for word, cells in paths(board.letters, size, set(words))
    ]


def all_words(board: Board, size: int, scoring: Scoring, words: Iterable[str]) -> list[FoundWord]:
    """Every word once with its best path, in the solver's documented order."""
    found = all_paths(board, size, scoring, words)
    best: dict[str, FoundWord] = {}
    for each in sorted(found, key=lambda each: (-each.points, -each.gems, each.word, each.cells)):
        best.setdefault(each.word, each)
    return list(best.values())


def best_word(
    board: Board, size: int, scoring: Scoring, words: Iterable[str], swaps: int
) -> FoundWord | None:
    """The best word on any board that results from replacing the letters of up to ``swaps`` cells."""
    return best_by_value(board, size, scoring, words, [[0] * 65] * (swaps + 1))


def best_by_value(
    board: Board, size: int, scoring: Scoring, words: Iterable[str], gem_values: Sequence[Sequence[int]]
) -> FoundWord | None:
    """Likewise, the best sum of points and ``gem_values[swaps][gems]``."""
    swaps = len(gem_values) - 1
    words = set(words)
    alphabet = sorted(set("".join(words)))
    found = []
    for made in range(swaps + 1):
        for cells in combinations(range(len(board.letters)), made):
            choices = [[letter for letter in alphabet if letter != board.letters[cell]] for cell in cells]
            for replacements in product(*choices):
                new = dict(zip(cells, replacements, strict=True))
                letters = "".join(new.get(cell, letter) for cell, letter in enumerate(board.letters))
                for each in all_paths(board.model_copy(update={"letters": letters}), size, scoring, words):
                    swapped = tuple((cell, new[cell]) for cell in each.cells if cell in new)
                    value = each.points + gem_values[len(swapped)][each.gems]
                    found.append((value, made, each._replace(swaps=swapped)))
    if not found:
        return None
    # A board with a swap outside the path is worse than the same path without that swap.
    return min(found, key=lambda one: (-one[0], one[1], -one[2].gems, one[2].word, one[2].cells))[2]
