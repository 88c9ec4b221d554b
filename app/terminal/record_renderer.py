"""Terminal rendering of recorded games, with a renderer for each kind of game."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from pydantic import BaseModel
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from app.commands import board as shown
from app.commands import fribble_board, letterpress_board
from app.commands.letterpress_board import played
from app.games.fribble import state as fribble
from app.games.fribble.presets import presets
from app.games.fribble.rules import Fribble
from app.games.game import AnyGame
from app.games.letterpress import state as letterpress
from app.games.letterpress.rules import Letterpress
from app.games.record import Record
from app.games.wibble import state as wibble
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble

GameT = TypeVar("GameT", bound=AnyGame)
StateT = TypeVar("StateT", bound=BaseModel)


class RecordRenderer(ABC, Generic[GameT, StateT]):
    """Renders a verified game with all its states."""

    def __init__(self, game: GameT, recorded: Record, states: tuple[StateT, ...]) -> None:
        self.game = game
        self.recorded = recorded
        self.states: tuple[StateT, ...] = states
        self.names = [f"Player {seat + 1}" for seat in range(game.seat_count(states[0]))]

    @abstractmethod
    def heading(self) -> str:
        """Return the game, its options and the seed in a line."""

    @abstractmethod
    def scores(self, state: StateT) -> tuple[int, ...]:
        """Return the score of each seat."""

    @abstractmethod
    def account(self, ply: int) -> str:
        """Describe the result of move ``ply``, counted from 0."""

    @abstractmethod
    def position(self, ply: int) -> RenderableType:
        """Render the board after ``ply`` moves."""

    @abstractmethod
    def analysis(self) -> RenderableType:
        """Render each turn with the best move."""

    def _has(self, ply: int) -> bool:
        """Return whether there is a move ``ply``, counted from 0."""
        return ply < len(self.recorded.moves)

    def document(self) -> dict[str, Any]:
        """Return the game as a JSON document: options, moves with their results, and the outcome."""
        moves = [
            {"ply": ply, "seat": line.seat, "at": line.at, "move": line.move, "account": self.account(ply)}
            | {"scores": self.scores(self.states[ply + 1])}
            for ply, line in enumerate(self.recorded.moves)
        ]
        return {
            "kind": self.recorded.kind,
            "options": self.recorded.options,
            "seats": self.recorded.seats,
            "seed": self.recorded.seed,
            "moves": moves,
            "outcome": self.game.outcome(self.states[-1]),
        }

    def moves(self) -> Table:
        """Return a table of moves with their results and the scores after them."""
        table = Table("Ply", box=box.SIMPLE_HEAD)
        table.add_column("Move", overflow="fold")
        for name in self.names:
            table.add_column(name, justify="right")
        for ply, after in enumerate(self.states[1:]):
            table.add_row(str(ply), self.account(ply), *map(str, self.scores(after)))
        return table

    def standing(self) -> str:
        """Describe how the game ended, or the scores of an unfinished one."""
        outcome = self.game.outcome(self.states[-1])
        if outcome is not None:
            return shown.ending(outcome, self.names)
        scores = zip(self.names, self.scores(self.states[-1]), strict=True)
        standings = ", ".join(f"{name} {score}" for name, score in scores)
        return f"Verified; the game was not finished. {standings}."


class WibbleRenderer(RecordRenderer[Wibble, wibble.State]):
    """A game of Wibble."""

    def heading(self) -> str:
        options = self.states[0].options
        return (
            f"Wibble {modes()[options.mode].title}, {options.size}x{options.size}, "
            f"{options.lexicon.name}, seed {self.recorded.seed}"
        )

    def scores(self, state: wibble.State) -> tuple[int, ...]:
        return state.scores

    def account(self, ply: int) -> str:
        line, after = self.recorded.moves[ply], self.states[ply + 1]
        report = self.game.view(after, line.seat).report
        name = self.names[line.seat]
        if report is None or after.board is None:
            return f"{name}: {line.move.type}"
        return shown.account(report, name, after.board, after.options.size)

    def position(self, ply: int) -> RenderableType:
        view = self.game.view(self.states[ply], None)
        if not view.tiles:
            return Text()
        move = self.recorded.moves[ply].move if ply < len(self.recorded.moves) else None
        marked = move.cells if isinstance(move, wibble.Chain) else ()
        return Group(shown.board(view.tiles, view.size, marked), shown.status(view, self.names))

    def analysis(self) -> RenderableType:
        return shown.analysis(self.game.analyse(self.states), self.names)


class LetterpressRenderer(RecordRenderer[Letterpress, letterpress.State]):
    """A game of Letterpress."""

    def heading(self) -> str:
        first = self.states[0]
        return f"Letterpress, {first.board.upper()}, {first.options.lexicon.name}, seed {self.recorded.seed}"

    def scores(self, state: letterpress.State) -> tuple[int, ...]:
        return tuple(own.bit_count() for own in state.owned)

    def account(self, ply: int) -> str:
        line, after = self.recorded.moves[ply], self.states[ply + 1]
        name = self.names[line.seat]
        if after.resigned is not None:
            return f"{name}: resigned"
        return f"{name}: {played(after.turns[-1])}"

    def position(self, ply: int) -> RenderableType:
        state = self.states[ply]
        move = self.recorded.moves[ply].move if ply < len(self.recorded.moves) else None
        marked = move.cells if isinstance(move, letterpress.Play) else ()
        picture = letterpress_board.board(state.board, state.owned, marked)
        return Group(picture, letterpress_board.legend(state.owned, self.names))

    def analysis(self) -> RenderableType:
        found = self.game.analyse(self.states)
        table = Table("Turn", "Player", "Played", title="Analysis", box=box.SIMPLE_HEAD)
        table.add_column("Best move")
        table.add_column("Lost", justify="right")
        for turn in found.turns:
            best = played(turn.best) if turn.lost else "nothing better"
            table.add_row(str(turn.number), self.names[turn.seat], played(turn), best, str(turn.lost))
        lines = [
            f"{name}: accuracy {'none' if seat.accuracy is None else f'{seat.accuracy:.0f}%'}"
            + (f", best word {seat.best_word.upper()} for {seat.best_points:+}" if seat.best_word else "")
            for name, seat in zip(self.names, found.seats, strict=True)
        ]
        formula = (
            "Accuracy is the mean of 100 x 2^(-lost / 12); lost is how much more the best move was worth."
        )
        return Group(*([table] if found.turns else []), *map(Text, (*lines, formula)))


class FribbleRenderer(RecordRenderer[Fribble, fribble.State]):
    """A game of Fribble."""

    def heading(self) -> str:
        options = self.states[0].options
        title = presets()[options.preset].title
        return f"Fribble, {title}, {options.lexicon.name}, seed {self.recorded.seed}"

    def scores(self, state: fribble.State) -> tuple[int, ...]:
        return state.scores

    def account(self, ply: int) -> str:
        before, after = self.states[ply], self.states[ply + 1]
        if len(after.resigned) > len(before.resigned) and len(after.turns) == len(before.turns):
            return f"{self.names[after.resigned[-1]]}: resigned"
        made = after.turns[-1]
        return fribble_board.turn(made, self.names[made.seat])

    def position(self, ply: int) -> RenderableType:
        state = self.states[ply]
        last = state.turns[-1].placement if state.turns else None
        layout = presets()[state.options.preset].layout
        racks = ", ".join(
            f"{name} {rack or 'no tiles'}" for name, rack in zip(self.names, state.racks, strict=True)
        )
        picture = fribble_board.board(state.board, layout, last.cells if last else ())
        return Group(picture, Text(fribble_board.LEGEND, style="dim"), Text(racks, style="bold"))

    def analysis(self) -> RenderableType:
        found = self.game.analyse(self.states)
        table = Table("Turn", "Player", "Rack", "Played", title="Analysis", box=box.SIMPLE_HEAD)
        table.add_column("Best move")
        table.add_column("Lost", justify="right")
        for turn in found.turns:
            played = f"{turn.coordinate} {turn.text} {turn.points}" if turn.kind == "place" else turn.kind
            top = turn.best[0] if turn.best and turn.lost else None
            best = f"{top.coordinate} {top.text} {top.score}" if top else "nothing better"
            table.add_row(
                str(turn.number), self.names[turn.seat], turn.rack, played, best, f"{turn.lost:.1f}"
            )
        lines = [
            f"{name}: accuracy {'none' if seat.accuracy is None else f'{seat.accuracy:.0f}%'}"
            for name, seat in zip(self.names, found.seats, strict=True)
        ]
        formula = (
            "Accuracy is the mean of 100 x 2^(-lost / 15); lost is how much more equity the best move had."
        )
        return Group(*([table] if found.turns else []), *map(Text, (*lines, formula)))
