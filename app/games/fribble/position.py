"""Validation of positions entered by users."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import ValidationError

from app.games.fribble.board import Board, floating, square
from app.games.fribble.layout import CELLS, CENTRE, SIDE
from app.games.fribble.placement import Line
from app.games.fribble.presets import Preset
from app.games.fribble.tileset import BLANK, RACK, TILES
from app.grammar import plural
from app.validation import message_of
from app.words.lexicon import Lexicon


class BadPosition(ValueError):
    """The position is impossible; the message says where and why."""

    def __init__(self, field: Literal["board", "rack"], message: str) -> None:
        super().__init__(message)
        self.field = field


def parse_board(rows: Sequence[str]) -> Board:
    """Return the board of 15 rows: ``.`` empty, upper case a tile, lower case a blank. Raises BadPosition."""
    try:
        return Board(rows=tuple(rows))
    except ValidationError as error:
        raise BadPosition("board", message_of(error.errors()[0])) from None


def parse_rack(text: str) -> str:
    """Return a rack in capitals, from up to seven letters in either case and ``?`` for a blank.

    Raises BadPosition.
    """
    rack = "".join(text.split())
    for place, tile in enumerate(rack):
        if not tile.isascii() or tile.upper() not in TILES:
            raise BadPosition("rack", f"character {place} is {tile!r}: tiles are A to Z, and ? for a blank")
    if len(rack) > RACK:
        raise BadPosition("rack", f"there are {len(rack)} tiles: a rack has up to {RACK}")
    return rack.upper()


def check_position(board: Board, rack: str, preset: Preset, lexicon: Lexicon | None) -> None:
    """Raise BadPosition for disconnected tiles, invalid words, or more tiles than the set has.

    Without a lexicon, words are not checked.
    """
    apart = floating(board)
    if apart is not None:
        centre = f"the centre, {square(CENTRE)}"
        if board.squares[CENTRE] == ".":
            raise BadPosition("board", f"{square(apart)} has a tile, but there is none on {centre}")
        raise BadPosition("board", f"{square(apart)} has a tile that is not connected to {centre}")
    if wrong := unlisted_words(board, lexicon) if lexicon is not None else []:
        named = "; ".join(_named(line) for line in wrong)
        raise BadPosition("board", f"not in the word list: {named}")
    if not board.empty and next(words_of(board), None) is None:
        raise BadPosition("board", f"the tile on {square(CENTRE)} makes no word")
    used = Counter(board.tiles)
    for kind, count in (used + Counter(rack)).items():
        allowed = preset.tiles.counts.get(kind, 0)
        if count > allowed:
            field: Literal["board", "rack"] = "board" if used[kind] > allowed else "rack"
            where = "the board has" if field == "board" else "board and rack have"
            name = plural(count, "blank") if kind == BLANK else f"{plural(count, 'tile')} {kind}"
            raise BadPosition(field, f"{where} {count} {name}: {preset.title} has {allowed}")


def overdrawn(tiles: str, unseen: str, preset: Preset) -> str | None:
    """Return the error if ``tiles`` are not all ``unseen``, else None."""
    wanted, left = Counter(tiles), Counter(unseen)
    parts = []
    for kind in sorted(wanted - left, key=TILES.index):
        name = "blank" if kind == BLANK else kind
        parts.append(f"only {left[kind]} {name}{'s' * (left[kind] > 1)}" if left[kind] else f"no {name}")
    if not parts:
        return None
    *most, last = parts
    named = f"{', '.join(most)} and {last}" if most else last
    return f"{preset.title} has {named} left besides what is on the board"


def unlisted_words(board: Board, lexicon: Lexicon) -> list[Line]:
    """Return the words on the board that are not in the lexicon."""
    return [line for line in words_of(board) if line.word.lower() not in lexicon]


def words_of(board: Board) -> Iterator[Line]:
    """Yield every word on the board, across and down."""
    for down in (False, True):
        step = SIDE if down else 1
        for cell in range(CELLS):
            begins = board.squares[cell] != "." and board.run(cell, down=down).start == cell
            if begins and len(run := board.run(cell, down=down)) > 1:
                yield Line(run, board.squares[cell : run.stop : step])


def _named(line: Line) -> str:
    return f"{line.word} ({square(line.cells.start)}, {'down' if line.down else 'across'})"
