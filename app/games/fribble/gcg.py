"""GCG, the standard text format for Scrabble games (https://www.poslfit.com/scrabble/gcg/).

::

    #player1 anna Anna Karenina
    #player2 levin Konstantin Levin
    >anna: BEFILRB 8H FRIBBLE +69 69
    >levin: EINDRST H8 .RIENDS +24 24
    >anna: AVUUUII -VUUU +0 69

A turn's line has the rack, the play, its points and the new total. ``-`` is a pass, ``-VUUU`` an exchange,
``--`` a play withdrawn after a challenge. At the end, ``(EE) +2 100`` adds the opponents' remaining tiles,
``EE (EE) -2 80`` subtracts a player's own. In addition to GCG's pragmas we write ``#board-layout`` for the
preset, and two notes: ``#note #unsuccessful-challenge`` after a turn lost by a challenge, and ``#note NICK
resigned``.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from app.games.fribble.bag import ordered, without
from app.games.fribble.cgp import Cgp
from app.games.fribble.external_result import Ending, ending_of
from app.games.fribble.known import Impossible, holding
from app.games.fribble.notation import BadNotation, parse
from app.games.fribble.presets import presets
from app.games.fribble.reported_turns import ReportedTurn, Sides
from app.games.fribble.rules import Fribble
from app.games.fribble.settling import settle
from app.games.fribble.state import Challenge, Exchange, Move, Options, Pass, Place, State, Turn
from app.games.fribble.tileset import RACK
from app.games.game import Frozen, IllegalMove
from app.grammar import plural

SEED: Final = "gcg"
"""The seed of games dealt elsewhere."""
_LOST_CHALLENGE: Final = "#unsuccessful-challenge"

Kind: TypeAlias = Literal["place", "exchange", "pass", "withdrawn", "bonus", "left", "time"]

_PLAYER: Final = re.compile(r"#player(\d)\s+(\S+)\s*(.*)")
_EVENT: Final = re.compile(r">(\S+?):\s*(.*)")
_TILES: Final = re.compile("[A-Za-z?]+")
_POINTS: Final = r"\s+([+-]?\d{1,5})\s+(-?\d{1,5})(?:\s.*)?"
_RACK: Final = r"(?:([A-Za-z?]+)\s+)?"
_FORMS: Final[dict[Kind, re.Pattern[str]]] = {
    "withdrawn": re.compile(f"{_RACK}()(--){_POINTS}"),
    "pass": re.compile(f"{_RACK}()(-){_POINTS}"),
    "exchange": re.compile(rf"{_RACK}()-([A-Za-z?]+|[0-9]){_POINTS}"),
    "bonus": re.compile(rf"{_RACK}()(\(challenge\)){_POINTS}"),
    "time": re.compile(rf"{_RACK}()(\(time\)){_POINTS}"),
    "left": re.compile(rf"{_RACK}()\(([A-Za-z?]+)\){_POINTS}"),
    "place": re.compile(rf"{_RACK}([0-9]{{1,2}}[A-Oa-o]|[A-Oa-o][0-9]{{1,2}})\s+(\S+){_POINTS}"),
}


class BrokenGcg(ValueError):
    """The text is not GCG, or its game breaks the rules; the message names the line and the error."""


class Event(Frozen):
    """A line of a game."""

    line: int
    """Line number in the text, from 1."""
    seat: int
    kind: Kind
    rack: str
    """As far as it is given; ``?`` is a blank."""
    coordinate: str
    """For a placement."""
    text: str
    """For a placement its word; for an exchange the tiles or their number; for ``left`` the tiles."""
    points: int
    total: int
    note: str = ""


class Gcg(Frozen):
    """A parsed GCG text."""

    players: tuple[tuple[str, str], ...]
    """Per seat: nickname and full name."""
    events: tuple[Event, ...]
    preset: str | None
    """The value of ``#board-layout``."""
    lexicon: str | None
    """The value of ``#lexicon``."""
    racks: dict[int, str]
    """The values of ``#rack1`` and so on, by seat: racks after the last turn."""

    @property
    def has_challenges(self) -> bool:
        """Whether a play was challenged, so that the game cannot be one that rejects invalid words."""
        return any(event.kind == "withdrawn" or _LOST_CHALLENGE in event.note for event in self.events)


def is_gcg(text: str) -> bool:
    """Return whether ``text`` looks like GCG rather than rows of a board."""
    return text.lstrip("\ufeff\n\r\t ")[:1] in ("#", ">")


def read(text: str) -> Gcg:
    """Parse a game without playing its moves. Raises BrokenGcg naming the line."""
    players: dict[str, str] = {}
    pragmas: dict[str, str] = {}
    events: list[Event] = []
    for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        line = raw.strip()
        if match := _PLAYER.fullmatch(line):
            if match[1] != str(len(players) + 1):
                raise BrokenGcg(
                    f"line {number}: player {match[1]} comes where player {len(players) + 1} should"
                )
            if match[2] in players:
                raise BrokenGcg(f"line {number}: there is a player {match[2]!r} already")
            players[match[2]] = match[3].strip() or match[2]
        elif line.startswith("#note") and events:
            note = f"{events[-1].note} {line[5:].strip()}".strip()
            events[-1] = events[-1].model_copy(update={"note": note})
        elif line.startswith("#"):
            name, _, value = line[1:].partition(" ")
            pragmas[name.lower()] = value.strip()
        elif line.startswith(">"):
            events.append(_event(number, line, list(players)))
        elif line and not (events and events[-1].note):
            raise BrokenGcg(f"line {number}: {line[:40]!r} is neither a turn (>) nor a pragma (#)")
    if len(players) < 2:
        raise BrokenGcg("the text does not name two players: a game begins with #player1 and #player2")
    return Gcg(
        players=tuple(players.items()),
        events=tuple(events),
        preset=pragmas.get("board-layout"),
        lexicon=pragmas.get("lexicon"),
        racks={
            seat: ordered(rack.upper())
            for seat in range(len(players))
            if (rack := pragmas.get(f"rack{seat + 1}")) and _TILES.fullmatch(rack)
        },
    )


def lexicon_of(game: Gcg | Cgp, preset: str, names: Collection[str]) -> str:
    """Return the lexicon of a game or position: the one it names, if among ``names``, else its preset's.

    ``preset`` is used if it names no preset, or an unknown one.
    """
    named = (game.lexicon or "").lower()
    board = game.preset if game.preset in presets() else preset
    return named if named in names else presets()[board].lexicon


def replay(gcg: Gcg, game: Fribble, options: Options) -> tuple[State, ...]:
    """Replay the game by our rules; return all states, each with the rack given for the next turn.

    Tiles left at the end are settled by our rules: texts that add them twice to one player instead of
    subtracting them from the other give the same difference. Time penalties are ignored. Raises BrokenGcg
    naming the line that fails.
    """
    try:
        states = [game.start(options, len(gcg.players), SEED)]
    except IllegalMove as refused:
        raise BrokenGcg(refused.reason) from None
    for event in gcg.events:
        try:
            _follow(event, game, states)
        except (IllegalMove, BadNotation, Impossible) as error:
            raise BrokenGcg(f"line {event.line}: {error}") from None
    last = states[-1]
    if last.out is not None and last.reason is None:
        states.append(game.apply(last, last.to_move, Pass(), 0.0))
    for seat, rack in gcg.racks.items() if states[-1].reason is None else ():
        try:
            states[-1] = holding(states[-1], seat, rack)
        except Impossible as error:
            raise BrokenGcg(f"#rack{seat + 1}: {error}") from None
    return tuple(states)


def write(
    states: Sequence[State],
    names: Sequence[str],
    shown: Collection[int] | None = None,
    held: Collection[int] | None = None,
) -> str:
    """Return the GCG text of a game from all its states; ``names`` are the players'.

    Full racks are written only for the seats ``shown``, by default all; for other seats, only what opponents
    saw. For a game in progress, the current racks of the seats ``held`` are added, by default those of
    ``shown``.
    """
    nicks = [re.sub(r"[\s:]+", "_", name) or f"seat{seat}" for seat, name in enumerate(names)]
    nicks = [nick if nicks.count(nick) == 1 else f"{nick}{seat + 1}" for seat, nick in enumerate(nicks)]
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
    for seat, change in enumerate(last.settled):
        if seat == last.out:
            others = "".join(rack for other, rack in enumerate(last.racks) if other not in last.resigned)
            lines.append(f">{nicks[seat]}: ({ordered(others)}) +{change} {last.scores[seat]}")
        elif last.racks[seat] and seat not in last.resigned:
            rack = last.racks[seat]
            lines.append(f">{nicks[seat]}: {rack} ({rack}) -{-change} {last.scores[seat]}")
    lines += [f"#note {nicks[seat]} resigned" for seat in last.resigned]
    return "\n".join(lines) + "\n"


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
    return "\n".join([*lines, *(_settlement_lines(sides, end, names) if end else ())]) + "\n"


def _settlement_lines(sides: Sides, end: Ending, names: tuple[str, str]) -> Iterator[str]:
    """Yield the lines that settle the tiles left, if known."""
    for name, account, other in zip(names, (end.ours, end.theirs), (end.theirs, end.ours), strict=True):
        if account.held:
            worth = sides.preset.tiles.worth(account.held)
            yield f">{name}: {account.held} ({account.held}) -{worth} {account.most}"
        elif end.out is not None and other.held:
            worth = sides.preset.tiles.worth(other.held)
            yield f">{name}: ({other.held}) +{worth} {account.most}"


def _reported_play(turn: ReportedTurn) -> str:
    if turn.text == "pass":
        return "- +0"
    return f"-{turn.returned or turn.text.split()[-1]} +0"


def _event(number: int, line: str, nicks: list[str]) -> Event:
    match = _EVENT.fullmatch(line)
    if match is None:
        raise BrokenGcg(f"line {number}: a turn begins with a player's name and a colon, as in '>anna: '")
    nick, rest = match.groups()
    if nick not in nicks:
        raise BrokenGcg(f"line {number}: there is no player {nick!r}; there are {', '.join(nicks) or 'none'}")
    for kind, form in _FORMS.items():
        if match := form.fullmatch(rest.strip()):
            rack, coordinate, text, points, total = match.groups()
            return Event(
                line=number,
                seat=nicks.index(nick),
                kind=kind,
                rack=ordered((rack or "").upper()),
                coordinate=coordinate,
                text=text,
                points=int(points),
                total=int(total),
            )
    raise BrokenGcg(
        f"line {number}: {rest[:60]!r} is not a turn: expected are rack, square, word, points and score, "
        "as in 'EINDRST H8 .RIENDS +24 24'"
    )


def _follow(event: Event, game: Fribble, states: list[State]) -> None:
    """Append the state after the event, and correct the state before it to the given rack."""
    if event.kind == "time":
        return
    if event.kind == "bonus":
        raise IllegalMove("points for a lost challenge are not part of these rules: a turn is lost instead")
    if event.kind == "left":
        _end(event, game, states)
        return
    state = states[-1]
    if state.reason is not None:
        if event.kind == "pass" and state.out is not None:
            return  # a pass that accepts the last play, where plays may be challenged
        raise IllegalMove(f"the game was over before this turn: {state.reason}")
    if event.kind == "withdrawn":
        after = game.apply(state, (event.seat + 1) % len(state.scores), Challenge(), 0.0)
        if after.turns[-1].kind != "withdrawn":
            words = " and ".join(state.turns[-1].words)
            raise IllegalMove(f"{words} may stay: there is no invalid word to withdraw")
    else:
        move = _move(event, state)
        if event.seat == state.to_move:
            state = states[-1] = holding(state, event.seat, event.rack or tiles_used(move))
        after = game.apply(state, event.seat, move, 0.0)
        if isinstance(move, Challenge) and after.turns[-1].kind == "withdrawn":
            words = " and ".join(after.turns[-1].words)
            raise IllegalMove(f"the challenge was lost, but {words} is not all in this word list")
    _check_points(event, state, after)
    states.append(after)


def _move(event: Event, state: State) -> Move:
    if event.kind == "place":
        placement = parse(f"{event.coordinate} {event.text}", state.board)
        return Place(cells=placement.cells, tiles=placement.tiles)
    if event.kind == "exchange":
        rack = holding(state, event.seat, event.rack).racks[event.seat]
        rack = event.rack + without(rack, event.rack)
        tiles = rack[: int(event.text)] if event.text.isdigit() else event.text.upper()
        if not 0 < len(tiles) <= RACK:
            raise IllegalMove(f"an exchange is of 1 to {RACK} tiles, not {len(tiles)}")
        return Exchange(tiles=tiles)
    return Challenge() if _LOST_CHALLENGE in event.note else Pass()


def tiles_used(move: Move) -> str:
    """Return the tiles that ``move`` takes off the rack."""
    match move:
        case Place():
            return move.used
        case Exchange(tiles=tiles):
            return tiles
        case _:
            return ""


def _check_points(event: Event, before: State, after: State) -> None:
    settled = after.settled[event.seat] if after.settled else 0
    total = after.scores[event.seat] - settled
    points = total - before.scores[event.seat]
    if event.points != points:
        raise IllegalMove(f"the turn makes {points:+} {plural(points, 'point')}, not {event.points:+}")
    if event.total != total:
        raise IllegalMove(f"the score is {total} then, not {event.total}")


def _end(event: Event, game: Fribble, states: list[State]) -> None:
    """Check the tiles given as left; their points follow from our rules."""
    state = states[-1]
    if state.out is not None and state.reason is None:
        state = game.apply(state, state.to_move, Pass(), 0.0)
        states.append(state)
    if state.reason is None:
        raise IllegalMove("tiles are counted off though the game is not over")
    given = ordered(event.text.upper())
    if event.seat != state.out:
        points = tuple(score - change for score, change in zip(state.scores, state.settled, strict=True))
        before = state.model_copy(update={"scores": points, "settled": (), "reason": None})
        state = states[-1] = settle(holding(before, event.seat, given), state.reason)
    left = state.racks[event.seat] if event.seat != state.out else "".join(state.racks)
    if given != ordered(left):
        raise IllegalMove(f"the tiles left are {ordered(left) or 'none'}, not {event.text}")


def _turn_lines(before: State, after: State, nicks: list[str], visible: Collection[int]) -> list[str]:
    if len(after.turns) == len(before.turns):
        if not after.turns or after.turns[-1] == before.turns[-1]:
            return []
        turn, points = after.turns[-1], before.turns[-1].points
        racks, play = after.racks, f"-- -{points}"
    else:
        turn = after.turns[-1]
        racks, play = before.racks, _play(turn, known=turn.seat in visible)
    total = after.scores[turn.seat] - (after.settled[turn.seat] if after.settled else 0)
    shown = ordered(turn.placement.used) if turn.placement else ""
    rack = racks[turn.seat] if turn.seat in visible else shown
    lines = [" ".join(filter(None, (f">{nicks[turn.seat]}:", rack, play, str(total))))]
    if turn.kind == "challenge":
        lines.append(f"#note {_LOST_CHALLENGE}")
    return lines


def _play(turn: Turn, *, known: bool) -> str:
    if turn.kind == "place":
        return f"{turn.coordinate} {turn.text} +{turn.points}"
    if turn.kind == "exchange":
        return f"-{turn.returned if known else turn.exchanged} +0"
    return "- +0"
