"""A lexicon as a GADDAG: every word readable from each of its letters, first leftwards, then rightwards.

A word ``w`` has one path for each of its beginnings ``w[:i]``: the beginning read backwards, then the
separator and the rest ``w[i:]`` read forwards; for the whole word the path ends without a separator.
(Steven A. Gordon, "A faster Scrabble move generation algorithm", Software: Practice and Experience 24,
1994.) Nodes from which all reads alike are stored once.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.words.trie import ALPHABET_SIZE, WORD_END, Trie, build_trie

SEPARATOR: Final = ALPHABET_SIZE
"""The symbol after the letters 0 to 25."""
ENDS: Final = 1 << 31
"""Set in the word of an arc with which a word is complete."""
NOWHERE: Final = 0
"""The node without arcs."""
START: Final = 1
"""The node where every path begins."""
LONGEST: Final = 15
"""Letters of the longest word that fits on a board."""

_SPREAD: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
_STIR: Final = np.uint64(0xBF58_476D_1CE4_E5B9)


def build_gaddag(words: Iterable[str]) -> NDArray[np.uint32]:
    """The GADDAG of those of ``words``, sorted and a-z only, that have at most LONGEST letters; read-only.

    A node is the index of its mask of symbols. For each bit of the mask, in order, one number follows: the
    node that the symbol leads to, with the bit ENDS if a word is complete there.
    """
    kept = [word for word in words if len(word) <= LONGEST]
    if not kept:
        return np.zeros(START + 1, np.uint32)
    rests = build_trie(kept)
    # The node of `rests` of a beginning leads on from its separator.
    beginnings = _beginnings_backwards(kept)
    order = np.argsort(beginnings)
    backwards = build_trie(beginnings[order])
    rest = np.where(backwards.word >= 0, order[backwards.word] + 1, 0)
    goes_on = (rest > 0) & (_symbols(rests)[rest] > 0)

    # Nodes are numbered as in `backwards`, then as in `rests`; all that follows a node makes its signature.
    shift = len(backwards.word)
    masks = np.concatenate([_symbols(backwards) | goes_on.astype(np.uint32) << SEPARATOR, _symbols(rests)])
    first = np.concatenate([backwards.first, rests.first + np.uint32(shift)])
    ends = np.concatenate([(rest > 0) & (rests.word[rest] >= 0), rests.word >= 0])
    of_rests = _signatures(rests, ends[shift:], np.zeros(len(rests.word), np.uint64))
    through = np.where(goes_on, _stirred(of_rests[rest] ^ _SPREAD), np.uint64(0))
    signatures = np.concatenate([_signatures(backwards, ends[:shift], through), of_rests])

    _, chosen, alike = np.unique(signatures, return_index=True, return_inverse=True)
    size = np.where(masks[chosen] > 0, 1 + np.bitwise_count(masks[chosen]).astype(np.int64), 0)
    by_place = np.argsort(chosen)
    place = np.empty(len(chosen), np.int64)
    place[by_place] = START + np.cumsum(size[by_place]) - size[by_place]
    place[size == 0] = NOWHERE
    gaddag = np.zeros(START + int(size.sum()), np.uint32)
    gaddag[place] = masks[chosen]

    target = place[alike].astype(np.uint32) | ends.astype(np.uint32) * np.uint32(ENDS)
    letters = np.bitwise_count(masks[chosen] & (WORD_END - np.uint32(1))).astype(np.int64)
    within = np.arange(letters.sum()) - np.repeat(np.cumsum(letters) - letters, letters)
    gaddag[np.repeat(place, letters) + 1 + within] = target[np.repeat(first[chosen], letters) + within]
    parting = np.flatnonzero(masks[chosen] >> SEPARATOR)
    gaddag[place[parting] + 1 + letters[parting]] = place[alike[shift + rest[chosen[parting]]]]
    gaddag.flags.writeable = False
    return gaddag


def _beginnings_backwards(words: list[str]) -> NDArray[np.bytes_]:
    """Each distinct beginning read backwards, in the order of the nodes that ``build_trie`` makes of them."""
    rows = np.array(words, dtype="S")
    longest = rows.dtype.itemsize
    letters = rows.view(np.uint8).reshape(len(rows), longest)
    differs = np.ones((len(rows), longest), bool)
    differs[1:] = np.logical_or.accumulate(letters[1:] != letters[:-1], axis=1)
    found = []
    for length in range(1, longest + 1):
        fresh = letters[differs[:, length - 1] & (letters[:, length - 1] > 0), :length]
        backwards = np.zeros((len(fresh), longest), np.uint8)
        backwards[:, :length] = fresh[:, ::-1]
        found.append(backwards)
    return np.concatenate(found).view(rows.dtype).reshape(-1)


def _symbols(trie: Trie) -> NDArray[np.uint32]:
    return trie.children & (WORD_END - np.uint32(1))


def _signatures(trie: Trie, ends: NDArray[np.bool_], own: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """For each node a number that nodes share from which all reads alike, and by any likelihood no others do.

    ``ends`` tells where a word ends, ``own`` has what counts beside the children. Two of a million
    different nodes have the same number in one of thirty million lexicons.
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
            terms = _stirred(result[children] + arc[children] * _SPREAD)
            result[parents] += np.add.reduceat(terms, trie.first[parents].astype(np.int64) - children.start)
        result[begin:end] = _stirred(result[begin:end])
    return result


def _stirred(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers that share no pattern with ``numbers`` (a step of SplitMix64)."""
    numbers = (numbers ^ numbers >> np.uint64(30)) * _STIR
    return numbers ^ numbers >> np.uint64(29)
