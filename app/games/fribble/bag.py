"""Bag and racks, as strings of tiles in alphabetical order, blanks last."""

from collections import Counter
from random import Random

from app.games.fribble.tileset import RACK, TILES


def ordered(tiles: str) -> str:
    """Return the tiles in alphabetical order, blanks last."""
    return "".join(sorted(tiles, key=TILES.index))


def missing(tiles: str, wanted: str) -> str:
    """Return the tiles of ``wanted`` that ``tiles`` lacks, with multiplicity."""
    return ordered("".join((Counter(wanted) - Counter(tiles)).elements()))


def without(tiles: str, taken: str) -> str:
    """Return ``tiles`` minus those ``taken``. Raises ValueError if one of them is missing."""
    if lacking := missing(tiles, taken):
        raise ValueError(f"there is no {lacking[0]} to take")
    return ordered("".join((Counter(tiles) - Counter(taken)).elements()))


def draw(bag: str, count: int, random: Random) -> tuple[str, str]:
    """Draw ``count`` tiles from the bag, or all if there are fewer; return them and the remaining bag."""
    left = list(bag)
    drawn = [left.pop(int(random.random() * len(left))) for _ in range(min(count, len(left)))]
    return ordered("".join(drawn)), "".join(left)


def fill(rack: str, bag: str, random: Random) -> tuple[str, str]:
    """Fill up the rack from the bag; return both."""
    drawn, left = draw(bag, RACK - len(rack), random)
    return ordered(rack + drawn), left
