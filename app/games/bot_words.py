"""Bot vocabularies: common words are more likely to be known. Fixed per game and seat."""

from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.words.lexicon import UNRANKED, Lexicon
from app.words.vocabulary import suggested_words

STEEPNESS: Final = 4
"""Exponent of the logistic fall-off: the odds against knowing a word are (rank / ``knows``) to this power."""

RANKED_ENOUGH: Final = 0.1
"""The minimum share of words with a known frequency; below it, bots ignore frequency."""


def words_known(knows: int, lexicon: Lexicon, seed: str, seat: int) -> NDArray[np.uint8]:
    """(n,): 1 for each word of ``lexicon`` that a bot on this seat knows in this game; no profanity or names.

    ``knows`` is the rank of a word known with probability 1/2; 0 means the whole lexicon. Rarer words are
    less likely to be known; words of unknown frequency are known only with the whole lexicon. If most
    frequencies are unknown, as in another language, all words are equally likely, and as many are known as in
    English.
    """
    allowed = suggested_words(lexicon)
    if not knows:
        return allowed
    if np.mean(lexicon.ranks < UNRANKED) < RANKED_ENOUGH:
        chance = np.full(len(lexicon), knows / len(lexicon))
    else:
        chance = 1 / (1 + (lexicon.ranks / knows) ** STEEPNESS)
    return allowed & (_uniform(len(lexicon), f"{seed}/{seat}") < chance).view(np.uint8)


def _uniform(count: int, key: str) -> NDArray[np.float64]:
    """(count,): a number in [0, 1) for each index, determined by ``key``. The SplitMix64 sequence.

    Independent of NumPy's generators, so that bots are the same under every version of NumPy.
    """
    start = int.from_bytes(sha256(key.encode()).digest()[:8], "big")
    with np.errstate(over="ignore"):
        mixed = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(start)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0**-53
