"""All placements of all words on a board, as one flat table that depends only on the letters."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from threading import Lock
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.letterpress.anagrams import Anagrams, letter_counts, pack
from app.games.letterpress.placement_kernels import GUARDS, MOST_ALIKE, count_placements, place_classes
from app.words.letters import ALPHABET

MOST_PLACEMENTS: Final = 6_000_000
"""Upper limit. The worst boards have 2.8 million with the Letterpress list, up to 33 million with others."""
CACHE_BYTES: Final = 16 * 2**20
"""Memory limit of cached tables."""
_COUNTS: Final = MOST_ALIKE + 1
"""Entries per letter in the kernels' tables of choices."""


class TooManyPlacements(ValueError):
    """The board has too many placements with this lexicon to fit in memory."""


@dataclass(frozen=True, eq=False)
class Placements:
    """The placements on one board by class, longest words first.

    Class ``c`` here is the lexicon's class ``classes[c]``; its words are
    ``members[member_starts[c] : member_starts[c + 1]]`` and its placements
    ``masks[starts[c] : starts[c + 1]]``. A mask belongs to one class only.
    """

    classes: NDArray[np.int32]
    member_starts: NDArray[np.int64]
    members: NDArray[np.int32]
    lengths: NDArray[np.int32]
    """Per member: its length."""
    starts: NDArray[np.int64]
    masks: NDArray[np.int32]

    @property
    def bytes(self) -> int:
        """The memory used by the arrays."""
        return sum(array.nbytes for array in vars(self).values())


class _Count(NamedTuple):
    """The number of placements of each class, computed without listing them."""

    classes: NDArray[np.int32]
    ways: NDArray[np.int64]
    starts: NDArray[np.int64]
    wanted: NDArray[np.uint8]


def classes_on(board: str, anagrams: Anagrams) -> NDArray[np.int32]:
    """Return the classes that a board of 25 letters a-z can spell."""
    return _fitting(letter_counts(board), anagrams)


def check_placements(board: str, anagrams: Anagrams) -> None:
    """Raise TooManyPlacements if a board of 25 letters a-z cannot be searched. Lists no placements."""
    _count(board, anagrams)


def _count(board: str, anagrams: Anagrams) -> _Count:
    counts = letter_counts(board)
    classes = _fitting(counts, anagrams)
    ways = np.array([comb(int(most), taken) for most in counts for taken in range(_COUNTS)], np.int64)
    starts = np.empty(len(classes) + 1, np.int64)
    wanted = np.zeros(26 * _COUNTS, np.uint8)
    total = count_placements(classes, anagrams.letters, anagrams.packed, ways, starts, wanted)
    if total > MOST_PLACEMENTS:
        raise TooManyPlacements(
            f"this board has {total:,} ways to lay a word of the lexicon: "
            f"up to {MOST_PLACEMENTS:,} are searched"
        )
    return _Count(classes, ways, starts, wanted)


def placements_of(board: str, anagrams: Anagrams) -> Placements:
    """Build the table for a board of 25 letters a-z. Raises TooManyPlacements."""
    classes, ways, starts, wanted = _count(board, anagrams)
    masks = np.empty(starts[-1], np.int32)
    place_classes(classes, anagrams.letters, anagrams.packed, starts, ways, *_choices(board, wanted), masks)

    begins, ends = anagrams.member_starts[classes], anagrams.member_starts[classes + 1]
    sizes = ends - begins
    member_starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    places = np.arange(member_starts[-1]) + np.repeat(begins - member_starts[:-1], sizes)
    return Placements(
        classes=classes,
        member_starts=member_starts,
        members=anagrams.members[places],
        lengths=np.repeat(anagrams.lengths[classes], sizes),
        starts=starts,
        masks=masks,
    )


def _fitting(counts: NDArray[np.int64], anagrams: Anagrams) -> NDArray[np.int32]:
    """Return the classes that a board with these letter counts can spell."""
    absent = sum(1 << letter for letter in range(26) if not counts[letter])
    classes = np.flatnonzero(anagrams.letters & np.int32(absent) == 0).astype(np.int32)
    # SWAR: the subtraction clears a letter's guard bit if the board has too few of it.
    left = pack(counts) + GUARDS - anagrams.packed[classes]
    fits: NDArray[np.bool_] = (left & GUARDS == GUARDS).all(axis=1)
    return classes[fits]


def _choices(board: str, wanted: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return, for each letter and each ``wanted`` number of its cells, the ways to choose them."""
    starts = np.zeros(26 * _COUNTS, np.int64)
    chosen: list[int] = []
    for entry in np.flatnonzero(wanted).tolist():
        letter, taken = divmod(entry, _COUNTS)
        bits = [1 << cell for cell, tile in enumerate(board) if tile == ALPHABET[letter]]
        starts[entry] = len(chosen)
        chosen += map(sum, combinations(bits, taken))
    return starts, np.array(chosen, np.int32)


class PlacementCache:
    """A least-recently-used cache of tables with a memory limit. Thread-safe."""

    def __init__(self, build: Callable[[str], Placements], max_bytes: int = CACHE_BYTES) -> None:
        self._build = build
        self._max_bytes = max_bytes
        self._kept: OrderedDict[str, Placements] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def __call__(self, board: str) -> Placements:
        """Return the table of this board. Raises TooManyPlacements."""
        with self._lock:  # held while building, so that a large table is built once and one at a time
            kept = self._kept.get(board)
            if kept is not None:
                self._kept.move_to_end(board)
                return kept
            built = self._kept[board] = self._build(board)
            self._bytes += built.bytes
            while self._bytes > self._max_bytes and len(self._kept) > 1:
                self._bytes -= self._kept.popitem(last=False)[1].bytes
            return built
