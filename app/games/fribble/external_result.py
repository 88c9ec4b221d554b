"""How a game that is told comes to its end, and what the scores are then, as far as the turns tell.

Nobody tells what is drawn, but how much can be counted: who lays tiles draws as many while the bag has them.
"""

from typing import Literal, NamedTuple

from app.games.fribble.reported_turns import Sides
from app.games.fribble.tileset import RACK, TileSet


class Account(NamedTuple):
    """What a side's score comes to once the tiles left are counted."""

    held: str | None
    """The tiles this side is left with; None where nobody can tell."""
    least: int
    most: int
    """The score is between these two, which are the same where the tiles are known."""


class Ending(NamedTuple):
    """The end of a game."""

    out: bool | None
    """Whether it was we who laid the last tile; None where turns without points ended the game."""
    ours: Account
    theirs: Account

    @property
    def winner(self) -> Literal["ours", "theirs", "draw"] | None:
        """The side that has won; None while that depends on tiles that are not known."""
        if self.ours.least > self.theirs.most:
            return "ours"
        if self.theirs.least > self.ours.most:
            return "theirs"
        known = self.ours.least == self.ours.most and self.theirs.least == self.theirs.most
        return "draw" if known else None


def reason(sides: Sides, ending: Ending) -> str:
    """Why the game is over and what is counted then, for us."""
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
    """Who has won, as far as that is known."""
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
    """How many tiles we hold and how many they do; ``rack`` is ours as far as it is told."""
    laid = [(turn.ours, len(turn.placement.cells)) for turn in sides.turns if turn.placement]
    unseen = len(sides.unseen())
    bag = unseen + sum(count for _, count in laid) - 2 * RACK
    if bag < 0:  # told from a board on that was too full for two full racks
        return len(rack), unseen - len(rack)
    racks = {True: RACK, False: RACK}
    for ours, count in laid:
        drawn = min(count, bag)
        bag -= drawn
        racks[ours] += drawn - count
    return racks[True], racks[False]


def is_over(sides: Sides) -> bool:
    """Whether the game has ended, as far as its turns alone tell."""
    whole = len(sides.unseen()) + sum(len(turn.used) for turn in sides.turns if turn.placement) >= 2 * RACK
    return sides.stalled or (whole and ending_of(sides, "") is not None)


def ending_of(sides: Sides, rack: str) -> Ending | None:
    """How the game has ended; None while it goes on. ``rack`` is ours as far as it is told."""
    ours, theirs = rack_sizes(sides, rack)
    left = sides.unseen()
    last = next((turn for turn in reversed(sides.turns) if turn.placement), None)
    if last and (ours if last.ours else theirs) <= 0 and len(left) <= RACK:
        return _gone_out(sides, left, ours=last.ours)
    if sides.stalled:
        all_told = bool(rack) and len(rack) == ours
        return _stalled(sides, rack if all_told else None, bag=len(left) - ours - theirs)
    return None


def _gone_out(sides: Sides, left: str, *, ours: bool) -> Ending:
    worth = sides.preset.tiles.worth(left)
    if ours:
        return Ending(ours, _known("", sides.ours + worth), _known(left, sides.theirs - worth))
    return Ending(ours, _known(left, sides.ours - worth), _known("", sides.theirs + worth))


def _stalled(sides: Sides, rack: str | None, bag: int) -> Ending:
    tiles, unseen = sides.preset.tiles, sides.unseen(rack or "")
    theirs = unseen if rack is not None and not bag else None
    return Ending(None, _less(sides.ours, rack, unseen, tiles), _less(sides.theirs, theirs, unseen, tiles))


def _less(score: int, rack: str | None, unseen: str, tiles: TileSet) -> Account:
    """A score less what is on the rack, which is any of the tiles ``unseen`` where it is not known."""
    if rack is not None:
        return _known(rack, score - tiles.worth(rack))
    heaviest = sorted(map(tiles.value, unseen), reverse=True)[:RACK]
    return Account(None, score - sum(heaviest), score)


def _known(rack: str, score: int) -> Account:
    return Account(rack, score, score)
