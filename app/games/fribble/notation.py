"""Move notation: that of the Fribble README, and standard coordinates.

The README writes ``m(r8,8,'FRIBBLE')`` for adjacent tiles starting at position 8 of row 8, and ``mf(c13,'7 9
10','PAY')`` for tiles at positions 7, 9 and 10 of column 13; double quotes and commas are accepted, too.
Standard notation is the square where the main word begins, and the word, with ``.`` for each tile already on
the board: ``8H FRIBBLE`` across, ``M7 P.AY`` down.

In mixed case, capitals are tiles and lower-case letters blanks. All lower case means tiles, as in the README
and in common use: a letter is then a blank only if its tile is not on the rack. ``?`` before a letter always
marks a blank; a move of only blanks is written like this. In GCG, where the rack is unknown, lower case
always means blanks.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from app.games.fribble.board import COLUMNS, EMPTY, Board, square
from app.games.fribble.layout import SIDE
from app.games.fribble.placement import Placement, lines
from app.games.fribble.tileset import BLANK, RACK, TILES
from app.grammar import format_count, there_are
from app.validation import quote

ACCEPTED: Final = "8H WORD, H8 WORD (down), m(r8,8,'WORD'), mf(c13,'7 9 10','PAY')"

_README: Final = re.compile(
    r"""(mf?)\( \s* (['"]?) ([rc])(\d{1,2}) \2 \s*,
        \s* (['"]?) (\d{1,2} (?: [\s,]+ \d{1,2})*) \5 \s*,
        \s* (['"]) ([^'"]*) \7 \s* \)""",
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)
_QUOTES: Final = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
"""Typographic quotes, as typed on phones, to ASCII quotes."""
_STANDARD: Final = re.compile(r"(?:(\d{1,2})([a-o])|([a-o])(\d{1,2}))\s+(\S+)", re.IGNORECASE | re.ASCII)
_LETTERS: Final = re.compile(r"(?:\??[A-Za-z])+")
_WORD: Final = re.compile(r"(?:\??[A-Za-z]|\.)+")
_SIGN: Final = re.compile(r"\??[A-Za-z.]")

_NTH: Final = ("", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ")


class BadNotation(ValueError):
    """The text is not a placement; the message says why."""


def parse(text: str, board: Board, tiles: str | None = None) -> Placement:
    """Parse a placement in any notation. Raises BadNotation.

    ``tiles`` is the rack, or all unseen tiles. Without it, lower case in coordinates means blanks, as in GCG.
    The rules are not checked, except that tiles marked as on the board must be there.
    """
    stripped = text.strip()
    if match := _README.fullmatch(stripped.translate(_QUOTES)):
        kind, _, line, number, _, positions, _, letters = match.groups()
        free, down = kind.lower() == "mf", line.lower() == "c"
        places = positions.replace(",", " ").split()
        return _from_readme(free, down, int(number), places, letters, tiles)
    if match := _STANDARD.fullmatch(stripped):
        row, column, down_column, down_row, letters = match.groups()
        place = coordinate_cell(row or down_row, column or down_column)
        return _from_coordinates(board, place, down=row is None, text=letters, tiles=tiles)
    raise BadNotation(f"{quote(stripped)} is not a move; accepted: {ACCEPTED}")


def coordinate_cell(row: str, column: str) -> int:
    """Return the square of row ``1`` to ``15`` and column ``A`` to ``O``. Raises BadNotation."""
    return SIDE * _position(row, "row") + COLUMNS.index(column.upper())


def coordinate(board: Board, placement: Placement) -> str:
    """Return the square where the main word begins: ``8H`` for a word across, ``H8`` for one down.

    Raises IllegalMove if the tiles' squares are not allowed.
    """
    main = lines(board, placement)[0]
    row, column = divmod(main.cells.start, SIDE)
    return f"{COLUMNS[column]}{row + 1}" if main.down else f"{row + 1}{COLUMNS[column]}"


def played_text(board: Board, placement: Placement) -> str:
    """Return the main word, ``.`` for each tile already there: ``FR.BBLE``. Raises IllegalMove likewise."""
    laid = placement.laid
    return "".join(laid.get(cell, EMPTY) for cell in lines(board, placement)[0].cells)


def standard(board: Board, placement: Placement) -> str:
    """Return the placement in standard notation: ``8H FR.BBLE``. Raises IllegalMove likewise.

    If all tiles are blanks, each has ``?`` before it: all lower case would mean tiles.
    """
    return f"{coordinate(board, placement)} {marked(played_text(board, placement))}"


def marked(text: str) -> str:
    """Return the output of ``played_text`` with ``?`` before each letter if all are blanks."""
    return re.sub("[a-z]", lambda blank: f"?{blank[0]}", text) if text.islower() else text


def shortage(board: Board, placement: Placement, rack: str) -> str | None:
    """Return what ``rack`` lacks for the placement, such as ``no second B``; None if it has all tiles.

    If blanks could be used instead, that move is appended. Raises IllegalMove likewise.
    """
    used, have = Counter(placement.used), Counter(rack)
    lacking = used - have
    if not lacking:
        return None
    named = " and ".join(
        f"no {_NTH[have[kind]]}{'blank' if kind == BLANK else kind}"
        for kind in sorted(lacking, key=TILES.index)
    )
    if BLANK in lacking or lacking.total() > have[BLANK] - used[BLANK]:
        return named
    blanks = "a blank" if lacking.total() == 1 else "blanks"
    letters = list(placement.tiles)
    for place in reversed(range(len(letters))):
        if lacking[letters[place]] > 0:
            lacking[letters[place]] -= 1
            letters[place] = letters[place].lower()
    possible = placement.model_copy(update={"tiles": "".join(letters)})
    return f"{named}; with {blanks}: {standard(board, possible)}"


def fribble_notation(board: Board, placement: Placement) -> str:
    """Return the placement as in the README: ``m(r8,8,'FRIBBLE')``. Raises IllegalMove likewise."""
    down = lines(board, placement)[0].down
    places = [divmod(cell, SIDE)[::-1] if down else divmod(cell, SIDE) for cell in placement.cells]
    line = f"{'c' if down else 'r'}{places[0][0] + 1}"
    positions = [position + 1 for _, position in places]
    letters = (
        placement.tiles if not placement.tiles.islower() else "".join(f"?{tile}" for tile in placement.tiles)
    )
    if positions[-1] - positions[0] == len(positions) - 1:
        return f"m({line},{positions[0]},'{letters}')"
    return f"mf({line},'{' '.join(map(str, positions))}','{letters}')"


def _from_readme(
    free: bool,  # noqa: FBT001 - matched groups
    down: bool,  # noqa: FBT001
    number: int,
    positions: list[str],
    letters: str,
    available: str | None,
) -> Placement:
    line = _position(str(number), "column" if down else "row")
    if not _LETTERS.fullmatch(letters):
        raise BadNotation(f"{letters!r} are not tiles: use letters A to Z, with ? before a blank")
    plain = letters.replace("?", "")
    tiles = _resolve_blanks(_SIGN.findall(letters), available or "", small=plain.islower())
    if len(tiles) > RACK:
        raise BadNotation(f"{plain!r} has {len(tiles)} tiles: a rack has {RACK}")
    places = [_position(position, "position") for position in positions]
    if not free:
        if len(places) != 1:
            raise BadNotation("m takes one position, where the tiles begin; mf takes a list of positions")
        places = list(range(places[0], places[0] + len(tiles)))
        if places[-1] >= SIDE:
            raise BadNotation(f"{plain!r} runs off the edge: position {places[0] + 1} leaves too few squares")
    if len(places) != len(tiles):
        raise BadNotation(f"{there_are(len(tiles), 'tile')} for {format_count(len(places), 'square')}")
    if sorted(set(places)) != places:
        raise BadNotation("the positions of mf must ascend, without repeats")
    cells = (SIDE * place + line if down else SIDE * line + place for place in places)
    return Placement(cells=tuple(cells), tiles=tiles)


def _from_coordinates(board: Board, start: int, *, down: bool, text: str, tiles: str | None) -> Placement:
    spelled = re.sub(r"\(([A-Za-z.]+)\)", lambda through: through[1], text)
    if not _WORD.fullmatch(spelled):
        raise BadNotation(f"{text!r} is not a word: use letters, with . for each tile already there")
    signs = _SIGN.findall(spelled)
    if (start // SIDE if down else start % SIDE) + len(signs) > SIDE:
        raise BadNotation(f"{text!r} runs off the edge of the board")
    laid: dict[int, str] = {}
    for step, sign in enumerate(signs):
        cell, letter = start + step * (SIDE if down else 1), sign[-1]
        there = board.squares[cell]
        if there == EMPTY:
            if letter == EMPTY:
                raise BadNotation(f"there is no tile on {square(cell)}, where {text!r} has '.'")
            laid[cell] = sign
        elif letter not in (EMPTY, there.upper(), there.lower()):
            raise BadNotation(f"{square(cell)} has {there.upper()}, where {text!r} has {letter.upper()}")
    if not laid:
        raise BadNotation(f"{text!r} lays no tile")
    if len(laid) > RACK:
        raise BadNotation(f"{text!r} lays {len(laid)} tiles: a rack has {RACK}")
    tiles_meant = _resolve_blanks(
        tuple(laid.values()), tiles or "", small=tiles is not None and spelled.islower()
    )
    return Placement(cells=tuple(laid), tiles=tiles_meant)


def _resolve_blanks(signs: Sequence[str], available: str, *, small: bool) -> str:
    """Return the tiles for these letters, some with ``?`` before them.

    If ``small``, the text is all lower case, and letters are blanks only if the tile is missing.
    """
    left = Counter(available)
    left.subtract(BLANK for sign in signs if sign[0] == BLANK)
    tiles_meant = []
    for sign in signs:
        letter = sign[-1]
        if sign[0] == BLANK:
            letter = letter.lower()
        elif small:
            stands_in = left[letter.upper()] <= 0 < left[BLANK]
            left[BLANK if stands_in else letter.upper()] -= 1
            letter = letter if stands_in else letter.upper()
        tiles_meant.append(letter)
    return "".join(tiles_meant)


def _position(number: str, what: str) -> int:
    if not 1 <= int(number) <= SIDE:
        raise BadNotation(f"there is no {what} {number}: {what}s are 1 to {SIDE}")
    return int(number) - 1
