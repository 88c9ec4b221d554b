"""The placements of a board's words, and which words are open.

A *class* is a set of letters that spells words; its *members* are those words, anagrams of each other,
commonest first. Classes are numbered per board, words per lexicon. The members of class ``c`` are
``members[member_starts[c] : member_starts[c + 1]]``; ``open_`` is 1 for each member that a side may play.
``closed_prefixes`` has, for each word of the lexicon, its longest proper prefix that is a word, or -1:
playing a word closes it and all such prefixes for the rest of the game.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import inlined, kernel, lowest_bit

NO_WORD: Final = -1
FIELD: Final = 6
"""Bits per letter in packed counts; the highest is the guard bit."""
MOST_ALIKE: Final = 31
"""The maximum count of a letter that fits in a field."""
FIELDS: Final = 10
"""Letters per packed number; there are three numbers."""
GUARDS: Final = sum(1 << (FIELD * field + FIELD - 1) for field in range(FIELDS))


@inlined
def closes(word: int, other: int, closed_prefixes: NDArray[np.int32]) -> bool:
    """Return whether playing ``word`` closes ``other``: ``other`` equals ``word`` or is a prefix of it."""
    while word >= other > NO_WORD:  # words sort after their prefixes
        if word == other:
            return True
        word = int(closed_prefixes[word])
    return False


@inlined
def class_at(starts: NDArray[np.int64], placement: int) -> int:
    """Return the class of a placement; class ``c`` has placements ``starts[c]`` to ``starts[c + 1]``."""
    low = 0
    high = len(starts) - 1
    while high - low > 1:
        middle = (low + high) >> 1
        if starts[middle] <= placement:
            low = middle
        else:
            high = middle
    return low


@kernel("int64(int32[::1], int32[::1], int64[:, ::1], int64[::1], int64[::1], uint8[::1])")
def count_placements(
    classes: NDArray[np.int32],
    letters: NDArray[np.int32],
    packed: NDArray[np.int64],
    ways: NDArray[np.int64],
    starts: NDArray[np.int64],
    wanted: NDArray[np.uint8],
) -> int:
    """Write the start of each class's placements in the flat table, and return the total number.

    ``ways[32 * letter + k]`` is the number of ways to choose ``k`` of the board's tiles with that letter.
    Entries of ``wanted``, initially zeros, become 1 for each such pair that a class uses.
    """
    total = 0
    for index in range(len(classes)):
        class_ = int(classes[index])
        starts[index] = total
        product = 1
        rest = int(letters[class_])
        while rest:
            letter = lowest_bit(rest)
            rest &= rest - 1
            taken = (packed[class_, letter // FIELDS] >> (FIELD * (letter % FIELDS))) & MOST_ALIKE
            product *= ways[32 * letter + taken]
            wanted[32 * letter + taken] = 1
        total += product
    starts[len(classes)] = total
    return total


@kernel(
    "void(int32[::1], int32[::1], int64[:, ::1], int64[::1], int64[::1], int64[::1], int32[::1], int32[::1])",
    allocates=True,
)
def place_classes(
    classes: NDArray[np.int32],
    letters: NDArray[np.int32],
    packed: NDArray[np.int64],
    starts: NDArray[np.int64],
    ways: NDArray[np.int64],
    choice_starts: NDArray[np.int64],
    choices: NDArray[np.int32],
    masks: NDArray[np.int32],
) -> None:
    """Write the mask of every placement of every class.

    ``choices[choice_starts[32 * letter + k]:]`` are the masks of the ways to choose ``k`` tiles of the
    letter.
    """
    for index in range(len(classes)):
        class_ = int(classes[index])
        begin = starts[index]
        product = 1
        fixed = np.int32(0)
        masks[begin] = 0
        rest = int(letters[class_])
        while rest:
            letter = lowest_bit(rest)
            rest &= rest - 1
            taken = (packed[class_, letter // FIELDS] >> (FIELD * (letter % FIELDS))) & MOST_ALIKE
            number = ways[32 * letter + taken]
            first = choice_starts[32 * letter + taken]
            if number == 1:
                fixed |= choices[first]
                continue
            for choice in range(number - 1, -1, -1):  # last to first: the first is the source of the copies
                cells = choices[first + choice]
                at = begin + choice * product
                masks[at : at + product] = masks[begin : begin + product] | cells
            product *= number
        for place in range(begin, begin + product):
            masks[place] |= fixed


@kernel("int64(int64[::1], uint8[::1], int32[::1], int64[::1], int32[::1], int32[::1])")
def open_classes(
    member_starts: NDArray[np.int64],
    open_: NDArray[np.uint8],
    members: NDArray[np.int32],
    starts: NDArray[np.int64],
    first: NDArray[np.int32],
    only_open_word: NDArray[np.int32],
) -> int:
    """Write each class's commonest open word and its only open word; NO_WORD if there is none.

    Returns the number of placements of the classes with an open word.
    """
    total = 0
    for class_ in range(len(first)):
        number = 0
        first[class_] = NO_WORD
        for place in range(member_starts[class_], member_starts[class_ + 1]):
            if open_[place]:
                if number == 0:
                    first[class_] = members[place]
                number += 1
        only_open_word[class_] = first[class_] if number == 1 else NO_WORD
        if number:
            total += starts[class_ + 1] - starts[class_]
    return total


@kernel("int64(int32[::1], int64[::1], int32[::1], int32, int64[::1], int32[::1])")
def gather(
    first: NDArray[np.int32],
    starts: NDArray[np.int64],
    masks: NDArray[np.int32],
    required: np.int32,
    own_starts: NDArray[np.int64],
    own_masks: NDArray[np.int32],
) -> int:
    """Write the placements that use all ``required`` cells, of the classes with an open word in ``first``.

    Returns their number. Needs one spare entry: each entry is written before it is accepted.
    """
    total = 0
    for class_ in range(len(first)):
        own_starts[class_] = total
        if first[class_] != NO_WORD:
            for place in range(starts[class_], starts[class_ + 1]):
                own_masks[total] = masks[place]
                total += (masks[place] & required) == required
    own_starts[len(first)] = total
    return total
