"""Upper bounds on the value of the rest of a word, by prefix; they prune the search for the best word."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.games.grid_kernels import LETTERS
from app.words.trie import Trie


class Rests:
    """Bounds on the letters below each node of a trie, for any letter values."""

    def __init__(self, trie: Trie) -> None:
        children = trie.children & np.uint32(LETTERS)
        self._first = trie.first
        self._fanout = np.bitwise_count(children)
        bits = np.unpackbits(children.astype("<u4", copy=False).view(np.uint8), bitorder="little")
        # In breadth-first order, nodes correspond to the child bits of their parents in order; the root has
        # none.
        self._letters = np.append(0, np.flatnonzero(bits) % 32).astype(np.uint8)
        last_children = self._fanout.cumsum(dtype=np.int64)
        levels = [0, 1]
        while levels[-1] < len(children):
            levels.append(int(last_children[levels[-1] - 1]) + 1)
        self._levels = list(pairwise(levels))

    def under(
        self, values: Sequence[int], letter_bonus_factor: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return two arrays, per node: the maximum sum of the values of the letters after it.

        In the second array, one of those letters is multiplied by ``letter_bonus_factor``, at least 1.
        """
        value = np.array(values, np.int32)[self._letters]
        rest = np.zeros(len(value), np.int32)
        rest_with_bonus = np.zeros(len(value), np.int32)
        for (start, end), (_, last) in reversed(list(pairwise(self._levels))):
            parents = start + np.flatnonzero(self._fanout[start:end])
            families = self._first[parents] - np.uint32(end)
            own = value[end:last]
            plain = own + rest[end:last]
            bonus_here = plain + (letter_bonus_factor - 1) * own
            bonus_later = own + rest_with_bonus[end:last]
            rest[parents] = np.maximum.reduceat(plain, families)
            rest_with_bonus[parents] = np.maximum.reduceat(np.maximum(bonus_here, bonus_later), families)
        return rest, rest_with_bonus
