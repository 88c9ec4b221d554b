"""Brute-force Letterpress: every word on every set of cells, and every reply."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

WIN = 1000
FULL = 2**25 - 1


class Move(NamedTuple):
    word: str
    mask: int


PASS = Move("", 0)


class Side(NamedTuple):
    """The tiles of the side to move, and of the other side."""

    ours: int
    theirs: int


def beside(cell: int) -> list[int]:
    row, column = divmod(cell, 5)
    places = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [5 * row + column for row, column in places if 0 <= row < 5 and 0 <= column < 5]


def cells(mask: int) -> set[int]:
    return {cell for cell in range(25) if mask >> cell & 1}


def mask_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


BESIDE = [mask_of(beside(cell)) for cell in range(25)]


@cache
def safe(own: int) -> int:
    """The protected tiles."""
    return mask_of(cell for cell in range(25) if own >> cell & 1 and not BESIDE[cell] & ~own)


def vulnerability(own: int) -> int:
    return sum(other not in cells(own) for cell in cells(own) for other in beside(cell))


def after(side: Side, mask: int) -> Side:
    taken = mask & ~safe(side.theirs)
    return Side(side.ours | taken, side.theirs & ~taken)


def replied(side: Side, mask: int) -> Side:
    theirs, ours = after(Side(side.theirs, side.ours), mask)
    return Side(ours, theirs)


def evaluate(side: Side) -> int:
    lead = side.ours.bit_count() - side.theirs.bit_count()
    return lead + 3 * (safe(side.ours).bit_count() - safe(side.theirs).bit_count())


def ended(side: Side, plies: int) -> int | None:
    """The value of a full board; None while the game goes on."""
    if side.ours | side.theirs != FULL:
        return None
    return WIN - plies if side.ours.bit_count() >= 13 else plies - WIN


def placements(board: str, word: str) -> Iterator[int]:
    letters = sorted(set(word))
    choices = [
        combinations([cell for cell in range(25) if board[cell] == letter], word.count(letter))
        for letter in letters
    ]
    for chosen in product(*choices):
        yield mask_of(cell for group in chosen for cell in group)


def all_moves(board: str, words: Iterable[str]) -> list[Move]:
    return [Move(word, mask) for word in words for mask in placements(board, word)]


def closed(word: str, played: Iterable[str]) -> bool:
    return any(earlier.startswith(word) for earlier in played)


class Brute:
    """Judges moves of one position. ``rarity`` sorts words, the commonest first."""

    def __init__(
        self, board: str, side: Side, played: list[str], ours: list[str], theirs: list[str], rarity: list[str]
    ) -> None:
        self.side = side
        self.ours = all_moves(board, [word for word in ours if not closed(word, played)])
        self.theirs = all_moves(board, [word for word in theirs if not closed(word, played)])
        self.rarity = {word: place for place, word in enumerate(rarity)}

    def replies(self, move: Move) -> list[Move]:
        return [reply for reply in self.theirs if not closed(reply.word, [move.word])]

    def pass_pass(self) -> int:
        lead = self.side.ours.bit_count() - self.side.theirs.bit_count()
        return (lead > 0) * (WIN - 2) - (lead < 0) * (WIN - 2)

    def two(self, move: Move) -> tuple[int, Move | None]:
        """The value after the best reply, and the reply: the commonest, the smallest mask among equals."""
        side = after(self.side, move.mask)
        end = ended(side, 1)
        if end is not None:
            return end, None
        found = []
        for reply in self.replies(move):
            there = replied(side, reply.mask)
            end = ended(there, 2)
            value = evaluate(there) if end is None else end
            found.append((value, self.rarity[reply.word], reply.mask, reply))
        if move == PASS and (not found or self.pass_pass() < min(found)[0]):
            return self.pass_pass(), None
        if move != PASS and (not found or min(found)[0] > 900):  # they pass, and we may pass in turn
            return WIN - 3 if side.ours.bit_count() > side.theirs.bit_count() else evaluate(side), None
        best = min(found)
        return best[0], best[3]

    def ranking(self) -> list[tuple[Move, int]]:
        """Every set of cells with its best word, best first, including the pass."""
        best: dict[int, tuple[int, int, Move]] = {}
        for move in self.ours:
            key = (-self.two(move)[0], self.rarity[move.word], move)
            best[move.mask] = min(best.get(move.mask, key), key)
        value = self.two(PASS)[0]
        keys = [(value, rarity, move.mask, move) for value, rarity, move in best.values()]
        keys.append((-value, -1 if abs(value) > 900 else len(self.rarity), 0, PASS))
        return [(key[3], -key[0]) for key in sorted(keys)]

    def static_eval(self) -> list[tuple[Move, int]]:
        """LetterPwn's ranking of every set of cells, with its static evaluation."""
        best: dict[int, tuple[tuple[int, ...], Move, int]] = {}
        for move in self.ours:
            side = after(self.side, move.mask)
            end = ended(side, 1)
            held = safe(side.ours).bit_count() - safe(side.theirs).bit_count()
            lead = side.ours.bit_count() - side.theirs.bit_count()
            seeds = (-(end or 0), -held, vulnerability(side.ours), -lead)
            key = ((*seeds, self.rarity[move.word], move.mask), move, evaluate(side) if end is None else end)
            best[move.mask] = min(best.get(move.mask, key), key)
        return [(move, value) for _, move, value in sorted(best.values())]


class DepthLimited:
    """Minimax over words and passes, straight from the rules, to a fixed number of plies.

    A full board ends the game, and so do two passes in a row. Else a position has the value of ``evaluate``.
    After two plies of which theirs was a pass, our pass in turn counts too, where it wins.
    """

    def __init__(
        self, board: str, ours: Iterable[str], theirs: Iterable[str], played: Sequence[str], *, passed: bool
    ) -> None:
        self.moves = (all_moves(board, ours), all_moves(board, theirs))
        self.played = tuple(played)
        self.passed = passed

    @property
    def first_moves(self) -> list[Move]:
        """Our legal moves."""
        return [move for move in (*self.moves[0], PASS) if not closed(move.word, self.played) or move == PASS]

    def value(self, side: Side, move: Move, plies: int) -> int:
        """The value of ``move`` to us at ``plies`` plies, of which the move is the first."""
        return self._after(side, move, self.played, self.passed, ply=1, plies=plies)

    def _after(
        self, side: Side, move: Move, played: tuple[str, ...], passed: bool, *, ply: int, plies: int
    ) -> int:
        """Our value after ``move``, made as the given ply; ``side`` is always from our view."""
        mine = ply % 2 == 1
        side = after(side, move.mask) if mine else replied(side, move.mask)
        lead = side.ours.bit_count() - side.theirs.bit_count()
        passes = move == PASS
        if side.ours | side.theirs == FULL or (passes and passed):
            return (lead > 0) * (WIN - ply) - (lead < 0) * (WIN - ply)
        if ply == plies:
            return WIN - 3 if ply == 2 and passes and lead > 0 else evaluate(side)
        if move.word:
            played = (*played, move.word)
        words = [next_ for next_ in self.moves[ply % 2] if not closed(next_.word, played)]
        values = [
            self._after(side, next_, played, passes, ply=ply + 1, plies=plies) for next_ in (*words, PASS)
        ]
        return min(values) if mine else max(values)


class Endgame:
    """The outcome with best play, by minimax with iterative deepening.

    A game not over at the last ply counts as a loss for one side, then for the other; once both searches
    agree, the outcome is proven.
    """

    def __init__(self, board: str, ours: Iterable[str], theirs: Iterable[str]) -> None:
        self.moves = (all_moves(board, ours), all_moves(board, theirs))

    def prove(self, side: Side, played: Sequence[str], *, passed: bool, plies: int) -> tuple[int, int] | None:
        """1, 0 or -1 for the side to move, and the plies of the proof; None if it takes more."""
        for depth in range(1, plies + 1):
            known: dict[object, int] = {}
            low, high = (
                self._best(side, 0, frozenset(played), passed, depth, unknown, known) for unknown in (-1, 1)
            )
            if low == high:
                return low, depth
        return None

    def _best(
        self,
        side: Side,
        mover: int,
        played: frozenset[str],
        passed: bool,
        plies: int,
        unknown: int,
        known: dict[object, int],
    ) -> int:
        """What the side to move can force; ``unknown`` is the first side's value where the plies run out."""
        if plies == 0:
            return unknown if mover == 0 else -unknown
        key = side, mover, played, passed, plies, unknown
        if key not in known:
            known[key] = max(
                self._after(side, move, mover, played, passed, plies, unknown, known)
                for move in (*self.moves[mover], PASS)
                if move == PASS or not closed(move.word, played)
            )
        return known[key]

    def _after(
        self,
        side: Side,
        move: Move,
        mover: int,
        played: frozenset[str],
        passed: bool,
        plies: int,
        unknown: int,
        known: dict[object, int],
    ) -> int:
        side = after(side, move.mask)
        lead = side.ours.bit_count() - side.theirs.bit_count()
        if side.ours | side.theirs == FULL or (passed and move == PASS):
            return (lead > 0) - (lead < 0)
        played |= {move.word} if move.word else set()
        other = Side(side.theirs, side.ours)
        return -self._best(other, 1 - mover, played, move == PASS, plies - 1, unknown, known)
