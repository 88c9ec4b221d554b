"""Search for the best move over all placements on a board.

Two plies are exact. A placement's value is at most the evaluation after any reply, so a reply that refutes
one good placement is applied to all others at once. After part rounds, few placements have bounds that reach
the best values found; only those are searched in full. A move dropped early is worth less than every move in
the answer.

A pass is a move like any other. At one or two plies, taking more cells never hurts a side unless it ends the
game: so it passes only if it has no word, or if every word loses. If they pass at the second ply and we lead,
our pass wins; a two-ply search sees this. At three plies, a pass may be their best move even if they have
words: two passes end a game that they lead, while each word might let us fill the board and win.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
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
    apply_refutation,
    best_reply,
    bound_by_static_eval,
    class_at,
    closes,
    deepen,
    filter_by_bound,
    gather,
    open_classes,
    rank_by_static_eval,
    ranked,
    refine,
    reply_values,
)
from app.games.letterpress.placements import Placements
from app.games.letterpress.territory import Territory

WIN: Final = 1000
"""A win in ``n`` plies is worth ``WIN - n``, a loss the negative; other values are far smaller."""
DECIDED: Final = WIN - 100
"""A value above this, or below its negative, means that the game is won or lost."""
STATIC_WIN: Final = 1 << 20
"""The end of the game in the one-ply ranking; outweighs everything else."""
ROUNDS: Final = 24
"""The number of refutations applied to all placements."""
CANDIDATES: Final = 32
"""The minimum number of moves searched to three plies; longer lists are searched completely."""
OTHERS: Final = 5
"""The number of other placements listed per class."""
SLICE: Final = 4_000_000
"""Positions between two checks of the clock: part 2 ms."""
UNCOMPILED_SLICE: Final = 4_000
"""The same while the kernels are plain Python and NumPy: part 5 ms."""
CHUNK: Final = 1 << 18
"""Placements per vectorised call."""
NO_CLASS: Final = -1
_NOTHING: Final = -(1 << 62)


class Side(NamedTuple):
    """The moves a side may play on a board."""

    open: NDArray[np.uint8]
    """Per member of the board's classes: 1 if the side may play it."""
    first: NDArray[np.int32]
    """Per class: its commonest open word, or -1."""
    only_open_word: NDArray[np.int32]
    """Per class: its only open word, or -1."""
    masks: NDArray[np.int32]
    """The placements of the open classes, class by class; the board's own table if all classes are open."""
    starts: NDArray[np.int64]
    """Class ``c`` has the placements from ``starts[c]`` to ``starts[c + 1]``."""


def side(placements: Placements, open_: NDArray[np.uint8], required: int = 0) -> Side:
    """Return the moves of a side: its open words, on placements that use all ``required`` cells."""
    table, starts = placements.masks, placements.starts
    classes = len(placements.classes)
    first, only_open_word = np.empty(classes, np.int32), np.empty(classes, np.int32)
    most = open_classes(placements.member_starts, open_, placements.members, starts, first, only_open_word)
    if most == len(table) and not required:
        return Side(open_, first, only_open_word, table, starts)
    masks, own_starts = np.empty(most + 1, np.int32), np.empty(classes + 1, np.int64)
    found = gather(first, starts, table, np.int32(required), own_starts, masks)
    return Side(open_, first, only_open_word, masks[:found], own_starts)


@dataclass(frozen=True, slots=True)
class Line:
    """A move and its best continuation; word -1 is a pass."""

    value: int
    word: int
    mask: int
    reply: tuple[int, int] | None
    """The reply's word and mask; None if the game is over or the opponent passes."""
    depth: int
    """The number of plies to which the value is exact."""
    class_: int = NO_CLASS
    """The class of the word in our list of classes, if known."""

    @property
    def decided(self) -> bool:
        """Whether the game is won or lost, so that a deeper search changes nothing."""
        return abs(self.value) > DECIDED


class Group(NamedTuple):
    """The best line of a class, and its next best ones, best first."""

    best: Line
    others: tuple[Line, ...] = ()
    ways: int = 1
    """The number of placements of the class's words."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search."""

    groups: list[Group]
    """Best first; one line each unless placements are grouped."""
    depth: int
    """The number of plies to which the result is exact."""
    positions: int
    """The number of positions evaluated."""


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
        grouped: bool,
        stop: Callable[[int], bool],
    ) -> None:
        """``roots`` are our moves now, ``replies`` their moves next, ``thirds`` our moves after that.

        ``passed``: our pass would end the game. ``grouped``: list each class once. ``stop`` is called
        regularly with the number of positions evaluated, and returns whether to stop.
        """
        self._placements = placements
        self._anagrams = anagrams
        self._territory = territory
        self._ours, self._theirs = np.int32(territory.ours), np.int32(territory.theirs)
        self._roots, self._replies, self._thirds = roots, replies, thirds
        self._passed = passed
        self._both_pass = _sign(territory.lead) * (WIN - 2)
        self._grouped = grouped
        self._stop = stop
        self._seen = np.zeros(1, np.int64)
        self._killers = np.full(KILLERS, NO_REPLY, np.int32)

    def static_eval(self, top: int) -> Found:
        """Return the ``top`` best moves at one ply, in LetterPwn's order; values are static evaluations.

        The order is: end of the game, lead in protected tiles, lower vulnerability, lead. A pass comes first
        if it wins or all words lose.
        """
        masks, starts = self._roots.masks, self._roots.starts
        ranks = np.empty(len(masks), np.int32)
        ranked_ = 0
        for chunk in self._chunks():
            rank_by_static_eval(masks[chunk], self._ours, self._theirs, np.int32(STATIC_WIN), ranks[chunk])
            self._seen[0] += chunk.stop - chunk.start
            ranked_ = chunk.stop
            if self._stop(int(self._seen[0])):
                break
        depth = 1 if ranked_ == len(masks) else 0
        ranks = ranks[:ranked_]
        if self._grouped:
            laid = np.flatnonzero(np.diff(starts))
            laid = laid[starts[laid] < ranked_]
            begins = starts[laid]
            leading = np.maximum.reduceat(ranks, begins) if len(laid) else ranks
            order = np.lexsort((self._anagrams.rarity[self._roots.first[laid]], -leading))[:top]
            groups = [self._static_group(int(laid[place]), ranks) for place in order]
        else:
            best = np.arange(ranked_)
            if ranked_ > top:
                best = np.flatnonzero(ranks >= np.partition(ranks, ranked_ - top)[ranked_ - top])
            words = self._roots.first[np.searchsorted(starts, best, side="right") - 1]
            order = np.lexsort((masks[best], self._anagrams.rarity[words], -ranks[best]))[:top]
            groups = [Group(self._static_line(int(words[place]), int(masks[best[place]]))) for place in order]
        passing = self._static_line(NO_WORD, 0)
        if not groups or passing.value > DECIDED or groups[0].best.value < -DECIDED:
            groups = [Group(passing), *groups][:top]
        return Found(groups, depth, int(self._seen[0]))

    def _static_group(self, class_: int, ranks: NDArray[np.int32]) -> Group:
        begin, end = self._roots.starts[class_ : class_ + 2].tolist()
        masks, word = self._roots.masks[begin:end], int(self._roots.first[class_])
        values = ranks[begin:end]
        order = np.lexsort((masks[: len(values)], -values))[: OTHERS + 1]
        best, *others = (self._static_line(word, int(masks[place])) for place in order)
        return Group(best, tuple(others), end - begin)

    def _chunks(self) -> Iterator[slice]:
        """Yield our placements in slices."""
        total = len(self._roots.masks)
        return (slice(begin, min(begin + CHUNK, total)) for begin in range(0, total, CHUNK))

    def _static_line(self, word: int, mask: int) -> Line:
        after = self._territory.after(mask)
        ends = after.full or (word == NO_WORD and self._passed)
        return Line(_sign(after.lead) * (WIN - 1) if ends else after.evaluate, word, mask, None, 1)

    def judge(self, word: int, mask: int) -> Line:
        """Return the value of one move at two plies."""
        if word == NO_WORD:
            return self._pass()
        after = self._territory.after(mask)
        if after.full:
            return Line(_sign(after.lead) * (WIN - 1), word, mask, None, 2)
        value, reply = self._reply_to(word, after)
        if reply is None or value > DECIDED:  # they pass
            return Line(WIN - 3 if after.lead > 0 else after.evaluate, word, mask, None, 2)
        return Line(value, word, mask, reply, 2)

    def _reply_to(self, word: int, after: Territory) -> tuple[int, tuple[int, int] | None]:
        """Return the value after their best word on the board ``after`` our move, and that word, or None."""
        value, reply, place = self._best_answer(self._replies, after, word, WIN - 2)
        return value, None if place == NO_REPLY else (reply, int(self._replies.masks[place]))

    def _best_answer(self, side: Side, board: Territory, played: int, win: int) -> tuple[int, int, int]:
        """Return the least value for ``board.ours`` after any word of ``side``, the word and its place."""
        result = np.empty(2, np.int64)
        found = best_reply(
            side.masks,
            side.starts,
            self._placements.member_starts,
            self._placements.members,
            side.open,
            self._anagrams.closed_prefixes,
            self._anagrams.rarity,
            np.int32(board.ours),
            np.int32(board.theirs),
            np.int32(win),
            played,
            result,
        )
        self._seen[0] += len(side.masks)
        return int(result[0]), int(result[1]), found

    def two_plies(self, top: int) -> Found:
        """Return the ``top`` best moves by the value after the best reply; exact unless stopped."""
        lines, depth = self._best_lines(top)
        return self._found(lines, depth)

    def _best_lines(self, top: int) -> tuple[list[Line], int]:
        """Return the lines of :meth:`two_plies`, the best per class if grouped, and their depth."""
        best = _Best(top)
        bounded = self._two_plies(best)
        searched = [
            replace(self.judge(word, int(self._roots.masks[placement])), class_=class_)
            for placement, word, class_ in best
        ]
        if bounded is None:
            return self._listed([*searched, self._pass()])[:top], 2
        others = [*self._unsearched(bounded, best, top - len(searched)), self._pass()]
        return self._listed(searched, others)[:top], 1

    def _unsearched(self, bounded: "_Bounded", best: "_Best", number: int) -> list[Line]:
        """Return the most promising moves not reached, each with the best reply known."""
        bounds, starts = bounded.bounds, self._roots.starts
        if self._grouped:
            for _, _, class_ in best:
                bounds[starts[class_] : starts[class_ + 1]] = -WIN - 1
        lines: list[Line] = []
        while len(lines) < number and bounds[place := int(bounds.argmax())] >= -WIN:
            class_ = class_at(starts, place)
            word, mask = int(self._roots.first[class_]), int(self._roots.masks[place])
            line = replace(self._static_line(word, mask), class_=class_)
            if bounds[place] < WIN - 3 and not line.decided:
                reply = bounded.replies[bounded.refuted_by[place]]
                answer = int(self._replies.first[class_at(self._replies.starts, reply)])
                if not closes(word, answer, self._anagrams.closed_prefixes):
                    answered = (answer, int(self._replies.masks[reply]))
                    line = replace(line, value=int(bounds[place]), reply=answered)
            lines.append(line)
            if self._grouped:
                bounds[starts[class_] : starts[class_ + 1]] = -WIN - 1
            bounds[place] = -WIN - 1
        return lines

    def three_plies(self, top: int) -> Found:
        """Like :meth:`two_plies`, with the best candidates and a pass searched to our best third move.

        If stopped in the third ply, candidates not reached are listed after the others.
        """
        lines, depth = self._best_lines(max(top, CANDIDATES))
        if depth < 2:
            return self._found(lines[:top], depth)
        if not any(line.word == NO_WORD for line in lines):
            lines.append(self._pass())
        killers = np.full(KILLERS, NO_REPLY, np.int32)
        deepened: list[Line] = []
        for number, line in enumerate(lines):
            values = sorted((line.value for line in deepened), reverse=True)
            least = values[top - 1] if len(values) >= top else -WIN
            deeper = self._deepened(line, least, killers)
            if deeper is None:
                return self._found(self._listed(deepened, lines[number:])[:top], 2)
            if deeper.value >= least:
                deepened.append(deeper)
        return self._found(self._listed(deepened)[:top], 3, killers)

    def _found(self, lines: list[Line], depth: int, killers: NDArray[np.int32] | None = None) -> Found:
        """Return the result with these lines, each with other placements of its class if grouped.

        With ``killers`` those are searched to three plies, and the best of all comes first.
        """
        groups = [self._group(line, killers) if self._grouped else Group(line) for line in lines]
        if killers is not None:
            groups.sort(key=lambda group: self._rank(group.best))
        return Found(groups, depth, int(self._seen[0]))

    def _group(self, line: Line, killers: NDArray[np.int32] | None) -> Group:
        """Return the line with the next best placements of its class, as far as time allows."""
        if line.class_ == NO_CLASS:
            return Group(line)
        begin, end = self._roots.starts[line.class_ : line.class_ + 2].tolist()
        best = _Best(OTHERS + 1)
        todo, at = np.arange(begin, end, dtype=np.int32), 0
        lines = [line]
        while at < len(todo):
            if self._stop(int(self._seen[0])):
                return Group(line, (), end - begin)
            at = self._refine(todo, at, best, grouped=False)
        for placement, word, _ in best:
            mask = int(self._roots.masks[placement])
            if mask != line.mask and len(lines) <= OTHERS:
                other = replace(self.judge(word, mask), class_=line.class_)
                if killers is not None:
                    other = self._deepened(other, -WIN, killers) or other
                lines.append(other)
        first, *others = self._listed(
            [found for found in lines if found.depth == line.depth],
            [found for found in lines if found.depth < line.depth],
        )
        return Group(first, tuple(others), end - begin)

    def _deepened(self, line: Line, least: int, killers: NDArray[np.int32]) -> Line | None:
        """Return the line at three plies, or with a value below ``least``; None if the search was stopped."""
        if line.decided or (line.word == NO_WORD and line.reply is None):
            return replace(line, depth=3)
        if self._stop(int(self._seen[0])):
            return None
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
                self._anagrams.closed_prefixes,
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
        _, value, place, word = progress.tolist()
        reply = None if place == NO_REPLY else (word, int(self._replies.masks[place]))
        if line.word != NO_WORD and (left := self._after_their_pass(line.word, after)) < value:
            value, reply = left, None
        return replace(line, value=value, reply=reply, depth=3)

    def _after_their_pass(self, word: int, after: Territory) -> int:
        """Return the value of our best third move, or second pass, after they pass on our ``word``."""
        if after.lead > 0:
            return WIN - 3
        value, _, place = self._best_answer(self._thirds, after.turned, word, WIN - 3)
        both_pass = _sign(after.lead) * (WIN - 3)
        return both_pass if place == NO_REPLY else max(both_pass, -value)

    def _pass(self) -> Line:
        if self._passed:
            return Line(_sign(self._territory.lead) * (WIN - 1), NO_WORD, 0, None, 2)
        value, reply = self._reply_to(NO_WORD, self._territory)
        if reply is None or self._both_pass < value:
            return Line(self._both_pass, NO_WORD, 0, None, 2)
        return Line(value, NO_WORD, 0, reply, 2)

    def _listed(self, *searches: list[Line]) -> list[Line]:
        """Return all lines, deeper searches first: values of different depths are not comparable.

        Wins come first and losses last, at any depth.
        """
        lines = [line for search in searches for line in sorted(search, key=self._rank)]
        return sorted(lines, key=lambda line: -line.value if line.decided else 0)

    def _rank(self, line: Line) -> tuple[int, int, int]:
        """Return the sort key. Ties go to the commoner word; a pass comes last unless it decides the game."""
        if line.word == NO_WORD:
            return -line.value, -1 if line.decided else len(self._anagrams.rarity), 0
        return -line.value, int(self._anagrams.rarity[line.word]), line.mask

    def _two_plies(self, best: "_Best") -> "_Bounded | None":
        """Fill ``best``; return None if it is exact, else the bounds of the moves not reached."""
        masks = self._roots.masks
        if not len(masks):
            return None
        bounds = np.full(len(masks), -WIN - 1, np.int16)
        refuted_by = np.zeros(len(masks), np.uint8)
        bounded = _Bounded(bounds, refuted_by, [])
        only_open_words = np.full(ROUNDS, NO_WORD, np.int32)
        killers = self._killers
        nearest, nearest_value = 0, -WIN
        for chunk in self._chunks():
            part = masks[chunk]
            best_there = chunk.start + bound_by_static_eval(
                part, self._ours, self._theirs, np.int32(WIN - 1), bounds[chunk]
            )
            value = self._static_line(NO_WORD, int(masks[best_there])).value
            if value > nearest_value:
                nearest, nearest_value = best_there, value
            self._seen[0] += len(part)
        for _ in range(ROUNDS):
            self._refine(np.array([nearest], np.int32), 0, best, grouped=self._grouped)
            bounds[nearest] = -WIN - 1  # done: it is in the list if good enough
            reply = int(killers[0])
            if reply != NO_REPLY:
                only_open_words[len(bounded.replies)] = self._replies.only_open_word[
                    class_at(self._replies.starts, reply)
                ]
                self._lower(bounded, reply)
            if self._stop(int(self._seen[0])):
                return bounded
            nearest = int(bounds.argmax())
            if bounds[nearest] < best.least:
                break
        left = filter_by_bound(
            bounds,
            refuted_by,
            self._roots.starts,
            self._placements.member_starts,
            self._placements.members,
            self._roots.open,
            self._anagrams.closed_prefixes,
            only_open_words,
            best.least,
            np.int16(-WIN - 1),
        )
        todo = np.empty(left, np.int32)
        ranked(bounds, 1, -WIN, todo)
        at = 0
        while at < len(todo):
            if self._stop(int(self._seen[0])):
                return bounded
            at = self._refine(todo, at, best, grouped=self._grouped)
        return None

    def _lower(self, bounded: "_Bounded", reply: int) -> None:
        """Apply a reply to all placements, until stopped."""
        number = len(bounded.replies)
        bounded.replies.append(reply)
        for chunk in self._chunks():
            if self._stop(int(self._seen[0])):
                break
            apply_refutation(
                self._roots.masks[chunk],
                self._ours,
                self._theirs,
                np.int32(WIN - 2),
                self._replies.masks[reply],
                np.uint8(number),
                bounded.bounds[chunk],
                bounded.refuted_by[chunk],
            )
            self._seen[0] += chunk.stop - chunk.start

    def _refine(self, todo: NDArray[np.int32], begin: int, best: "_Best", *, grouped: bool) -> int:
        return refine(
            todo,
            begin,
            self._roots.masks,
            self._roots.starts,
            self._placements.member_starts,
            self._placements.members,
            self._roots.open,
            self._anagrams.closed_prefixes,
            self._anagrams.rarity,
            self._ours,
            self._theirs,
            np.int32(WIN - 1),
            self._replies.masks,
            self._replies.starts,
            self._replies.only_open_word,
            self._killers,
            best.keys,
            best.placements,
            best.words,
            best.classes,
            int(grouped),
            self._seen,
            self._next_look(),
        )

    def _next_look(self) -> int:
        """Return the number of positions at which to check the clock again."""
        return int(self._seen[0]) + (SLICE if refine.ready and deepen.ready else UNCOMPILED_SLICE)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class _Bounded(NamedTuple):
    """Upper bounds of all placements' values; entries already searched in full have the lowest value."""

    bounds: NDArray[np.int16]
    refuted_by: NDArray[np.uint8]
    """Per placement: the index of the reply that set its bound."""
    replies: list[int]


class _Best:
    """The best moves so far, best first, in the kernels' layout."""

    def __init__(self, top: int) -> None:
        self.keys: Final = np.full(top, _NOTHING, np.int64)
        self.placements: Final = np.zeros(top, np.int32)
        self.words: Final = np.full(top, NO_WORD, np.int32)
        self.classes: Final = np.full(top, NO_CLASS, np.int32)

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Yield placement, word and class of each move."""
        rows = zip(self.placements.tolist(), self.words.tolist(), self.classes.tolist(), strict=True)
        return (row for row in rows if row[1] != NO_WORD)

    @property
    def least(self) -> int:
        """The value that another move must reach."""
        return max(-WIN, -(-int(self.keys[-1]) >> KEY_VALUE))
