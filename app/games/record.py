"""Game records: a game's setup and moves as a short text that anyone can replay and verify.

::

    wibble record 1
    kind wibble
    options {"mode":"zen", ...}
    seats 1
    seed 5f1d...
    0 0 1700000000.0 1c291ca3 {"type":"start"}
    1 0 1700000004.5 9d5b3a01 {"type":"chain","cells":[0,6,7]}

A move's line has its ply, seat, time, checksum and move. The checksum covers all the text before it and the
position after the move, so a record that was altered, or written under other rules, fails at the first ply
that differs.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Final
from zlib import crc32

from pydantic import BaseModel, Field, FiniteFloat, TypeAdapter, ValidationError

from app.games.game import AnyGame, Frozen, IllegalMove, UnknownLevel
from app.validation import first_fault, message_of, quote

HEADER: Final = "wibble record 1"
_FIELDS: Final = ("kind", "options", "seats", "seed")
_LATEST: Final = 1e11
"""Upper bound of times, in the year 5138: later ones lose sub-second precision as floats."""
_SEATS: Final = TypeAdapter(int)
_JSON: Final = TypeAdapter[Any](Any)
_SEED: Final = re.compile("[!-~]{1,64}")


class RecordedMove(Frozen):
    """One line of a record."""

    seat: int
    at: Annotated[FiniteFloat, Field(ge=0, le=_LATEST)]
    """Seconds since the epoch."""
    check: str
    """Checksum of everything up to the position after the move: 8 hexadecimal digits."""
    move: Any


class Record(Frozen):
    """A parsed record."""

    kind: str
    options: Any
    seats: int
    seed: str
    moves: tuple[RecordedMove, ...]


class BrokenRecord(ValueError):
    """The text is not a record, or its moves are not legal; the message names the line or ply.

    ``errors`` are in Pydantic's form. Their locations name a part of the record, such as
    ``("moves", 3, "at")``; ``given`` has the values there.
    """

    def __init__(
        self,
        message: str,
        *location: str | int,
        errors: Sequence[Mapping[str, Any]] = (),
        given: Mapping[Any, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.errors = errors or [{"loc": location, "msg": message}]
        self.given = given or {}


def write(game: AnyGame, states: Iterable[Any], seed: str, moves: Sequence[tuple[int, Any, float]]) -> str:
    """Return the record of a game from all its ``states`` and its moves as (seat, move, at)."""
    states = iter(states)
    first = next(states)
    seats = game.seat_count(first)
    lines = [
        HEADER,
        f"kind {game.kind}",
        f"options {first.options.model_dump_json()}",
        f"seats {seats}",
        f"seed {seed}",
    ]
    check = _opening_check(game.kind, first.options, seats, seed)
    for ply, ((seat, move, at), after) in enumerate(zip(moves, states, strict=True)):
        check = _next_check(check, seat, move, float(at), game.fingerprint(after))
        lines.append(f"{ply} {seat} {float(at)!r} {check} {move.model_dump_json()}")
    return "\n".join(lines) + "\n"


def read(text: str, games: Mapping[str, type[AnyGame]]) -> Record:
    """Parse a record of any of ``games`` without playing its moves. Raises BrokenRecord naming the line."""
    lines = text.strip().splitlines()
    fields = _setup(lines)
    if fields["kind"] not in games:
        raise BrokenRecord(
            f"line 2: there is no game {quote(fields['kind'])}; there are {', '.join(games)}", "kind"
        )
    if not _SEED.fullmatch(fields["seed"]):
        raise BrokenRecord("line 5: a seed is 1 to 64 visible ASCII characters", "seed")
    kind = games[fields["kind"]]
    try:
        options: BaseModel = kind.options_type.model_validate_json(fields["options"])
    except ValidationError as error:
        raise _invalid(error, "options", _parsed(fields["options"]), "options") from None
    except UnknownLevel as error:
        raise BrokenRecord(f"options: {error}", "options", "level") from None
    try:
        seats = _SEATS.validate_strings(fields["seats"])
    except ValidationError as error:
        raise _invalid(error, "seats", fields["seats"], "seats") from None
    moves = [_move(kind, ply, line) for ply, line in enumerate(lines[len(_FIELDS) + 1 :])]
    return Record(kind=fields["kind"], options=options, seats=seats, seed=fields["seed"], moves=tuple(moves))


def _setup(lines: list[str]) -> dict[str, str]:
    """The values in the lines before the moves, by name."""
    if not lines or lines[0].strip() != HEADER:
        raise BrokenRecord(f"line 1 must be {HEADER!r}")
    fields: dict[str, str] = {}
    for number, (name, line) in enumerate(zip(_FIELDS, lines[1:], strict=False), start=2):
        label, _, value = line.partition(" ")
        if label != name or not value:
            raise BrokenRecord(f"line {number} must be '{name}' and its value", name)
        fields[name] = value.strip()
    if len(fields) < len(_FIELDS):
        missing = _FIELDS[len(fields)]
        raise BrokenRecord(f"the text ends before '{missing}'", missing)
    return fields


def replay(record: Record, game: AnyGame) -> tuple[Any, ...]:
    """Return all states of the recorded game. Raises BrokenRecord naming the first ply that fails."""
    return tuple(positions(record, game))


def positions(record: Record, game: AnyGame) -> Iterator[Any]:
    """Yield the states of the recorded game one by one. Raises BrokenRecord like ``replay``."""
    try:
        state = game.start(record.options, record.seats, record.seed)
    except IllegalMove as refused:
        raise BrokenRecord(f"the game cannot start: {refused.reason}", "options") from None
    yield state
    check = _opening_check(record.kind, record.options, record.seats, record.seed)
    for ply, line in enumerate(record.moves):
        try:
            state = game.apply(state, line.seat, line.move, line.at)
        except IllegalMove as refused:
            raise BrokenRecord(f"ply {ply} does not follow: {refused.reason}", "moves", ply) from None
        check = _next_check(check, line.seat, line.move, line.at, game.fingerprint(state))
        if check != line.check:
            raise BrokenRecord(
                f"ply {ply} does not follow: this line, or the options, seats or seed, are not as recorded",
                "moves",
                ply,
            )
        yield state


def _opening_check(kind: str, options: BaseModel, seats: int, seed: str) -> str:
    # Defaults are excluded, so that adding an option to a game keeps old records valid.
    return _check(f"{kind} {options.model_dump_json(exclude_defaults=True)} {seats} {seed}")


def _next_check(check: str, seat: int, move: BaseModel, at: float, fingerprint: str) -> str:
    return _check(f"{check} {seat} {at!r} {move.model_dump_json()} {fingerprint}")


def _check(text: str) -> str:
    return f"{crc32(text.encode()):08x}"


def _move(kind: type[AnyGame], ply: int, line: str) -> RecordedMove:
    parts = line.split(" ", 4)
    if len(parts) != 5 or parts[0] != str(ply):
        raise BrokenRecord(f"ply {ply} must be a line of ply, seat, time, checksum and move", "moves", ply)
    line_given = {"seat": parts[1], "at": parts[2], "check": parts[3], "move": ""}
    try:
        recorded = RecordedMove.model_validate_strings(line_given)
    except ValidationError as error:
        raise _invalid(error, f"ply {ply}", line_given, "moves", ply) from None
    try:
        return recorded.model_copy(update={"move": kind.move_adapter.validate_json(parts[4])})
    except ValidationError as error:
        raise _invalid(error, f"ply {ply}", _parsed(parts[4]), "moves", ply, "move") from None


def _invalid(error: ValidationError, where: str, value: Any, *location: str | int) -> BrokenRecord:
    """The error of a ``value`` at a location of the record; ``where`` names it in the message."""
    errors = [
        {"loc": location, "msg": message_of(each)}
        if each["type"] == "json_invalid"
        else {**each, "loc": (*location, *each["loc"])}
        for each in error.errors()
    ]
    for part in reversed(location):
        value = {part: value}
    return BrokenRecord(f"{where}: {first_fault(error)}", errors=errors, given=value)


def _parsed(text: str) -> Any:
    """The value of a JSON text; None if it is not JSON."""
    with suppress(ValidationError):
        return _JSON.validate_json(text)
    return None
