"""How puzzles of Wibble are shown."""

from typing import Any, ClassVar, NamedTuple

from app.games.puzzles import Answer
from app.games.wibble.modes import modes
from app.games.wibble.planning import affordable_swaps
from app.games.wibble.puzzles import SIZE, Position, gem_values
from app.games.wibble.views import TileView, tile_views
from app.grammar import format_count
from app.web.puzzle_board import Entry, PuzzleBoard
from app.web.share.tiles import Tiles, square


class Shown(NamedTuple):
    """The part of a view that the board's template uses."""

    size: int
    tiles: tuple[TileView, ...]


class WibbleBoard(PuzzleBoard):
    """A board of Classic with gems and bonuses."""

    entry: ClassVar[Entry] = "path"
    styles: ClassVar[tuple[str, ...]] = ("wibble/wibble.css",)

    def context(self, position: Position) -> dict[str, Any]:
        return {
            "shown": Shown(SIZE, tile_views(position.board, position.scoring)),
            "swaps": affordable_swaps(modes()["classic"], position.gems),
        }

    def facts(self, position: Position) -> tuple[str, ...]:
        """The round, the gems held and the swaps they pay for, and the later value of a gem."""
        mode = modes()["classic"]
        swaps = affordable_swaps(mode, position.gems)
        held = format_count(position.gems, "gem")
        facts = [f"Round {position.round} of {mode.rounds}"]
        paid = f"{held}: up to {format_count(swaps, 'swap')}. If you type the word, use its new letters"
        facts.append(paid if swaps else held)
        if position.round == mode.rounds:
            return (*facts, "Last round: gems are worth nothing later")
        return (
            *facts,
            f"A gem you keep or collect is worth about {format_count(_gem(position), 'point')} later",
        )

    def swaps(self, position: Position, answer: Answer) -> tuple[int, ...]:
        letters = position.board.letters
        return tuple(
            cell for cell, letter in zip(answer.cells, answer.word, strict=True) if letters[cell] != letter
        )

    def tiles(self, position: Position) -> Tiles:
        return square(position.board.letters)


def _gem(position: Position) -> int:
    values = gem_values(position)
    counted = min(3, len(values) - 1)
    return max(1, round(values[counted] / counted)) if counted else 0
