"""Bounds on all placements at once: the value of each is at most the evaluation after any reply.

A reply that refutes one placement is applied to all others. The loops are those of ``evaluation.py``.
"""

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import kernel
from app.games.letterpress.evaluation import (
    BOTTOM_ROW,
    EVERY,
    FIRST_COLUMN,
    LAST_COLUMN,
    MAJORITY,
    TOP_ROW,
    count,
    evaluate,
    evaluate_all,
    evaluate_placements,
    protected,
)
from app.games.letterpress.placement_kernels import closes


@kernel("void(int32[::1], int32, int32, int32, int32[::1])")
def rank_by_static_eval(
    masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32, values: NDArray[np.int32]
) -> None:
    """Write LetterPwn's static evaluation of each placement.

    In descending order of weight: end of the game, protected difference, vulnerability, difference.
    """
    open_ = np.int32(~protected(theirs))
    for index in range(len(masks)):
        taken = np.int32(masks[index] & open_)
        own = np.int32(ours | taken)
        other = np.int32(theirs & ~taken)
        tiles = count(own)
        weakness = np.int32(
            count(np.int32(own & ~np.int32(np.int32(own >> 1) | LAST_COLUMN)))
            + count(np.int32(own & ~np.int32(np.int32(own << 1) | FIRST_COLUMN)))
            + count(np.int32(own & ~np.int32(np.int32(own >> 5) | BOTTOM_ROW)))
            + count(np.int32(own & ~np.int32(np.int32(own << 5) | TOP_ROW)))
        )
        protected_lead = np.int32(count(protected(own)) - count(protected(other)))
        value = np.int32(np.int32(protected_lead << 14) - np.int32(weakness << 7))
        value = np.int32(value + np.int32(tiles - count(other)))
        decided = win if tiles >= MAJORITY else np.int32(-win)
        values[index] = value + (decided if np.int32(own | other) == EVERY else np.int32(0))


@rank_by_static_eval.uncompiled
def _rank_by_static_eval_numpy(
    masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32, values: NDArray[np.int32]
) -> None:
    taken = masks & ~protected(theirs)
    own, other = ours | taken, theirs & ~taken
    tiles = np.bitwise_count(own).astype(np.int32)
    weakness = np.zeros(len(masks), np.int32)
    for across in (
        own >> 1 | LAST_COLUMN,
        own << 1 | FIRST_COLUMN,
        own >> 5 | BOTTOM_ROW,
        own << 5 | TOP_ROW,
    ):
        weakness += np.bitwise_count(own & ~across)
    protected_lead = np.bitwise_count(protected(own)).astype(np.int32) - np.bitwise_count(protected(other))
    values[:] = (protected_lead << 14) - (weakness << 7) + (tiles - np.bitwise_count(other))
    values += np.where(own | other == EVERY, np.where(tiles >= MAJORITY, win, -win), 0)


@kernel("int64(int32[::1], int32, int32, int32, int16[::1])")
def bound_by_static_eval(
    masks: NDArray[np.int32],
    ours: np.int32,
    theirs: np.int32,
    win: np.int32,
    bounds: NDArray[np.int16],
) -> int:
    """Write an upper bound on each placement's value; return the one with the best static evaluation.

    A placement that ends the game is exact. Otherwise the bound is ``win - 2``: they pass, and our pass wins.
    """
    open_ = np.int32(~protected(theirs))
    best_value = np.int32(-win - 1)
    best = 0
    for index in range(len(masks)):
        taken = np.int32(masks[index] & open_)
        own = np.int32(ours | taken)
        other = np.int32(theirs & ~taken)
        value = evaluate(own, other, win)
        ended = np.int32(own | other) == EVERY
        bounds[index] = np.int16(value) if ended else np.int16(win - 2)
        if value > best_value:
            best_value = value
            best = index
    return best


@bound_by_static_eval.uncompiled
def _bound_by_static_eval_numpy(
    masks: NDArray[np.int32],
    ours: np.int32,
    theirs: np.int32,
    win: np.int32,
    bounds: NDArray[np.int16],
) -> int:
    values = evaluate_placements(masks, ours, theirs, win)
    bounds[:] = np.where(masks & ~protected(theirs) | ours | theirs == EVERY, values, win - 2)
    return int(values.argmax())


@kernel("void(int32[::1], int32, int32, int32, int32, uint8, int16[::1], uint8[::1])")
def apply_refutation(
    masks: NDArray[np.int32],
    ours: np.int32,
    theirs: np.int32,
    win: np.int32,
    reply: np.int32,
    number: np.uint8,
    bounds: NDArray[np.int16],
    refuted_by: NDArray[np.uint8],
) -> None:
    """Lower each placement's bound to the evaluation after this reply, and record the reply's number.

    Placements that end the game allow no reply; their bounds are ``win + 1`` or its negative.
    """
    open_ = np.int32(~protected(theirs))
    for index in range(len(masks)):
        taken = np.int32(masks[index] & open_)
        own = np.int32(ours | taken)
        other = np.int32(theirs & ~taken)
        lost = np.int32(reply & ~protected(own))
        value = evaluate(np.int32(own & ~lost), np.int32(other | lost), win)
        lower = value < np.int32(bounds[index]) and np.int32(own | other) != EVERY
        bounds[index] = np.int16(value) if lower else bounds[index]
        refuted_by[index] = number if lower else refuted_by[index]


@apply_refutation.uncompiled
def _apply_refutation_numpy(
    masks: NDArray[np.int32],
    ours: np.int32,
    theirs: np.int32,
    win: np.int32,
    reply: np.int32,
    number: np.uint8,
    bounds: NDArray[np.int16],
    refuted_by: NDArray[np.uint8],
) -> None:
    taken = masks & ~protected(theirs)
    own, other = ours | taken, theirs & ~taken
    lost = reply & ~protected(own)
    values = evaluate_all(own & ~lost, other | lost, win)
    lower = (values < bounds) & (own | other != EVERY)
    bounds[lower] = values[lower]
    refuted_by[lower] = number


@kernel(
    "int64(int16[::1], uint8[::1], int64[::1], int64[::1], "
    "int32[::1], uint8[::1], int32[::1], int32[::1], int64, int16)"
)
def filter_by_bound(
    bounds: NDArray[np.int16],
    refuted_by: NDArray[np.uint8],
    starts: NDArray[np.int64],
    member_starts: NDArray[np.int64],
    members: NDArray[np.int32],
    open_: NDArray[np.uint8],
    closed_prefixes: NDArray[np.int32],
    reply_only_words: NDArray[np.int32],
    least: int,
    done: np.int16,
) -> int:
    """Set bounds below ``least`` to ``done``, and return the number of other placements.

    A bound is invalid if a word of the placement closes the reply that set it; ``reply_only_words`` has the
    only word of each such reply, or NO_WORD. Bounds are ``done`` or greater.
    """
    total = 0
    class_ = 0
    for index in range(len(bounds)):
        stays = bounds[index] >= least
        if not stays and bounds[index] != done:
            only_open_word = reply_only_words[refuted_by[index]]
            if only_open_word >= 0:
                while starts[class_ + 1] <= index:
                    class_ += 1
                for place in range(member_starts[class_], member_starts[class_ + 1]):
                    if open_[place] and closes(members[place], only_open_word, closed_prefixes):
                        stays = True
        if not stays:
            bounds[index] = done
        total += stays
    return total


@kernel("void(int16[::1], int64, int64, int32[::1])", allocates=True)
def ranked(values: NDArray[np.int16], sign: int, least: int, order: NDArray[np.int32]) -> None:
    """Write the indices of the values in descending order; ties keep their order. A counting sort.

    Values are multiplied by ``sign`` (1 or -1); those below ``least`` are left out.
    """
    most = 1 << 15
    places = np.zeros(2 * most + 2, np.int64)
    for index in range(len(values)):
        value = sign * values[index]
        if value >= least:
            places[most - value + 1] += 1
    for rank in range(1, len(places)):
        places[rank] += places[rank - 1]
    for index in range(len(values)):
        value = sign * values[index]
        if value >= least:
            order[places[most - value]] = index
            places[most - value] += 1


@ranked.uncompiled
def _ranked_in_numpy(values: NDArray[np.int16], sign: int, least: int, order: NDArray[np.int32]) -> None:
    counted = np.flatnonzero(sign * values >= least)
    order[:] = counted[np.argsort(-sign * values[counted], kind="stable")]
