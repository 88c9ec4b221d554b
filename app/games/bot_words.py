"""The words that a bot knows: the commoner a word, the likelier, and settled by the game and the seat."""

from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.words.lexicon import UNRANKED, Lexicon
from app.words.vocabulary import allowed_words

STEEPNESS: Final = 4
"""How sharply knowledge ends: at this power of rank over ``knows`` the odds against a word grow."""

RANKED_ENOUGH: Final = 0.1
"""The share of a lexicon's words whose frequency must be known for bots to go by it."""


def words_known(knows: int, lexicon: Lexicon, seed: str, seat: int) -> NDArray[np.uint8]:
    """(n,): 1 for each word of ``lexicon`` that a bot knows in this game on this seat; never profanity.

    ``knows`` is the rank of a word known with even chances; 0 is the whole lexicon. A word is known the less
    likely the rarer it is; one of unknown frequency is known to those only who know the whole lexicon. In a
    lexicon of mostly unknown frequencies, another language's, it is as many words as the bot would know of
    English, whichever they are.
    """
    fit = allowed_words(lexicon)
    if not knows:
        return fit
    if np.mean(lexicon.ranks < UNRANKED) < RANKED_ENOUGH:
        chance = np.full(len(lexicon), knows / len(lexicon))
    else:
        chance = 1 / (1 + (lexicon.ranks / knows) ** STEEPNESS)
    return fit & (_lots(len(lexicon), f"{seed}/{seat}") < chance).view(np.uint8)


def _lots(count: int, key: str) -> NDArray[np.float64]:
    """(count,): a number in [0, 1) for each index, settled by ``key`` (the SplitMix64 sequence).

    Not NumPy's generators: a game must find the same bots under every version of NumPy.
    """
    start = int.from_bytes(sha256(key.encode()).digest()[:8], "big")
    with np.errstate(over="ignore"):
        mixed = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(start)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0**-53
