"""The path of one word on a board, whether or not it is in a lexicon."""

from functools import lru_cache
from typing import Final

from app.games.boggle.board import Board

MOST_STEPS: Final = 2_000
"""Maximum cells visited in the search for a path: a board with few different letters has very many paths."""


class TooManySteps(ValueError):
    """The search for a path was given up."""


@lru_cache(maxsize=4096)
def path_of(word: str, board: Board, *, qu: bool) -> tuple[int, ...]:
    """Return the word's first path in lexicographic order; empty if there is none. Raises TooManySteps."""
    if qu and word.count("q") > word.count("qu"):
        return ()
    faces = word.replace("qu", "q") if qu else word
    letters, neighbours = board.letters, board.grid.neighbours
    # Per letter of the word: the cells from which the rest can be spelled if cells could be reused.
    leading = [{cell for cell, letter in enumerate(letters) if letter == faces[-1]}]
    for face in reversed(faces[:-1]):
        leading.append(
            {
                cell
                for cell, letter in enumerate(letters)
                if letter == face and not leading[-1].isdisjoint(neighbours[cell])
            }
        )
    leading.reverse()
    steps = 0

    def extended(path: tuple[int, ...]) -> tuple[int, ...]:
        nonlocal steps
        if len(path) == len(faces):
            return path
        for cell in neighbours[path[-1]] if path else range(len(letters)):
            if cell in leading[len(path)] and cell not in path:
                steps += 1
                if steps > MOST_STEPS:
                    raise TooManySteps
                if found := extended((*path, cell)):
                    return found
        return ()

    return extended(()) if len(faces) <= len(letters) else ()
