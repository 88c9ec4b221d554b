"""The end and result of a game played elsewhere, as far as its reported turns determine them.

Draws are not reported, but the number of tiles is known: a player draws as many as were laid, while the bag
lasts.
"""

from typing import Literal, NamedTuple

from app.games.fribble.reported_turns import Sides
from app.games.fribble.tileset import RACK, TileSet


class Account(NamedTuple):
    """A side's final score."""

    held: str | None
    """The tiles left on the side's rack; None if unknown."""
    least: int
    most: int
    """Bounds of the score, equal if the tiles are known."""


class Ending(NamedTuple):
    """The end of a game."""

    out: bool | None
    """Whether we went out; None if scoreless turns ended the game."""
    ours: Account
    theirs: Account

    @property
    def winner(self) -> Literal["ours", "theirs", "draw"] | None:
        """The winning side; None if that depends on unknown tiles."""
        if self.ours.least > self.theirs.most:
            return "ours"
        if self.theirs.least > self.ours.most:
            return "theirs"
        known = self.ours.least == self.ours.most and self.theirs.least == self.theirs.most
        return "draw" if known else None


def reason(sides: Sides, ending: Ending) -> str:
    """Return why the game is over and how it is settled, as a text addressed to us."""
    if ending.out is None:
        turns = f"The last {sides.scoreless} turns made no points, which ends the game under "
        return f"{turns}{sides.preset.title} rules. What each side still holds is taken off its score."
    if ending.out:
        return (
            "You are out: your last tile is laid, and the bag is empty. "
            "What they still hold is taken off their score and given to you."
        )
    return (
        "They are out: their last tile is laid, and the bag is empty. "
        "What you still hold is taken off your score and given to them."
    )


def verdict(ending: Ending) -> str:
    """Return the result as a text addressed to us, as far as it is known."""
    match ending.winner:
        case "ours":
            return "You win."
        case "theirs":
            return "They win."
        case "draw":
            return "It is a draw."
        case None:
            return "Who wins depends on the tiles left."


def rack_sizes(sides: Sides, rack: str) -> tuple[int, int]:
    """Return the sizes of our and their rack; ``rack`` is ours as far as it is known."""
    laid = [(turn.ours, len(turn.placement.cells)) for turn in sides.turns if turn.placement]
    unseen = len(sides.unseen())
    bag = unseen + sum(count for _, count in laid) - 2 * RACK
    if bag < 0:  # the game was entered from a board too full for two full racks
        return len(rack), unseen - len(rack)
    racks = {True: RACK, False: RACK}
    for ours, count in laid:
        drawn = min(count, bag)
        bag -= drawn
        racks[ours] += drawn - count
    return racks[True], racks[False]


def is_over(sides: Sides) -> bool:
    """Return whether the turns alone show that the game has ended."""
    complete = len(sides.unseen()) + sum(len(turn.used) for turn in sides.turns if turn.placement) >= 2 * RACK
    return sides.stalled or (complete and ending_of(sides, "") is not None)


def ending_of(sides: Sides, rack: str) -> Ending | None:
    """Return the end of the game; None while it is running. ``rack`` is ours as far as it is known."""
    ours, theirs = rack_sizes(sides, rack)
    left = sides.unseen()
    last = next((turn for turn in reversed(sides.turns) if turn.placement), None)
    if last and (ours if last.ours else theirs) <= 0 and len(left) <= RACK:
        return _after_going_out(sides, left, ours=last.ours)
    if sides.stalled:
        complete = bool(rack) and len(rack) == ours
        return _after_stalling(sides, rack if complete else None, bag=len(left) - ours - theirs)
    return None


def _after_going_out(sides: Sides, left: str, *, ours: bool) -> Ending:
    left_points = sides.preset.tiles.total_points(left)
    if ours:
        return Ending(ours, _exact("", sides.ours + left_points), _exact(left, sides.theirs - left_points))
    return Ending(ours, _exact(left, sides.ours - left_points), _exact("", sides.theirs + left_points))


def _after_stalling(sides: Sides, rack: str | None, bag: int) -> Ending:
    tiles, unseen = sides.preset.tiles, sides.unseen(rack or "")
    theirs = unseen if rack is not None and not bag else None
    return Ending(
        None,
        _subtract_rack(sides.ours, rack, unseen, tiles),
        _subtract_rack(sides.theirs, theirs, unseen, tiles),
    )


def _subtract_rack(score: int, rack: str | None, unseen: str, tiles: TileSet) -> Account:
    """Return the score minus the rack; an unknown rack may be any of the ``unseen`` tiles."""
    if rack is not None:
        return _exact(rack, score - tiles.total_points(rack))
    heaviest = sorted(map(tiles.value, unseen), reverse=True)[:RACK]
    return Account(None, score - sum(heaviest), score)


def _exact(rack: str, score: int) -> Account:
    return Account(rack, score, score)
