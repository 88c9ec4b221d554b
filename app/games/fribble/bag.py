"""The bag and the racks: texts of tiles in the order of the alphabet, blanks last."""

from collections import Counter
from random import Random

from app.games.fribble.tileset import RACK, TILES


def ordered(tiles: str) -> str:
    """Tiles in the order of the alphabet, blanks last."""
    return "".join(sorted(tiles, key=TILES.index))


def missing(tiles: str, wanted: str) -> str:
    """The tiles of ``wanted`` that ``tiles`` has not, each as often as it lacks."""
    return ordered("".join((Counter(wanted) - Counter(tiles)).elements()))


def without(tiles: str, taken: str) -> str:
    """``tiles`` less those ``taken``. Raises ValueError if one of them is not there."""
    if lacking := missing(tiles, taken):
        raise ValueError(f"there is no {lacking[0]} to take")
    return ordered("".join((Counter(tiles) - Counter(taken)).elements()))


def draw(bag: str, count: int, random: Random) -> tuple[str, str]:
    """So many tiles from the bag, or all there are, and what stays in it."""
    left = list(bag)
    drawn = [left.pop(int(random.random() * len(left))) for _ in range(min(count, len(left)))]
    return ordered("".join(drawn)), "".join(left)


def fill(rack: str, bag: str, random: Random) -> tuple[str, str]:
    """The rack filled up from the bag, and the bag then."""
    drawn, left = draw(bag, RACK - len(rack), random)
    return ordered(rack + drawn), left
