"""The search for the best move, over all placements of a board.

Two plies are exact. A placement's value is at most what any reply to it leaves us, so a reply that refutes
one good placement is held against all the others at once; after some rounds of that few placements are left
whose bounds reach the best values found, and only those are searched in full. Whatever is cut short is worth
less than every move in the answer.

A larger set of cells is never worse for who takes it, except where it ends the game. So a side passes only
where no word is left to it or every word loses. Who stands so against us has lost: with every word of theirs
ending the game in our favour we have 13 tiles, and pass in our turn.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.letterpress.anagrams import Anagrams
from app.games.letterpress.kernels import (
    KEY_VALUE,
    KILLERS,
    NO_REPLY,
    NO_WORD,
    UNFINISHED,
    best_reply,
    bound_at_sight,
    class_at,
    closes,
    cut,
    deepen,
    gather,
    open_classes,
    rank_at_sight,
    ranked,
    refine,
    reply_values,
    sift,
)
from app.games.letterpress.placements import Placements
from app.games.letterpress.territory import Territory

WIN: Final = 1000
"""A game won in ``n`` plies is worth ``WIN - n``, a lost one the negative; nothing else comes near."""
DECIDED: Final = WIN - 100
"""A value beyond this, or its negative, is a game won or lost."""
SIGHT_WIN: Final = 1 << 20
"""The end of the game in the one-ply ranking: outweighs all else."""
ROUNDS: Final = 24
"""How many refutations are held against all placements."""
CANDIDATES: Final = 32
"""Moves that are searched to three plies."""
SLICE: Final = 4_000_000
"""Positions between two looks at the clock: some 2 ms."""
UNCOMPILED_SLICE: Final = 4_000
"""The same while the kernels are plain Python and NumPy: some 5 ms."""
CHUNK: Final = 1 << 18
"""Placements that are looked at together where one is like the other."""
_NOTHING: Final = -(1 << 62)


class Side(NamedTuple):
    """What one side may play on a board."""

    open: NDArray[np.uint8]
    """Per member of the board's classes: 1 if the side may play it."""
    first: NDArray[np.int32]
    """Per class: its commonest open word, or -1."""
    sole: NDArray[np.int32]
    """Per class: its only open word, or -1."""
    masks: NDArray[np.int32]
    """The placements of the open classes, class by class: the board's own table where all are open."""
    starts: NDArray[np.int64]
    """Class ``c`` has the placements from ``starts[c]`` to ``starts[c + 1]``."""


def side(placements: Placements, open_: NDArray[np.uint8], required: int = 0) -> Side:
    """What a side may play: the words that are open to it, where they use all ``required`` cells."""
    table, starts = placements.masks, placements.starts
    classes = len(placements.classes)
    first, sole = np.empty(classes, np.int32), np.empty(classes, np.int32)
    most = open_classes(placements.member_starts, open_, placements.members, starts, first, sole)
    if most == len(table) and not required:
        return Side(open_, first, sole, table, starts)
    masks, own_starts = np.empty(most + 1, np.int32), np.empty(classes + 1, np.int64)
    found = gather(first, starts, table, np.int32(required), own_starts, masks)
    return Side(open_, first, sole, masks[:found], own_starts)


@dataclass(frozen=True, slots=True)
class Line:
    """A move and what it leads to; a word of -1 is a pass."""

    value: int
    word: int
    mask: int
    reply: tuple[int, int] | None
    """The reply's word and mask; None where the game is over or the opponent passes."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found."""

    lines: list[Line]
    """Best first."""
    depth: int
    """The plies to which that is exact."""
    positions: int
    """How many positions were evaluated."""


class Search:
    """One search of one position."""

    def __init__(
        self,
        placements: Placements,
        anagrams: Anagrams,
        territory: Territory,
        roots: Side,
        replies: Side,
        thirds: Side,
        *,
        passed: bool,
        stop: Callable[[int], bool],
    ) -> None:
        """``roots`` is what we may play now, ``replies`` what they may then, ``thirds`` what we may later.

        ``passed`` says that our pass would end the game. ``stop`` is told now and then how many positions
        were evaluated, and says whether that will do.
        """
        self._placements = placements
        self._anagrams = anagrams
        self._territory = territory
        self._ours, self._theirs = np.int32(territory.ours), np.int32(territory.theirs)
        self._roots, self._replies, self._thirds = roots, replies, thirds
        self._passed = passed
        self._both_pass = _sign(territory.lead) * (WIN - 2)
        self._stop = stop
        self._seen = np.zeros(1, np.int64)

    def at_sight(self, top: int) -> Found:
        """The ``top`` best placements after one ply, as the seed ranks them; values are those at sight.

        It goes by the end of the game, the lead in protected tiles, the smaller vulnerability, and the lead.
        A pass stands before the words where it wins or all of them lose.
        """
        values, words, masks = np.zeros((3, 0), np.int32)
        in_time = True
        for chunk in self._chunks():
            some = self._roots.masks[chunk]
            worth = np.empty(len(some), np.int32)
            rank_at_sight(some, self._ours, self._theirs, np.int32(SIGHT_WIN), worth)
            self._seen[0] += len(some)
            best = np.arange(len(some))
            if len(some) > top:
                best = np.flatnonzero(worth >= np.partition(worth, len(worth) - top)[len(worth) - top])
            of_class = np.searchsorted(self._roots.starts, chunk.start + best, side="right") - 1
            values = np.append(values, worth[best])
            words = np.append(words, self._roots.first[of_class])
            masks = np.append(masks, some[best])
            order = np.lexsort((masks, self._anagrams.rarity[words], -values))[:top]
            values, words, masks = values[order], words[order], masks[order]
            in_time = chunk.stop >= len(self._roots.masks) or not self._stop(int(self._seen[0]))
            if not in_time:
                break
        lines = list(map(self._line_at_sight, words.tolist(), masks.tolist()))
        passing = self._line_at_sight(NO_WORD, 0)
        if not lines or passing.value > DECIDED or lines[0].value < -DECIDED:
            lines = [passing, *lines][:top]
        return Found(lines, 1 if in_time else 0, int(self._seen[0]))

    def _chunks(self) -> Iterator[slice]:
        """Our placements in pieces."""
        total = len(self._roots.masks)
        return (slice(begin, min(begin + CHUNK, total)) for begin in range(0, total, CHUNK))

    def _line_at_sight(self, word: int, mask: int) -> Line:
        after = self._territory.after(mask)
        ends = after.full or (word == NO_WORD and self._passed)
        return Line(_sign(after.lead) * (WIN - 1) if ends else after.worth, word, mask, None)

    def judge(self, word: int, mask: int) -> Line:
        """What one move is worth to two plies."""
        if word == NO_WORD:
            return self._pass()
        value, reply = self._reply_to(word, mask)
        return Line(value, word, mask, reply)

    def _reply_to(self, word: int, mask: int) -> tuple[int, tuple[int, int] | None]:
        """What a move is worth, and the reply that shows it; of a pass but for their pass on it."""
        after = self._territory.after(mask)
        if after.full:
            return _sign(after.lead) * (WIN - 1), None
        result = np.empty(2, np.int64)
        found = best_reply(
            self._replies.masks,
            self._replies.starts,
            self._placements.member_starts,
            self._placements.members,
            self._replies.open,
            self._anagrams.stems,
            self._anagrams.rarity,
            np.int32(after.ours),
            np.int32(after.theirs),
            np.int32(WIN - 2),
            word,
            result,
        )
        self._seen[0] += len(self._replies.masks)
        if found == NO_REPLY:
            return after.worth, None
        return int(result[0]), (int(result[1]), int(self._replies.masks[found]))

    def two_plies(self, top: int) -> Found:
        """The ``top`` best moves by what the best reply to each leaves us; exact unless stopped."""
        best = _Best(top)
        bounded = self._two_plies(best)
        passing = self._pass()
        searched, others = ([passing], []) if bounded is None or _is_settled(passing) else ([], [passing])
        for placement, word in zip(best.placements.tolist(), best.words.tolist(), strict=True):
            if word != NO_WORD:
                searched.append(self.judge(word, int(self._roots.masks[placement])))
        if bounded is not None:
            others += self._unsearched(bounded, top - len(searched))
        lines = [*sorted(searched, key=self._rank), *sorted(others, key=self._rank)]
        return Found(lines[:top], 2 if bounded is None else 1, int(self._seen[0]))

    def _unsearched(self, bounded: "_Bounded", number: int) -> list[Line]:
        """The most promising of the moves that were not reached, each with the best reply known to it."""
        bounds = bounded.bounds
        lines: list[Line] = []
        while len(lines) < number and bounds[place := int(bounds.argmax())] >= -WIN:
            word = int(self._roots.first[class_at(self._roots.starts, place)])
            mask = int(self._roots.masks[place])
            line = self._line_at_sight(word, mask)
            if bounds[place] < WIN - 2 and abs(line.value) < DECIDED:
                reply = bounded.replies[bounded.cut_by[place]]
                answer = int(self._replies.first[class_at(self._replies.starts, reply)])
                if not closes(word, answer, self._anagrams.stems):
                    line = Line(int(bounds[place]), word, mask, (answer, int(self._replies.masks[reply])))
            lines.append(line)
            bounds[place] = -WIN - 1
        return lines

    def three_plies(self, top: int) -> Found:
        """As :meth:`two_plies`, with the best candidates looked at again after our best third move."""
        found = self.two_plies(max(top, CANDIDATES))
        if found.depth < 2:
            return Found(found.lines[:top], found.depth, found.positions)
        candidates, behind = found.lines[:CANDIDATES], found.lines[CANDIDATES:]
        settled = [line for line in candidates if _is_settled(line)]
        refuted: list[Line] = []
        open_ = [line for line in candidates if not _is_settled(line)]
        killers = np.full(KILLERS, NO_REPLY, np.int32)
        in_time = True
        for line in open_:
            values = sorted((each.value for each in settled), reverse=True)
            least = values[top - 1] if len(values) >= top else -WIN
            in_time = in_time and not self._stop(int(self._seen[0]))
            deeper = self._deepened(line, least, killers) if in_time else None
            in_time = in_time and deeper is not None
            (settled if deeper and deeper.value >= least else refuted).append(
                deeper if deeper and deeper.value >= least else line
            )
        settled.sort(key=self._rank)
        lost = [line for line in settled if line.value < -DECIDED]
        lines = [*settled[: len(settled) - len(lost)], *refuted, *behind, *lost]
        return Found(lines[:top], 3 if in_time else 2, int(self._seen[0]))

    def _deepened(self, line: Line, least: int, killers: NDArray[np.int32]) -> Line | None:
        """The line to three plies, or with a value below ``least``; None where the search was stopped."""
        after = self._territory.after(line.mask)
        ours, theirs = np.int32(after.ours), np.int32(after.theirs)
        values = np.empty(len(self._replies.masks), np.int16)
        reply_values(self._replies.masks, ours, theirs, np.int32(WIN - 2), values)
        self._seen[0] += len(values)
        at_most = WIN - 2 if line.word != NO_WORD else self._both_pass
        progress = np.array([0, at_most, NO_REPLY, NO_WORD], np.int64)
        order = np.empty(len(values), np.int32)
        ranked(values, -1, -WIN, order)
        while True:
            state = deepen(
                order,
                values,
                self._replies.masks,
                self._replies.starts,
                self._replies.open,
                self._thirds.masks,
                self._thirds.starts,
                self._thirds.open,
                self._placements.member_starts,
                self._placements.members,
                self._anagrams.stems,
                ours,
                theirs,
                np.int32(WIN - 3),
                line.word,
                least,
                killers,
                progress,
                self._seen,
                self._next_look(),
            )
            if state != UNFINISHED:
                break
            if self._stop(int(self._seen[0])):
                return None
        _, value, reply, word = progress.tolist()
        return Line(
            value,
            line.word,
            line.mask,
            None if reply == NO_REPLY else (word, int(self._replies.masks[reply])),
        )

    def _pass(self) -> Line:
        if self._passed:
            return Line(_sign(self._territory.lead) * (WIN - 1), NO_WORD, 0, None)
        value, reply = self._reply_to(NO_WORD, 0)
        if reply is None or self._both_pass < value:
            return Line(self._both_pass, NO_WORD, 0, None)
        return Line(value, NO_WORD, 0, reply)

    def _rank(self, line: Line) -> tuple[int, int, int]:
        """Ties go to the commoner word; a pass comes first where it decides the game, and else last."""
        if line.word == NO_WORD:
            return -line.value, -1 if abs(line.value) > DECIDED else len(self._anagrams.rarity), 0
        return -line.value, int(self._anagrams.rarity[line.word]), line.mask

    def _two_plies(self, best: "_Best") -> "_Bounded | None":
        """Fill ``best``; None where that is exact, else what is known of the moves that were not reached."""
        masks = self._roots.masks
        if not len(masks):
            return None
        bounds = np.full(len(masks), -WIN - 1, np.int16)
        cut_by = np.zeros(len(masks), np.uint8)
        bounded = _Bounded(bounds, cut_by, [])
        soles = np.full(ROUNDS, NO_WORD, np.int32)
        killers = np.full(KILLERS, NO_REPLY, np.int32)
        nearest, nearest_value = 0, -WIN
        for chunk in self._chunks():
            some = masks[chunk]
            best_there = chunk.start + bound_at_sight(
                some, self._ours, self._theirs, np.int32(WIN - 1), bounds[chunk]
            )
            value = self._line_at_sight(NO_WORD, int(masks[best_there])).value
            if value > nearest_value:
                nearest, nearest_value = best_there, value
            self._seen[0] += len(some)
        for _ in range(ROUNDS):
            self._refine(np.array([nearest], np.int32), 0, killers, best)
            bounds[nearest] = -WIN - 1  # below every other: it is in the list if it is worth that
            reply = int(killers[0])
            if reply != NO_REPLY:
                soles[len(bounded.replies)] = self._replies.sole[class_at(self._replies.starts, reply)]
                self._lower(bounded, reply)
            if self._stop(int(self._seen[0])):
                return bounded
            nearest = int(bounds.argmax())
            if bounds[nearest] < best.least:
                break
        left = sift(
            bounds,
            cut_by,
            self._roots.starts,
            self._placements.member_starts,
            self._placements.members,
            self._roots.open,
            self._anagrams.stems,
            soles,
            best.least,
            np.int16(-WIN - 1),
        )
        todo = np.empty(left, np.int32)
        ranked(bounds, 1, -WIN, todo)
        at = 0
        while at < len(todo):
            if self._stop(int(self._seen[0])):
                return bounded
            at = self._refine(todo, at, killers, best)
        return None

    def _lower(self, bounded: "_Bounded", reply: int) -> None:
        """Hold a reply against all placements, until stopped."""
        number = len(bounded.replies)
        bounded.replies.append(reply)
        for chunk in self._chunks():
            if self._stop(int(self._seen[0])):
                break
            cut(
                self._roots.masks[chunk],
                self._ours,
                self._theirs,
                np.int32(WIN - 2),
                self._replies.masks[reply],
                np.uint8(number),
                bounded.bounds[chunk],
                bounded.cut_by[chunk],
            )
            self._seen[0] += chunk.stop - chunk.start

    def _refine(self, todo: NDArray[np.int32], begin: int, killers: NDArray[np.int32], best: "_Best") -> int:
        return refine(
            todo,
            begin,
            self._roots.masks,
            self._roots.starts,
            self._placements.member_starts,
            self._placements.members,
            self._roots.open,
            self._anagrams.stems,
            self._anagrams.rarity,
            self._ours,
            self._theirs,
            np.int32(WIN - 1),
            self._replies.masks,
            self._replies.starts,
            self._replies.sole,
            killers,
            best.keys,
            best.placements,
            best.words,
            self._seen,
            self._next_look(),
        )

    def _next_look(self) -> int:
        """After how many positions to look at the clock again."""
        return int(self._seen[0]) + (SLICE if refine.ready and deepen.ready else UNCOMPILED_SLICE)


def _is_settled(line: Line) -> bool:
    """Whether a third ply cannot change the value: the game is decided, or they have no reply."""
    return abs(line.value) > DECIDED or line.reply is None


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class _Bounded(NamedTuple):
    """The most that every placement can be worth, as far as was looked; those searched in full are below."""

    bounds: NDArray[np.int16]
    cut_by: NDArray[np.uint8]
    """Per placement: which of the replies lowered its bound."""
    replies: list[int]


class _Best:
    """The best moves so far, best first, as the kernels keep them."""

    def __init__(self, top: int) -> None:
        self.keys: Final = np.full(top, _NOTHING, np.int64)
        self.placements: Final = np.zeros(top, np.int32)
        self.words: Final = np.full(top, NO_WORD, np.int32)

    @property
    def least(self) -> int:
        """The value that a further move must reach."""
        return max(-WIN, -(-int(self.keys[-1]) >> KEY_VALUE))
