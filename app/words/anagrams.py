"""A filter of the sets of tiles that make a word in some order, with up to two blanks.

A blocked Bloom filter: a set of tiles has a key, the sum of its tiles' keys. The low bits of the key select
a 64-bit number, and three groups of six higher bits each select a bit of it. All three bits are set if the
tiles make a word; with ENABLE, the rate of false positives is 1 in 500. Source: Felix Putze, Peter
Sanders and Johannes Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", Journal of Experimental
Algorithmics 14, 2009.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.words.gaddag import LONGEST
from app.words.trie import ALPHABET_SIZE

MOST_BLANKS: Final = 2
BLOCK_BITS: Final = 20
"""The binary logarithm of the filter's maximum length, which is 8 MB."""
BIT_SHIFTS: Final = (BLOCK_BITS, BLOCK_BITS + 6, BLOCK_BITS + 12)
_KEYS_PER_BLOCK: Final = 4


def _tile_keys() -> NDArray[np.int64]:
    # SplitMix64. Keys have 58 bits, so that those of 31 tiles add up to less than 2^63.
    keys = []
    for step in range(1, ALPHABET_SIZE + 2):
        mixed = step * 0x9E37_79B9_7F4A_7C15 % 2**64
        mixed = (mixed ^ mixed >> 30) * 0xBF58_476D_1CE4_E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D0_49BB_1331_11EB % 2**64
        keys.append((mixed ^ mixed >> 31) >> 6)
    result = np.array(keys, np.int64)
    result.flags.writeable = False
    return result


TILE_KEYS: Final = _tile_keys()
"""(27,): the key of each letter and, last, of the blank."""


def build_anagram_filter(letter_counts: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the filter of words given by their ``letter_counts`` (n, 26), read-only; a power of two long.

    Words longer than LONGEST are left out.
    """
    counts = letter_counts[letter_counts.sum(axis=1) <= LONGEST]
    words = np.unique(counts.astype(np.int64) @ TILE_KEYS[:-1], return_index=True)
    counts = counts[words[1]]
    to_blank = TILE_KEYS[-1] - TILE_KEYS[:-1]
    keys = [words[0]]
    for first in range(ALPHABET_SIZE):
        having = np.flatnonzero(counts[:, first])
        with_one = words[0][having] + to_blank[first]
        keys.append(with_one)
        for second in range(first, ALPHABET_SIZE):
            having_both = counts[having, second] > (first == second)
            keys.append(with_one[having_both] + to_blank[second])
    total = sum(map(len, keys))
    blocks = 1 << min((total // _KEYS_PER_BLOCK).bit_length(), BLOCK_BITS)
    result = np.zeros(blocks, np.int64)
    for some in keys:
        bits = np.zeros(len(some), np.int64)
        for shift in BIT_SHIFTS:
            bits |= np.int64(1) << (some >> shift & 63)
        np.bitwise_or.at(result, some & (blocks - 1), bits)
    result.flags.writeable = False
    return result
