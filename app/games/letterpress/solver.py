"""The best moves of a Letterpress position, and why they are the best."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from app.games.game import Frozen
from app.games.letterpress.anagrams import anagrams_of, letter_counts
from app.games.letterpress.kernels import NO_WORD
from app.games.letterpress.placements import PlacementCache, Placements, check_placements, placements_of
from app.games.letterpress.search import DECIDED, Found, Line, Search, Side, side
from app.games.letterpress.territory import CELLS, Territory, cells_of
from app.words.lexicon import Lexicon

MOST_PLIES: Final = 3


class Position(Frozen):
    """Everything that decides what may be played and what it is worth, as the side to move sees it."""

    board: str = Field(pattern=f"^[a-z]{{{CELLS}}}$")
    territory: Territory = Territory()
    played: tuple[str, ...] = ()
    """The words played before, by either side."""
    passed: bool = False
    """The opponent has just passed: when we pass too, the game is over."""


@dataclass(frozen=True, slots=True)
class MoveConstraints:
    """Which of our words count now; what is played later is not bound by them."""

    cells: int = 0
    """The cells that the word must use, as a mask."""
    letters: str = ""
    """The letters that the word must have, each as often as it is written here."""
    min_length: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What the opponent answers."""

    word: str
    mask: int

    def cells(self, board: str) -> tuple[int, ...]:
        """The cells in the order of the word; of tiles alike the one first on the board comes first."""
        return spelled(self.word, self.mask, board)


@dataclass(frozen=True, slots=True)
class Advice:
    """A move and what comes of it."""

    word: str
    """Empty for a pass."""
    mask: int
    territory: Territory
    """The board after the move."""
    value: int
    """What it leaves us at the depth searched; ``WIN - n`` for a game won in ``n`` plies, or the negative."""
    reply: Reply | None
    """None where the game is over, or the opponent passes."""
    depth: int
    """The plies to which the value is exact."""

    def cells(self, board: str) -> tuple[int, ...]:
        """The cells in the order of the word; of tiles alike the one first on the board comes first."""
        return spelled(self.word, self.mask, board)

    @property
    def wins(self) -> bool:
        """Whether the move wins the game, now or whatever the opponent plays."""
        return self.value > DECIDED

    @property
    def loses(self) -> bool:
        """Whether the move loses the game, now or to the best reply."""
        return self.value < -DECIDED


@dataclass(frozen=True, slots=True)
class Choice:
    """A move with the other ways to lay its word, where placements were grouped."""

    best: Advice
    others: tuple[Advice, ...]
    """The next best placements, best first; anagrams of the word lie on the same tiles and are among them."""
    ways: int
    """In how many ways the word can be laid."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The best moves of a position."""

    choices: list[Choice]
    """Best first: the moves, each with other placements of its word if those were asked for."""
    grouped: bool
    """Whether they were."""
    words: int
    """How many words the board has."""
    placements: int
    """In how many ways they can be laid."""
    positions: int
    """How many positions were evaluated."""
    depth: int
    """The plies to which the answer is exact; from three plies on for the best candidates only."""

    @property
    def moves(self) -> list[Advice]:
        """Best first."""
        return [choice.best for choice in self.choices]


def spelled(word: str, mask: int, board: str) -> tuple[int, ...]:
    """The cells of ``mask`` in the order in which they spell ``word``."""
    left = list(cells_of(mask))
    cells = []
    for letter in word:
        cells.append(next(cell for cell in left if board[cell] == letter))
        left.remove(cells[-1])
    return tuple(cells)


def never(_positions: int) -> bool:
    """Search to the end."""
    return False


class Solver:
    """Finds the best moves with the words of one lexicon; one solver serves all threads."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.anagrams = anagrams_of(lexicon)
        self.lengths: Final = np.diff(lexicon.starts.astype(np.int64)) - 1
        """Per word of the lexicon: how many letters it has."""
        self._everything = np.ones(len(lexicon), np.uint8)
        self._placements = PlacementCache(partial(placements_of, anagrams=self.anagrams))

    def check(self, board: str) -> None:
        """Raise TooManyPlacements for a board that is not searched."""
        check_placements(board, self.anagrams)

    def count(self, board: str) -> int:
        """How many words the board has. Raises TooManyPlacements."""
        return len(self._placements(board).members)

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
        """The ``top`` best moves, looking one to three plies ahead; a pass is a move like another.

        ``grouped`` lists a word and its anagrams once: their best placement, and the next best with it.
        ``allowed`` and ``their_allowed`` have a 1 for each word of the lexicon that we, or they, would play.
        ``stop`` is told now and then how many positions were evaluated, and ends the search when it returns
        true; the answer is then the best found so far. Raises TooManyPlacements, and ValueError for a
        position whose game is over or a depth there is not.
        """
        if position.territory.full:
            raise ValueError("every tile has an owner: the game is over")
        if not 1 <= plies <= MOST_PLIES:
            raise ValueError(f"{plies} plies: from 1 to {MOST_PLIES} can be searched")
        placements = self._placements(position.board)
        search = self._search(
            position, placements, allowed, their_allowed, constraints, grouped=grouped, stop=stop
        )
        look = (search.static_eval, search.two_plies, search.three_plies)[plies - 1]
        return self._solution(position, placements, look(top), grouped=grouped)

    def judge(self, position: Position, word: str, mask: int) -> Advice:
        """What a move that may be played is worth to two plies; a pass has no word and no cells.

        Raises TooManyPlacements, and ValueError for a word that the lexicon lacks.
        """
        index = self.lexicon.index(word) if word else NO_WORD
        if index is None:
            raise ValueError(f"{word!r} is not in the lexicon {self.lexicon.name!r}")
        placements = self._placements(position.board)
        search = self._search(position, placements, None, None, MoveConstraints(), grouped=False, stop=never)
        return self._advice(position.territory, search.judge(index, mask))

    def _search(
        self,
        position: Position,
        placements: Placements,
        allowed: NDArray[np.uint8] | None,
        their_allowed: NDArray[np.uint8] | None,
        constraints: MoveConstraints,
        *,
        grouped: bool,
        stop: Callable[[int], bool],
    ) -> Search:
        closed = self.closed(position.played)
        ours = self._open(placements, allowed, closed)
        theirs = self._open(placements, their_allowed, closed)
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
        """The words that may not be played any more: those played and all that one of them begins with."""
        return frozenset(word[:end] for word in played for end in range(1, len(word) + 1))

    def _open(
        self, placements: Placements, allowed: NDArray[np.uint8] | None, closed: frozenset[str]
    ) -> NDArray[np.uint8]:
        """Which members of the board's classes a side may play."""
        open_ = (self._everything if allowed is None else allowed)[placements.members]
        gone = [index for word in closed if (index := self.lexicon.index(word)) is not None]
        open_[np.isin(placements.members, gone)] = 0
        return open_

    def _constrained(
        self, placements: Placements, ours: NDArray[np.uint8], constraints: MoveConstraints
    ) -> Side:
        asked = letter_counts(constraints.letters)
        has = (self.lexicon.letter_counts[placements.members] >= asked).all(axis=1)
        fits = has & (placements.lengths >= constraints.min_length)
        return side(placements, ours & fits, constraints.cells)

    def _solution(
        self, position: Position, placements: Placements, found: Found, *, grouped: bool
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
