"""Terminal rendering of Fribble: the board, turns, lists of moves and results."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from app.games.fribble.advice import Advice, Forecast
from app.games.fribble.adviser import Instead
from app.games.fribble.board import COLUMNS, EMPTY, Board
from app.games.fribble.external_result import Account, Ending, reason, verdict
from app.games.fribble.layout import SIDE, Layout
from app.games.fribble.notation import fribble_notation, standard
from app.games.fribble.reported_turns import Sides
from app.games.fribble.scoring import Score
from app.games.fribble.state import State, Turn
from app.grammar import format_count, format_rounded, printable

_PREMIUM: Final = {"=": "red", "-": "magenta", '"': "blue", "'": "cyan", EMPTY: "dim"}
LEGEND: Final = "= triple word, - double word, \" triple letter, ' double letter; lower case is a blank"
_DONE: Final = {
    "pass": "passed",
    "timeup": "ran out of time",
    "challenge": "challenged a valid play and lost the turn",
}


def board(position: Board, layout: Layout, fresh: Collection[int] = ()) -> Text:
    """Render the board with its premium squares; tiles on ``fresh`` squares are highlighted."""
    picture = Text(f"    {' '.join(COLUMNS)}\n", style="dim")
    for row, squares in enumerate(position.rows):
        picture.append(f"{row + 1:>3} ", "dim")
        for column, letter in enumerate(squares):
            cell = SIDE * row + column
            if letter == EMPTY:
                sign = layout.rows[row][column]
                picture.append(sign, _PREMIUM[sign])
            else:
                picture.append(letter, "bold reverse" if cell in fresh else "bold not dim")
            picture.append(" " if column < SIDE - 1 else "\n")
    return picture


def moves(position: Board, advised: Sequence[Advice]) -> Table:
    """Return a table of moves in both notations with score, leave and equity."""
    table = Table(box=SIMPLE_HEAD)
    table.add_column("", justify="right", style="dim")
    table.add_column("Move", no_wrap=True)
    valued = any(move.forecast for move in advised)
    for heading in ("Score", "Leave", "Equity", *(["Wins"] if valued else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Crosses", no_wrap=True)
    table.add_column("m() notation", no_wrap=True)
    for number, move in enumerate(advised, start=1):
        table.add_row(
            str(number),
            standard(position, move.placement),
            str(move.score),
            move.leave or "-",
            format_rounded(move.equity, 1),
            *([wins(move.forecast)] if valued else []),
            " ".join(move.words[1:]),
            fribble_notation(position, move.placement),
        )
    return table


def wins(forecast: Forecast | None) -> str:
    """Format the win share of a turn: ``61.5% ± 2.0``, or ``61.5% exact``; empty without a forecast."""
    if forecast is None:
        return ""
    error = "exact" if forecast.exact_share == 1 else f"± {format_rounded(100 * forecast.error, 1)}"
    return f"{format_rounded(100 * forecast.win_share, 1)}% {error}"


def instead(turn: Instead) -> str:
    """Format an exchange or pass that beats every move."""
    what = f"exchange {turn.exchanged}, keep {turn.leave or 'nothing'}" if turn.exchanged else "pass"
    won = f", wins {wins(turn.forecast)}" if turn.forecast else ""
    return f"Better than any move: {what} (worth {format_rounded(turn.equity, 1)}{won})"


def scored(found: Score, invalid: Sequence[str]) -> str:
    """Format the score of a move word by word."""
    parts = [
        f"{word} {points}{' (not in the word list)' if word in invalid else ''}"
        for word, points in zip(found.words, found.points, strict=True)
    ]
    bonus = f" + {found.bonus} for all seven tiles" if found.bonus else ""
    return f"{' + '.join(parts)}{bonus} = {found.total}"


def turn(made: Turn, name: str) -> str:
    """Format a turn: ``Anna: 8H FRIBBLE, 69 points``."""
    if made.kind == "exchange":
        tiles = made.returned or f"{made.exchanged} tile{'' if made.exchanged == 1 else 's'}"
        return printable(f"{name} exchanged {tiles}")
    if made.kind in _DONE:
        return printable(f"{name} {_DONE[made.kind]}")
    shown = made.words if EMPTY in made.text else made.words[1:]
    crosses = f" ({' '.join(shown)})" if shown else ""
    outcome = "challenged and withdrawn" if made.kind == "withdrawn" else format_count(made.points, "point")
    return printable(f"{name}: {made.coordinate} {made.text}{crosses}, {outcome}")


def scores(state: State, names: Sequence[str]) -> str:
    """Format every seat's score and the number of tiles in the bag."""
    points_by_seat = ", ".join(f"{name} {points}" for name, points in zip(names, state.scores, strict=True))
    return printable(f"{points_by_seat} | {len(state.bag)} in the bag")


def ending(state: State, names: Sequence[str], winners: Sequence[int]) -> str:
    """Format the reason the game ended, the adjustment for tiles left and the winners."""
    won = " and ".join(names[seat] for seat in winners)
    verb = "share the win" if len(winners) > 1 else "won" if won == "You" else "wins"
    settled = ", ".join(
        f"{name} {change:+}" for name, change in zip(names, state.settled, strict=False) if change
    )
    left = f" For the tiles left: {settled}." if settled else ""
    reason = state.reason or ""
    return printable(f"{reason[:1].upper()}{reason[1:]}.{left} {won} {verb}.")


def known_scores(sides: Sides) -> str:
    """Format both scores of a game played elsewhere, before the tiles left are counted."""
    return f"You {sides.ours}, they {sides.theirs}"


def known_ending(sides: Sides, end: Ending) -> list[str]:
    """Describe in lines how a game played elsewhere ended, as far as the racks are known."""
    accounts = [
        _format_side("You", "your", sides, sides.ours, end.ours, end.theirs),
        _format_side("They", "their", sides, sides.theirs, end.theirs, end.ours),
    ]
    return [reason(sides, end), *accounts, verdict(end)]


def _format_side(who: str, whose: str, sides: Sides, before: int, own: Account, other: Account) -> str:
    """Format one side's score, the adjustment for tiles left and the final score."""
    points = sides.preset.tiles.total_points
    if own.held is None:
        return f"{who}: {before} less {whose} rack, at most {own.most}"
    if own.held:
        return f"{who}: {before} - {points(own.held)} for {own.held} = {own.most}"
    if other.held:
        return f"{who}: {before} + {points(other.held)} for {other.held} = {own.most}"
    return f"{who}: {own.most}"


def tiles(kinds: str) -> str:
    """Format tiles with their counts: ``A5 E7 ?2``."""
    return " ".join(f"{kind}{len(list(group))}" for kind, group in groupby(kinds))
