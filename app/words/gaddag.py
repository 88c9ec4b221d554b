"""A lexicon as a minimised GADDAG: words can be built outwards from any of their letters.

A word ``w`` has one path per non-empty prefix ``w[:i]``: the prefix reversed, then the separator, then the
suffix ``w[i:]``; for ``i = len(w)`` without a separator. Source: Steven A. Gordon, "A Faster Scrabble Move
Generation Algorithm", Software: Practice and Experience 24, 1994. Equivalent nodes are merged.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.words.trie import ALPHABET_SIZE, WORD_END, Trie, build_trie

SEPARATOR: Final = ALPHABET_SIZE
"""The symbol after the 26 letters, 0 to 25."""
ENDS: Final = 1 << 31
"""Flag of an arc that completes a word."""
NOWHERE: Final = 0
"""The node without arcs."""
START: Final = 1
"""The root node."""
LONGEST: Final = 15
"""The longest word that fits on the board, in letters."""

_SPREAD: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
_MIX: Final = np.uint64(0xBF58_476D_1CE4_E5B9)


def build_gaddag(words: Iterable[str]) -> NDArray[np.uint32]:
    """Return the GADDAG of ``words`` (sorted, a-z only), read-only. Words longer than LONGEST are left out.

    A node is the index of its mask of symbols. The mask is followed by one number per set bit, in order: the
    target node of that symbol, with the flag ENDS if a word is complete there.
    """
    kept = [word for word in words if len(word) <= LONGEST]
    if not kept:
        return np.zeros(START + 1, np.uint32)
    suffixes = build_trie(kept)
    # A prefix's node in `suffixes` is the root of the part after its separator.
    prefixes = _reversed_prefixes(kept)
    order = np.argsort(prefixes)
    backwards = build_trie(prefixes[order])
    rest = np.where(backwards.word >= 0, order[backwards.word] + 1, 0)
    goes_on = (rest > 0) & (_symbols(suffixes)[rest] > 0)

    # Nodes of `backwards` come first, then those of `suffixes`. A node's signature covers its whole subtree.
    shift = len(backwards.word)
    masks = np.concatenate([_symbols(backwards) | goes_on.astype(np.uint32) << SEPARATOR, _symbols(suffixes)])
    first = np.concatenate([backwards.first, suffixes.first + np.uint32(shift)])
    ends = np.concatenate([(rest > 0) & (suffixes.word[rest] >= 0), suffixes.word >= 0])
    suffix_signatures = _signatures(suffixes, ends[shift:], np.zeros(len(suffixes.word), np.uint64))
    separator_arcs = np.where(goes_on, _mixed(suffix_signatures[rest] ^ _SPREAD), np.uint64(0))
    signatures = np.concatenate([_signatures(backwards, ends[:shift], separator_arcs), suffix_signatures])

    _, chosen, merged = np.unique(signatures, return_index=True, return_inverse=True)
    size = np.where(masks[chosen] > 0, 1 + np.bitwise_count(masks[chosen]).astype(np.int64), 0)
    by_place = np.argsort(chosen)
    place = np.empty(len(chosen), np.int64)
    place[by_place] = START + np.cumsum(size[by_place]) - size[by_place]
    place[size == 0] = NOWHERE
    gaddag = np.zeros(START + int(size.sum()), np.uint32)
    gaddag[place] = masks[chosen]

    target = place[merged].astype(np.uint32) | ends.astype(np.uint32) * np.uint32(ENDS)
    letters = np.bitwise_count(masks[chosen] & (WORD_END - np.uint32(1))).astype(np.int64)
    within = np.arange(letters.sum()) - np.repeat(np.cumsum(letters) - letters, letters)
    gaddag[np.repeat(place, letters) + 1 + within] = target[np.repeat(first[chosen], letters) + within]
    with_separator = np.flatnonzero(masks[chosen] >> SEPARATOR)
    gaddag[place[with_separator] + 1 + letters[with_separator]] = place[
        merged[shift + rest[chosen[with_separator]]]
    ]
    gaddag.flags.writeable = False
    return gaddag


def _reversed_prefixes(words: list[str]) -> NDArray[np.bytes_]:
    """Return each distinct prefix reversed, in the order of the nodes of ``build_trie(words)``."""
    rows = np.array(words, dtype="S")
    longest = rows.dtype.itemsize
    letters = rows.view(np.uint8).reshape(len(rows), longest)
    differs = np.ones((len(rows), longest), bool)
    differs[1:] = np.logical_or.accumulate(letters[1:] != letters[:-1], axis=1)
    found = []
    for length in range(1, longest + 1):
        added = letters[differs[:, length - 1] & (letters[:, length - 1] > 0), :length]
        backwards = np.zeros((len(added), longest), np.uint8)
        backwards[:, :length] = added[:, ::-1]
        found.append(backwards)
    return np.concatenate(found).view(rows.dtype).reshape(-1)


def _symbols(trie: Trie) -> NDArray[np.uint32]:
    return trie.children & (WORD_END - np.uint32(1))


def _signatures(trie: Trie, ends: NDArray[np.bool_], own: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a hash per node of everything below it: equal for equivalent nodes.

    ``ends`` says where a word ends; ``own`` is added to each node's hash before its children. The chance that
    any two different nodes among a million collide is 1 in 30 million.
    """
    letters = np.flatnonzero(np.unpackbits(_symbols(trie).view(np.uint8), bitorder="little")) % 32
    arc = np.concatenate([[0], letters]).astype(np.uint64) * np.uint64(2) + ends + np.uint64(1)
    fanout = np.bitwise_count(_symbols(trie)).astype(np.int64)
    levels = [0, 1]
    while levels[-1] < len(fanout):
        levels.append(levels[-1] + int(fanout[levels[-2] : levels[-1]].sum()))
    result = own.copy()
    for begin, end in zip(levels[-2::-1], levels[:0:-1], strict=True):
        parents = begin + np.flatnonzero(fanout[begin:end])
        if len(parents):
            children = slice(int(trie.first[parents[0]]), int(trie.first[parents[-1]] + fanout[parents[-1]]))
            terms = _mixed(result[children] + arc[children] * _SPREAD)
            result[parents] += np.add.reduceat(terms, trie.first[parents].astype(np.int64) - children.start)
        result[begin:end] = _mixed(result[begin:end])
    return result


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix the bits of each number (part of SplitMix64's finaliser)."""
    numbers = (numbers ^ numbers >> np.uint64(30)) * _MIX
    return numbers ^ numbers >> np.uint64(29)
