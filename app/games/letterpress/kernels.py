"""Letterpress search: bit boards, refutations applied to all placements, and killer replies.

Cells are bits of a mask, as in LetterPwn. Replies that recently refuted a move are tried first: the killer
heuristic (S. Akl and M. Newborn, "The Principal Continuation and the Killer Heuristic", ACM Annual
Conference, 1977). Loops over all placements are flat, branch-free and 32-bit, so that the compiler vectorises
them; this is why there are casts to ``int32``. Uncompiled, NumPy computes the same.

A *class* is a set of letters that spells words; its *members* are those words, anagrams of each other,
commonest first. Classes are numbered per board, words per lexicon. The members of class ``c`` are
``members[member_starts[c] : member_starts[c + 1]]``; ``open_`` is 1 for each member that a side may play.
``closed_prefixes`` has, for each word of the lexicon, its longest proper prefix that is a word, or -1:
playing a word closes it and all such prefixes for the rest of the game.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import inlined, kernel, loop_of, lowest_bit, popcount

CELLS: Final = 25
EVERY: Final = (1 << CELLS) - 1
"""The mask of all cells."""
MAJORITY: Final = 13
"""The number of tiles that wins on a full board."""
FIRST_COLUMN: Final = 0x0108421
LAST_COLUMN: Final = 0x1084210
TOP_ROW: Final = 0x000001F
BOTTOM_ROW: Final = 0x1F00000


@inlined
def protected(own: Any) -> Any:
    """Return the cells of ``own`` (one mask or an array) whose orthogonal neighbours are all in ``own``."""
    across = np.int32((own >> 1) | LAST_COLUMN) & np.int32(np.int32(own << 1) | FIRST_COLUMN)
    above = np.int32((own >> 5) | BOTTOM_ROW) & np.int32(np.int32(own << 5) | TOP_ROW)
    return np.int32(own & across & above)


@inlined
def count(cells: Any) -> np.int32:
    """Return the number of cells."""
    return np.int32(popcount(cells))


@inlined
def evaluate(ours: np.int32, theirs: np.int32, win: np.int32) -> np.int32:
    """Return the static evaluation of a position for us.

    On a full board ``win`` or ``-win``; otherwise the lead in tiles plus three times the lead in protected
    tiles.
    """
    tiles = count(ours)
    balance = np.int32(tiles - count(theirs))
    protected_lead = np.int32(count(protected(ours)) - count(protected(theirs)))
    value = np.int32(balance + np.int32(3 * protected_lead))
    decided = win if tiles >= MAJORITY else np.int32(-win)
    return decided if np.int32(ours | theirs) == EVERY else value


def evaluate_all(ours: NDArray[np.int32], theirs: NDArray[np.int32], win: np.int32) -> NDArray[np.int32]:
    """Like :func:`evaluate`, for many positions, in NumPy."""
    tiles = np.bitwise_count(ours).astype(np.int32)
    protected_lead = np.bitwise_count(protected(ours)).astype(np.int32) - np.bitwise_count(protected(theirs))
    value = tiles - np.bitwise_count(theirs) + 3 * protected_lead
    return np.where(ours | theirs == EVERY, np.where(tiles >= MAJORITY, win, -win), value)


NO_WORD: Final = -1
NO_REPLY: Final = -1
UNFINISHED: Final = 0
SETTLED: Final = 1
REFUTED: Final = 2
FIELD: Final = 6
"""Bits per letter in packed counts; the highest is the guard bit."""
MOST_ALIKE: Final = 31
"""The maximum count of a letter that fits in a field."""
FIELDS: Final = 10
"""Letters per packed number; there are three numbers."""
GUARDS: Final = sum(1 << (FIELD * field + FIELD - 1) for field in range(FIELDS))
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


def replied(masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32) -> NDArray[np.int32]:
    """Return the evaluation after each of these replies, in NumPy."""
    lost = masks & ~protected(ours)
    return evaluate_all(ours & ~lost, theirs | lost, win)


def placed(masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32) -> NDArray[np.int32]:
    """Return the evaluation after each of these placements, in NumPy."""
    taken = masks & ~protected(theirs)
    return evaluate_all(ours | taken, theirs & ~taken, win)


def lowest(masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32) -> np.int32:
    """Return the minimum evaluation after any of these replies."""
    return np.int32(replied(masks, ours, theirs, win).min(initial=win))


@loop_of(lowest)
def _lowest(masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32) -> np.int32:
    open_ = np.int32(~protected(ours))
    low = np.int32(win)
    for index in range(len(masks)):
        taken = np.int32(masks[index] & open_)
        low = min(low, evaluate(np.int32(ours & ~taken), np.int32(theirs | taken), win))
    return low


def highest(masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32) -> np.int32:
    """Return the maximum evaluation after any of these placements."""
    return np.int32(placed(masks, ours, theirs, win).max(initial=-win))


@loop_of(highest)
def _highest(masks: NDArray[np.int32], ours: np.int32, theirs: np.int32, win: np.int32) -> np.int32:
    open_ = np.int32(~protected(theirs))
    high = np.int32(-win)
    for index in range(len(masks)):
        taken = np.int32(masks[index] & open_)
        high = max(high, evaluate(np.int32(ours | taken), np.int32(theirs & ~taken), win))
    return high


@inlined
def closes(word: int, other: int, closed_prefixes: NDArray[np.int32]) -> bool:
    """Return whether playing ``word`` closes ``other``: ``other`` equals ``word`` or is a prefix of it."""
    while word >= other > NO_WORD:  # words sort after their prefixes
        if word == other:
            return True
        word = int(closed_prefixes[word])
    return False


@inlined
def class_at(starts: NDArray[np.int64], placement: int) -> int:
    """Return the class of a placement; class ``c`` has placements ``starts[c]`` to ``starts[c + 1]``."""
    low = 0
    high = len(starts) - 1
    while high - low > 1:
        middle = (low + high) >> 1
        if starts[middle] <= placement:
            low = middle
        else:
            high = middle
    return low


@kernel("int64(int32[::1], int32[::1], int64[:, ::1], int64[::1], int64[::1], uint8[::1])")
def count_placements(
    classes: NDArray[np.int32],
    letters: NDArray[np.int32],
    packed: NDArray[np.int64],
    ways: NDArray[np.int64],
    starts: NDArray[np.int64],
    wanted: NDArray[np.uint8],
) -> int:
    """Write the start of each class's placements in the flat table, and return the total number.

    ``ways[32 * letter + k]`` is the number of ways to choose ``k`` of the board's tiles with that letter.
    Entries of ``wanted``, initially zeros, become 1 for each such pair that a class uses.
    """
    total = 0
    for index in range(len(classes)):
        class_ = int(classes[index])
        starts[index] = total
        product = 1
        rest = int(letters[class_])
        while rest:
            letter = lowest_bit(rest)
            rest &= rest - 1
            taken = (packed[class_, letter // FIELDS] >> (FIELD * (letter % FIELDS))) & MOST_ALIKE
            product *= ways[32 * letter + taken]
            wanted[32 * letter + taken] = 1
        total += product
    starts[len(classes)] = total
    return total


@kernel(
    "void(int32[::1], int32[::1], int64[:, ::1], int64[::1], int64[::1], int64[::1], int32[::1], int32[::1])"
)
def place_classes(
    classes: NDArray[np.int32],
    letters: NDArray[np.int32],
    packed: NDArray[np.int64],
    starts: NDArray[np.int64],
    ways: NDArray[np.int64],
    choice_starts: NDArray[np.int64],
    choices: NDArray[np.int32],
    masks: NDArray[np.int32],
) -> None:
    """Write the mask of every placement of every class.

    ``choices[choice_starts[32 * letter + k]:]`` are the masks of the ways to choose ``k`` tiles of the
    letter.
    """
    for index in range(len(classes)):
        class_ = int(classes[index])
        begin = starts[index]
        product = 1
        fixed = np.int32(0)
        masks[begin] = 0
        rest = int(letters[class_])
        while rest:
            letter = lowest_bit(rest)
            rest &= rest - 1
            taken = (packed[class_, letter // FIELDS] >> (FIELD * (letter % FIELDS))) & MOST_ALIKE
            number = ways[32 * letter + taken]
            first = choice_starts[32 * letter + taken]
            if number == 1:
                fixed |= choices[first]
                continue
            for choice in range(number - 1, -1, -1):  # last to first: the first is the source of the copies
                cells = choices[first + choice]
                at = begin + choice * product
                masks[at : at + product] = masks[begin : begin + product] | cells
            product *= number
        for place in range(begin, begin + product):
            masks[place] |= fixed


@kernel("int64(int64[::1], uint8[::1], int32[::1], int64[::1], int32[::1], int32[::1])")
def open_classes(
    member_starts: NDArray[np.int64],
    open_: NDArray[np.uint8],
    members: NDArray[np.int32],
    starts: NDArray[np.int64],
    first: NDArray[np.int32],
    only_open_word: NDArray[np.int32],
) -> int:
    """Write each class's commonest open word and its only open word; NO_WORD if there is none.

    Returns the number of placements of the classes with an open word.
    """
    total = 0
    for class_ in range(len(first)):
        number = 0
        first[class_] = NO_WORD
        for place in range(member_starts[class_], member_starts[class_ + 1]):
            if open_[place]:
                if number == 0:
                    first[class_] = members[place]
                number += 1
        only_open_word[class_] = first[class_] if number == 1 else NO_WORD
        if number:
            total += starts[class_ + 1] - starts[class_]
    return total


@kernel("int64(int32[::1], int64[::1], int32[::1], int32, int64[::1], int32[::1])")
def gather(
    first: NDArray[np.int32],
    starts: NDArray[np.int64],
    masks: NDArray[np.int32],
    required: np.int32,
    own_starts: NDArray[np.int64],
    own_masks: NDArray[np.int32],
) -> int:
    """Write the placements that use all ``required`` cells, of the classes with an open word in ``first``.

    Returns their number. Needs one spare entry: each entry is written before it is accepted.
    """
    total = 0
    for class_ in range(len(first)):
        own_starts[class_] = total
        if first[class_] != NO_WORD:
            for place in range(starts[class_], starts[class_ + 1]):
                own_masks[total] = masks[place]
                total += (masks[place] & required) == required
    own_starts[len(first)] = total
    return total


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
    values = placed(masks, ours, theirs, win)
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

    A bound does not hold if a word of the placement closes the reply that set it; ``reply_only_words`` has
    each such reply's only word, or NO_WORD. Bounds are ``done`` or greater.
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


@kernel("void(int16[::1], int64, int64, int32[::1])")
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
    dropped as soon as a reply puts it behind the entry it would replace. Each word of a class is a move of
    its own, and the best counts. ``killers`` are the replies that most recently refuted a move, latest first
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
    values[:] = replied(masks, ours, theirs, win)


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
