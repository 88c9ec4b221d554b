"""A lexicon's anagram classes: sets of letters, each with the words it spells."""

from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.letterpress.evaluation import CELLS
from app.games.letterpress.placement_kernels import FIELD, FIELDS, NO_WORD
from app.words.lexicon import Lexicon
from app.words.trie import ALPHABET_SIZE

SHORTEST: Final = 2
"""The minimum length of a word."""
PACKED: Final = 3
"""The number of integers that the counts of 26 letters are packed into."""


def pack(counts: NDArray[np.integer]) -> NDArray[np.int64]:
    """Pack counts of the 26 letters (..., 26) into bit fields of three integers (..., 3)."""
    packed = np.zeros((*counts.shape[:-1], PACKED), np.int64)
    for letter in range(ALPHABET_SIZE):
        packed[..., letter // FIELDS] |= counts[..., letter].astype(np.int64) << FIELD * (letter % FIELDS)
    return packed


def letter_counts(letters: str) -> NDArray[np.int64]:
    """(26,): the count of each letter."""
    codes = np.frombuffer(letters.encode("ascii"), np.uint8) - ord("a")
    return np.bincount(codes, minlength=ALPHABET_SIZE)


def find_closed_prefixes(lexicon: Lexicon) -> NDArray[np.int32]:
    """(n,): for each word of the lexicon, its longest proper prefix that is a word, or NO_WORD."""
    text = lexicon.text.tobytes()
    closed_prefixes = np.full(len(lexicon), NO_WORD, np.int32)
    chain: list[tuple[int, bytes]] = []  # the previous word and its prefixes
    for word, (begin, end) in enumerate(pairwise(lexicon.starts)):
        letters = text[begin : end - 1]
        while chain and not letters.startswith(chain[-1][1]):
            chain.pop()
        if chain:
            closed_prefixes[word] = chain[-1][0]
        chain.append((word, letters))
    return closed_prefixes


class Anagrams:
    """The anagram classes of a lexicon: all words of at least two letters that fit on a board.

    Classes are sorted by length, longest first; a class's words by frequency, commonest first.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        lengths = np.diff(lexicon.starts.astype(np.int64)) - 1
        in_order = np.argsort(lexicon.ranks, kind="stable")
        self.rarity: Final = np.empty(len(lexicon), np.int32)
        """Per word of the lexicon: its position by frequency, 0 for the commonest; ties alphabetically."""
        self.rarity[in_order] = np.arange(len(lexicon), dtype=np.int32)
        self.closed_prefixes: Final = np.array(
            lexicon.derived("stems", lambda: find_closed_prefixes(lexicon))
        )  # writable, as the kernels' signatures require
        """Per word of the lexicon: its longest proper prefix that is a word, or -1."""

        words = np.flatnonzero((lengths >= SHORTEST) & (lengths <= CELLS))
        packed = pack(lexicon.letter_counts[words])
        order = np.lexsort((self.rarity[words], *packed.T, -lengths[words]))
        packed = packed[order]
        first = np.ones(len(order), np.bool_)
        first[1:] = (packed[1:] != packed[:-1]).any(axis=1)
        begins = np.flatnonzero(first)
        self.members: Final = words[order].astype(np.int32)
        self.member_starts: Final = np.append(begins, len(order))
        self.packed: Final = np.ascontiguousarray(packed[begins])
        self.letters: Final = lexicon.letter_masks[self.members[begins]].astype(np.int32)
        self.lengths: Final = lengths[self.members[begins]].astype(np.int32)

    def __len__(self) -> int:
        return len(self.letters)


@lru_cache(maxsize=8)
def anagrams_of(lexicon: Lexicon) -> Anagrams:
    """Return the classes of a lexicon; cached, and shared by games and the solver page."""
    return Anagrams(lexicon)
