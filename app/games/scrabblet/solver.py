"""Solver: all words of a hand."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from app.games.grid_kernels import LETTERS, paired_nodes
from app.games.scrabblet.hand import Hand, letters_of, mask_of
from app.games.scrabblet.kernels import MOST_PENDING, find_words
from app.words.letters import letter_values
from app.words.lexicon import Lexicon
from app.words.trie import build_trie

SHORTEST: Final = 4
"""The default minimum length of a word."""

Order: TypeAlias = Literal["letters", "score", "length", "alphabet"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)


@dataclass(frozen=True, slots=True)
class HandWord:
    """A word of a hand."""

    word: str
    score: int


@dataclass(frozen=True)
class Words:
    """Words of a hand as arrays, one row each, unordered."""

    hand: Hand
    lexicon: Lexicon
    indices: NDArray[np.int32]
    """Their indices in the lexicon."""
    scores: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.indices)

    @cached_property
    def masks(self) -> NDArray[np.uint32]:
        """Their sets of letters."""
        masks: NDArray[np.uint32] = self.lexicon.letter_masks[self.indices]
        return masks

    @property
    def total(self) -> int:
        """The sum of their scores."""
        return int(self.scores.sum())

    @property
    def pangrams(self) -> NDArray[np.bool_]:
        """Per word: whether it uses every letter of the hand."""
        all_letters = np.uint32(self.hand.mask)
        complete: NDArray[np.bool_] = (self.masks & all_letters) == all_letters
        return complete

    def where(self, chosen: NDArray[np.bool_]) -> "Words":
        """Return the words for which ``chosen`` is true."""
        return Words(self.hand, self.lexicon, self.indices[chosen], self.scores[chosen])

    def listed(self, order: Order = "letters", most: int | None = None) -> list[HandWord]:
        """Return the words as a list, at most ``most`` of them; ties are alphabetical.

        ``letters`` groups words with the same letters, in the order of subsets in "Wordgames": as binary
        numbers with the hand's first letter as bit 0. ``score`` and ``length`` are descending.
        """
        keys: dict[Order, Callable[[], tuple[NDArray[np.integer], ...]]] = {
            "letters": lambda: (self._subsets(),),
            "score": lambda: (-self.scores,),
            "length": lambda: (-self.lexicon.letter_counts[self.indices].sum(axis=1, dtype=np.int32),),
            "alphabet": lambda: (),
        }
        rows = np.lexsort((self.indices, *keys[order]()))[:most]
        words, text = self.indices[rows], self.lexicon.text.data
        begins, ends = self.lexicon.starts[words].tolist(), self.lexicon.starts[words + 1].tolist()
        return [
            HandWord(str(text[begin : end - 1], "ascii"), score)
            for begin, end, score in zip(begins, ends, self.scores[rows].tolist(), strict=True)
        ]

    def _subsets(self) -> NDArray[np.int64]:
        """Return the numbers of their subsets; letters from blanks are above those of the hand."""
        ranked = self.hand.letters + letters_of(LETTERS & ~self.hand.mask)
        masks, numbers = self.masks.astype(np.int64), np.zeros(len(self), np.int64)
        for bit, letter in enumerate(ranked):
            numbers |= (masks >> ord(letter) - ord("a") & 1) << bit
        return numbers


class Solver:
    """Finds the words of one lexicon. Thread-safe."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        # Sorted by text, as the trie requires.
        masks, class_of_word = np.unique(lexicon.letter_masks, return_inverse=True)
        texts = [letters_of(mask) for mask in masks.tolist()]
        by_text = np.argsort(np.array(texts))
        place = np.empty(len(masks), np.int64)
        place[by_text] = np.arange(len(masks))
        self._class_masks: Final = masks[by_text].astype(np.uint32)
        classes = place[class_of_word]
        words = np.argsort(classes, kind="stable")
        self._words: Final = words.astype(np.int32)
        self._starts: Final = np.searchsorted(classes[words], np.arange(len(masks) + 1)).astype(np.int32)
        self._values: Final = np.array(letter_values("scrabble"), np.int64)
        counts = np.asarray(lexicon.letter_counts)
        self._letter_counts: Final = counts.reshape(-1)
        self._scores: Final = (counts @ self._values)[words].astype(np.int32)
        self._lengths: Final = counts.sum(axis=1, dtype=np.int64)[words].astype(np.uint8)
        trie = build_trie([texts[number] for number in by_text])
        self._nodes: Final = paired_nodes(trie)
        self._class_of_node: Final = trie.word

    def find(self, hand: Hand, min_length: int = SHORTEST, required: int = 0) -> Words:
        """Return all words of the hand of ``min_length`` or more letters, with all of ``required``."""
        pending = np.empty(2 * MOST_PENDING, np.int64)
        found = np.empty(len(self._words), np.int32)
        points = np.empty(len(self._words), np.int32)
        count = find_words(
            self._nodes,
            self._class_of_node,
            self._class_masks,
            self._starts,
            self._words,
            self._scores,
            self._lengths,
            self._letter_counts,
            self._values,
            hand.mask,
            hand.blanks,
            required,
            min_length,
            pending,
            found,
            points,
        )
        return Words(hand, self.lexicon, found[:count].copy(), points[:count].copy())

    def anagrams(self, letters: str) -> list[str]:
        """Return the words with exactly these letters, each any number of times, alphabetically."""
        same = self.find(Hand(letters), 1, mask_of(letters))
        return [found.word for found in same.listed("alphabet")]

    def subsets(self, hand: Hand) -> Iterator[tuple[str, list[str]]]:
        """Yield every subset like :meth:`Hand.subsets`, with the words that use exactly those letters."""
        words: dict[int, list[str]] = {}
        for found in self.find(Hand(hand.letters), 1).listed("alphabet"):
            words.setdefault(mask_of(found.word), []).append(found.word)
        for letters in hand.subsets():
            yield letters, words.get(mask_of(letters), [])


@lru_cache(maxsize=8)
def solver_of(lexicon: Lexicon) -> Solver:
    """Return the solver over this lexicon; cached."""
    return Solver(lexicon)
