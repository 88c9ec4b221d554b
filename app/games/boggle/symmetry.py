"""Rotations and reflections of boards."""

from functools import cache

import numpy as np
from numpy.typing import NDArray


@cache
def symmetries(width: int, height: int) -> NDArray[np.int64]:
    """(8, cells) for a square, (4, cells) for another rectangle: the symmetries, as permutations of cells.

    ``board[s]`` is the image of ``board`` under row ``s``; row 0 is the identity.
    """
    cells = np.arange(width * height).reshape(height, width)
    turned = [cells, cells[::-1], cells[:, ::-1], cells[::-1, ::-1]]
    if width == height:
        turned += [image.T for image in turned]
    return np.array([image.reshape(-1) for image in turned])


def canonical(board: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """(cells,): the lexicographically first image of a board, the same for all its images."""
    images = board[symmetries(width, height)]
    first: NDArray[np.uint8] = images[np.lexsort(images.T[::-1])[0]]
    return first
