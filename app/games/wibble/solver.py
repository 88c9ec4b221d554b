"""Everything there is to find on a board of Wibble."""

from threading import local
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.grid import Grid, grid, letter_numbers
from app.games.grid_kernels import LONGEST_PATH, find_words, paired_nodes
from app.games.wibble.kernels import OVERFLOW, best_paths
from app.games.wibble.scoring import Scoring
from app.games.wibble.state import Board
from app.words.lexicon import Lexicon
from app.words.trie import ALPHABET_SIZE, Trie, build_trie

NEVER: Final = LONGEST_PATH + 1
"""A length that no word reaches."""
PLACES: Final = np.arange(LONGEST_PATH)


class FoundWord(NamedTuple):
    """A word and the best way to trace it."""

    word: str
    cells: tuple[int, ...]
    points: int
    gems: int
    """How many gem tiles the path takes."""
    swaps: tuple[tuple[int, str], ...] = ()
    """The tiles to be replaced first, each with its new letter, in the order of the path."""


class Solver:
    """Searches boards for the words of one lexicon; one solver serves all threads.

    Every method takes the side of the board as ``size`` and raises ValueError where letters, size or bonuses
    do not make a board, saying what is wrong.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._searched = _Searched(lexicon.trie, len(lexicon))
        self._thread = local()

    def count(self, letters: str, size: int, enough: int | None = None) -> int:
        """How many distinct words the board has; the search stops at ``enough``."""
        board = grid(size, size)
        searched = self._searched
        workspace = self._workspace()
        return find_words(
            searched.nodes,
            searched.word_of_node,
            board.steps,
            board.step_rows,
            letter_numbers(letters, board),
            searched.words if enough is None else min(enough, searched.words),
            workspace.stack,
            workspace.slots,
            workspace.counted,
        )

    def words(
        self, board: Board, size: int, scoring: Scoring, allowed: NDArray[np.uint8] | None = None
    ) -> list[FoundWord]:
        """Every distinct word once with its best path: most points, then most gems, then the smallest cells.

        The list is sorted by points and gems, best first, then by word. A word whose entry in ``allowed``
        (by index in the lexicon) is 0 is left out.
        """
        tiles = _Tiles(board, grid(size, size), scoring)
        if allowed is None:
            allowed = self._searched.everything
        return _words(self._searched, self._workspace(), tiles, allowed)

    def best_path(self, board: Board, size: int, scoring: Scoring, word: str) -> FoundWord | None:
        """The best path of one word, which need not be in the lexicon; None if the board does not have it."""
        tiles = _Tiles(board, grid(size, size), scoring)
        if not word or len(word) > tiles.grid.cells or not set(word) <= set(board.letters):
            return None
        searched = _Searched(build_trie([word]), 1)
        found = _words(searched, _Workspace(words=1, rows=1), tiles, searched.everything)
        return found[0] if found else None

    def _workspace(self) -> "_Workspace":
        """The calling thread's own."""
        try:
            workspace: _Workspace = self._thread.workspace
        except AttributeError:
            workspace = self._thread.workspace = _Workspace(self._searched.words)
        return workspace


class _Searched:
    """A trie as the kernels read it, and a filter that lets all of its words pass."""

    def __init__(self, trie: Trie, words: int) -> None:
        self.words = words
        self.nodes = paired_nodes(trie)
        self.word_of_node = np.asarray(trie.word)
        self.everything = np.ones(words, np.uint8)


class _Tiles:
    """A board as the kernels read it: numbers per cell."""

    def __init__(self, board: Board, grid: Grid, scoring: Scoring) -> None:
        if len(scoring.values) != ALPHABET_SIZE:
            raise ValueError(
                f"{len(scoring.values)} letter values: a scoring has {ALPHABET_SIZE}, for a to z"
            )
        self.grid = grid
        self.letters = letter_numbers(board.letters, grid)
        self.text = board.letters.encode().ljust(256)
        self.points = np.array(scoring.values, np.int64)[self.letters]
        self.factors = np.ones(grid.cells, np.int64)
        self.gems = np.zeros(grid.cells, np.int64)
        for cell in board.gems:
            self.gems[_on_board(cell, grid, "a gem")] = 1
        if bonus := board.letter_bonus:
            self.points[_on_board(bonus.cell, grid, "the letter bonus")] *= bonus.factor
        if bonus := board.word_bonus:
            self.factors[_on_board(bonus.cell, grid, "the word bonus")] = bonus.factor
        self.long_word_length = NEVER if scoring.long_word_length is None else scoring.long_word_length
        self.long_word_bonus = scoring.long_word_bonus


def _on_board(cell: int, grid: Grid, what: str) -> int:
    if not 0 <= cell < grid.cells:
        raise ValueError(f"{what} on cell {cell}: the board has cells 0 to {grid.cells - 1}")
    return cell


class _Workspace:
    """The arrays one thread's searches write to."""

    def __init__(self, words: int, rows: int = 4096) -> None:
        self.stack = np.zeros(7 * (LONGEST_PATH + 1), np.int64)
        self.slots = np.zeros(words, np.int32)
        self.counted = np.zeros(words, np.int32)
        self._make_rows(min(rows, words))

    def _make_rows(self, rows: int) -> None:
        self.words = np.zeros(rows, np.int64)
        self.points = np.zeros(rows, np.int64)
        self.gems = np.zeros(rows, np.int64)
        self.lengths = np.zeros(rows, np.int64)
        self.paths = np.zeros(rows * LONGEST_PATH, np.uint8)

    def grow(self) -> None:
        """Make room for twice the words, but never for more than there are."""
        self._make_rows(min(2 * len(self.words), len(self.slots)))


def _words(
    searched: _Searched, workspace: _Workspace, tiles: _Tiles, allowed: NDArray[np.uint8]
) -> list[FoundWord]:
    while True:
        count = best_paths(
            searched.nodes,
            searched.word_of_node,
            allowed,
            tiles.grid.steps,
            tiles.grid.step_rows,
            tiles.letters,
            tiles.points,
            tiles.factors,
            tiles.gems,
            tiles.long_word_length,
            tiles.long_word_bonus,
            workspace.stack,
            workspace.slots,
            workspace.words,
            workspace.points,
            workspace.gems,
            workspace.lengths,
            workspace.paths,
        )
        if count != OVERFLOW:
            break
        workspace.grow()
    # Words are numbered in alphabetical order.
    order = np.lexsort((workspace.words[:count], -workspace.gems[:count], -workspace.points[:count]))
    lengths = workspace.lengths[order]
    paths = workspace.paths.reshape(-1, LONGEST_PATH)[order]
    cells = paths[lengths[:, np.newaxis] > PLACES].tobytes()
    text = cells.translate(tiles.text).decode()
    ends = lengths.cumsum()
    return [
        FoundWord(text[start:end], tuple(cells[start:end]), points, gems)
        for start, end, points, gems in zip(
            (ends - lengths).tolist(),
            ends.tolist(),
            workspace.points[order].tolist(),
            workspace.gems[order].tolist(),
            strict=True,
        )
    ]
