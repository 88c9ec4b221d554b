"""Leave evaluation while there are tiles in the bag: a linear model of the tiles kept, and its training.

The value also depends on the number of tiles in the bag and on the unseen tiles. The features of a leave are
numbered in blocks. Each feature has a weight per knot, which is a number of tiles in the bag before the turn;
between knots, weights are interpolated.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.rack_kernels import KINDS, POINT
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, kernel, readonly

KNOTS: Final = (0, 3, 10, 17, 27, 45, 80)
STAGES: Final = len(KNOTS)
COARSE: Final = 3
"""Weights of rare features are learned only at every third knot."""
COUNTS: Final = RACK + 1
VOWELS: Final = 1 << 0 | 1 << 4 | 1 << 8 | 1 << 14 | 1 << 20
BLANK_KIND: Final = KINDS - 1
FEW_IN_BAG: Final = 17

TILE: Final = 0
"""The count of a kind of tile."""
DOUBLE: Final = TILE + KINDS
"""Each tile of a kind beyond the first."""
TRIPLE: Final = DOUBLE + KINDS
"""Three or more of a kind."""
PAIR: Final = TRIPLE + KINDS
"""A pair of different kinds."""
BALANCE: Final = PAIR + KINDS * (KINDS - 1) // 2
"""A pair: the number of vowels and the number of consonants."""
SIZE: Final = BALANCE + COUNTS * COUNTS
"""The number of tiles."""
MIXTURE: Final = SIZE + COUNTS
"""The number of vowels, and of consonants, times the surplus of vowels among the unseen tiles."""
POOL: Final = MIXTURE + 2
"""The count of a kind of tile times the surplus of another, or the same, among the unseen tiles."""
TIMING: Final = POOL + KINDS * KINDS
"""A pair: the number of tiles in the bag, if at most FEW_IN_BAG, and the number drawn, 0 if exchanging."""
FEATURES: Final = TIMING + (FEW_IN_BAG + 1) * COUNTS
CONSTANT: Final = FEATURES
"""For training only: the mean value of positions, by the number of tiles left in the bag."""
LEARNED: Final = FEATURES + 1
_MOST_PLACES: Final = 512

_SURPLUS_UNIT: Final = 10.0
"""A kind's surplus is ten times its share of the unseen tiles minus its usual share."""
_MOST_SURPLUS: Final = 2.0
"""The surplus is limited to this: there are too few positions beyond it to learn from."""


@inlined
def stage_of(in_bag: int, step: int) -> int:
    """Return the last knot not above ``in_bag``, among every ``step``-th one; never the last of these."""
    knot = 0
    while knot + 2 * step < STAGES and in_bag >= KNOTS[knot + step]:
        knot += step
    return knot


@inlined
def part_of(in_bag: int, knot: int, step: int) -> float:
    """Return the position of ``in_bag`` between this knot (0) and the one ``step`` further (1)."""
    return min(1.0, max(0, in_bag - KNOTS[knot]) / (KNOTS[knot + step] - KNOTS[knot]))


@inlined
def weight(weights: NDArray[np.int32], feature: int, knot: int, part: float) -> float:
    """Return the weight of a feature, interpolated between ``knot`` and the next one."""
    place = feature * STAGES + knot
    return float(weights[place] * (1 - part) + weights[place + 1] * part)


@inlined
def pair(kind: int, other: int) -> int:
    """Return the feature of a pair; ``kind`` is the lower one."""
    return PAIR + kind * (2 * KINDS - 1 - kind) // 2 + other - kind - 1


@inlined
def find_surplus(
    unseen: NDArray[np.int32], usual: NDArray[np.float64], opponents: int, surplus: NDArray[np.float64]
) -> int:
    """Write the surplus of each kind among the unseen tiles; the last entry is that of vowels among letters.

    Returns the number of tiles in the bag.
    """
    total = 0
    vowels = 0
    usual_vowels = 0.0
    for kind in range(KINDS):
        total += int(unseen[kind])
        if VOWELS >> kind & 1:
            vowels += int(unseen[kind])
            usual_vowels += usual[kind]
    for kind in range(KINDS):
        surplus[kind] = unseen[kind] / max(1, total) - usual[kind]
    letters = max(1, total - int(unseen[BLANK_KIND]))
    surplus[KINDS] = vowels / letters - usual_vowels / (1 - usual[BLANK_KIND])
    for kind in range(KINDS + 1):
        surplus[kind] = max(-_MOST_SURPLUS, min(_MOST_SURPLUS, _SURPLUS_UNIT * surplus[kind]))
    return max(0, total - opponents * RACK)


@kernel(
    f"void(int32[::1], int64[::1], int32[::1], {readonly('float64')}, {readonly('int32')}, int64, int64,"
    " int32[::1])",
    allocates=True,
)
def evaluate_leaves(
    rack: NDArray[np.int32],
    strides: NDArray[np.int64],
    unseen: NDArray[np.int32],
    usual: NDArray[np.float64],
    weights: NDArray[np.int32],
    opponents: int,
    exchanging: int,
    leave_values: NDArray[np.int32],
) -> None:
    """Write the value of each leave of the rack: the sum of its features' ``weights``.

    Keeping the whole rack has the value 0. When ``exchanging``, the bag has as many tiles after the turn as
    before it.

    ``unseen`` counts the tiles in the bag and on the opponents' racks, ``usual`` has the share of each kind
    in the set of tiles. Leaves are evaluated kind by kind: those with tiles of a kind from those
    without it.
    """
    leaves = len(leave_values)
    surplus = np.zeros(KINDS + 1, np.float64)
    in_bag = find_surplus(unseen, usual, opponents, surplus)
    knot = stage_of(in_bag, 1)
    part = part_of(in_bag, knot, 1)
    value = np.zeros(leaves, np.float64)
    beside = np.zeros(leaves, np.float64)
    mixture = np.zeros(leaves, np.int64)
    size = np.zeros(leaves, np.int64)
    for kind in range(KINDS):
        if rack[kind] == 0:
            continue
        without = strides[kind]
        # The pairs of the kind with the tiles of each leave without it.
        for other in range(kind):
            if rack[other] == 0:
                continue
            both = weight(weights, pair(other, kind), knot, part)
            for count in range(1, rack[other] + 1):
                begin = count * strides[other]
                for rest in range(strides[other]):
                    beside[begin + rest] = beside[rest] + both
        tile = weight(weights, TILE + kind, knot, part)
        for other in range(KINDS):
            tile += weights[(POOL + kind * KINDS + other) * STAGES] * surplus[other]
        step = 0
        if VOWELS >> kind & 1:
            step = COUNTS
            tile += weight(weights, MIXTURE, knot, part) * surplus[KINDS]
        elif kind != BLANK_KIND:
            step = 1
            tile += weight(weights, MIXTURE + 1, knot, part) * surplus[KINDS]
        added = 0.0
        for count in range(1, rack[kind] + 1):
            added += tile
            if count > 1:
                added += weight(weights, DOUBLE + kind, knot, part)
            if count == 3:
                added += weight(weights, TRIPLE + kind, knot, part)
            begin = count * without
            for rest in range(without):
                value[begin + rest] = value[rest] + added + beside[rest]
                mixture[begin + rest] = mixture[rest] + count * step
                size[begin + rest] = size[rest] + count
    for leave in range(leaves):
        if size[leave] == RACK:
            value[leave] = 0.0  # a pass: there is nothing to learn from
        elif leave > 0:
            value[leave] += weight(weights, BALANCE + mixture[leave], knot, part)
            value[leave] += weight(weights, SIZE + size[leave], knot, part)
        if in_bag <= FEW_IN_BAG:
            replaced = 0 if exchanging else RACK - int(size[leave])
            value[leave] += weights[(TIMING + in_bag * COUNTS + replaced) * STAGES]
        leave_values[leave] = int(np.floor(value[leave] + 0.5))


@inlined
def spread(
    feature: int,
    amount: float,
    in_bag: int,
    step: int,
    places: NDArray[np.int64],
    amounts: NDArray[np.float64],
    total: int,
) -> int:
    """Append a feature to the ``total`` so far, split between the knots around ``in_bag``; return the total.

    With a ``step`` of 0, it has the same weight at all stages.
    """
    knot, part = 0, 0.0
    if step > 0:
        knot = stage_of(in_bag, step)
        part = part_of(in_bag, knot, step)
    places[total] = feature * STAGES + knot
    amounts[total] = amount * (1 - part)
    if part == 0:
        return total + 1
    places[total + 1] = feature * STAGES + knot + step
    amounts[total + 1] = amount * part
    return total + 2


@inlined
def features(
    counts: NDArray[np.int32],
    surplus: NDArray[np.float64],
    in_bag: int,
    places: NDArray[np.int64],
    amounts: NDArray[np.float64],
) -> int:
    """Write the features of a leave except SIZE and TIMING, given its counts; return their number."""
    total = 0
    vowels = 0
    consonants = 0
    for kind in range(KINDS):
        count = int(counts[kind])
        if count == 0:
            continue
        if VOWELS >> kind & 1:
            vowels += count
        elif kind != BLANK_KIND:
            consonants += count
        total = spread(TILE + kind, count, in_bag, 1, places, amounts, total)
        if count > 1:
            total = spread(DOUBLE + kind, count - 1, in_bag, COARSE, places, amounts, total)
        if count > 2:
            total = spread(TRIPLE + kind, 1, in_bag, COARSE, places, amounts, total)
        for other in range(KINDS):
            total = spread(
                POOL + kind * KINDS + other, count * surplus[other], in_bag, 0, places, amounts, total
            )
            if other > kind and counts[other] > 0:
                total = spread(pair(kind, other), 1, in_bag, COARSE, places, amounts, total)
    if total > 0:
        total = spread(BALANCE + vowels * COUNTS + consonants, 1, in_bag, COARSE, places, amounts, total)
        total = spread(MIXTURE, vowels * surplus[KINDS], in_bag, COARSE, places, amounts, total)
        total = spread(MIXTURE + 1, consonants * surplus[KINDS], in_bag, COARSE, places, amounts, total)
    return total


@inlined
def add_equation(
    places: NDArray[np.int64],
    amounts: NDArray[np.float64],
    response: float,
    products: NDArray[np.float64],
    responses: NDArray[np.float64],
) -> None:
    """Add an observation with these features to the normal equations of a least-squares fit."""
    for one in range(len(places)):
        responses[places[one]] += amounts[one] * response
        for other in range(len(places)):
            products[places[one], places[other]] += amounts[one] * amounts[other]


@kernel(
    f"void(int32[:, ::1], int32[:, ::1], int64[::1], float64[::1], {readonly('float64')},"
    " int64[::1], float64[:, ::1], float64[::1])",
    allocates=True,
)
def learn(
    kept: NDArray[np.int32],
    unseen: NDArray[np.int32],
    left: NDArray[np.int64],
    gains: NDArray[np.float64],
    usual: NDArray[np.float64],
    columns: NDArray[np.int64],
    products: NDArray[np.float64],
    responses: NDArray[np.float64],
) -> None:
    """Add turns to the normal equations of a least-squares fit of the points gained to the features.

    Each row is a turn: the count of each kind kept, and of each kind unseen before it, the tiles left in the
    bag after it, and the points gained on the opponent from then on. ``columns`` has the index of
    each weight in the equations.
    """
    places = np.zeros(_MOST_PLACES, np.int64)
    amounts = np.zeros(_MOST_PLACES, np.float64)
    surplus = np.zeros(KINDS + 1, np.float64)
    for row in range(len(kept)):
        in_bag = find_surplus(unseen[row], usual, 1, surplus)
        total = features(kept[row], surplus, in_bag, places, amounts)
        size = 0
        for kind in range(KINDS):
            size += int(kept[row, kind])
        total = spread(SIZE + size, 1, in_bag, COARSE, places, amounts, total)
        if in_bag <= FEW_IN_BAG:
            replaced = 0 if left[row] == in_bag else RACK - size
            total = spread(TIMING + in_bag * COUNTS + replaced, 1, in_bag, 0, places, amounts, total)
        total = spread(CONSTANT, 1, int(left[row]), 1, places, amounts, total)
        for one in range(total):
            places[one] = columns[places[one]]
        add_equation(places[:total], amounts[:total], gains[row], products, responses)


@kernel(
    f"void(int64[:, ::1], int32[:, ::1], {readonly('float64')}, {readonly('int32')},"
    " float64[:, :, ::1], float64[:, ::1])",
    allocates=True,
)
def average(
    drawn: NDArray[np.int64],
    unseen: NDArray[np.int32],
    usual: NDArray[np.float64],
    weights: NDArray[np.int32],
    products: NDArray[np.float64],
    responses: NDArray[np.float64],
) -> None:
    """Add random leaves to the normal equations, per size, of their value without SIZE.

    ``drawn`` has the kinds of tiles drawn at random from the ``unseen`` ones: the first tile of a row, its
    first two tiles and so on are leaves.
    """
    places = np.zeros(_MOST_PLACES, np.int64)
    amounts = np.zeros(_MOST_PLACES, np.float64)
    surplus = np.zeros(KINDS + 1, np.float64)
    counts = np.zeros(KINDS, np.int32)
    for row in range(len(drawn)):
        in_bag = find_surplus(unseen[row], usual, 1, surplus)
        counts[:] = 0
        for kept in range(drawn.shape[1]):
            counts[drawn[row, kept]] += 1
            total = features(counts, surplus, in_bag, places, amounts)
            value = 0.0
            for index in range(total):
                value += amounts[index] * weights[places[index]]
            total = spread(0, 1, in_bag, COARSE, places, amounts, 0)
            add_equation(
                places[:total], amounts[:total], value / POINT, products[kept + 1], responses[kept + 1]
            )
