"""Solver: all words on a Boggle board, and the scores of many boards."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from operator import attrgetter
from threading import local
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.boggle.board import Board
from app.games.boggle.climb_kernels import BATH
from app.games.boggle.kernels import (
    FIRST_SHIFT,
    LENGTH_SHIFT,
    LENGTHS,
    ONE_WORD,
    WORKSPACE,
    find_paths,
    score_boards,
)
from app.games.boggle.scoring import SHORTEST, PointsTable, classic_points, word_values
from app.games.grid import grid
from app.games.grid_kernels import LETTERS
from app.grammar import format_count
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.trie import NO_WORD, Trie, build_trie

Paths: TypeAlias = Literal["one", "all"]

FIRST_WORDS: Final = 1024
"""Initial capacity for words; rich boards have more."""
MOST_PATHS: Final = 50_000
"""The maximum number of paths in an answer."""


class TooManyPaths(ValueError):
    """The words on the board have more paths than an answer may list."""


class FoundWord(NamedTuple):
    """A word on a board, with its points and paths."""

    word: str
    points: int
    paths: tuple[tuple[int, ...], ...]
    """Cells in the order of the word: the first path in lexicographic order, or all paths in that order."""
    entry: int
    """The word's index in the lexicon."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The words on a board, by points, then alphabetically."""

    words: tuple[FoundWord, ...]
    count: int
    """The number of distinct words."""
    points: int
    """Their total points, each word once."""


class Workspace:
    """The scratch arrays of one thread, for a trie of ``nodes`` nodes."""

    def __init__(self, nodes: int) -> None:
        self.stamps: Final = np.zeros(nodes, np.uint8)
        self.scratch: Final = np.zeros(WORKSPACE, np.int64)

    @cached_property
    def marks(self) -> NDArray[np.uint32]:
        """``marks`` of :mod:`app.games.boggle.climb_kernels`."""
        return np.zeros(len(self.stamps), np.uint32)

    @cached_property
    def bath(self) -> NDArray[np.int64]:
        """``bath`` of :mod:`app.games.boggle.climb_kernels`."""
        return np.empty(BATH, np.int64)


class Solver:
    """Searches boards for the words of one lexicon. Thread-safe.

    Words have at least ``min_length`` letters. With ``qu``, every ``q`` on a board is a ``Qu`` face: two
    letters of the word in one cell; otherwise it is a plain letter. ``points`` defaults to those of the dice
    game. Raises ValueError for a ``min_length`` below 2 or an invalid table of points.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        min_length: int = 3,
        qu: bool = False,  # noqa: FBT001, FBT002 - one of the two rules, named by most callers
        points: PointsTable | None = None,
    ) -> None:
        if min_length < SHORTEST:
            raise ValueError(f"words of {format_count(min_length, 'letter')}: they have {SHORTEST} or more")
        self.lexicon: Final = lexicon
        self.min_length: Final = min_length
        self.qu: Final = qu
        self.word_values: Final = word_values(classic_points() if points is None else points, min_length)
        """The kernels' value of a word, by length."""
        nodes, self._word_of_node = _arrays(lexicon, qu=qu)
        self.nodes: Final = nodes
        self.best_vowels: Final[dict[tuple[int, int], int]] = {}
        """Results of ``generators.best_vowels``, by width and height."""
        self._thread = local()

    def solve(self, board: Board, paths: Paths = "one") -> Solution:
        """Return all words on the board, with one path or all paths each. Raises TooManyPaths."""
        every_path = paths == "all"
        capacity = FIRST_WORDS
        while True:
            found = np.empty((capacity, 2), np.int64)
            cells = np.empty(capacity * min(board.grid.cells, self.lexicon.longest), np.uint8)
            total = find_paths(
                self.nodes,
                board.grid.masks,
                board.codes,
                self.word_values,
                every_path,
                self.workspace.stamps,
                self.workspace.scratch,
                found,
                cells,
            )
            count = int(total // ONE_WORD)
            if count <= capacity:
                words = self._traced(found[:count], cells, board.letters)
                words = _merged(words) if every_path else words
                return Solution(tuple(words), len(words), sum([word.points for word in words]))
            if count > MOST_PATHS:
                raise TooManyPaths(
                    f"the words of this board can be traced in {count:,} ways: "
                    f"up to {MOST_PATHS:,} are listed"
                )
            capacity = count

    def score(
        self,
        boards: NDArray[np.uint8],
        width: int,
        height: int,
        *,
        every_path: bool = False,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the number of words and the points of each board: two arrays of shape (n,).

        ``boards`` has shape (n, cells): letters as numbers, 0 = a, row by row. Each word counts once, or with
        ``every_path`` once per path. Raises ValueError for another shape or for numbers above 25.
        """
        shape = grid(height, width)
        if boards.dtype != np.uint8 or boards.ndim != 2 or boards.shape[1] != shape.cells:
            raise ValueError(
                f"boards of {boards.dtype} and shape {boards.shape}: "
                f"{width}x{height} requires uint8 and (n, {shape.cells})"
            )
        if boards.size and boards.max() >= len(ALPHABET):
            raise ValueError(f"letter {boards.max()}: letters are numbers 0 to {len(ALPHABET) - 1}")
        totals = np.empty(len(boards), np.int64)
        score_boards(
            self.nodes,
            shape.masks,
            np.ascontiguousarray(boards),
            self.word_values,
            every_path,
            self.workspace.stamps,
            self.workspace.scratch,
            totals,
        )
        return (totals // ONE_WORD).astype(np.int32), (totals % ONE_WORD).astype(np.int32)

    @property
    def workspace(self) -> Workspace:
        """The calling thread's scratch arrays."""
        try:
            workspace: Workspace = self._thread.workspace
        except AttributeError:
            workspace = self._thread.workspace = Workspace(len(self._word_of_node))
        return workspace

    def _traced(self, found: NDArray[np.int64], cells: NDArray[np.uint8], letters: str) -> list[FoundWord]:
        """Return one FoundWord per path, in the order of the solution."""
        nodes, lengths = found.T
        ends = np.cumsum(lengths)
        entries = self._word_of_node[nodes]
        points = self.word_values[(self.nodes[nodes] >> LENGTH_SHIFT) % LENGTHS] % ONE_WORD
        order = np.lexsort((entries, -points))
        steps = cells[: lengths.sum()].tobytes()
        text, path = steps.translate(letters.encode().ljust(256)).decode(), tuple(steps)
        slices = [*map(slice, (ends - lengths)[order].tolist(), ends[order].tolist())]
        words: Iterator[str] = map(text.__getitem__, slices)
        if self.qu and "q" in letters:
            words = (word.replace("q", "qu") for word in words)
        one_path_each = zip(map(path.__getitem__, slices), strict=True)
        fields = zip(words, points[order].tolist(), one_path_each, entries[order].tolist(), strict=True)
        return [*map(FoundWord._make, fields)]


@lru_cache(maxsize=8)
def solver_of(lexicon: Lexicon, *, min_length: int = 3, qu: bool = False) -> Solver:
    """Return the solver with the points of the dice game; cached. Raises ValueError like :class:`Solver`."""
    return Solver(lexicon, min_length, qu)


def _merged(traced: list[FoundWord]) -> list[FoundWord]:
    """Merge consecutive entries of the same word, each with one path, into one entry with all paths."""
    merged = []
    for _, group in groupby(traced, key=attrgetter("entry")):
        first, *others = group
        merged.append(first._replace(paths=(*first.paths, *(other.paths[0] for other in others))))
    return merged


def _arrays(lexicon: Lexicon, *, qu: bool) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the nodes in the kernels' layout, and the lexicon index of the word that ends at each."""
    trie, indices = _with_faces(lexicon) if qu else (lexicon.trie, np.asarray(lexicon.trie.word))
    lengths = np.diff(lexicon.starts.astype(np.int64)) - 1
    ending = np.where(indices == NO_WORD, 0, np.minimum(lengths, LENGTHS - 1)[indices])
    first = trie.first.astype(np.int64) << FIRST_SHIFT
    return first | ending.astype(np.int64) << LENGTH_SHIFT | trie.children & LETTERS, indices


def _with_faces(lexicon: Lexicon) -> tuple[Trie, NDArray[np.int32]]:
    """Return the trie of words spelled with ``Qu`` faces, and the lexicon index of each node's word."""
    cells = sorted(
        (word.replace("qu", "q"), index)
        for index, word in enumerate(lexicon)
        if word.count("q") == word.count("qu")
    )
    trie = build_trie([word for word, _ in cells])
    index_of_word = np.array([index for _, index in cells] + [NO_WORD], np.int32)
    return trie, index_of_word[trie.word]
