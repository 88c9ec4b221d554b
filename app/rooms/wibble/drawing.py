"""Terminal rendering of Wibble: boards, moves, scores and the analysis."""

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from app.games.game import SeatAnalysis
from app.games.wibble.analysis import ACCURACY, Analysis, BestWord, TurnAnalysis, counted_points
from app.games.wibble.levels import LevelView
from app.games.wibble.state import Board, Report, Suggestion
from app.games.wibble.views import TileView, View
from app.grammar import format_count, format_rounded
from app.terminal.cells import cell_name, path
from app.terminal.record_renderer import missed_words

GEM: Final = "*"
_BONUSES: Final = {(2, 1): "DL", (3, 1): "TL", (1, 2): "2x"}
_NAME, _GEM, _BONUS, _PATH = "dim", "magenta", "bold cyan", "reverse"


def board(tiles: Sequence[TileView], size: int, marked: Sequence[int] = ()) -> RenderableType:
    """Render the tiles with bonuses and gems, readable without colour; ``marked`` cells are highlighted."""
    table = Table(box=box.SQUARE, show_lines=True, show_header=True, header_style=_NAME, padding=(0, 1))
    table.add_column("", style=_NAME, vertical="middle")
    for column in range(size):
        table.add_column(chr(ord("a") + column), justify="center", min_width=4)
    for row in range(size):
        line = tiles[row * size : (row + 1) * size]
        table.add_row(str(row + 1), *(_tile(tile, tile.cell in marked) for tile in line))
    return table


def status(view: View, names: Sequence[str]) -> Text:
    """Render round, scores, gems and the costs of the powers in one line."""
    parts = []
    if view.rounds:
        parts.append(f"Round {view.round} of {view.rounds}")
    parts.append(", ".join(f"{name} {score}" for name, score in zip(names, view.scores, strict=True)))
    if view.gems is not None:
        parts.append(f"{format_count(view.gems[view.to_move], 'gem')} ({GEM})")
    if view.powers:
        powers = ", ".join(f"/{power.power} {power.cost or 'free'}" for power in view.powers)
        parts.append(powers)
    return Text("  |  ".join(parts), style="bold")


def format_report(report: Report, name: str, board: Board, size: int) -> str:
    """Describe the result of a move in a sentence; ``board`` is the board after the move."""
    word, way = report.word.upper(), path(report.cells, size)
    letters = "".join(board.letters[cell].upper() for cell in report.cells)
    match report.result:
        case "scored":
            gems = f", {format_count(report.gems, 'gem')}" if report.gems else ""
            what = f"{word}, {format_count(report.points, 'point')}{gems}  ({way})"
        case "not_a_word":
            what = f"{word} is not in the word list" + (", and its tiles are replaced" * report.replaced)
        case "repeated":
            what = f"{word} was already found"
        case "dropped":
            what = "words have two letters or more"
        case "swapped":
            what = f"{way} is now {letters}"
        case "out_of_time":
            what = "ran out of time"
        case "not_begun":
            what = "did not begin in time"
        case "hinted":
            what = f"a hint, {letters}  ({way})" if way else "no word left to hint at"
        case _:
            what = report.result
    return f"{name}: {what}"


def suggested(suggestion: Suggestion, name: str, size: int) -> str:
    """Describe in a sentence the word that a player showed to a partner."""
    way, points = path(suggestion.cells, size), format_count(suggestion.points, "point")
    return f"{name}: showed {suggestion.word.upper()}, {points}  ({way})"


def analysis(found: Analysis, names: Sequence[str]) -> RenderableType:
    """Render the analysis: each turn with the best move, each seat's score and accuracy, the missed words."""
    turns = Table("Turn", "Player", "Played", title="Analysis", box=box.SIMPLE_HEAD)
    turns.add_column("Points", justify="right")
    turns.add_column("Best move")
    turns.add_column("Points", justify="right")
    for turn in found.turns:
        hinted = " (hint)" if turn.hinted else ""
        played = turn.word.upper() + hinted if turn.word else "passed"
        turns.add_row(str(turn.number), names[turn.seat], played, str(turn.points), *_best(turn))
    seats = [
        f"{name}: "
        + _points(seat, [turn for turn in found.turns if turn.seat == place])
        + (f", best word {seat.best_word.upper()} for {seat.best_points}" if seat.best_word else "")
        for place, (name, seat) in enumerate(zip(names, found.seats, strict=True))
    ]
    measured = any(seat.accuracy is not None for seat in found.seats)
    lines = [*seats, *([ACCURACY.definition] if measured else [])]
    lines += missed_words(found.missed)
    return Group(*([turns] if found.turns else []), *(Text(line) for line in lines))


def _points(seat: SeatAnalysis, turns: Sequence[TurnAnalysis]) -> str:
    if seat.accuracy is None:
        return format_count(seat.score, "point")
    played, lost = counted_points(turns)
    hinted = any(turn.hinted for turn in turns)
    return (
        f"accuracy {format_rounded(seat.accuracy)}%, {played} of {format_count(played + lost, 'point')}"
        f"{f' without a hint, {seat.score} in all' if hinted else ''}"
    )


def goals(level: LevelView) -> Text:
    """Render the goals of a level and the progress in one line."""
    parts = [f"{goal.text}: {goal.reached} of {goal.target}" for goal in level.goals]
    return Text("  |  ".join([f"{format_count(level.moves_left, 'move')} left", *parts]))


def _tile(tile: TileView, marked: bool) -> Text:  # noqa: FBT001
    if tile.obstacle == "wall":
        return Text("####", style="dim")
    letter = f"{tile.letter.upper()} {tile.value}"
    text = Text(letter, style=Style.parse(f"bold {_PATH}") if marked else Style(bold=True))
    if tile.gem:
        text.append(GEM, style=_GEM)
    if bonus := _BONUSES.get((tile.letter_factor, tile.word_factor)):
        text.append(f"\n{bonus}", style=_BONUS)
    if tile.obstacle:
        text.append(
            f"\n{tile.obstacle}{f' {tile.obstacle_count}' if tile.obstacle_count else ''}", style=_BONUS
        )
    return text


def _best(turn: TurnAnalysis) -> tuple[str, str]:
    words, points = [turn.best.word.upper() or "none"], [str(turn.best.points)]
    if turn.with_swap:
        words.append(_with_swaps(turn.with_swap, turn.size))
        points.append(str(turn.with_swap.points))
    if turn.plan:
        word = turn.plan.word
        step = "shuffle" if turn.plan.shuffle else _with_swaps(word, turn.size) if word else "none"
        words.append(f"plan: {step}")
        played, best = format_rounded(turn.plan.expected_as_played), format_rounded(turn.plan.expected)
        points.append(f"{played} of {best} expected")
    return "; ".join(words), "; ".join(points)


def _with_swaps(word: BestWord, size: int) -> str:
    swaps = ", ".join(f"{cell_name(cell, size)} to {letter.upper()}" for cell, letter in word.swaps)
    return f"{word.word.upper()} with {swaps}" if swaps else word.word.upper()
