"""Sort orders for a list of moves."""

from collections.abc import Callable, Iterable
from typing import Final, Literal, TypeAlias, get_args

from app.games.letterpress.solver import Advice, Choice
from app.games.letterpress.territory import protected, vulnerability

Order: TypeAlias = Literal["value", "tiles", "protection", "vulnerability", "length"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)


def sort_choices(choices: Iterable[Choice], order: Order) -> list[Choice]:
    """Return the choices sorted by ``order``, best first; the sort is stable.

    ``tiles`` and ``protection`` sort by our lead after the move, in tiles and in protected tiles;
    ``vulnerability`` by the lowest, ``length`` by the longest word. ``value`` keeps the order of the search.
    """
    return sorted(choices, key=lambda choice: _KEYS[order](choice.best))


_KEYS: Final[dict[Order, Callable[[Advice], int]]] = {
    "value": lambda _: 0,
    "tiles": lambda move: -move.territory.lead,
    "protection": lambda move: (
        protected(move.territory.theirs).bit_count() - protected(move.territory.ours).bit_count()
    ),
    "vulnerability": lambda move: vulnerability(move.territory.ours),
    "length": lambda move: -len(move.word),
}
