"""Boards that are the same but for how the table is turned."""

from functools import cache

import numpy as np
from numpy.typing import NDArray


@cache
def symmetries(width: int, height: int) -> NDArray[np.int64]:
    """(8, cells) for a square, (4, cells) for another rectangle: each row takes a board to one of its images.

    The image of ``board`` under row ``s`` is ``board[s]``; row 0 leaves it as it is.
    """
    cells = np.arange(width * height).reshape(height, width)
    turned = [cells, cells[::-1], cells[:, ::-1], cells[::-1, ::-1]]
    if width == height:
        turned += [image.T for image in turned]
    return np.array([image.reshape(-1) for image in turned])


def canonical(board: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """(cells,): the one of a board's images that comes first in the alphabet, the same for all of them."""
    images = board[symmetries(width, height)]
    first: NDArray[np.uint8] = images[np.lexsort(images.T[::-1])[0]]
    return first
