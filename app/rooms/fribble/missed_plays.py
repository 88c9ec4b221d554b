"""Fribble's words for cards: the best plays a player missed, and the words that these hooked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.games.fribble.board import EMPTY
from app.games.fribble.layout import SIDE
from app.games.fribble.state import State
from app.web.room import WordToLearn, mistakes_of

_SHORTEST_HOOKED = 2
"""Minimum length of a word on the board that a hook extends."""


def missed_words(states: Sequence[State], analysis: Mapping[str, Any], seat: int) -> Iterator[WordToLearn]:
    """The player's withdrawn words, and for each missed better play its hooked words and main word."""
    for turn in states[-1].turns:
        if turn.seat == seat and turn.kind == "withdrawn":
            yield from ((word.lower(), "validity") for word in turn.words)
    boards = {state.ply: state.board.squares for state in states}
    for turn in mistakes_of(analysis, seat):
        if turn["best"]:
            best = turn["best"][0]
            yield from ((word, "hooks") for word in hooked(boards[turn["ply"]], best["placement"]["cells"]))
            yield best["words"][0].lower(), "anagram"


def hooked(squares: str, cells: Sequence[int]) -> Iterator[str]:
    """The words on the board to which tiles on ``cells`` add one letter at either end, in lower case."""
    for cell in cells:
        row, column = divmod(cell, SIDE)
        for line, place in (
            (range(row * SIDE, (row + 1) * SIDE), column),
            (range(column, SIDE * SIDE, SIDE), row),
        ):
            before, after = _run(squares, line[:place][::-1]), _run(squares, line[place + 1 :])
            ends = {*line[place - len(before) - 1 : place][:1], *line[place + len(after) + 1 :][:1]}
            alone = ends.isdisjoint(cells)
            if alone and not after and len(before) >= _SHORTEST_HOOKED:
                yield before[::-1].lower()
            elif alone and not before and len(after) >= _SHORTEST_HOOKED:
                yield after.lower()


def _run(squares: str, line: range) -> str:
    """The tiles along a line up to the first empty square."""
    return "".join(squares[cell] for cell in line).partition(EMPTY)[0]
