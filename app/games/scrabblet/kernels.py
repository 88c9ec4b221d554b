"""Scrabblet search: all words of a hand, by a depth-first walk of a trie of letter sets.

Words are grouped into classes by their set of letters; class ``c`` has the words ``starts[c]`` to ``starts[c
+ 1]``. The sets, each written as its letters in alphabetical order, are the words of a trie: the hand can
make a set if every step of its path is a letter of the hand or uses a blank.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.grid_kernels import LETTERS, WORD
from app.games.kernel import kernel, lowest_bit, popcount, readonly
from app.words.trie import ALPHABET_SIZE

MOST_PENDING: Final = ALPHABET_SIZE * ALPHABET_SIZE
"""Maximum pending steps: 26 at each of 26 depths."""


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('uint32')}, {readonly('int32')}, "
    f"{readonly('int32')}, {readonly('int32')}, {readonly('uint8')}, {readonly('uint8')}, "
    f"{readonly('int64')}, int64, int64, int64, int64, int64[::1], int32[::1], int32[::1])"
)
def find_words(
    nodes: NDArray[np.uint32],
    class_of_node: NDArray[np.int32],
    class_masks: NDArray[np.uint32],
    starts: NDArray[np.int32],
    words: NDArray[np.int32],
    scores: NDArray[np.int32],
    lengths: NDArray[np.uint8],
    letter_counts: NDArray[np.uint8],
    values: NDArray[np.int64],
    hand: int,
    blanks: int,
    required: int,
    shortest: int,
    pending: NDArray[np.int64],
    found: NDArray[np.int32],
    points: NDArray[np.int32],
) -> int:
    """Write the words of a hand to ``found`` and their scores to ``points``, and return their number.

    Words must contain all letters of ``required`` and have at least ``shortest`` letters. ``words``,
    ``scores`` and ``lengths`` are in class order; ``letter_counts`` has 26 counts per word of the lexicon.
    ``pending`` holds 2 * MOST_PENDING numbers, ``found`` and ``points`` one per word of the lexicon.
    """
    count = 0
    waiting = 1
    pending[0] = 0
    pending[1] = 0
    while waiting:
        waiting -= 1
        node = pending[2 * waiting]
        blanked = pending[2 * waiting + 1]
        children = int(np.int64(nodes[2 * node]))
        if children & WORD:
            group = class_of_node[node]
            if np.int64(class_masks[group]) & required == required:
                for slot in range(starts[group], starts[group + 1]):
                    if lengths[slot] >= shortest:
                        word = words[slot]
                        score = np.int64(scores[slot])
                        left = blanked
                        while left:
                            letter = lowest_bit(left)
                            left &= left - 1
                            score -= values[letter] * letter_counts[ALPHABET_SIZE * word + letter]
                        found[count] = word
                        points[count] = score
                        count += 1
        steps = children & LETTERS
        if popcount(blanked) >= blanks:
            steps &= hand
        first = int(np.int64(nodes[2 * node + 1]))
        while steps:
            letter = lowest_bit(steps)
            bit = 1 << letter
            steps ^= bit
            pending[2 * waiting] = first + popcount(children & (bit - 1))
            pending[2 * waiting + 1] = blanked | (bit & ~hand)
            waiting += 1
    return count
