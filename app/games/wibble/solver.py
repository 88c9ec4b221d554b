"""Solver: all words on a Wibble board, and the best word."""

from collections.abc import Sequence
from functools import lru_cache
from threading import local
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.grid import grid
from app.games.grid_kernels import find_words, paired_nodes
from app.games.wibble.bound_kernels import MOST_SWAPS, promising_words
from app.games.wibble.bounds import Rests
from app.games.wibble.path_kernels import OVERFLOW, best_paths
from app.games.wibble.scoring import Scoring
from app.games.wibble.state import Board
from app.games.wibble.tiles import Tiles, numbers_of
from app.games.wibble.trace_kernels import NOTHING, best_trace
from app.games.wibble.workspace import FoundWords, Workspace
from app.words.lexicon import Lexicon

ENDLESS: Final = int(np.iinfo(np.int64).max)
PATIENCE: Final = 200_000
"""Step limit when searching the best path of an arbitrary word; real words take a few hundred."""


class FoundWord(NamedTuple):
    """A word with its best path."""

    word: str
    cells: tuple[int, ...]
    points: int
    gems: int
    """The number of gem tiles on the path."""
    swaps: tuple[tuple[int, str], ...] = ()
    """The tiles to be swapped first, each with its new letter, in path order."""


class Solver:
    """Searches boards for the words of one lexicon. Thread-safe.

    ``size`` is the side of the board; no path uses a cell whose letter is ``.``. ``allowed`` has an entry per
    word of the lexicon; words with 0 are excluded. Methods raise ValueError if letters, size, bonuses,
    scoring or ``allowed`` do not match.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._words = len(lexicon)
        self._trie = lexicon.trie
        self._nodes = paired_nodes(lexicon.trie)
        # Plain views of the memory maps, as required by the kernels' signatures.
        self._word_of_node = np.asarray(lexicon.trie.word)
        self._text = np.asarray(lexicon.text)
        self._starts = np.asarray(lexicon.starts)
        self._everything = np.ones(self._words, np.uint8)
        self._bounds = lru_cache(maxsize=1)(lambda: Rests(self._trie))
        self._bounds_under = lru_cache(maxsize=8)(lambda *rule: self._bounds().under(*rule))
        self._thread = local()

    def count(self, letters: str, size: int, enough: int | None = None) -> int:
        """Return the number of distinct words on the board, counted up to ``enough``."""
        board = grid(size, size)
        workspace = self._workspace
        return find_words(
            self._nodes,
            self._word_of_node,
            board.near,
            numbers_of(letters, board),
            self._words if enough is None else min(enough, self._words),
            workspace.near_letters,
            workspace.stack,
            workspace.slots,
            workspace.words,
        )

    def words(
        self, board: Board, size: int, scoring: Scoring, allowed: NDArray[np.uint8] | None = None
    ) -> list[FoundWord]:
        """Return every distinct word with its best path: most points, then most gems, then smallest cells.

        Sorted by points and gems, best first, then alphabetically.
        """
        tiles = Tiles(board, size, scoring)
        allowed = self._filter(allowed)
        workspace = self._workspace
        while (count := self._find(tiles, allowed, workspace)) == OVERFLOW:
            workspace.grow()
        return _in_order(workspace.found, count, tiles.text)

    def best(
        self,
        board: Board,
        size: int,
        scoring: Scoring,
        swaps: int = 0,
        allowed: NDArray[np.uint8] | None = None,
    ) -> FoundWord | None:
        """Return the word with most points if up to ``swaps`` tiles (0 to 3) may change their letter first.

        A swapped tile keeps its bonus and gem. Ties go to fewer swaps, then more gems, then alphabetical
        order, then the smallest cells; None if there is no word.
        """
        improving = self.best_by_swaps(board, size, scoring, swaps, allowed)
        return improving[-1] if improving else None

    def best_by_value(
        self,
        board: Board,
        size: int,
        scoring: Scoring,
        gem_values: Sequence[Sequence[int]],
        allowed: NDArray[np.uint8] | None = None,
    ) -> FoundWord | None:
        """Return the word with the largest sum of its points and ``gem_values[swaps made][gems collected]``.

        The rows are for no swap, one swap and so on; each has a value for every number of gems up to all on
        the board. Values are not negative; they never fall with more gems or rise with more swaps. Ties as in
        :meth:`best`.
        """
        _check_swaps(len(gem_values) - 1)
        tiles = Tiles(board, size, scoring)
        rows = [np.array(row, np.int64) for row in gem_values]
        if any(len(row) != tiles.gems + 1 for row in rows):
            raise ValueError(f"a row of gem values has {tiles.gems + 1} numbers: 0 to all gems on the board")
        improving = self._improving(tiles, rows, self._filter(allowed))
        return improving[-1] if improving else None

    def best_by_swaps(
        self,
        board: Board,
        size: int,
        scoring: Scoring,
        swaps: int,
        allowed: NDArray[np.uint8] | None = None,
    ) -> list[FoundWord]:
        """Return the best word with no swap, with one and so on up to ``swaps``, while that gains points.

        Ties as in :meth:`best`, which returns the last.
        """
        _check_swaps(swaps)
        tiles = Tiles(board, size, scoring)
        return self._improving(tiles, [tiles.no_gem_value] * (swaps + 1), self._filter(allowed))

    def best_path(self, board: Board, size: int, scoring: Scoring, word: str) -> FoundWord | None:
        """Return the best path of a word, which need not be in the lexicon; None if it is not on the board.

        For artificial words with millions of paths, such as 30 times a board's only letter, a good path.
        """
        tiles = Tiles(board, size, scoring)
        if not word or not set(word) <= set(board.letters):
            return None
        text = np.frombuffer(f"{word}\n".encode(), np.uint8)
        starts = np.array([0, len(text)], np.uint32)
        only, no_bound = np.zeros(1, np.int32), np.full(1, ENDLESS)
        return self._trace(
            text, starts, only, no_bound, tiles, tiles.no_gem_value, swaps=0, least=0, patience=PATIENCE
        )

    def _improving(
        self, tiles: Tiles, gem_values: Sequence[NDArray[np.int64]], allowed: NDArray[np.uint8]
    ) -> list[FoundWord]:
        improving: list[FoundWord] = []
        least = 0
        for swaps, gem_value in enumerate(gem_values):
            # A word with another swap must have a higher value, so the best so far prunes the search.
            words, bounds = self._promising(tiles, gem_value, allowed, swaps, least)
            best = self._trace(self._text, self._starts, words, bounds, tiles, gem_value, swaps, least)
            if best:
                improving.append(best)
                least = best.points + int(gem_value[best.gems]) + 1
        return improving

    def _find(self, tiles: Tiles, allowed: NDArray[np.uint8], workspace: Workspace) -> int:
        return best_paths(
            self._nodes,
            self._word_of_node,
            allowed,
            tiles.grid.near,
            tiles.letters,
            tiles.cell_points,
            tiles.cell_factors,
            tiles.cell_gems,
            tiles.long_word_length,
            tiles.long_word_bonus,
            workspace.near_letters,
            workspace.stack,
            workspace.slots,
            workspace.found.words,
            workspace.found.points,
            workspace.found.gems,
            workspace.found.starts,
            workspace.found.ends,
            workspace.found.cells,
        )

    def _promising(
        self,
        tiles: Tiles,
        gem_value: NDArray[np.int64],
        allowed: NDArray[np.uint8],
        swaps: int,
        least: int,
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the words whose value may be ``least`` or more, and their upper bounds, descending."""
        workspace = self._workspace
        letter_bonus_factor = tiles.letter_bonus.factor if tiles.letter_bonus else 1
        count = promising_words(
            self._nodes,
            self._word_of_node,
            allowed,
            *self._bounds_under(tiles.values, letter_bonus_factor),
            tiles.value_of_letter,
            tiles.cells_of_letter,
            tiles.grid.frame,
            gem_value,
            *tiles.bonuses,
            tiles.long_word_length,
            tiles.long_word_bonus,
            swaps,
            least,
            workspace.stack,
            workspace.reach,
            workspace.extras,
            workspace.words,
            workspace.bounds,
        )
        bounds = workspace.bounds[:count]
        order = np.argsort(-bounds, kind="stable")
        return workspace.words[:count][order], bounds[order]

    def _trace(
        self,
        text: NDArray[np.uint8],
        starts: NDArray[np.uint32],
        words: NDArray[np.int32],
        bounds: NDArray[np.int64],
        tiles: Tiles,
        gem_value: NDArray[np.int64],
        swaps: int,
        least: int,
        patience: int = ENDLESS,
    ) -> FoundWord | None:
        """Return the best of some words, given as offsets ``starts`` in ``text``."""
        workspace = self._workspace
        index = best_trace(
            text,
            starts,
            words,
            bounds,
            tiles.neighbours,
            tiles.grid.frame,
            tiles.letters,
            tiles.cell_gems,
            tiles.value_of_letter,
            tiles.cells_of_letter,
            gem_value,
            *tiles.bonuses,
            tiles.long_word_length,
            tiles.long_word_bonus,
            swaps,
            least,
            patience,
            workspace.stack,
            workspace.ahead,
            workspace.result,
        )
        if index == NOTHING:
            return None
        word = text[starts[index] : starts[index + 1] - 1].tobytes().decode()
        value, gems, *cells = workspace.result[: len(word) + 2].tolist()
        swapped = [
            (cell, letter) for cell, letter in zip(cells, word, strict=True) if tiles.text[cell] != letter
        ]
        return FoundWord(word, tuple(cells), value - int(gem_value[gems]), gems, tuple(swapped))

    def _filter(self, allowed: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
        if allowed is None:
            return self._everything
        if allowed.shape != self._everything.shape:
            raise ValueError(f"a filter of shape {allowed.shape}: the lexicon has {self._words} words")
        return np.ascontiguousarray(allowed, np.uint8)

    @property
    def _workspace(self) -> Workspace:
        """The calling thread's scratch arrays."""
        try:
            workspace: Workspace = self._thread.workspace
        except AttributeError:
            workspace = self._thread.workspace = Workspace(self._words)
        return workspace


def _check_swaps(swaps: int) -> None:
    if not 0 <= swaps <= MOST_SWAPS:
        raise ValueError(f"{swaps} swaps: it must be from 0 to {MOST_SWAPS}")


@lru_cache(maxsize=8)
def solver_of(lexicon: Lexicon) -> Solver:
    """Return the solver over this lexicon; cached."""
    return Solver(lexicon)


def _in_order(found: FoundWords, count: int, letters: str) -> list[FoundWord]:
    # Words are numbered in alphabetical order.
    order = np.lexsort((found.words[:count], -found.gems[:count], -found.points[:count]))
    paths = found.cells[: found.ends[:count].max(initial=0)].tobytes()
    text = paths.translate(letters.encode().ljust(256)).decode()
    cells = tuple(paths)
    return [
        FoundWord(text[start:end], cells[start:end], points, gems)
        for start, end, points, gems in zip(
            found.starts[order].tolist(),
            found.ends[order].tolist(),
            found.points[order].tolist(),
            found.gems[order].tolist(),
            strict=True,
        )
    ]
