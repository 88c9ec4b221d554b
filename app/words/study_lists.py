"""Study lists: the words of a lexicon that players learn first, grouped by their use."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.studies import BINGO, draw_chance, lengths_of, stems
from app.words.vocabulary import Level, allowed_words, rarest_rank, suggested_words

ListName: TypeAlias = Literal[
    "two-letters", "three-letters-jqxz", "q-without-u", "vowel-dumps", "bingo-stems", "all"
]
Order: TypeAlias = Literal["usual", "alphabet", "frequency"]
"""``usual``: the list's default order, by probability for bingo stems and alphabetical for the others."""
Shown: TypeAlias = Literal["valid", "family", "suggested"]
"""The words included: all valid ones, all but profanity, or all but profanity and names."""
TOP_STEMS: Final = 50
"""The number of stems whose words are in the list of bingo stems."""
_VOWELS: Final = "aeiou"
_MOST_CONSONANTS: Final = 0.3
"""Maximum share of letters in a vowel dump that are not a, e, i, o or u: one of four, two of seven."""


class StudyList(NamedTuple):
    """A study list's title and subject."""

    title: str
    about: str
    """The words in it, in one sentence."""


STUDY_LISTS: Final[dict[ListName, StudyList]] = {
    "two-letters": StudyList("Two letters", "All words of two letters: they join words side by side."),
    "three-letters-jqxz": StudyList("Three letters with J, Q, X or Z", "Short words for the dearest tiles."),
    "q-without-u": StudyList("Q without U", "Words in which no U follows the Q."),
    "vowel-dumps": StudyList("Vowel dumps", "Words of four letters or more, at least 70% of them vowels."),
    "bingo-stems": StudyList(
        "Bingo stems", f"Words of seven letters from the {TOP_STEMS} stems likeliest to make one."
    ),
    "all": StudyList("All words", "Every word, by length, vocabulary and frequency."),
}


def study_list(
    lexicon: Lexicon,
    name: ListName,
    *,
    length: int | None = None,
    level: Level = "everything",
    order: Order = "usual",
    shown: Shown = "valid",
) -> NDArray[np.int64]:
    """Return the indices of the words of a study list, of ``length`` letters if given, in ``order``.

    By frequency, the commonest word comes first; words of the same rank are in the list's usual order.
    """
    found = _LISTS[name](lexicon)
    if length is not None:
        found = found[lengths_of(lexicon)[found] == length]
    found = found[_chosen(lexicon, level, shown)[found]]
    if order == "alphabet":
        found = np.sort(found)
    elif order == "frequency":
        found = found[np.argsort(lexicon.ranks[found], kind="stable")]
    return found


@lru_cache(maxsize=8)
def top_stems(lexicon: Lexicon) -> tuple[str, ...]:
    """Return the stems most likely to make a word of seven letters, best first."""
    return tuple(stem.letters for stem in sorted(stems(lexicon), key=lambda stem: -stem.chance)[:TOP_STEMS])


def _chosen(lexicon: Lexicon, level: Level, shown: Shown) -> NDArray[np.bool_]:
    if shown == "valid":
        return lexicon.ranks <= rarest_rank(level)
    chosen = allowed_words(lexicon, level) if shown == "family" else suggested_words(lexicon, level)
    return chosen.view(np.bool_)


def _two_letters(lexicon: Lexicon) -> NDArray[np.int64]:
    return np.flatnonzero(lengths_of(lexicon) == 2)


def _dear_three_letters(lexicon: Lexicon) -> NDArray[np.int64]:
    dear = np.uint32(sum(1 << ALPHABET.index(letter) for letter in "jqxz"))
    return np.flatnonzero((lengths_of(lexicon) == 3) & (lexicon.letter_masks & dear > 0))


def _q_without_u(lexicon: Lexicon) -> NDArray[np.int64]:
    has_q = np.flatnonzero(lexicon.letter_masks & np.uint32(1 << ALPHABET.index("q")))
    alone = [index for index in has_q.tolist() if "qu" not in lexicon[index]]
    return np.array(alone, np.int64)


def _vowel_dumps(lexicon: Lexicon) -> NDArray[np.int64]:
    lengths = lengths_of(lexicon)
    vowels = lexicon.letter_counts[:, [ALPHABET.index(vowel) for vowel in _VOWELS]].sum(
        axis=1, dtype=np.int64
    )
    few_consonants = lengths - vowels <= _MOST_CONSONANTS * lengths
    return np.flatnonzero((lengths >= 4) & few_consonants)


@lru_cache(maxsize=8)
def _bingos(lexicon: Lexicon) -> NDArray[np.int64]:
    best = set(top_stems(lexicon))
    found = []
    for index in np.flatnonzero(lengths_of(lexicon) == BINGO).tolist():
        alphagram = "".join(sorted(lexicon[index]))
        if any(alphagram.replace(letter, "", 1) in best for letter in set(alphagram)):
            found.append((-draw_chance(alphagram), alphagram, index))
    entries = np.array([index for _, _, index in sorted(found)], np.int64)
    entries.flags.writeable = False
    return entries


def _all(lexicon: Lexicon) -> NDArray[np.int64]:
    return np.arange(len(lexicon))


_LISTS: Final[dict[ListName, Callable[[Lexicon], NDArray[np.int64]]]] = {
    "two-letters": _two_letters,
    "three-letters-jqxz": _dear_three_letters,
    "q-without-u": _q_without_u,
    "vowel-dumps": _vowel_dumps,
    "bingo-stems": _bingos,
    "all": _all,
}
