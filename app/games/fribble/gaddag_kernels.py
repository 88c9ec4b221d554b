"""Steps in a GADDAG, compiled into the kernels that take them."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import inlined, popcount
from app.words.gaddag import ENDS, NOWHERE, SEPARATOR

LETTERS: Final = (1 << SEPARATOR) - 1
TARGET: Final = ENDS - 1


@inlined
def peek(gaddag: NDArray[np.uint32], index: int) -> int:
    """Return an entry as a signed integer, for arithmetic with other signed ones."""
    return int(np.int64(gaddag[index]))


@inlined
def follow(gaddag: NDArray[np.uint32], node: int, symbol: int) -> int:
    """Return the arc of ``node`` for ``symbol``: its target, with the flag ENDS; NOWHERE if there is none."""
    symbols = peek(gaddag, node)
    if not symbols >> symbol & 1:
        return NOWHERE
    return peek(gaddag, node + 1 + popcount(symbols & ((1 << symbol) - 1)))
