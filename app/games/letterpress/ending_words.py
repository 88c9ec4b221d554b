"""The words and placements that a side may still play in the proof search."""

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.letterpress.anagrams import Anagrams
from app.games.letterpress.lines import Side
from app.games.letterpress.placement_kernels import NO_WORD
from app.games.letterpress.placements import Placements


class EndingWords:
    """The words of both sides on one board; ``closed`` are the words closed since the first position."""

    def __init__(self, placements: Placements, anagrams: Anagrams, sides: tuple[Side, Side]) -> None:
        self._placements = placements
        self._prefixes = anagrams.closed_prefixes
        self._sides: Final = sides
        self._covering: dict[tuple[int, int], tuple[NDArray[np.int32], NDArray[np.int32]]] = {}
        self._open: dict[tuple[int, frozenset[int]], NDArray[np.uint8]] = {}

    def chain(self, word: int) -> frozenset[int]:
        """Return the word and its prefixes, which it closes."""
        chain = []
        while word != NO_WORD:
            chain.append(word)
            word = int(self._prefixes[word])
        return frozenset(chain)

    def closing(self, words: set[int], side: int, closed: frozenset[int]) -> list[int]:
        """Return the words that a side may play and that close one of ``words``."""
        found: set[int] = set()
        members = self._sorted_members
        for word in words:
            at = int(np.searchsorted(members, word))
            while at < len(members) and word in self.chain(int(members[at])):  # words sort after prefixes
                found.add(int(members[at]))
                at += 1
        return sorted(found & self.playable(side, closed)) if found else []

    def playable(self, side: int, closed: frozenset[int]) -> set[int]:
        """Return all words that a side may play."""
        return set(self._placements.members[self._sides[side].open > 0].tolist()) - closed

    def words_of(self, side: int, place: int, closed: frozenset[int]) -> list[int]:
        """Return the words that a side may play with this placement, commonest first."""
        return self._of_class(
            int(np.searchsorted(self._sides[side].starts, place, side="right")) - 1, side, closed
        )

    def placements(self, word: int, side: int) -> tuple[int, int]:
        """Return the first of a side's placements of a word, and the one after the last."""
        begin, end = self._sides[side].starts[self._classes[word] :][:2].tolist()
        return begin, end

    def covering(self, side: int, free: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the cells and the numbers of a side's placements that use all these cells."""
        if (side, free) not in self._covering:
            masks = self._sides[side].masks
            places = np.flatnonzero(masks & np.int32(free) == free).astype(np.int32)
            self._covering[side, free] = masks[places], places
        return self._covering[side, free]

    def open_classes(self, side: int, closed: frozenset[int]) -> NDArray[np.uint8]:
        """Return 1 for each class of which a side may play a word."""
        if (side, closed) not in self._open:
            open_ = (self._sides[side].first != NO_WORD).astype(np.uint8)
            for word in closed:
                class_ = self._classes.get(word)
                if class_ is not None and open_[class_] and not self._of_class(class_, side, closed):
                    open_[class_] = 0
            self._open[side, closed] = open_
        return self._open[side, closed]

    def _of_class(self, class_: int, side: int, closed: frozenset[int]) -> list[int]:
        begin, end = self._placements.member_starts[class_ : class_ + 2].tolist()
        members = self._placements.members[begin:end][self._sides[side].open[begin:end] > 0]
        return [word for word in members.tolist() if word not in closed]

    @cached_property
    def _classes(self) -> dict[int, int]:
        """Per word of the board: its class."""
        sizes = np.diff(self._placements.member_starts)
        classes = np.repeat(np.arange(len(sizes)), sizes).tolist()
        return dict(zip(self._placements.members.tolist(), classes, strict=True))

    @cached_property
    def _sorted_members(self) -> NDArray[np.int32]:
        return np.sort(self._placements.members)
