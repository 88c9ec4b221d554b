"""A lexicon as Letterpress looks at it: sets of letters, each with the words that it spells."""

from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.letterpress.kernels import CELLS, FIELD, FIELDS, NO_WORD
from app.words.lexicon import Lexicon
from app.words.trie import ALPHABET_SIZE

SHORTEST: Final = 2
"""Letters of the shortest word that may be played."""
PACKED: Final = 3
"""Numbers that the counts of 26 letters are packed into."""


def pack(counts: NDArray[np.integer]) -> NDArray[np.int64]:
    """Counts of the 26 letters (..., 26) as three numbers (..., 3), each count a field of its own."""
    packed = np.zeros((*counts.shape[:-1], PACKED), np.int64)
    for letter in range(ALPHABET_SIZE):
        packed[..., letter // FIELDS] |= counts[..., letter].astype(np.int64) << FIELD * (letter % FIELDS)
    return packed


def letter_counts(letters: str) -> NDArray[np.int64]:
    """(26,): how many of each letter there are."""
    codes = np.frombuffer(letters.encode("ascii"), np.uint8) - ord("a")
    return np.bincount(codes, minlength=ALPHABET_SIZE)


def find_closed_prefixes(lexicon: Lexicon) -> NDArray[np.int32]:
    """(n,): for each word of the lexicon the longest other word that it begins with, or NO_WORD."""
    text = lexicon.text.tobytes()
    closed_prefixes = np.full(len(lexicon), NO_WORD, np.int32)
    chain: list[tuple[int, bytes]] = []  # a word and its beginnings stand in one row before it
    for word, (begin, end) in enumerate(pairwise(lexicon.starts)):
        letters = text[begin : end - 1]
        while chain and not letters.startswith(chain[-1][1]):
            chain.pop()
        if chain:
            closed_prefixes[word] = chain[-1][0]
        chain.append((word, letters))
    return closed_prefixes


class Anagrams:
    """The classes of a lexicon: all words of two letters or more that a board can hold, by their letters.

    Classes come longest first, and a class's words commonest first.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        lengths = np.diff(lexicon.starts.astype(np.int64)) - 1
        in_order = np.argsort(lexicon.ranks, kind="stable")
        self.rarity: Final = np.empty(len(lexicon), np.int32)
        """Per word of the lexicon: 0 for the commonest; of equally common words the first in the alphabet."""
        self.rarity[in_order] = np.arange(len(lexicon), dtype=np.int32)
        self.closed_prefixes: Final = np.array(
            lexicon.derived("stems", lambda: find_closed_prefixes(lexicon))
        )  # kernels want it writable
        """Per word of the lexicon: the longest other word that it begins with, or -1."""

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
    """The classes of a lexicon, made once: the table and the solver page look at the same ones."""
    return Anagrams(lexicon)
