"""A game as a small text: what it was set up with, and its moves. Whoever reads it can replay and verify it.

::

    wibble record 1
    kind wibble
    options {"mode":"zen", ...}
    seats 1
    seed 5f1d...
    0 0 1700000000.0 1c291ca3 {"type":"start"}
    1 0 1700000004.5 9d5b3a01 {"type":"chain","cells":[0,6,7]}

A line of a move has its ply, its seat, its time, a checksum of the position it leads to, and the move. The
checksums make a text that was tampered with, or that other rules wrote, fail at the very ply where it ceases
to follow.
"""

from typing import Any, Final
from zlib import crc32

from pydantic import BaseModel, TypeAdapter, ValidationError

from app.games.game import Frozen, IllegalMove
from app.games.rulebook import GAMES, AnyGame

HEADER: Final = "wibble record 1"
_FIELDS: Final = ("kind", "options", "seats", "seed")
_SEATS: Final = TypeAdapter(int)


class RecordedMove(Frozen):
    """One line of a record."""

    seat: int
    at: float
    check: str
    """The checksum of the position after the move: 8 hexadecimal digits."""
    move: Any


class Record(Frozen):
    """A game as a text has it."""

    kind: str
    options: Any
    seats: int
    seed: str
    moves: tuple[RecordedMove, ...]


class BrokenRecord(ValueError):
    """The text is no record, or one whose moves do not follow; the message names the line or the ply."""


def write(game: AnyGame, states: tuple[Any, ...], seed: str, moves: list[tuple[int, Any, float]]) -> str:
    """The record of a game from its ``states``, the first included, and its moves as (seat, move, at)."""
    first = states[0]
    lines = [
        HEADER,
        f"kind {game.kind}",
        f"options {first.options.model_dump_json()}",
        f"seats {game.seat_count(first)}",
        f"seed {seed}",
    ]
    for ply, ((seat, move, at), after) in enumerate(zip(moves, states[1:], strict=True)):
        lines.append(f"{ply} {seat} {at!r} {checksum(game, after)} {move.model_dump_json()}")
    return "\n".join(lines) + "\n"


def read(text: str) -> Record:
    """The record in ``text``, its moves not yet played. Raises BrokenRecord naming the line."""
    lines = text.strip().splitlines()
    if not lines or lines[0].strip() != HEADER:
        raise BrokenRecord(f"line 1 must be {HEADER!r}")
    fields: dict[str, str] = {}
    for number, (name, line) in enumerate(zip(_FIELDS, lines[1:], strict=False), start=2):
        label, _, value = line.partition(" ")
        if label != name or not value:
            raise BrokenRecord(f"line {number} must be '{name}' and its value")
        fields[name] = value.strip()
    if len(fields) < len(_FIELDS):
        raise BrokenRecord(f"the text ends before '{_FIELDS[len(fields)]}'")
    if fields["kind"] not in GAMES:
        raise BrokenRecord(f"line 2: there is no game {fields['kind']!r}; there are {', '.join(GAMES)}")
    kind = GAMES[fields["kind"]]
    try:
        options: BaseModel = kind.options_type.model_validate_json(fields["options"])
        seats = _SEATS.validate_strings(fields["seats"])
    except ValidationError as error:
        wrong = error.errors()[0]
        raise BrokenRecord(f"options or seats: {'.'.join(map(str, wrong['loc']))} {wrong['msg']}") from None
    moves = [_move(kind, ply, line) for ply, line in enumerate(lines[len(_FIELDS) + 1 :])]
    return Record(kind=fields["kind"], options=options, seats=seats, seed=fields["seed"], moves=tuple(moves))


def replay(record: Record, game: AnyGame) -> tuple[Any, ...]:
    """All states of the recorded game. Raises BrokenRecord naming the ply that does not follow."""
    try:
        states = [game.start(record.options, record.seats, record.seed)]
    except IllegalMove as refused:
        raise BrokenRecord(f"the game cannot start: {refused.reason}") from None
    for ply, line in enumerate(record.moves):
        try:
            after = game.apply(states[-1], line.seat, line.move, line.at)
        except IllegalMove as refused:
            raise BrokenRecord(f"ply {ply} does not follow: {refused.reason}") from None
        if checksum(game, after) != line.check:
            raise BrokenRecord(f"ply {ply} does not follow: it leads to another position than was recorded")
        states.append(after)
    return tuple(states)


def checksum(game: AnyGame, state: Any) -> str:
    """8 hexadecimal digits that change with whatever players see of the position."""
    return f"{crc32(game.fingerprint(state).encode()):08x}"


def _move(kind: type[AnyGame], ply: int, line: str) -> RecordedMove:
    parts = line.split(" ", 4)
    if len(parts) != 5 or parts[0] != str(ply):
        raise BrokenRecord(f"ply {ply} must be a line of ply, seat, time, checksum and move")
    try:
        return RecordedMove.model_validate_strings(
            {"seat": parts[1], "at": parts[2], "check": parts[3], "move": ""}
        ).model_copy(update={"move": kind.move_adapter.validate_json(parts[4])})
    except ValidationError as error:
        wrong = error.errors()[0]
        raise BrokenRecord(f"ply {ply}: {'.'.join(map(str, wrong['loc']))} {wrong['msg']}") from None
