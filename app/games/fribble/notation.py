"""Moves as texts: the seed's notation, and the coordinates of the field.

The seed writes ``m(r8,8,'FRIBBLE')`` for tiles next to each other, from position 8 of row 8, and
``mf(c13,'7 9 10','PAY')`` for tiles on the positions 7, 9 and 10 of column 13. The field writes the square
where the main word begins and the word, with ``.`` for each tile that lay there: ``8H FRIBBLE`` across,
``M7 P.AY`` down.

Upper case is a tile, lower case a blank. The seed itself knows no blanks and writes all its tiles in lower
case, so a text in its notation without any capital means tiles, and ``?`` before a letter there means a
blank: that is how a move of nothing but blanks is written.
"""

import re
from typing import Final

from app.games.fribble.board import COLUMNS, EMPTY, Board, square
from app.games.fribble.layout import SIDE
from app.games.fribble.placement import Placement, lines
from app.games.fribble.tileset import RACK

ACCEPTED: Final = "m(r8,8,'WORD'), mf(c13,'7 9 10','PAY') or 8H WORD (H8 WORD down)"

_SEED: Final = re.compile(
    r"(mf?)\(\s*([rc])(\d{1,2})\s*,\s*'?(\d{1,2}(?:\s+\d{1,2})*)'?\s*,\s*'([^']*)'\s*\)",
    re.IGNORECASE | re.ASCII,
)
_STANDARD: Final = re.compile(r"(?:(\d{1,2})([a-o])|([a-o])(\d{1,2}))\s+(\S+)", re.IGNORECASE | re.ASCII)
_LETTERS: Final = re.compile(r"(?:\??[A-Za-z])+")


class BadNotation(ValueError):
    """The text tells no placement; the message says why."""


def parse(text: str, board: Board) -> Placement:
    """The placement that ``text`` tells in any of the notations. Raises BadNotation.

    Whether the rules allow it is not asked, but for the tiles that coordinates say lie there already.
    """
    told = text.strip()
    if match := _SEED.fullmatch(told):
        kind, line, number, positions, letters = match.groups()
        return _of_seed(kind.lower() == "mf", line.lower() == "c", int(number), positions.split(), letters)
    if match := _STANDARD.fullmatch(told):
        row, column, down_column, down_row, letters = match.groups()
        place = coordinate_cell(row or down_row, column or down_column)
        return _of_coordinates(board, place, down=row is None, text=letters)
    raise BadNotation(f"{told[:60]!r} is no move: accepted are {ACCEPTED}")


def coordinate_cell(row: str, column: str) -> int:
    """The square of a row ``1`` to ``15`` and a column ``A`` to ``O``. Raises BadNotation."""
    return SIDE * _position(row, "row") + COLUMNS.index(column.upper())


def coordinate(board: Board, placement: Placement) -> str:
    """Where the main word begins: ``8H`` for a word across, ``H8`` for one down.

    Raises IllegalMove where the tiles do not lie as the rules want.
    """
    main = lines(board, placement)[0]
    row, column = divmod(main.cells.start, SIDE)
    return f"{COLUMNS[column]}{row + 1}" if main.down else f"{row + 1}{COLUMNS[column]}"


def played_text(board: Board, placement: Placement) -> str:
    """The main word with ``.`` for each tile that lay there: ``FR.BBLE``. Raises IllegalMove likewise."""
    laid = placement.laid
    return "".join(laid.get(cell, EMPTY) for cell in lines(board, placement)[0].cells)


def standard(board: Board, placement: Placement) -> str:
    """The placement in the coordinates of the field: ``8H FR.BBLE``. Raises IllegalMove likewise."""
    return f"{coordinate(board, placement)} {played_text(board, placement)}"


def seed_notation(board: Board, placement: Placement) -> str:
    """The placement as the seed writes it: ``m(r8,8,'FRIBBLE')``. Raises IllegalMove likewise."""
    down = lines(board, placement)[0].down
    places = [divmod(cell, SIDE)[::-1] if down else divmod(cell, SIDE) for cell in placement.cells]
    line = f"{'c' if down else 'r'}{places[0][0] + 1}"
    positions = [position + 1 for _, position in places]
    letters = (
        placement.tiles if not placement.tiles.islower() else "".join(f"?{one}" for one in placement.tiles)
    )
    if positions[-1] - positions[0] == len(positions) - 1:
        return f"m({line},{positions[0]},'{letters}')"
    return f"mf({line},'{' '.join(map(str, positions))}','{letters}')"


def _of_seed(free: bool, down: bool, number: int, positions: list[str], letters: str) -> Placement:  # noqa: FBT001 - matched groups
    line = _position(str(number), "column" if down else "row")
    if not _LETTERS.fullmatch(letters):
        raise BadNotation(f"{letters!r} are no tiles: letters A to Z, with ? before one that is a blank")
    plain = letters.replace("?", "")
    tiles = letters.upper() if plain.islower() else letters
    tiles = re.sub(r"\?(.)", lambda blank: blank[1].lower(), tiles)
    if len(tiles) > RACK:
        raise BadNotation(f"{plain!r} has {len(tiles)} tiles: a rack has {RACK}")
    places = [_position(position, "position") for position in positions]
    if not free:
        if len(places) != 1:
            raise BadNotation("m wants one position, where the tiles begin; mf takes a list of squares")
        places = list(range(places[0], places[0] + len(tiles)))
        if places[-1] >= SIDE:
            raise BadNotation(
                f"{plain!r} reaches over the edge: position {places[0] + 1} leaves too few squares"
            )
    if len(places) != len(tiles):
        raise BadNotation(f"there are {len(tiles)} tiles for {len(places)} squares")
    if sorted(set(places)) != places:
        raise BadNotation("the squares of mf ascend, and none comes twice")
    cells = (SIDE * place + line if down else SIDE * line + place for place in places)
    return Placement(cells=tuple(cells), tiles=tiles)


def _of_coordinates(board: Board, start: int, *, down: bool, text: str) -> Placement:
    spelled = re.sub(r"\(([A-Za-z.]+)\)", lambda through: through[1], text)
    if not re.fullmatch(r"[A-Za-z.]+", spelled):
        raise BadNotation(f"{text!r} is no word: letters, with . for each tile that lies there already")
    if (start // SIDE if down else start % SIDE) + len(spelled) > SIDE:
        raise BadNotation(f"{text!r} reaches over the edge of the board")
    laid: dict[int, str] = {}
    for step, letter in enumerate(spelled):
        cell = start + step * (SIDE if down else 1)
        there = board.squares[cell]
        if there == EMPTY:
            if letter == EMPTY:
                raise BadNotation(f"no tile lies on {square(cell)}, where {text!r} has '.'")
            laid[cell] = letter
        elif letter not in (EMPTY, there.upper(), there.lower()):
            raise BadNotation(f"{square(cell)} has {there.upper()}, where {text!r} has {letter.upper()}")
    if not laid:
        raise BadNotation(f"{text!r} lays no tile")
    if len(laid) > RACK:
        raise BadNotation(f"{text!r} lays {len(laid)} tiles: a rack has {RACK}")
    return Placement(cells=tuple(laid), tiles="".join(laid.values()))


def _position(number: str, what: str) -> int:
    if not 1 <= int(number) <= SIDE:
        raise BadNotation(f"there is no {what} {number}: {what}s are 1 to {SIDE}")
    return int(number) - 1
