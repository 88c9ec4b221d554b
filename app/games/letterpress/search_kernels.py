"""The search of single placements in full, two and three plies deep, with killer replies.

Replies that recently refuted a move are tried first: the killer heuristic (S. Akl and M. Newborn, "The
Principal Continuation and the Killer Heuristic", ACM Annual Conference, 1977). For classes and members of
words see ``placement_kernels.py``.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import inlined, kernel
from app.games.letterpress.evaluation import (
    EVERY,
    count,
    evaluate,
    evaluate_replies,
    highest,
    lowest,
    protected,
)
from app.games.letterpress.placement_kernels import NO_WORD, class_at, closes

NO_REPLY: Final = -1
UNFINISHED: Final = 0
SETTLED: Final = 1
REFUTED: Final = 2
BLOCK: Final = 512
"""Replies per block."""
KILLERS: Final = 32
"""The number of killer replies remembered."""
KEY_VALUE: Final = 51
KEY_RARITY: Final = 25
"""In a move's key, the value starts at this bit, above the word's rarity and the cells."""


@inlined
def key_of(value: int, rarity: int, mask: int) -> int:
    """Return a move's sort key: value, then the commoner word, then the smaller mask. Keys are unique."""
    return int(value) * (1 << KEY_VALUE) - (int(rarity) << KEY_RARITY) - int(mask)


@kernel(
    "int64(int32[::1], int64, int32[::1], int64[::1], int64[::1], "
    "int32[::1], uint8[::1], int32[::1], int32[::1], int32, int32, int32, "
    "int32[::1], int64[::1], int32[::1], int32[::1], "
    "int64[::1], int32[::1], int32[::1], int32[::1], int64, int64[::1], int64)"
)
def refine(
    todo: NDArray[np.int32],
    begin: int,
    masks: NDArray[np.int32],
    starts: NDArray[np.int64],
    member_starts: NDArray[np.int64],
    members: NDArray[np.int32],
    open_: NDArray[np.uint8],
    closed_prefixes: NDArray[np.int32],
    rarity: NDArray[np.int32],
    ours: np.int32,
    theirs: np.int32,
    win: np.int32,
    reply_masks: NDArray[np.int32],
    reply_starts: NDArray[np.int64],
    only_open_replies: NDArray[np.int32],
    killers: NDArray[np.int32],
    top_keys: NDArray[np.int64],
    top_placements: NDArray[np.int32],
    top_words: NDArray[np.int32],
    top_classes: NDArray[np.int32],
    grouped: int,
    seen: NDArray[np.int64],
    enough: int,
) -> int:
    """Search the placements ``todo[begin:]`` to two plies, and keep the best moves in the ``top`` arrays.

    The arrays are sorted; if ``grouped`` is 1, they hold only the best placement of each class. A move is
    dropped as soon as a reply puts it behind the entry it would replace. Each word of a class is a separate
    move, and the best one counts. ``killers`` are the replies that most recently refuted a move, latest first
    (NO_REPLY: unused). Returns the index in ``todo`` to resume from: its length if done, less if ``seen[0]``,
    the number of positions evaluated, reached ``enough``.
    """
    free = np.int32(~protected(theirs))
    for at in range(begin, len(todo)):
        if seen[0] >= enough:
            return at
        placement = todo[at]
        mask = masks[placement]
        taken = np.int32(mask & free)
        own = np.int32(ours | taken)
        other = np.int32(theirs & ~taken)
        static_eval = evaluate(own, other, win)
        ended = np.int32(own | other) == EVERY
        open_tiles = np.int32(~protected(own))
        at_most = int(static_eval)  # they can always pass
        if not ended and count(own) > count(other):
            at_most = int(win) - 2  # and then our pass wins
        class_ = class_at(starts, placement)
        slot = len(top_keys) - 1
        if grouped:
            for entry in range(len(top_keys)):
                if top_classes[entry] == class_:
                    slot = entry
                    break
        least = top_keys[slot]
        best_word = NO_WORD
        leading = True
        for place in range(member_starts[class_], member_starts[class_ + 1]):
            if not open_[place]:
                continue
            word = int(members[place])
            # If it closes no other class, the commonest word is as good as any.
            if not leading and (
                ended or (closed_prefixes[word] == NO_WORD and only_open_replies[class_] != word)
            ):
                continue
            leading = False
            value = at_most
            reply = NO_REPLY
            alive = key_of(value, rarity[word], mask) > least
            if alive and not ended:
                for turn in range(KILLERS):
                    candidate = killers[turn]
                    if candidate == NO_REPLY:
                        break
                    lost = np.int32(reply_masks[candidate] & open_tiles)
                    left = evaluate(np.int32(own & ~lost), np.int32(other | lost), np.int32(win - 1))
                    if left < value and not closes(
                        word, int(only_open_replies[class_at(reply_starts, candidate)]), closed_prefixes
                    ):
                        value = int(left)
                        reply = int(candidate)
                        if key_of(value, rarity[word], mask) < least:
                            alive = False
                            break
                seen[0] += KILLERS
                start = 0
                while alive and start < len(reply_masks):
                    block = reply_masks[start : start + BLOCK]
                    seen[0] += len(block)
                    if lowest(block, own, other, np.int32(win - 1)) < value:
                        for offset in range(len(block)):
                            lost = np.int32(block[offset] & open_tiles)
                            left = evaluate(np.int32(own & ~lost), np.int32(other | lost), np.int32(win - 1))
                            if left < value and not closes(
                                word,
                                int(only_open_replies[class_at(reply_starts, start + offset)]),
                                closed_prefixes,
                            ):
                                value = int(left)
                                reply = start + offset
                        if key_of(value, rarity[word], mask) < least:
                            alive = False
                    start += BLOCK
                if reply != NO_REPLY:
                    last = KILLERS - 1
                    for turn in range(KILLERS):
                        if killers[turn] == reply:
                            last = turn
                            break
                    for turn in range(last, 0, -1):
                        killers[turn] = killers[turn - 1]
                    killers[0] = reply
            key = key_of(value, rarity[word], mask)
            if alive and key > least:
                least = key
                best_word = word
        if best_word != NO_WORD:
            while slot > 0 and top_keys[slot - 1] < least:
                top_keys[slot] = top_keys[slot - 1]
                top_placements[slot] = top_placements[slot - 1]
                top_words[slot] = top_words[slot - 1]
                top_classes[slot] = top_classes[slot - 1]
                slot -= 1
            top_keys[slot] = least
            top_placements[slot] = placement
            top_words[slot] = best_word
            top_classes[slot] = class_
    return len(todo)


@kernel(
    "int64(int32[::1], int64[::1], int64[::1], int32[::1], "
    "uint8[::1], int32[::1], int32[::1], int32, int32, int32, int64, int64[::1])"
)
def best_reply(
    masks: NDArray[np.int32],
    starts: NDArray[np.int64],
    member_starts: NDArray[np.int64],
    members: NDArray[np.int32],
    open_: NDArray[np.uint8],
    closed_prefixes: NDArray[np.int32],
    rarity: NDArray[np.int32],
    ours: np.int32,
    theirs: np.int32,
    win: np.int32,
    played: int,
    result: NDArray[np.int64],
) -> int:
    """Find the best reply for the opponent after we played the word ``played`` (NO_WORD: we passed).

    Ties: the commonest word, then the smallest mask. Writes value and word to ``result`` and returns the
    reply's number, or NO_REPLY if the word closes all replies.
    """
    open_tiles = np.int32(~protected(ours))
    value = int(win)
    least = 1 << 62
    found = NO_REPLY
    start = 0
    while start < len(masks):
        block = masks[start : start + BLOCK]
        if lowest(block, ours, theirs, win) <= value:
            for offset in range(len(block)):
                lost = np.int32(block[offset] & open_tiles)
                left = int(evaluate(np.int32(ours & ~lost), np.int32(theirs | lost), win))
                if left > value:
                    continue
                class_ = class_at(starts, start + offset)
                for place in range(member_starts[class_], member_starts[class_ + 1]):
                    word = int(members[place])
                    if open_[place] and not closes(int(played), word, closed_prefixes):
                        key = -key_of(-left, rarity[word], block[offset])
                        if key < least:
                            least = key
                            value = left
                            found = start + offset
                            result[0] = value
                            result[1] = word
                        break
        start += BLOCK
    return found


@kernel("void(int32[::1], int32, int32, int32, int16[::1])")
def reply_values(
    masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32, values: NDArray[np.int16]
) -> None:
    """Write the evaluation after each reply."""
    open_tiles = np.int32(~protected(ours))
    for index in range(len(masks)):
        lost = np.int32(masks[index] & open_tiles)
        values[index] = np.int16(evaluate(np.int32(ours & ~lost), np.int32(theirs | lost), win))


@reply_values.uncompiled
def _reply_values_numpy(
    masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32, values: NDArray[np.int16]
) -> None:
    values[:] = evaluate_replies(masks, ours, theirs, win)


@kernel(
    "int64(int32[::1], int16[::1], int32[::1], int64[::1], "
    "uint8[::1], int32[::1], int64[::1], uint8[::1], "
    "int64[::1], int32[::1], int32[::1], int32, int32, int32, int64, int64, "
    "int32[::1], int64[::1], int64[::1], int64)"
)
def deepen(
    order: NDArray[np.int32],
    values: NDArray[np.int16],
    reply_masks: NDArray[np.int32],
    reply_starts: NDArray[np.int64],
    reply_open: NDArray[np.uint8],
    masks: NDArray[np.int32],
    starts: NDArray[np.int64],
    open_: NDArray[np.uint8],
    member_starts: NDArray[np.int64],
    members: NDArray[np.int32],
    closed_prefixes: NDArray[np.int32],
    ours: np.int32,
    theirs: np.int32,
    win: np.int32,
    played: int,
    least: int,
    killers: NDArray[np.int32],
    progress: NDArray[np.int64],
    seen: NDArray[np.int64],
    enough: int,
) -> int:
    """Search one move of ours to three plies: for each reply, our best third move or a pass.

    ``order`` are the replies by their static evaluation (``values``), ascending. ``progress`` is [the index
    in ``order`` to resume from, the value so far, the best reply's number, its word]. Returns SETTLED;
    REFUTED as soon as the value is below ``least``; or UNFINISHED if ``seen[0]``, the number of positions
    evaluated, reached ``enough``: then call again.
    """
    open_tiles = np.int32(~protected(ours))
    for at in range(progress[0], len(order)):
        if seen[0] >= enough:
            progress[0] = at
            return UNFINISHED
        reply = order[at]
        left = int(values[reply])
        if left >= progress[1]:
            break  # our pass keeps at least this value, so no later reply is worse for us
        lost = np.int32(reply_masks[reply] & open_tiles)
        own = np.int32(ours & ~lost)
        other = np.int32(theirs | lost)
        ended = np.int32(own | other) == EVERY
        free = np.int32(~protected(other))
        reply_class = class_at(reply_starts, reply)
        for place in range(member_starts[reply_class], member_starts[reply_class + 1]):
            word = int(members[place])
            if not reply_open[place] or closes(int(played), word, closed_prefixes):
                continue
            high = left
            looking = not ended
            for turn in range(KILLERS):
                candidate = int(killers[turn])
                if not looking or candidate == NO_REPLY:
                    break
                taken = np.int32(masks[candidate] & free)
                value = int(evaluate(np.int32(own | taken), np.int32(other & ~taken), win))
                if value > high:
                    class_ = class_at(starts, candidate)
                    for third in range(member_starts[class_], member_starts[class_ + 1]):
                        if (
                            open_[third]
                            and not closes(word, int(members[third]), closed_prefixes)
                            and not closes(int(played), int(members[third]), closed_prefixes)
                        ):
                            high = value
                            break
                    if high >= progress[1]:
                        looking = False
                        for later in range(turn, 0, -1):
                            killers[later] = killers[later - 1]
                        killers[0] = candidate
            seen[0] += 4
            start = 0
            while looking and start < len(masks):
                block = masks[start : start + BLOCK]
                seen[0] += len(block)
                if highest(block, own, other, win) > high:
                    for offset in range(len(block)):
                        taken = np.int32(block[offset] & free)
                        value = int(evaluate(np.int32(own | taken), np.int32(other & ~taken), win))
                        if value <= high:
                            continue
                        class_ = class_at(starts, start + offset)
                        for third in range(member_starts[class_], member_starts[class_ + 1]):
                            if (
                                open_[third]
                                and not closes(word, int(members[third]), closed_prefixes)
                                and not closes(int(played), int(members[third]), closed_prefixes)
                            ):
                                high = value
                                break
                        if high >= progress[1]:
                            looking = False
                            for later in range(KILLERS - 1, 0, -1):
                                killers[later] = killers[later - 1]
                            killers[0] = start + offset
                            break
                start += BLOCK
            if high < progress[1]:
                progress[1] = high
                progress[2] = reply
                progress[3] = word
                if high < least:
                    return REFUTED
    return SETTLED
