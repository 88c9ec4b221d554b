"""All words of a board under a game's rules, with their points; cached."""

from threading import Lock
from typing import Any, Final, NamedTuple

from cachetools import LRUCache, cached

from app.games.boggle.board import Board
from app.games.boggle.finding import common_of
from app.games.boggle.scoring import classic_points, points_of
from app.games.boggle.solver import FoundWord, solver_of
from app.games.boggle.state import BoardWord, State
from app.words.lexicon import Lexicon
from app.words.vocabulary import allowed_words, is_common

_MOST_BYTES: Final = 64 * 1024 * 1024
"""Approximate memory for cached boards."""
_BYTES_PER_WORD: Final = 1024
"""Approximate memory per word: text, cells and dictionary entries."""


class SolvedBoard(NamedTuple):
    """All words on a board."""

    words: tuple[FoundWord, ...]
    cells: dict[str, tuple[int, ...]]
    """The path of each word."""
    common: tuple[str, ...]
    """The common words, in the order of hints."""
    shown: dict[str, BoardWord]
    """All words but profanity, as shown if no seat has found them."""

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        return len(self.words) * _BYTES_PER_WORD


class SolvedBoards:
    """Solves boards with the words of one lexicon. Thread-safe."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon: Final = lexicon
        boards: LRUCache[Any, SolvedBoard] = LRUCache(_MOST_BYTES, getsizeof=lambda board: board.size)
        self._solved: Final = cached(boards, lock=Lock())(self._solve)

    def solve(self, rows: tuple[str, ...], *, min_length: int, qu: bool, find_all: bool) -> SolvedBoard:
        """Return the words of these rows."""
        return self._solved(rows, min_length, qu, find_all)

    def of(self, state: State) -> SolvedBoard:
        """Return the words of a game's board."""
        options = state.options
        return self.solve(
            state.board, min_length=options.min_length, qu=options.qu, find_all=options.find_all
        )

    def points(self, word: str, *, find_all: bool) -> int:
        """Return the points of a word; in Find them all only common words score."""
        if find_all:
            return int(is_common(self.lexicon, self.lexicon.index(word)))
        return points_of(word, classic_points())

    def board_word(self, word: FoundWord, seats: tuple[int, ...] = (), *, find_all: bool) -> BoardWord:
        """Return a word as it is shown, found by these seats."""
        common = is_common(self.lexicon, word.entry)
        points = int(common) if find_all else word.points
        return BoardWord(word=word.word, points=points, cells=word.paths[0], seats=seats, common=common)

    def _solve(self, rows: tuple[str, ...], min_length: int, qu: bool, find_all: bool) -> SolvedBoard:  # noqa: FBT001
        words = solver_of(self.lexicon, min_length=min_length, qu=qu).solve(Board(rows)).words
        allowed = allowed_words(self.lexicon)
        shown = {word.word: self.board_word(word, find_all=find_all) for word in words if allowed[word.entry]}
        common = tuple(word.word for word in common_of(words, self.lexicon))
        return SolvedBoard(words, {word.word: word.paths[0] for word in words}, common, shown)
