"""For games played elsewhere: adjusts a state to tiles that become known."""

from app.games.fribble.bag import draw, fill, missing, ordered, without
from app.games.fribble.board import Board
from app.games.fribble.presets import presets
from app.games.fribble.state import BeforePlay, State
from app.games.randomness import generator, pick
from app.grammar import format_count, plural


class Impossible(ValueError):
    """The tiles cannot be on that rack or board; the message says why."""


def with_rack(state: State, seat: int, tiles: str, *, known: frozenset[int] = frozenset()) -> State:
    """Return the state with ``tiles`` on the rack of ``seat``, filled up to its size with other tiles.

    The tiles come from its rack and the bag, and if necessary from other racks, except those of the seats
    ``known``, in exchange for other tiles. Raises Impossible.
    """
    rack = state.racks[seat]
    if len(tiles) > len(rack):
        raise Impossible(
            f"{tiles} {plural(len(tiles), 'is', 'are')} {format_count(len(tiles), 'tile')}: "
            f"the rack holds {len(rack)} at this point"
        )
    racks, pool = list(state.racks), rack + state.bag
    random = generator(f"{state.seed}/holding {seat} {ordered(tiles)}", state.ply)
    for tile in missing(pool, tiles):
        holders = (other for other in range(len(racks)) if other != seat and other not in known)
        holder = next((other for other in holders if tile in racks[other]), None)
        if holder is None:
            raise Impossible(f"the rack cannot hold {tiles.count(tile)} of {tile}: the others are elsewhere")
        spare = pick(random, missing(tiles, pool))
        racks[holder] = ordered(without(racks[holder], tile) + spare)
        pool = without(pool, spare) + tile
    drawn, bag = draw(without(pool, tiles), len(rack) - len(tiles), random)
    racks[seat] = ordered(tiles + drawn)
    changes = {"racks": tuple(racks), "bag": bag, "unsettled": _before_play(state, racks, bag)}
    return state.model_copy(update=changes)


def _before_play(state: State, racks: list[str], bag: str) -> BeforePlay | None:
    """Return the position before the challengeable play, adjusted to these racks and this bag."""
    before, played = state.unsettled, state.turns[-1] if state.turns else None
    if before is None or played is None or played.placement is None:
        return None
    used, now = played.placement.used, racks[played.seat]
    old = without(before.rack, used)
    kept = without(old, missing(now, old))
    kept += without(now, kept)[: len(old) - len(kept)]
    return before.model_copy(update={"rack": ordered(used + kept), "bag": bag + without(now, kept)})


def with_board(state: State, board: Board) -> State:
    """Return the state with this board, and the remaining tiles dealt again. Raises Impossible."""
    everything = presets()[state.options.preset].tiles.full_bag
    if lacking := missing(everything, board.tiles):
        raise Impossible(f"the board has more tiles than there are: {lacking}")
    random, bag = generator(state.seed, state.ply), without(everything, board.tiles)
    racks: list[str] = []
    for _ in state.racks:
        rack, bag = fill("", bag, random)
        racks.append(rack)
    return state.model_copy(update={"board": board, "racks": tuple(racks), "bag": bag})
