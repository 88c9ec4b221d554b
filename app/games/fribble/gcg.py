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
resigned`` (or ``ran out of time``, ``did not begin in time``) where a player left.
``gcg_writer.py`` writes it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, Literal, TypeAlias

from app.games.departures import ENDINGS, How
from app.games.fribble.bag import ordered, without
from app.games.fribble.cgp import Cgp
from app.games.fribble.known_tiles import Impossible, with_rack
from app.games.fribble.notation import BadNotation, parse
from app.games.fribble.presets import presets
from app.games.fribble.rules import Fribble
from app.games.fribble.settlement import settle
from app.games.fribble.state import Challenge, Exchange, Move, Options, Pass, Place, Resign, State
from app.games.fribble.tileset import RACK
from app.games.fribble.turn_order import next_seat
from app.games.game import Forfeit, Frozen, IllegalMove
from app.grammar import plural
from app.validation import quote

SEED: Final = "gcg"
"""The seed of games dealt elsewhere."""
MOST_TURNS: Final = 400
"""The most turns that are replayed: thousands would take seconds."""
LOST_CHALLENGE: Final = "#unsuccessful-challenge"

Kind: TypeAlias = Literal["place", "exchange", "pass", "withdrawn", "bonus", "left", "time"]

_PLAYER: Final = re.compile(r"#player(\d)\s+(\S+)\s*(.*)")
_LEFT: Final = re.compile(rf"#note (\S+) ({'|'.join(ENDINGS)})")
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
    """As far as given; ``?`` is a blank."""
    coordinate: str
    """For a placement."""
    text: str
    """The word of a placement, the tiles of an exchange or their number, or the tiles of ``left``."""
    points: int
    total: int
    note: str = ""


class Leaving(Frozen):
    """A note that a player left the game."""

    line: int
    """Line number in the text, from 1."""
    seat: int
    how: How


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
    leavings: tuple[Leaving, ...] = ()

    @property
    def has_challenges(self) -> bool:
        """Whether a play was challenged, so that the game cannot be one that rejects invalid words."""
        return any(event.kind == "withdrawn" or LOST_CHALLENGE in event.note for event in self.events)


def is_gcg(text: str) -> bool:
    """Return whether ``text`` looks like GCG rather than rows of a board."""
    return text.lstrip("\ufeff\n\r\t ")[:1] in ("#", ">")


def read(text: str) -> Gcg:
    """Parse a game without playing its moves. Raises BrokenGcg naming the line."""
    players: dict[str, str] = {}
    pragmas: dict[str, str] = {}
    events: list[Event] = []
    rows = text.lstrip("\ufeff").splitlines()
    for number, raw in enumerate(rows, start=1):
        line = raw.strip()
        if match := _PLAYER.fullmatch(line):
            _add_player(players, number, *match.groups())
        elif line.startswith("#note") and events:
            note = f"{events[-1].note} {line.removeprefix('#note').strip()}".strip()
            events[-1] = events[-1].model_copy(update={"note": note})
        elif line.startswith("#"):
            name, _, value = line[1:].partition(" ")
            pragmas[name.lower()] = value.strip()
        elif line.startswith(">"):
            events.append(_event(number, line, list(players)))
        elif line and not (events and events[-1].note):
            raise BrokenGcg(f"line {number}: {quote(line)} is neither a turn (>) nor a pragma (#)")
    if len(players) < 2:
        raise BrokenGcg("the text does not name two players: a game begins with #player1 and #player2")
    return Gcg(
        players=tuple(players.items()),
        events=tuple(events),
        preset=pragmas.get("board-layout"),
        lexicon=pragmas.get("lexicon"),
        racks=_racks(pragmas, len(players)),
        leavings=tuple(_leavings(rows, list(players))),
    )


def _add_player(players: dict[str, str], line: int, number: str, nick: str, name: str) -> None:
    """Add a player to the full names by nickname. Raises BrokenGcg."""
    if number != str(len(players) + 1):
        raise BrokenGcg(f"line {line}: player {number} comes where player {len(players) + 1} should")
    if nick in players:
        raise BrokenGcg(f"line {line}: there is a player {quote(nick)} already")
    players[nick] = name.strip() or nick


def _racks(pragmas: Mapping[str, str], players: int) -> dict[int, str]:
    named = {seat: pragmas.get(f"rack{seat + 1}", "") for seat in range(players)}
    return {seat: ordered(rack.upper()) for seat, rack in named.items() if _TILES.fullmatch(rack)}


def _leavings(rows: Sequence[str], nicks: Sequence[str]) -> Iterator[Leaving]:
    for number, row in enumerate(rows, start=1):
        match = _LEFT.fullmatch(row.strip())
        if match and match[1] in nicks:
            yield Leaving.model_validate({"line": number, "seat": nicks.index(match[1]), "how": match[2]})


def lexicon_of(game: Gcg | Cgp, preset: str, names: Collection[str]) -> str:
    """Return the lexicon of a game or position: the one it names, if among ``names``, else its preset's.

    ``preset`` is used if the text names no preset or an unknown one.
    """
    named = (game.lexicon or "").lower()
    board = game.preset if game.preset in presets() else preset
    return named if named in names else presets()[board].lexicon


def replay(gcg: Gcg, game: Fribble, options: Options) -> tuple[State, ...]:
    """Replay the game by our rules; return all states, each with the rack given for the next turn.

    Tiles left at the end are settled by our rules: texts that add them twice to one player instead of
    subtracting them from the other give the same difference. Time penalties are ignored. A note that a player
    resigned counts if the rest of the text agrees. Raises BrokenGcg naming the line that fails.
    """
    if len(gcg.events) > MOST_TURNS:
        raise BrokenGcg(f"the game has {len(gcg.events)} turns; accepted: up to {MOST_TURNS}")
    try:
        return _replayed(gcg, game, options)
    except BrokenGcg:
        if gcg.leavings:
            with suppress(BrokenGcg):
                return _replayed(gcg.model_copy(update={"leavings": ()}), game, options)
        raise


def _replayed(gcg: Gcg, game: Fribble, options: Options) -> tuple[State, ...]:
    try:
        states = [game.start(options, len(gcg.players), SEED)]
    except IllegalMove as refused:
        raise BrokenGcg(refused.reason) from None
    left: set[int] = set()
    events: list[Event | Leaving] = [*gcg.events, *gcg.leavings]
    for event in sorted(events, key=lambda event: event.line):
        try:
            if isinstance(event, Leaving):
                _leave(event, game, states)
            elif event.kind == "left":
                _end(event, game, states, frozenset(left))
                left.add(event.seat)
            else:
                _follow(event, game, states)
        except (IllegalMove, BadNotation, Impossible) as error:
            raise BrokenGcg(f"line {event.line}: {error}") from None
    last = states[-1]
    if last.out is not None and last.reason is None:
        states.append(game.apply(last, last.to_move, Pass(), 0.0))
    for seat, rack in gcg.racks.items() if states[-1].reason is None else ():
        try:
            states[-1] = with_rack(states[-1], seat, rack)
        except Impossible as error:
            raise BrokenGcg(f"#rack{seat + 1}: {error}") from None
    return tuple(states)


def _event(number: int, line: str, nicks: list[str]) -> Event:
    match = _EVENT.fullmatch(line)
    if match is None:
        raise BrokenGcg(f"line {number}: a turn begins with a player's name and a colon, as in '>anna: '")
    nick, rest = match.groups()
    if nick not in nicks:
        raise BrokenGcg(
            f"line {number}: there is no player {quote(nick)}; there are {', '.join(nicks) or 'none'}"
        )
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
        f"line {number}: {quote(rest)} is not a turn: expected are rack, square, word, points and score, "
        "as in 'EINDRST H8 .RIENDS +24 24'"
    )


def _follow(event: Event, game: Fribble, states: list[State]) -> None:
    """Append the state after the event, and correct the state before it to the given rack."""
    if event.kind == "time":
        return
    if event.kind == "bonus":
        raise IllegalMove("points for a lost challenge are not part of these rules: a turn is lost instead")
    state = states[-1]
    if state.reason is not None:
        if event.kind == "pass" and state.out is not None:
            return  # a pass that accepts the last play in a game with challenges
        raise IllegalMove(f"the game was over before this turn: {state.reason}")
    if event.kind == "withdrawn":
        after = _withdrawn(event, game, state)
    else:
        move = _move(event, state)
        if event.seat == state.to_move:
            state = states[-1] = with_rack(state, event.seat, event.rack or tiles_used(move))
        after = game.apply(state, event.seat, move, 0.0)
        if isinstance(move, Challenge) and after.turns[-1].kind == "withdrawn":
            words = " and ".join(after.turns[-1].words)
            raise IllegalMove(f"the challenge was lost, but {words} is not all in this word list")
    _check_points(event, state, after)
    states.append(after)


def _withdrawn(event: Event, game: Fribble, state: State) -> State:
    """The state after the opponent's challenge took the last play off the board."""
    challenger = next_seat(state.model_copy(update={"to_move": event.seat}))
    after = game.apply(state, challenger, Challenge(), 0.0)
    if after.turns[-1].kind != "withdrawn":
        words = " and ".join(state.turns[-1].words)
        raise IllegalMove(f"{words} may stay: there is no invalid word to withdraw")
    return after


def _move(event: Event, state: State) -> Move:
    if event.kind == "place":
        placement = parse(f"{event.coordinate} {event.text}", state.board)
        return Place(cells=placement.cells, tiles=placement.tiles)
    if event.kind == "exchange":
        rack = with_rack(state, event.seat, event.rack).racks[event.seat]
        rack = event.rack + without(rack, event.rack)
        tiles = rack[: int(event.text)] if event.text.isdigit() else event.text.upper()
        if not 0 < len(tiles) <= RACK:
            raise IllegalMove(f"an exchange is of 1 to {RACK} tiles, not {len(tiles)}")
        return Exchange(tiles=tiles)
    return Challenge() if LOST_CHALLENGE in event.note else Pass()


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


def _leave(leaving: Leaving, game: Fribble, states: list[State]) -> None:
    """Append the state after a player has left."""
    state, seat = states[-1], leaving.seat
    if state.settled and state.turns[-1].seat == seat and state.turns[-1].kind == "pass":
        # The timeout counted as a scoreless turn and ended the game; undo the settlement, because a player
        # who leaves keeps the tiles.
        state = states[-1] = _without_settlement(state)
    late = Forfeit(began=leaving.how == "ran out of time")
    states.append(game.apply(state, seat, Resign() if leaving.how == "resigned" else late, 0.0))


def _without_settlement(state: State) -> State:
    """Return the state as if the game had not ended, without the points for tiles left."""
    points = tuple(score - change for score, change in zip(state.scores, state.settled, strict=True))
    return state.model_copy(update={"scores": points, "settled": (), "reason": None})


def _end(event: Event, game: Fribble, states: list[State], known: frozenset[int]) -> None:
    """Check the tiles given as left; their points follow from our rules.

    The seats ``known`` have the racks given in the text.
    """
    state = states[-1]
    if state.out is not None and state.reason is None:
        state = game.apply(state, state.to_move, Pass(), 0.0)
        states.append(state)
    if state.reason is None:
        raise IllegalMove("tiles are counted off, but the game is not over")
    given = ordered(event.text.upper())
    if event.seat != state.out:
        held = with_rack(_without_settlement(state), event.seat, given, known=known)
        state = states[-1] = settle(held, state.reason)
    counted = (rack for seat, rack in enumerate(state.racks) if seat not in state.resigned)
    left = state.racks[event.seat] if event.seat != state.out else "".join(counted)
    if given != ordered(left):
        raise IllegalMove(f"the tiles left are {ordered(left) or 'none'}, not {event.text}")
