"""Search for the best move over all placements on a board.

Two plies are exact. A placement's value is at most the evaluation after any reply, so a reply that refutes
one good placement is applied to all others at once. After some rounds, few placements have bounds that reach
the best values found; only those are searched in full. A move dropped early has a lower value than every move
in the answer.

A pass is a move like any other. At one or two plies, taking more cells never hurts a side unless it ends the
game: so it passes only if it has no word, or if every word loses. If they pass at the second ply and we lead,
our pass wins; a two-ply search sees this. At three plies, a pass may be their best move even if they have
words: two passes end a game that they lead, while each word might let us fill the board and win.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.letterpress.anagrams import Anagrams
from app.games.letterpress.bound_kernels import (
    apply_refutation,
    bound_by_static_eval,
    filter_by_bound,
    ranked,
)
from app.games.letterpress.lines import DECIDED, NO_CLASS, WIN, Best, Bounded, Found, Group, Line, Side, sign
from app.games.letterpress.one_ply import OTHERS, OnePly
from app.games.letterpress.placement_kernels import NO_WORD, class_at, closes
from app.games.letterpress.placements import Placements
from app.games.letterpress.search_kernels import (
    KILLERS,
    NO_REPLY,
    UNFINISHED,
    best_reply,
    deepen,
    refine,
    reply_values,
)
from app.games.letterpress.territory import Territory

ROUNDS: Final = 24
"""The number of refutations applied to all placements."""
CANDIDATES: Final = 32
"""The minimum number of moves searched to three plies; longer lists are searched completely."""
SLICE: Final = 4_000_000
"""Positions between two checks of the clock: about 2 ms."""
UNCOMPILED_SLICE: Final = 4_000
"""The same while the kernels are plain Python and NumPy: about 5 ms."""


class Search(OnePly):
    """The search of one position, to one ply or more."""

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
        super().__init__(anagrams, territory, roots, passed=passed, grouped=grouped, stop=stop)
        self._placements = placements
        self._replies, self._thirds = replies, thirds
        self._both_pass = sign(territory.lead) * (WIN - 2)
        self._killers = np.full(KILLERS, NO_REPLY, np.int32)

    def judge(self, word: int, mask: int) -> Line:
        """Return the value of one move at two plies."""
        if word == NO_WORD:
            return self._pass()
        after = self._territory.after(mask)
        if after.full:
            return Line(sign(after.lead) * (WIN - 1), word, mask, None, 2)
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
        best = Best(top)
        bounded = self._two_plies(best)
        searched = [
            replace(self.judge(word, int(self._roots.masks[placement])), class_=class_)
            for placement, word, class_ in best
        ]
        if bounded is None:
            return self._listed([*searched, self._pass()])[:top], 2
        lost = sum(line.value < -DECIDED for line in searched)
        # An undecided pass comes last: any word that does not lose is at least as good.
        others = self._unsearched(bounded, best, top - len(searched) + lost)
        return self._listed(searched, others, [self._pass()])[:top], 1

    def _unsearched(self, bounded: Bounded, best: Best, number: int) -> list[Line]:
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
        best = Best(OTHERS + 1)
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
        both_pass = sign(after.lead) * (WIN - 3)
        return both_pass if place == NO_REPLY else max(both_pass, -value)

    def _pass(self) -> Line:
        if self._passed:
            return Line(sign(self._territory.lead) * (WIN - 1), NO_WORD, 0, None, 2)
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

    def _two_plies(self, best: Best) -> Bounded | None:
        """Fill ``best``; return None if it is exact, else the bounds of the moves not reached."""
        masks = self._roots.masks
        if not len(masks):
            return None
        bounds = np.full(len(masks), -WIN - 1, np.int16)
        bounded = Bounded(bounds, np.zeros(len(masks), np.uint8), [])
        nearest = self._bound_all(bounds)
        for _ in range(ROUNDS):
            self._refine(np.array([nearest], np.int32), 0, best, grouped=self._grouped)
            bounds[nearest] = -WIN - 1  # done: it is in the list if good enough
            if (reply := int(self._killers[0])) != NO_REPLY:
                self._lower(bounded, reply)
            if self._stop(int(self._seen[0])):
                return bounded
            nearest = int(bounds.argmax())
            if bounds[nearest] < best.least:
                break
        todo, at = self._promising(bounded, best.least), 0
        while at < len(todo):
            if self._stop(int(self._seen[0])):
                bounds[todo[:at]] = -WIN - 1
                return bounded
            at = self._refine(todo, at, best, grouped=self._grouped)
        return None

    def _bound_all(self, bounds: NDArray[np.int16]) -> int:
        """Bound all placements by their static values and return the best of them."""
        masks, win = self._roots.masks, np.int32(WIN - 1)
        best_of_chunks: list[int] = []
        for chunk in self._chunks():
            place = bound_by_static_eval(masks[chunk], self._ours, self._theirs, win, bounds[chunk])
            best_of_chunks.append(chunk.start + place)
            self._seen[0] += chunk.stop - chunk.start
        return max(best_of_chunks, key=lambda place: self._static_line(NO_WORD, int(masks[place])).value)

    def _promising(self, bounded: Bounded, least: int) -> NDArray[np.int32]:
        """Return the placements that may reach ``least``, highest bound first; the others are done."""
        only_open_words = np.full(ROUNDS, NO_WORD, np.int32)
        for number, reply in enumerate(bounded.replies):
            only_open_words[number] = self._replies.only_open_word[class_at(self._replies.starts, reply)]
        left = filter_by_bound(
            bounded.bounds,
            bounded.refuted_by,
            self._roots.starts,
            self._placements.member_starts,
            self._placements.members,
            self._roots.open,
            self._anagrams.closed_prefixes,
            only_open_words,
            least,
            np.int16(-WIN - 1),
        )
        places = np.empty(left, np.int32)
        ranked(bounded.bounds, 1, -WIN, places)
        return places

    def _lower(self, bounded: Bounded, reply: int) -> None:
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

    def _refine(self, todo: NDArray[np.int32], begin: int, best: Best, *, grouped: bool) -> int:
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
