"""The 25 tiles from the point of view of one side."""

from typing import Final, Literal, NamedTuple

from app.games.letterpress.territory import protected
from app.web.share.tiles import Look

_SAFE: Final[dict[Look, Look]] = {"first": "first-safe", "second": "second-safe"}


class Tile(NamedTuple):
    """One of the 25 tiles, from the point of view of one side."""

    cell: int
    letter: str
    owner: Literal["ours", "theirs"] | None
    protected: bool


def board_tiles(board: str, ours: int = 0, theirs: int = 0) -> list[Tile]:
    """Return the tiles of a board, with owners given as bit masks."""
    safe = protected(ours) | protected(theirs)
    return [
        Tile(
            cell=cell,
            letter=letter,
            owner="ours" if ours >> cell & 1 else "theirs" if theirs >> cell & 1 else None,
            protected=bool(safe >> cell & 1),
        )
        for cell, letter in enumerate(board)
    ]


def board_looks(board: str, ours: int, theirs: int) -> list[Look]:
    """Return the look of each tile in a picture; ``ours`` are the first side's tiles."""
    looks: list[Look] = []
    for tile in board_tiles(board, ours, theirs):
        owner: Look = "first" if tile.owner == "ours" else "second" if tile.owner else "plain"
        looks.append(_SAFE.get(owner, owner) if tile.protected else owner)
    return looks
