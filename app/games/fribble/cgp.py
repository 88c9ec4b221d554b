"""CGP, a position of a crossword game on one line (https://github.com/domino14/macondo/tree/master/cgp).

::

    15/15/15/15/15/15/15/7FRIBBLe1/15/15/15/15/15/15/15 EINDRS?/ 24/69 0 lex enable; bdn wwf;

The fields are the board, the racks, the scores, the number of scoreless turns just before, and operations.
Racks and scores begin with the player to move. On the board, a number counts empty squares and a lower-case
letter is a blank; on racks, ``?`` is a blank and tiles that are not known are left out. Of the operations,
``lex`` names the word list and ``bdn`` the board; others are kept but have no effect here.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Final, Self

from pydantic import Field

from app.games.fribble.bag import ordered
from app.games.fribble.board import COLUMNS, EMPTY, Board
from app.games.fribble.layout import SIDE
from app.games.fribble.presets import presets
from app.games.fribble.tileset import RACK, TILES
from app.games.game import Frozen
from app.grammar import format_count, plural
from app.validation import quote, shorten

LONGEST: Final = 2000
"""The maximum number of characters."""
MOST_POINTS: Final = 9999
"""The maximum absolute value of a score."""
MOST_SCORELESS: Final = 99
"""The maximum number of consecutive scoreless turns."""
_SEATS: Final = 2
_FIELDS: Final = ("board is", "racks are", "scores are", "number of scoreless turns is")
_BOARD_NAMES: Final = {"standard": "CrosswordGame"}
"""The names that other programs use for the boards of our presets."""

_SIGN: Final = re.compile(r"\[[^\]]*\]?|\d+|.", re.DOTALL)
_SCORE: Final = re.compile(r"-?[0-9]{1,4}")
_TURNS: Final = re.compile(r"[0-9]{1,2}")
_OPERATION: Final = re.compile(r"([a-zA-Z]\w*)(?:\s+([^;]+))?", re.ASCII)
_LOOKS_LIKE: Final = re.compile(r"\s*[0-9A-Za-z\[\]]+/[0-9A-Za-z\[\]/]+(\s|$)", re.ASCII)

Points = Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)]


class BrokenCgp(ValueError):
    """The text is not CGP; the message names the field or the row, what is wrong and what is accepted."""


class Cgp(Frozen):
    """A position of a game for two. Words and the number of tiles are not checked."""

    board: Board = Board()
    racks: tuple[str, str] = ("", "")
    """The known tiles of the player to move and of the opponent, in alphabetical order."""
    scores: tuple[Points, Points] = (0, 0)
    """In the same order."""
    scoreless: Annotated[int, Field(ge=0, le=MOST_SCORELESS)] = 0
    """The number of scoreless turns just before."""
    operations: tuple[tuple[str, str], ...] = ()
    """Name and value, such as ``("lex", "enable")``."""

    @classmethod
    def of(
        cls,
        board: Board,
        racks: tuple[str, str],
        scores: tuple[int, int],
        scoreless: int,
        *,
        preset: str,
        lexicon: str,
    ) -> Self:
        """Return a position with the names of its preset and word list; numbers are clamped."""
        ours, theirs = (max(-MOST_POINTS, min(MOST_POINTS, score)) for score in scores)
        return cls(
            board=board,
            racks=(ordered(racks[0]), ordered(racks[1])),
            scores=(ours, theirs),
            scoreless=min(MOST_SCORELESS, scoreless),
            operations=(("lex", lexicon), ("bdn", _BOARD_NAMES.get(preset, preset))),
        )

    def operation(self, name: str) -> str | None:
        """Return the value of an operation; None if it is missing."""
        return dict(self.operations).get(name)

    @property
    def lexicon(self) -> str | None:
        """The value of ``lex``."""
        return self.operation("lex")

    @property
    def preset(self) -> str | None:
        """The preset that ``bdn`` names; None if there is no such preset."""
        board_name = self.operation("bdn")
        ours = {name: preset for preset, name in _BOARD_NAMES.items()}
        preset = ours.get(board_name or "", board_name)
        return preset if preset in presets() else None


def is_cgp(text: str) -> bool:
    """Return whether ``text`` looks like CGP rather than rows of a board or GCG."""
    return _LOOKS_LIKE.match(text) is not None


def write(position: Cgp) -> str:
    """Return the position as one line."""
    ours, theirs = position.scores
    fields = [
        "/".join(map(_row_text, position.board.rows)),
        "/".join(position.racks),
        f"{ours}/{theirs}",
        str(position.scoreless),
        *(f"{name} {value};" if value else f"{name};" for name, value in position.operations),
    ]
    return " ".join(fields)


def read(text: str) -> Cgp:
    """Parse a position. Raises BrokenCgp."""
    if len(text) > LONGEST:
        raise BrokenCgp(f"the text has {len(text):,} characters: a position has up to {LONGEST:,}")
    parts = text.split(maxsplit=len(_FIELDS))
    if len(parts) < len(_FIELDS):
        raise BrokenCgp(
            f"the {_FIELDS[len(parts)]} missing: a position is the board, the racks, the scores and "
            "the number of scoreless turns, with spaces between them"
            if parts
            else "the text is empty: a position begins with the board, such as 15/15/…"
        )
    board, racks, scores, scoreless, *rest = parts
    if not _TURNS.fullmatch(scoreless):
        raise BrokenCgp(
            f"the number of scoreless turns is {quote(scoreless)}; accepted: 0 to {MOST_SCORELESS}"
        )
    return Cgp(
        board=_board(board),
        racks=_racks(racks),
        scores=_scores(scores),
        scoreless=int(scoreless),
        operations=_operations(rest[0] if rest else ""),
    )


def _row_text(row: str) -> str:
    runs = re.findall(rf"{re.escape(EMPTY)}+|[^{re.escape(EMPTY)}]+", row)
    return "".join(str(len(run)) if run[0] == EMPTY else run for run in runs)


def _board(text: str) -> Board:
    rows = text.split("/")
    if len(rows) != SIDE:
        raise BrokenCgp(f"the board has {format_count(len(rows), 'row')}; accepted: {SIDE}, with / between")
    return Board(rows=tuple(_row(number, row) for number, row in enumerate(rows, start=1)))


def _row(number: int, text: str) -> str:
    squares = ""
    for sign in _SIGN.findall(text):
        where = f"row {number}, column {COLUMNS[len(squares)]}" if len(squares) < SIDE else f"row {number}"
        if sign.startswith("["):
            raise BrokenCgp(
                f"{where}: {shorten(sign)} is a tile of several letters; accepted: tiles of one letter"
            )
        if sign.isascii() and sign.isdigit():
            if not 1 <= (count := int(sign[:4])) <= SIDE or sign.startswith("0"):
                raise BrokenCgp(f"{where}: {shorten(sign)} empty squares; accepted: 1 to {SIDE}")
            squares += EMPTY * count
        elif sign.isascii() and sign.isalpha():
            squares += sign
        else:
            raise BrokenCgp(
                f"{where}: {sign!r}; accepted: a number of empty squares, A to Z for a tile and a to z "
                "for a blank"
            )
    if len(squares) != SIDE:
        raise BrokenCgp(f"row {number} has {format_count(len(squares), 'square')}; accepted: {SIDE}")
    return squares


def _racks(text: str) -> tuple[str, str]:
    ours, theirs = _pair(text, "racks", "EINDRS?/")
    return _rack(ours, "first"), _rack(theirs, "second")


def _rack(text: str, which: str) -> str:
    for tile in text:
        if tile == "[":
            raise BrokenCgp(f"the {which} rack has a tile of several letters; accepted: tiles of one letter")
        if tile not in TILES:
            raise BrokenCgp(f"the {which} rack has {tile!r}; accepted: A to Z, and ? for a blank")
    if len(text) > RACK:
        raise BrokenCgp(f"the {which} rack has {len(text)} tiles; accepted: up to {RACK}")
    return ordered(text)


def _scores(text: str) -> tuple[int, int]:
    ours, theirs = _pair(text, "scores", "24/69")
    for which, score in (("first", ours), ("second", theirs)):
        if not _SCORE.fullmatch(score):
            raise BrokenCgp(f"the {which} score is {quote(score)}; accepted: -{MOST_POINTS} to {MOST_POINTS}")
    return int(ours), int(theirs)


def _pair(text: str, field: str, example: str) -> tuple[str, str]:
    parts: Sequence[str] = text.split("/")
    if len(parts) != _SEATS:
        raise BrokenCgp(
            f"the {field} are of {len(parts)} {plural(len(parts), 'player')}; accepted: those of two, "
            f"with / between, as in {example}"
        )
    return parts[0], parts[1]


def _operations(text: str) -> tuple[tuple[str, str], ...]:
    operations: dict[str, str] = {}
    for part in text.split(";"):
        if not part.strip():
            continue
        match = _OPERATION.fullmatch(part.strip())
        if match is None:
            raise BrokenCgp(
                f"{quote(part.strip())} is no operation; accepted: a name and a value, as in lex enable;"
            )
        name, value = match[1], " ".join((match[2] or "").split())
        if name in operations:
            raise BrokenCgp(f"there are two operations {name}; accepted: one")
        operations[name] = value
    return tuple(operations.items())
