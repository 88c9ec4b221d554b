"""GCG, the text format in which games of the field are kept (https://www.poslfit.com/scrabble/gcg/).

::

    #player1 anna Anna Karenina
    #player2 levin Konstantin Levin
    >anna: BEFILRB 8H FRIBBLE +69 69
    >levin: EINDRST H8 .RIENDS +24 24
    >anna: AVUUUII -VUUU +0 69

A line of a turn has the rack, what was done, its points and the score then. ``-`` is a pass, ``-VUUU`` an
exchange, ``--`` a play withdrawn because it was challenged; ``(EE) +2 100`` gives a player the tiles that
others are left with, ``EE (EE) -2 80`` takes them off. Besides the pragmas of the format there are
``#board-layout`` for the preset, and two notes: ``#note #unsuccessful-challenge`` after a turn lost that way,
and ``#note NICK resigned``.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from app.games.fribble.bag import ordered, without
from app.games.fribble.external_result import Ending, ending_of
from app.games.fribble.known import Impossible, holding
from app.games.fribble.notation import BadNotation, parse
from app.games.fribble.presets import presets
from app.games.fribble.reported_turns import ReportedTurn, Sides
from app.games.fribble.rules import Fribble, settle
from app.games.fribble.state import Challenge, Exchange, Move, Options, Pass, Place, State, Turn
from app.games.fribble.tileset import RACK
from app.games.game import Frozen, IllegalMove
from app.grammar import plural

SEED: Final = "gcg"
"""Of games that were dealt elsewhere."""
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
    """The text is no GCG, or its game does not follow the rules; the message names the line and the fault."""


class Event(Frozen):
    """One line of a game."""

    line: int
    """Its number in the text, from 1."""
    seat: int
    kind: Kind
    rack: str
    """As far as it is told; ``?`` is a blank."""
    coordinate: str
    """Of a placement."""
    text: str
    """Of a placement its word; of an exchange the tiles or their number; of ``left`` the tiles."""
    points: int
    total: int
    note: str = ""


class Gcg(Frozen):
    """A game as a text has it."""

    players: tuple[tuple[str, str], ...]
    """Per seat: the short name in the lines, and the full name."""
    events: tuple[Event, ...]
    preset: str | None
    """What ``#board-layout`` names."""
    lexicon: str | None
    """What ``#lexicon`` names."""
    racks: dict[int, str]
    """What ``#rack1`` and so on tell of the seats' racks after the last turn."""

    @property
    def has_challenges(self) -> bool:
        """Whether a play was challenged: the game was not one in which invalid words are refused."""
        return any(event.kind == "withdrawn" or _LOST_CHALLENGE in event.note for event in self.events)


def is_gcg(text: str) -> bool:
    """Whether ``text`` begins as a GCG does, unlike the rows of a board."""
    return text.lstrip("\ufeff\n\r\t ")[:1] in ("#", ">")


def read(text: str) -> Gcg:
    """The game in ``text``, its moves not yet played. Raises BrokenGcg naming the line."""
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
        raise BrokenGcg("the text names no two players: a game begins with #player1 and #player2")
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


def lexicon_of(gcg: Gcg, preset: str, names: Collection[str]) -> str:
    """The lexicon to replay the game with: what it names where that is among ``names``, else its preset's.

    ``preset`` is for a game that names none we have.
    """
    named = (gcg.lexicon or "").lower()
    board = gcg.preset if gcg.preset in presets() else preset
    return named if named in names else presets()[board].lexicon


def replay(gcg: Gcg, game: Fribble, options: Options) -> tuple[State, ...]:
    """All states of the game, each with the racks told for the turn that follows, played by the rules.

    What is left on the racks at the end is settled as our rules have it: texts that give the tiles twice to
    one player instead of taking them off the other come to the same difference. Time penalties are passed
    over. Raises BrokenGcg naming the line that does not follow.
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
    """The text of a game from all its states in order; ``names`` are the players'.

    Only the seats ``shown`` lay their racks open, by default all: of another's turns the text has what
    everybody saw. Of a game that goes on it also tells what the seats ``held`` hold now, by default those.
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


def write_told(sides: Sides, rack: str, names: tuple[str, str], preset: str, lexicon: str) -> str:
    """The text of a game that was told turn by turn from an empty board, as far as its tiles are known.

    ``names`` are ours and theirs, ``rack`` is ours now. At the end the tiles left are counted, where they
    are known.
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
        what = f"{turn.text.replace('?', '')} +{turn.points}" if turn.placement else _told_turn(turn)
        told = (f">{names[not turn.ours]}:", ordered(turn.used), what, str(totals[turn.ours]))
        lines.append(" ".join(filter(None, told)))
    return "\n".join([*lines, *(_counted_off(sides, end, names) if end else ())]) + "\n"


def _counted_off(sides: Sides, end: Ending, names: tuple[str, str]) -> Iterator[str]:
    """The lines that count what is left, where it is known."""
    for name, account, other in zip(names, (end.ours, end.theirs), (end.theirs, end.ours), strict=True):
        if account.held:
            worth = sides.preset.tiles.worth(account.held)
            yield f">{name}: {account.held} ({account.held}) -{worth} {account.most}"
        elif end.out is not None and other.held:
            worth = sides.preset.tiles.worth(other.held)
            yield f">{name}: ({other.held}) +{worth} {account.most}"


def _told_turn(turn: ReportedTurn) -> str:
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
        if told := form.fullmatch(rest.strip()):
            rack, coordinate, text, points, total = told.groups()
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
        f"line {number}: {rest[:60]!r} is no turn: wanted are rack, square, word, points and score, "
        "as in 'EINDRST H8 .RIENDS +24 24'"
    )


def _follow(event: Event, game: Fribble, states: list[State]) -> None:
    """Append what the event leads to, the state before it corrected to the rack told."""
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
            return  # where plays may be challenged, who doubts the last one passes
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
    """The tiles that leave the rack with ``move``."""
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
    """Check that the tiles told to be left are those left; points for them are our rules' affair."""
    state = states[-1]
    if state.out is not None and state.reason is None:
        state = game.apply(state, state.to_move, Pass(), 0.0)
        states.append(state)
    if state.reason is None:
        raise IllegalMove("tiles are counted off though the game is not over")
    told = ordered(event.text.upper())
    if event.seat != state.out:
        points = tuple(score - change for score, change in zip(state.scores, state.settled, strict=True))
        before = state.model_copy(update={"scores": points, "settled": (), "reason": None})
        state = states[-1] = settle(holding(before, event.seat, told), state.reason)
    left = state.racks[event.seat] if event.seat != state.out else "".join(state.racks)
    if told != ordered(left):
        raise IllegalMove(f"the tiles left are {ordered(left) or 'none'}, not {event.text}")


def _turn_lines(before: State, after: State, nicks: list[str], visible: Collection[int]) -> list[str]:
    if len(after.turns) == len(before.turns):
        if not after.turns or after.turns[-1] == before.turns[-1]:
            return []
        turn, points = after.turns[-1], before.turns[-1].points
        racks, what = after.racks, f"-- -{points}"
    else:
        turn = after.turns[-1]
        racks, what = before.racks, _what(turn, known=turn.seat in visible)
    total = after.scores[turn.seat] - (after.settled[turn.seat] if after.settled else 0)
    shown = ordered(turn.placement.used) if turn.placement else ""
    rack = racks[turn.seat] if turn.seat in visible else shown
    lines = [" ".join(filter(None, (f">{nicks[turn.seat]}:", rack, what, str(total))))]
    if turn.kind == "challenge":
        lines.append(f"#note {_LOST_CHALLENGE}")
    return lines


def _what(turn: Turn, *, known: bool) -> str:
    if turn.kind == "place":
        return f"{turn.coordinate} {turn.text} +{turn.points}"
    if turn.kind == "exchange":
        return f"-{turn.returned if known else turn.exchanged} +0"
    return "- +0"
