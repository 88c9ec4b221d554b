"""Solver: the best moves of a Letterpress position."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from app.games.game import Frozen
from app.games.letterpress.anagrams import anagrams_of, letter_counts
from app.games.letterpress.boards import LONG, WordCount
from app.games.letterpress.endings import MOST_FREE, EndingSearch, Outcome
from app.games.letterpress.lines import DECIDED, WIN, Found, Line, Side, side
from app.games.letterpress.placement_kernels import NO_WORD
from app.games.letterpress.placements import (
    PlacementCache,
    Placements,
    check_placements,
    classes_on,
    placements_of,
)
from app.games.letterpress.search import Search
from app.games.letterpress.territory import CELLS, EVERY, Territory, cells_of
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
class ProvenEnding:
    """The proven outcome of a position for the side to move, with best play."""

    outcome: Outcome
    plies: int
    """The number of plies to the end if the winner plays for a quick win and the loser delays.

    For a draw, the number of plies within which each side can force it."""
    move: Advice
    """A move that keeps the outcome; in a lost position, one that delays the end."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, with other placements of its word if grouped."""

    best: Advice
    others: tuple[Advice, ...]
    """The next best placements, best first, including anagrams on the same tiles."""
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

    ending: ProvenEnding | None = None
    """The proven outcome, if there is one; its move is the first."""

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


def _decided(solution: Solution) -> ProvenEnding | None:
    """Return the ending that the search itself has proven."""
    best = solution.moves[0]
    if best.value == WIN - 1 or (solution.depth > 1 and best.wins):
        return ProvenEnding("win", WIN - best.value, best)
    # The third ply is searched only for some moves, so it cannot prove a later loss.
    lost = solution.depth > 1 and best.value <= 2 - WIN
    return ProvenEnding("loss", WIN + best.value, best) if lost else None


def _with_proof(choices: list[Choice], ending: ProvenEnding | None, *, grouped: bool) -> list[Choice]:
    """Return the choices with the proven move first."""
    if ending is None:
        return choices
    # In a draw, the search's value of 0 is no proof: few moves with it keep the draw.
    if ending.outcome != "draw" and choices[0].best.value == ending.move.value:
        return choices
    letters = sorted(ending.move.word)  # a word and its anagrams are one choice if grouped
    found = next((each for each in choices if grouped and sorted(each.best.word) == letters), None)
    found = found or next((each for each in choices if each.best.mask == ending.move.mask), None)
    first = Choice(ending.move, (), found.ways if found else 1)
    return [first, *(each for each in choices if each is not found)]


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
        """Return the number of words on the board, without placing them."""
        words, long = self._words_in_classes
        classes = classes_on(board, self.anagrams)
        return WordCount(int(words[classes].sum()), int(long[classes].sum()))

    @cached_property
    def _words_in_classes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Per class: the number of its words, and of those that are common and long."""
        starts = self.anagrams.member_starts
        long = self.lexicon.letter_counts.sum(axis=1) >= LONG
        wanted = (long & allowed_words(self.lexicon, "common").view(np.bool_))[self.anagrams.members]
        return np.diff(starts), np.diff(np.concatenate([[0], np.cumsum(wanted)])[starts])

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
        proof_stop: Callable[[], Callable[[int], bool]] | None = None,
    ) -> Solution:
        """Return the ``top`` best moves at one to three plies; a pass is a move like any other.

        ``grouped`` lists a word and its anagrams once, with their best placement and the next best ones.
        ``allowed`` and ``their_allowed`` are 1 for each word of the lexicon that we, or they, would play.
        ``stop`` is called regularly with the number of positions evaluated; when it returns true, the result
        is the best found so far. With ``proof_stop``, a position that the search leaves undecided is given to
        :meth:`prove`, unless ``constraints`` restrict our moves; ``proof_stop`` is called when the proof
        begins and returns its stop condition. Raises TooManyPlacements, and ValueError if the game is over or
        the depth is not supported.
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
        solution = self._solution(position, placements, int(ours.sum()), look(top), grouped=grouped)
        if constraints != MoveConstraints():
            return solution
        if (ending := _decided(solution)) is None and proof_stop is not None:
            ending = self.prove(position, allowed=allowed, their_allowed=their_allowed, stop=proof_stop())
        choices = _with_proof(solution.choices, ending, grouped=grouped)[:top]
        return replace(solution, ending=ending, choices=choices)

    def prove(
        self,
        position: Position,
        *,
        allowed: NDArray[np.uint8] | None = None,
        their_allowed: NDArray[np.uint8] | None = None,
        stop: Callable[[int], bool] = never,
    ) -> ProvenEnding | None:
        """Return the outcome with best play, or None if it was not proven before ``stop`` returned true.

        ``stop`` is called with the number of positions searched. Not tried with more than ``MOST_FREE`` tiles
        free. Raises TooManyPlacements.
        """
        if (EVERY & ~(position.territory.ours | position.territory.theirs)).bit_count() > MOST_FREE:
            return None
        placements = self._placements(position.board)
        closed = self.closed(position.played)
        ours, theirs = (
            side(placements, self._open(placements, words, closed)) for words in (allowed, their_allowed)
        )
        search = EndingSearch(
            placements, self.anagrams, position.territory, ours, theirs, passed=position.passed, stop=stop
        )
        found = search.prove()
        if found is None:
            return None
        value = {"win": WIN - found.plies, "loss": found.plies - WIN, "draw": 0}[found.outcome]
        move = self._advice(
            position.territory, Line(value, found.word, found.mask, reply=None, depth=found.plies)
        )
        return ProvenEnding(found.outcome, found.plies, move)

    def judge(self, position: Position, word: str, mask: int) -> Advice:
        """Return the value of a legal move at two plies; a pass has no word and an empty mask.

        Raises TooManyPlacements, and ValueError if the word is not in the lexicon.
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
