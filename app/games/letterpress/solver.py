"""Solver: the best moves of a Letterpress position."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from app.games.game import Frozen
from app.games.letterpress.anagrams import anagrams_of, letter_counts
from app.games.letterpress.boards import LONG, WordCount
from app.games.letterpress.kernels import NO_WORD
from app.games.letterpress.placements import PlacementCache, Placements, check_placements, placements_of
from app.games.letterpress.search import DECIDED, Found, Line, Search, Side, side
from app.games.letterpress.territory import CELLS, Territory, cells_of
from app.words.lexicon import Lexicon
from app.words.vocabulary import allowed_words

MOST_PLIES: Final = 3


class Position(Frozen):
    """A position as the side to move sees it."""

    board: str = Field(pattern=f"^[a-z]{{{CELLS}}}$")
    territory: Territory = Territory()
    played: tuple[str, ...] = ()
    """All words played so far, by either side."""
    passed: bool = False
    """Whether the opponent has just passed, so that our pass ends the game."""


@dataclass(frozen=True, slots=True)
class MoveConstraints:
    """Restrictions on our next word; later moves are not restricted."""

    cells: int = 0
    """The cells that the word must use, as a mask."""
    letters: str = ""
    """The letters that the word must contain, with multiplicity."""
    min_length: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """The opponent's best reply."""

    word: str
    mask: int

    def cells(self, board: str) -> tuple[int, ...]:
        """Return the cells in the order of the word; equal tiles in board order."""
        return spelled(self.word, self.mask, board)


@dataclass(frozen=True, slots=True)
class Advice:
    """A move and its evaluation."""

    word: str
    """Empty for a pass."""
    mask: int
    territory: Territory
    """The board after the move."""
    value: int
    """The value at the depth searched; ``WIN - n`` for a win in ``n`` plies, or the negative for a loss."""
    reply: Reply | None
    """None if the game is over or the opponent passes."""
    depth: int
    """The number of plies to which the value is exact."""

    def cells(self, board: str) -> tuple[int, ...]:
        """Return the cells in the order of the word; equal tiles in board order."""
        return spelled(self.word, self.mask, board)

    @property
    def wins(self) -> bool:
        """Whether the move wins the game, against any reply."""
        return self.value > DECIDED

    @property
    def loses(self) -> bool:
        """Whether the move loses the game, at once or to the best reply."""
        return self.value < -DECIDED


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, with other placements of its word if grouped."""

    best: Advice
    others: tuple[Advice, ...]
    """The next best placements, best first; also anagrams on the same tiles."""
    ways: int
    """The number of placements of the word."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The best moves of a position."""

    choices: list[Choice]
    """Best first; with other placements of each word if ``grouped``."""
    grouped: bool
    """Whether placements of the same word are grouped."""
    words: int
    """The number of words on the board."""
    playable: int
    """The number of words that we may play."""
    placements: int
    """The number of their placements."""
    positions: int
    """The number of positions evaluated."""
    depth: int
    """The number of plies to which the answer is exact; at three plies, for the best candidates only."""

    @property
    def moves(self) -> list[Advice]:
        """The moves, best first."""
        return [choice.best for choice in self.choices]


def spelled(word: str, mask: int, board: str) -> tuple[int, ...]:
    """Return the cells of ``mask`` in the order in which they spell ``word``."""
    left = list(cells_of(mask))
    cells = []
    for letter in word:
        cells.append(next(cell for cell in left if board[cell] == letter))
        left.remove(cells[-1])
    return tuple(cells)


def never(_positions: int) -> bool:
    """Never stop the search."""
    return False


class Solver:
    """Finds the best moves with the words of one lexicon. Thread-safe."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.anagrams = anagrams_of(lexicon)
        self.lengths: Final = np.diff(lexicon.starts.astype(np.int64)) - 1
        """Per word of the lexicon: its length."""
        self._everything = np.ones(len(lexicon), np.uint8)
        self._placements = PlacementCache(partial(placements_of, anagrams=self.anagrams))

    def check(self, board: str) -> None:
        """Raise TooManyPlacements if the board is too large to search."""
        check_placements(board, self.anagrams)

    def count(self, board: str) -> WordCount:
        """Return the number of words on the board. Raises TooManyPlacements."""
        members = self._placements(board).members
        return WordCount(len(members), int(self._long_words[members].sum()))

    @cached_property
    def _long_words(self) -> NDArray[np.bool_]:
        """Per word of the lexicon: whether it is common and long."""
        long: NDArray[np.bool_] = self.lexicon.letter_counts.sum(axis=1) >= LONG
        return long & allowed_words(self.lexicon, "common").view(np.bool_)

    def solve(
        self,
        position: Position,
        *,
        top: int = 10,
        plies: int = 2,
        allowed: NDArray[np.uint8] | None = None,
        their_allowed: NDArray[np.uint8] | None = None,
        constraints: MoveConstraints = MoveConstraints(),
        grouped: bool = False,
        stop: Callable[[int], bool] = never,
    ) -> Solution:
        """Return the ``top`` best moves at one to three plies; a pass is a move like any other.

        ``grouped`` lists a word and its anagrams once, with their best placement and the next best ones.
        ``allowed`` and ``their_allowed`` are 1 for each word of the lexicon that we, or they, would play.
        ``stop`` is called regularly with the number of positions evaluated; when it returns true, the result
        is the best found so far. Raises TooManyPlacements, and ValueError if the game is over or the depth is
        not supported.
        """
        if position.territory.full:
            raise ValueError("every tile has an owner: the game is over")
        if not 1 <= plies <= MOST_PLIES:
            raise ValueError(f"{plies} plies: from 1 to {MOST_PLIES} can be searched")
        placements = self._placements(position.board)
        closed = self.closed(position.played)
        ours = self._open(placements, allowed, closed)
        theirs = self._open(placements, their_allowed, closed)
        search = self._search(position, placements, ours, theirs, constraints, grouped=grouped, stop=stop)
        look = (search.static_eval, search.two_plies, search.three_plies)[plies - 1]
        return self._solution(position, placements, int(ours.sum()), look(top), grouped=grouped)

    def judge(self, position: Position, word: str, mask: int) -> Advice:
        """Return the value of a legal move at two plies; a pass has no word and an empty mask.

        Raises TooManyPlacements, and ValueError if the lexicon lacks the word.
        """
        index = self.lexicon.index(word) if word else NO_WORD
        if index is None:
            raise ValueError(f"{word!r} is not in the lexicon {self.lexicon.name!r}")
        placements = self._placements(position.board)
        both = self._open(placements, None, self.closed(position.played))
        search = self._search(position, placements, both, both, MoveConstraints(), grouped=False, stop=never)
        return self._advice(position.territory, search.judge(index, mask))

    def _search(
        self,
        position: Position,
        placements: Placements,
        ours: NDArray[np.uint8],
        theirs: NDArray[np.uint8],
        constraints: MoveConstraints,
        *,
        grouped: bool,
        stop: Callable[[int], bool],
    ) -> Search:
        thirds = side(placements, ours)
        return Search(
            placements,
            self.anagrams,
            position.territory,
            thirds if constraints == MoveConstraints() else self._constrained(placements, ours, constraints),
            thirds if np.array_equal(ours, theirs) else side(placements, theirs),
            thirds,
            passed=position.passed,
            grouped=grouped,
            stop=stop,
        )

    def closed(self, played: Sequence[str]) -> frozenset[str]:
        """Return the words that may no longer be played: all played words and their prefixes."""
        return frozenset(word[:end] for word in played for end in range(1, len(word) + 1))

    def _open(
        self, placements: Placements, allowed: NDArray[np.uint8] | None, closed: frozenset[str]
    ) -> NDArray[np.uint8]:
        """Return which members of the board's classes a side may play."""
        open_ = (self._everything if allowed is None else allowed)[placements.members]
        unplayable = [index for word in closed if (index := self.lexicon.index(word)) is not None]
        open_[np.isin(placements.members, unplayable)] = 0
        return open_

    def _constrained(
        self, placements: Placements, ours: NDArray[np.uint8], constraints: MoveConstraints
    ) -> Side:
        required = letter_counts(constraints.letters)
        has = (self.lexicon.letter_counts[placements.members] >= required).all(axis=1)
        fits = has & (placements.lengths >= constraints.min_length)
        return side(placements, ours & fits, constraints.cells)

    def _solution(
        self, position: Position, placements: Placements, playable: int, found: Found, *, grouped: bool
    ) -> Solution:
        return Solution(
            choices=[
                Choice(
                    self._advice(position.territory, group.best),
                    tuple(self._advice(position.territory, line) for line in group.others),
                    group.ways,
                )
                for group in found.groups
            ],
            grouped=grouped,
            words=len(placements.members),
            playable=playable,
            placements=len(placements.masks),
            positions=found.positions,
            depth=found.depth,
        )

    def _advice(self, territory: Territory, line: Line) -> Advice:
        return Advice(
            word=self.lexicon[line.word] if line.word != NO_WORD else "",
            mask=line.mask,
            territory=territory.after(line.mask),
            value=line.value,
            reply=Reply(self.lexicon[line.reply[0]], line.reply[1]) if line.reply else None,
            depth=line.depth,
        )
