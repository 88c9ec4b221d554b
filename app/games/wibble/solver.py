"""Everything there is to find on a board of Wibble."""

from functools import lru_cache
from threading import local
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.grid import grid, letter_numbers
from app.games.grid_kernels import find_words, paired_nodes
from app.games.wibble.bounds import Rests
from app.games.wibble.kernels import NOTHING, OVERFLOW, best_paths, best_trace, promising_words
from app.games.wibble.scoring import Scoring
from app.games.wibble.state import Board
from app.games.wibble.tiles import Tiles
from app.games.wibble.workspace import FoundWords, Workspace
from app.words.lexicon import Lexicon

MOST_SWAPS: Final = 2
ENDLESS: Final = int(np.iinfo(np.int64).max)
PATIENCE: Final = 200_000
"""Steps of a search for the best path of any word at all; words of a language take a few hundred."""


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

    Every method takes the side of the board as ``size``. ``allowed`` has an entry for each word of the
    lexicon by its index, and leaves out the words where it is 0. Raises ValueError where letters, size,
    bonuses, scoring or ``allowed`` do not fit together, saying what is wrong.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._words = len(lexicon)
        self._trie = lexicon.trie
        self._nodes = paired_nodes(lexicon.trie)
        # A memory map's plain view is what the kernels' signatures know.
        self._word_of_node = np.asarray(lexicon.trie.word)
        self._text = np.asarray(lexicon.text)
        self._starts = np.asarray(lexicon.starts)
        self._everything = np.ones(self._words, np.uint8)
        self._rests = lru_cache(maxsize=1)(lambda: Rests(self._trie))
        self._rests_under = lru_cache(maxsize=8)(lambda *rule: self._rests().under(*rule))
        self._thread = local()

    def count(self, letters: str, size: int, enough: int | None = None) -> int:
        """How many distinct words the board has; the search stops at ``enough``."""
        board = grid(size, size)
        workspace = self._workspace
        return find_words(
            self._nodes,
            self._word_of_node,
            board.near,
            letter_numbers(letters, board),
            self._words if enough is None else min(enough, self._words),
            workspace.near_letters,
            workspace.stack,
            workspace.slots,
            workspace.words,
        )

    def words(
        self, board: Board, size: int, scoring: Scoring, allowed: NDArray[np.uint8] | None = None
    ) -> list[FoundWord]:
        """Every distinct word once with its best path: most points, then most gems, then the smallest cells.

        The list is sorted by points and gems, best first, then by word.
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
        """The word with most points when up to ``swaps`` tiles (0 to 2) may get another letter first.

        A swapped tile keeps its bonus and its gem. Of equals the one with the fewest swaps, then with most
        gems, then the first in the alphabet, then the one with the smallest cells; None if there is no word.
        """
        if not 0 <= swaps <= MOST_SWAPS:
            raise ValueError(f"{swaps} swaps: it must be from 0 to {MOST_SWAPS}")
        tiles = Tiles(board, size, scoring)
        allowed = self._filter(allowed)
        best: FoundWord | None = None
        for most in range(swaps + 1):
            # One more swap must pay for itself, and what it has to beat prunes the search for it.
            least = best.points + 1 if best else 0
            words, bounds = self._promising(tiles, allowed, most, least)
            best = self._trace(self._text, self._starts, words, bounds, tiles, most, least) or best
        return best

    def best_path(self, board: Board, size: int, scoring: Scoring, word: str) -> FoundWord | None:
        """The best path of one word, which need not be in the lexicon; None if the board does not have it.

        A word made to have millions of paths, such as 30 times the only letter of a board, gets a good one.
        """
        tiles = Tiles(board, size, scoring)
        if not word or not set(word) <= set(board.letters):
            return None
        text = np.frombuffer(f"{word}\n".encode(), np.uint8)
        starts = np.array([0, len(text)], np.uint32)
        only, no_bound = np.zeros(1, np.int32), np.full(1, ENDLESS)
        return self._trace(text, starts, only, no_bound, tiles, swaps=0, least=0, patience=PATIENCE)

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
        self, tiles: Tiles, allowed: NDArray[np.uint8], swaps: int, least: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The words that may be worth ``least`` points, and upper bounds of their points, descending."""
        workspace = self._workspace
        letter_bonus_factor = tiles.letter_bonus.factor if tiles.letter_bonus else 1
        count = promising_words(
            self._nodes,
            self._word_of_node,
            allowed,
            *self._rests_under(tiles.values, letter_bonus_factor),
            tiles.value_of_letter,
            tiles.cells_of_letter,
            tiles.grid.frame,
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
        swaps: int,
        least: int,
        patience: int = ENDLESS,
    ) -> FoundWord | None:
        """The best of some words, whose letters are in ``text`` from ``starts`` on."""
        workspace = self._workspace
        index = best_trace(
            text,
            starts,
            words,
            bounds,
            tiles.grid.masks,
            tiles.grid.frame,
            tiles.letters,
            tiles.cell_gems,
            tiles.value_of_letter,
            tiles.cells_of_letter,
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
        points, gems, *cells = workspace.result[: len(word) + 2].tolist()
        swapped = [
            (cell, letter) for cell, letter in zip(cells, word, strict=True) if tiles.text[cell] != letter
        ]
        return FoundWord(word, tuple(cells), points, gems, tuple(swapped))

    def _filter(self, allowed: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
        if allowed is None:
            return self._everything
        if allowed.shape != self._everything.shape:
            raise ValueError(f"a filter of shape {allowed.shape}: the lexicon has {self._words} words")
        return np.ascontiguousarray(allowed, np.uint8)

    @property
    def _workspace(self) -> Workspace:
        """The calling thread's own."""
        try:
            workspace: Workspace = self._thread.workspace
        except AttributeError:
            workspace = self._thread.workspace = Workspace(self._words)
        return workspace


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
