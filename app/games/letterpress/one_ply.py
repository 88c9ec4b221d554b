"""The ranking of all moves at one ply, in LetterPwn's order."""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.letterpress.anagrams import Anagrams
from app.games.letterpress.bound_kernels import rank_by_static_eval
from app.games.letterpress.lines import DECIDED, WIN, Found, Group, Line, Side, sign
from app.games.letterpress.placement_kernels import NO_WORD
from app.games.letterpress.territory import Territory

STATIC_WIN: Final = 1 << 20
"""The value of a won game in the one-ply ranking; outweighs everything else."""
OTHERS: Final = 5
"""The number of other placements listed per class."""
CHUNK: Final = 1 << 18
"""Placements per vectorised call."""


class OnePly:
    """The search of one position to one ply; deeper searches build on it."""

    def __init__(
        self,
        anagrams: Anagrams,
        territory: Territory,
        roots: Side,
        *,
        passed: bool,
        grouped: bool,
        stop: Callable[[int], bool],
    ) -> None:
        """``roots`` are our moves now; for the others see :class:`~app.games.letterpress.search.Search`."""
        self._anagrams = anagrams
        self._territory = territory
        self._ours, self._theirs = np.int32(territory.ours), np.int32(territory.theirs)
        self._roots = roots
        self._passed = passed
        self._grouped = grouped
        self._stop = stop
        self._seen = np.zeros(1, np.int64)

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
        return Line(sign(after.lead) * (WIN - 1) if ends else after.evaluate, word, mask, None, 1)
