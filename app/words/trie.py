"""A lexicon as a trie in flat arrays, for the search kernels."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ALPHABET_SIZE = 26
WORD_END = np.uint32(1 << ALPHABET_SIZE)
ROOT = 0
NO_WORD = -1


class Trie(NamedTuple):
    """One node per distinct prefix; node 0 is the empty prefix.

    Nodes are in breadth-first order, so a node's children are contiguous and in letter order: the
    child of node ``n`` for letter ``l`` (0 = a) exists if bit ``l`` of ``children[n]`` is set, and is
    ``first[n] + popcount(children[n] & ((1 << l) - 1))``.
    """

    children: NDArray[np.uint32]
    """Per node: bit ``l`` is set if letter ``l`` continues it; bit 26 is set if a word ends here."""
    first: NDArray[np.uint32]
    """Per node: the index of its first child."""
    word: NDArray[np.int32]
    """Per node: the index in the sorted list of the word that ends here, or -1."""


def build_trie(words: Sequence[str] | NDArray[np.bytes_]) -> Trie:
    """Return the trie of ``words``: sorted, distinct, a-z only, none empty."""
    rows = np.array(words, dtype="S")
    longest = max(rows.dtype.itemsize, 1)
    letters = rows.view(np.uint8).reshape(len(rows), longest)
    lengths = np.char.str_len(rows)

    children = [np.zeros(1, np.uint32)]
    word = [np.full(1, NO_WORD, np.int32)]
    parent_of_row = np.zeros(len(rows), np.int64)
    starts_prefix = np.zeros(len(rows), bool)
    starts_prefix[:1] = True
    for depth in range(longest):
        starts_prefix[1:] |= letters[1:, depth] != letters[:-1, depth]
        reaches = lengths > depth
        opens = starts_prefix & reaches
        node_of_row = np.cumsum(opens) - 1
        bits = np.uint32(1) << (letters[opens, depth] - ord("a")).astype(np.uint32)
        np.bitwise_or.at(children[depth], parent_of_row[opens], bits)
        ends = np.flatnonzero(lengths == depth + 1)
        ending_word = np.full(int(opens.sum()), NO_WORD, np.int32)
        ending_word[node_of_row[ends]] = ends
        children.append(np.where(ending_word >= 0, WORD_END, np.uint32(0)))
        word.append(ending_word)
        parent_of_row = node_of_row

    masks = np.concatenate(children)
    fanout = np.bitwise_count(masks & ~WORD_END).astype(np.uint32)
    first = np.cumsum(fanout, dtype=np.uint32) - fanout + np.uint32(1)
    return Trie(masks, first, np.concatenate(word))
