"""Wibble in the terminal: display, and renderer of recorded games."""

import time
from collections.abc import Sequence
from typing import ClassVar, Final

from rich.console import Group, RenderableType
from rich.text import Text

from app.games.game import AnyGame
from app.games.wibble.analysis import Analysis
from app.games.wibble.modes import modes
from app.games.wibble.moves import Chain, Move, Start, Suggest
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Board, Phase, Report, State
from app.games.wibble.tracing import best_trace
from app.games.wibble.views import View
from app.rooms.wibble import drawing as shown
from app.rooms.wibble.typed_moves import POWERS, typed_move
from app.terminal import Terminal
from app.terminal.cells import with_names
from app.terminal.clocks import with_times
from app.terminal.display import AnalysisDisplay, Display, a_word, not_understood
from app.terminal.record_renderer import RecordRenderer


class WibbleDisplay(Display, AnalysisDisplay):
    """Displays Wibble."""

    game: ClassVar[type[AnyGame]] = Wibble

    def title(self, view: View) -> str:
        if view.level:
            return f"Wibble Adventure, level {view.level.number}: {view.level.title}. {view.level.story}"
        return f"Wibble {modes()[view.mode].title}, {view.size}x{view.size}. {modes()[view.mode].blurb}"

    def board(self, view: View, names: Sequence[str]) -> RenderableType:
        status: RenderableType = shown.status(view, with_times(names, view.clocks, time.time()))
        if view.level:
            status = Group(status, shown.goals(view.level))
        return Group(shown.board(view.tiles, view.size), status) if view.tiles else status

    def position(self, view: View) -> object:
        return view.tiles, view.scores, view.to_move, view.phase

    def changes(self, before: View, after: View, names: Sequence[str]) -> list[str]:
        tiles = Board(letters="".join(tile.letter for tile in after.tiles))
        reports = [
            Report(
                result="scored" if turn.word else "passed",
                seat=turn.seat,
                word=turn.word,
                cells=turn.cells,
                points=turn.points,
                gems=turn.gems,
            )
            for turn in after.turns[len(before.turns) :]
        ]
        latest = after.report
        if latest and latest.result not in ("started", "scored", "passed", "finished"):
            reports.append(latest)
        return [shown.format_report(report, names[report.seat], tiles, after.size) for report in reports]

    def move(self, typed: str, view: View) -> Move:
        word = a_word(typed)
        move = typed_move(
            word or typed, view.size, lambda letters: best_trace(view.tiles, view.size, letters)
        )
        if move is None:
            raise not_understood(typed)
        return move

    def analysis(self, found: Analysis, names: Sequence[str]) -> RenderableType:
        return shown.analysis(found, names)

    def introduction(self, view: View) -> str:
        return "Type a word to play it on its best path, or its tiles: a1 b2 b3."

    def commands(self, view: View) -> dict[str, tuple[str, str]]:
        offered = {f"/{power.power}": POWERS[power.power] for power in view.powers}
        if view.rounds:
            offered["/pass"] = ("", "pass")
        return offered | {"/resign": ("", "finish the game")}

    def explain(self, refusal: str, view: View) -> str:
        return with_names(refusal, view.size)

    def start(self, view: View) -> Start | None:
        """Return the move that starts the clock, if the game waits for it."""
        return Start() if view.phase is Phase.TITLE and view.seat is not None else None

    def may_move(self, view: View) -> bool:
        """Return whether it is the player's turn or they have to start the clock."""
        return view.phase is not Phase.FINISHED and super().may_move(view)


class WibbleRenderer(RecordRenderer[Wibble, State]):
    """A game of Wibble."""

    def heading(self) -> str:
        options = self.states[0].options
        return (
            f"Wibble {modes()[options.mode].title}, {options.size}x{options.size}, "
            f"{options.lexicon.name}, seed {self.recorded.seed}"
        )

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def format_move(self, ply: int) -> str:
        line, after = self.recorded.moves[ply], self.states[ply + 1]
        if isinstance(line.move, Suggest):
            return shown.suggested(after.suggestions[-1], self.names[line.seat], after.options.size)
        report = self.game.view(after, line.seat).report
        name = self.names[line.seat]
        if report is None or after.board is None:
            return f"{name}: {line.move.type}"
        return shown.format_report(report, name, after.board, after.options.size)

    def position(self, ply: int) -> RenderableType:
        view = self.game.view(self.states[ply], None)
        if not view.tiles:
            return Text()
        move = self.recorded.moves[ply].move if self._has(ply) else None
        marked = move.cells if isinstance(move, Chain | Suggest) else ()
        status = shown.status(view, with_times(self.names, view.clocks))
        goals = [shown.goals(view.level)] if view.level else []
        return Group(shown.board(view.tiles, view.size, marked), status, *goals)

    def analysis(self) -> RenderableType:
        return shown.analysis(self.game.analyse(self.states), self.names)


TERMINAL: Final = Terminal(display=WibbleDisplay(), renderer=WibbleRenderer)
