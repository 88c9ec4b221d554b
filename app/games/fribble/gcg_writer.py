"""Writes games as GCG; see ``gcg.py``."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from app.games.departures import all_departures
from app.games.fribble.bag import ordered
from app.games.fribble.external_result import Ending, ending_of
from app.games.fribble.gcg import LOST_CHALLENGE
from app.games.fribble.reported_turns import ReportedTurn, Sides
from app.games.fribble.state import State, Turn


def write(
    states: Sequence[State],
    names: Sequence[str],
    shown: Collection[int] | None = None,
    held: Collection[int] | None = None,
) -> str:
    """Return the GCG text of a game from all its states; ``names`` are the players'.

    Full racks are written only for the seats ``shown``, by default all; for other seats, only the tiles that
    opponents saw. For a game in progress, the current racks of the seats ``held`` are added, by default those
    of ``shown``.
    """
    nicks = [re.sub(r"[\s:]+", "_", name) or f"seat{seat}" for seat, name in enumerate(names)]
    if len(set(nicks)) < len(nicks):
        nicks = [f"{nick}_{seat + 1}" for seat, nick in enumerate(nicks)]
    last, visible = states[-1], range(len(nicks)) if shown is None else shown
    open_now = visible if held is None else held
    lines = ["#character-encoding UTF-8"]
    lines += [
        f"#player{seat + 1} {nick} {name}" for seat, (nick, name) in enumerate(zip(nicks, names, strict=True))
    ]
    lines += [f"#lexicon {last.lexicon.name}", f"#board-layout {last.options.preset}"]
    if last.reason is None:
        lines += ["#incomplete", *(f"#rack{seat + 1} {last.racks[seat]}" for seat in sorted(open_now))]
    for before, after in pairwise(states):
        lines += _turn_lines(before, after, nicks, visible)
    lines += _settlement_lines(last, nicks)
    return "\n".join(lines) + "\n"


def _settlement_lines(last: State, nicks: Sequence[str]) -> Iterator[str]:
    """The lines that settle the tiles left on the racks at the end."""
    # The reader has to know the racks of the other seats before those of resigned seats with unknown tiles.
    settled = sorted(enumerate(last.settled), key=lambda each: bool(last.resigned) and each[0] == last.out)
    for seat, change in settled:
        rack = last.racks[seat]
        if seat == last.out:
            others = "".join(rack for other, rack in enumerate(last.racks) if other not in last.resigned)
            yield f">{nicks[seat]}: ({ordered(others)}) +{change} {last.scores[seat]}"
        elif rack and seat not in last.resigned:
            yield f">{nicks[seat]}: {rack} ({rack}) -{-change} {last.scores[seat]}"


def write_reported(sides: Sides, rack: str, names: tuple[str, str], preset: str, lexicon: str) -> str:
    """Return the GCG text of a game reported from an empty board, as far as its tiles are known.

    ``names`` are ours and theirs; ``rack`` is our current rack. Known tiles left at the end are settled.
    """
    began_ours = sides.turns[0].ours if sides.turns else sides.our_turn
    order = names if began_ours else names[::-1]
    lines = ["#character-encoding UTF-8"]
    lines += [f"#player{seat} {name} {name}" for seat, name in enumerate(order, start=1)]
    lines += [f"#lexicon {lexicon}", f"#board-layout {preset}"]
    end = ending_of(sides, rack)
    if end is None:
        lines.append("#incomplete")
    if rack and (end is None or end.out is None):
        lines.append(f"#rack{order.index(names[0]) + 1} {rack}")
    totals = {True: 0, False: 0}
    for turn in sides.turns:
        totals[turn.ours] += turn.points
        play = f"{turn.text.replace('?', '')} +{turn.points}" if turn.placement else _reported_play(turn)
        parts = (f">{names[not turn.ours]}:", ordered(turn.used), play, str(totals[turn.ours]))
        lines.append(" ".join(filter(None, parts)))
    return "\n".join([*lines, *(_reported_settlement(sides, end, names) if end else ())]) + "\n"


def _reported_settlement(sides: Sides, end: Ending, names: tuple[str, str]) -> Iterator[str]:
    """Yield the lines that settle the tiles left, if known."""
    for name, account, other in zip(names, (end.ours, end.theirs), (end.theirs, end.ours), strict=True):
        if account.held:
            points = sides.preset.tiles.total_points(account.held)
            yield f">{name}: {account.held} ({account.held}) -{points} {account.most}"
        elif end.out is not None and other.held:
            points = sides.preset.tiles.total_points(other.held)
            yield f">{name}: ({other.held}) +{points} {account.most}"


def _reported_play(turn: ReportedTurn) -> str:
    if turn.text == "pass":
        return "- +0"
    return f"-{turn.returned or turn.text.split()[-1]} +0"


def _turn_lines(before: State, after: State, nicks: list[str], visible: Collection[int]) -> Iterator[str]:
    if line := _turn_line(before, after, nicks, visible):
        yield line
        if after.turns[-1].kind == "challenge":
            yield f"#note {LOST_CHALLENGE}"
    for left in all_departures(after.resigned[len(before.resigned) :], after):
        yield f"#note {nicks[left.seat]} {left.how}"


def _turn_line(before: State, after: State, nicks: list[str], visible: Collection[int]) -> str:
    """Return the line of the turn taken or withdrawn; empty if there was none."""
    if len(after.turns) == len(before.turns):
        if not after.turns or after.turns[-1] == before.turns[-1]:
            return ""
        turn, points = after.turns[-1], before.turns[-1].points
        racks, play = after.racks, f"-- -{points}"
    else:
        turn = after.turns[-1]
        racks, play = before.racks, _play(turn, known=turn.seat in visible)
    total = after.scores[turn.seat] - (after.settled[turn.seat] if after.settled else 0)
    shown = ordered(turn.placement.used) if turn.placement else ""
    rack = racks[turn.seat] if turn.seat in visible else shown
    return " ".join(filter(None, (f">{nicks[turn.seat]}:", rack, play, str(total))))


def _play(turn: Turn, *, known: bool) -> str:
    if turn.kind == "place":
        return f"{turn.coordinate} {turn.text} +{turn.points}"
    if turn.kind == "exchange":
        return f"-{turn.returned if known else turn.exchanged} +0"
    return "- +0"
