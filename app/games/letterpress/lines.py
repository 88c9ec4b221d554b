"""The data types of a search: the moves of a side, lines, and the best moves so far."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.letterpress.placement_kernels import NO_WORD, gather, open_classes
from app.games.letterpress.placements import Placements
from app.games.letterpress.search_kernels import KEY_VALUE

WIN: Final = 1000
"""A win in ``n`` plies is worth ``WIN - n``, a loss the negative; other values are far smaller."""
DECIDED: Final = WIN - 100
"""A value above this, or below its negative, means that the game is won or lost."""
NO_CLASS: Final = -1
_NOTHING: Final = -(1 << 62)


class Side(NamedTuple):
    """The moves a side may play on a board."""

    open: NDArray[np.uint8]
    """Per member of the board's classes: 1 if the side may play it."""
    first: NDArray[np.int32]
    """Per class: its commonest open word, or -1."""
    only_open_word: NDArray[np.int32]
    """Per class: its only open word, or -1."""
    masks: NDArray[np.int32]
    """The placements of the open classes, class by class; the board's own table if all classes are open."""
    starts: NDArray[np.int64]
    """Class ``c`` has the placements from ``starts[c]`` to ``starts[c + 1]``."""


def side(placements: Placements, open_: NDArray[np.uint8], required: int = 0) -> Side:
    """Return the moves of a side: its open words, on placements that use all ``required`` cells."""
    table, starts = placements.masks, placements.starts
    classes = len(placements.classes)
    first, only_open_word = np.empty(classes, np.int32), np.empty(classes, np.int32)
    most = open_classes(placements.member_starts, open_, placements.members, starts, first, only_open_word)
    if most == len(table) and not required:
        return Side(open_, first, only_open_word, table, starts)
    masks, own_starts = np.empty(most + 1, np.int32), np.empty(classes + 1, np.int64)
    found = gather(first, starts, table, np.int32(required), own_starts, masks)
    return Side(open_, first, only_open_word, masks[:found], own_starts)


@dataclass(frozen=True, slots=True)
class Line:
    """A move and its best continuation; word -1 is a pass."""

    value: int
    word: int
    mask: int
    reply: tuple[int, int] | None
    """The reply's word and mask; None if the game is over or the opponent passes."""
    depth: int
    """The number of plies to which the value is exact."""
    class_: int = NO_CLASS
    """The class of the word in our list of classes, if known."""

    @property
    def decided(self) -> bool:
        """Whether the game is won or lost, so that a deeper search changes nothing."""
        return abs(self.value) > DECIDED


class Group(NamedTuple):
    """The best line of a class, and its next best ones, best first."""

    best: Line
    others: tuple[Line, ...] = ()
    ways: int = 1
    """The number of placements of the class's words."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search."""

    groups: list[Group]
    """Best first; one line each unless placements are grouped."""
    depth: int
    """The number of plies to which the result is exact."""
    positions: int
    """The number of positions evaluated."""


def sign(number: int) -> int:
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


class Bounded(NamedTuple):
    """Upper bounds of all placements' values; entries already searched in full have the lowest value."""

    bounds: NDArray[np.int16]
    refuted_by: NDArray[np.uint8]
    """Per placement: the index of the reply that set its bound."""
    replies: list[int]


class Best:
    """The best moves so far, best first, in the kernels' layout."""

    def __init__(self, top: int) -> None:
        self.keys: Final = np.full(top, _NOTHING, np.int64)
        self.placements: Final = np.zeros(top, np.int32)
        self.words: Final = np.full(top, NO_WORD, np.int32)
        self.classes: Final = np.full(top, NO_CLASS, np.int32)

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Yield placement, word and class of each move."""
        rows = zip(self.placements.tolist(), self.words.tolist(), self.classes.tolist(), strict=True)
        return (row for row in rows if row[1] != NO_WORD)

    @property
    def least(self) -> int:
        """The value that another move must reach."""
        return max(-WIN, -(-int(self.keys[-1]) >> KEY_VALUE))
