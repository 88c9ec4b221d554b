"""Letterpress in the terminal: display, and renderer of recorded games."""

import time
from collections.abc import Sequence
from typing import ClassVar, Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from app.games.game import AnyGame
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Move, Pass, Play, Resign, State, View
from app.games.letterpress.territory import SIDE, Territory, lay
from app.grammar import format_rounded
from app.rooms.letterpress import drawing as shown
from app.terminal import Terminal
from app.terminal.cells import named_cells, with_names
from app.terminal.clocks import with_times
from app.terminal.display import Display, a_word, not_understood
from app.terminal.record_renderer import RecordRenderer


class LetterpressDisplay(Display):
    """Displays Letterpress."""

    game: ClassVar[type[AnyGame]] = Letterpress

    def title(self, view: View) -> str:
        return f"Letterpress, {view.lexicon}"

    def board(self, view: View, names: Sequence[str]) -> RenderableType:
        latest = view.turns[-1].cells if view.turns else ()
        names_with_times = with_times(names, view.clocks, time.time())
        return Group(shown.board(view.board, view.owned, latest), shown.legend(view.owned, names_with_times))

    def position(self, view: View) -> object:
        return view.owned, view.to_move

    def changes(self, before: View, after: View, names: Sequence[str]) -> list[str]:
        turns = after.turns[len(before.turns) :]
        lines = [f"{names[turn.seat]}: {shown.played(turn)}" for turn in turns]
        if after.resigned is not None and before.resigned is None:
            lines.append(f"{names[after.resigned]}: {after.gone.get(after.resigned, 'resigned')}")
        return lines

    def move(self, typed: str, view: View) -> Move:
        if typed == "/pass":
            return Pass()
        if typed == "/resign":
            return Resign()
        if cells := named_cells(typed, SIDE, SIDE):
            return Play(cells=cells)
        if word := a_word(typed):
            mine = view.seat or 0
            territory = Territory(ours=view.owned[mine], theirs=view.owned[1 - mine])
            return Play(cells=lay(word, view.board, territory))
        raise not_understood(typed)

    def explain(self, refusal: str, view: View) -> str:
        return with_names(refusal, SIDE)

    def introduction(self, view: View) -> str:
        return "Type a word to play it with the tiles that gain most, or its tiles: a1 b2 b3."

    def commands(self, view: View) -> dict[str, tuple[str, str]]:
        return {
            "/pass": ("", "pass; two passes in a row end the game"),
            "/resign": ("", "resign"),
        }


class LetterpressRenderer(RecordRenderer[Letterpress, State]):
    """A game of Letterpress."""

    def heading(self) -> str:
        first = self.states[0]
        return f"Letterpress, {first.board.upper()}, {first.options.lexicon.name}, seed {self.recorded.seed}"

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(own.bit_count() for own in state.owned)

    def format_move(self, ply: int) -> str:
        line, after = self.recorded.moves[ply], self.states[ply + 1]
        name = self.names[line.seat]
        if after.resigned is not None:
            return f"{name}: {after.departures[-1].how}"
        return f"{name}: {shown.played(after.turns[-1])}"

    def position(self, ply: int) -> RenderableType:
        state = self.states[ply]
        move = self.recorded.moves[ply].move if self._has(ply) else None
        marked = move.cells if isinstance(move, Play) else ()
        picture = shown.board(state.board, state.owned, marked)
        return Group(picture, shown.legend(state.owned, with_times(self.names, state.clocks)))

    def analysis(self) -> RenderableType:
        found = self.game.analyse(self.states)
        table = Table("Turn", "Player", "Played", title="Analysis", box=box.SIMPLE_HEAD)
        table.add_column("Best move")
        table.add_column("Lost", justify="right")
        for turn in found.turns:
            best = shown.played(turn.best) if turn.lost else "nothing better"
            table.add_row(str(turn.number), self.names[turn.seat], shown.played(turn), best, str(turn.lost))
        lines = [
            f"{name}: accuracy {'none' if seat.accuracy is None else f'{format_rounded(seat.accuracy)}%'}"
            + (f", best word {seat.best_word.upper()} for {seat.best_points:+}" if seat.best_word else "")
            for name, seat in zip(self.names, found.seats, strict=True)
        ]
        formula = (
            "Accuracy is the mean of 100 x 2^(-lost / 12); lost is how much more the best move was worth."
        )
        return Group(*([table] if found.turns else []), *map(Text, (*lines, formula)))


TERMINAL: Final = Terminal(display=LetterpressDisplay(), renderer=LetterpressRenderer)
