"""Fribble in the terminal: display, and renderer of recorded games."""

import time
from collections.abc import Sequence
from typing import ClassVar, Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from app.games.fribble.board import Board
from app.games.fribble.layout import Layout
from app.games.fribble.notation import ACCEPTED, parse
from app.games.fribble.position import parse_rack
from app.games.fribble.presets import presets
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Challenge, Exchange, Move, Pass, Place, Resign, State, View
from app.games.game import AnyGame
from app.grammar import format_rounded
from app.rooms.fribble import drawing as shown
from app.terminal import Terminal
from app.terminal.clocks import with_times
from app.terminal.display import Display
from app.terminal.record_renderer import RecordRenderer


class FribbleDisplay(Display):
    """Displays Fribble."""

    case_matters: ClassVar[bool] = True

    game: ClassVar[type[AnyGame]] = Fribble

    def title(self, view: View) -> str:
        return f"Fribble, {view.title}, {view.lexicon}. {shown.LEGEND}."

    def board(self, view: View, names: Sequence[str]) -> RenderableType:
        latest = view.last.placement if view.last else None
        picture = shown.board(
            Board(rows=view.board), Layout(rows=view.layout), latest.cells if latest else ()
        )
        scores = ", ".join(
            f"{name} {score}"
            for name, score in zip(with_times(names, view.clocks, time.time()), view.scores, strict=True)
        )
        lines = [Text(f"{scores} | {view.bag} in the bag", style="bold")]
        if view.racks is not None:
            racks = zip(names, view.racks, strict=True)
            lines.append(Text(", ".join(f"{name} {rack or 'no tiles'}" for name, rack in racks)))
        elif view.rack is not None:
            lines.append(Text(f"Your rack: {view.rack}", style="bold"))
        return Group(picture, *lines)

    def position(self, view: View) -> object:
        return view.board, view.rack, view.racks, view.scores

    def changes(self, before: View, after: View, names: Sequence[str]) -> list[str]:
        # A withdrawn play changes its own turn, so that the turn is shown again.
        kept = sum(then == now for then, now in zip(before.turns, after.turns, strict=False))
        lines = [shown.turn(turn, names[turn.seat]) for turn in after.turns[min(kept, len(before.turns)) :]]
        new = after.departures[len(before.departures) :]
        lines += [f"{names[left.seat]}: {left.how}" for left in new if after.lists(left)]
        if after.reason is not None and before.reason is None:
            changes = zip(names, after.settled, strict=False)
            settled = ", ".join(f"{name} {change:+}" for name, change in changes if change)
            lines += [f"For the tiles left: {settled}"] if settled else []
        return lines

    def move(self, typed: str, view: View) -> Move | None:
        command, _, rest = typed.partition(" ")
        match command.lower():
            case "/pass":
                return Pass()
            case "/resign":
                return Resign()
            case "/challenge":
                return Challenge()
            case "/exchange":
                tiles = parse_rack(rest)
                if not tiles:
                    raise ValueError("name the tiles to exchange: /exchange VUU")
                return Exchange(tiles=tiles)
            case "/unseen":
                return None
        placement = parse(typed, Board(rows=view.board))
        return Place(cells=placement.cells, tiles=placement.tiles)

    def answer(self, typed: str, view: View) -> RenderableType | None:
        if typed.lower() != "/unseen":
            return None
        return Text(f"{len(view.unseen)} unseen: {shown.tiles(view.unseen)}")

    def introduction(self, view: View) -> str:
        return f"A move: {ACCEPTED}. Lower case is a blank; . is a tile on the board."

    def commands(self, view: View) -> dict[str, tuple[str, str]]:
        offered = {
            "/exchange": ("TILES", "exchange tiles"),
            "/pass": ("", "pass"),
            "/challenge": ("", "challenge the last play"),
            "/unseen": ("", "show the unseen tiles"),
            "/resign": ("", "resign"),
        }
        if view.challenge != "double":
            del offered["/challenge"]
        return offered


class FribbleRenderer(RecordRenderer[Fribble, State]):
    """A game of Fribble."""

    def heading(self) -> str:
        options = self.states[0].options
        title = presets()[options.preset].title
        return f"Fribble, {title}, {options.lexicon.name}, seed {self.recorded.seed}"

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def format_move(self, ply: int) -> str:
        before, after = self.states[ply], self.states[ply + 1]
        if len(after.resigned) > len(before.resigned) and len(after.turns) == len(before.turns):
            return f"{self.names[after.resigned[-1]]}: {after.departures[-1].how}"
        made = after.turns[-1]
        return shown.turn(made, self.names[made.seat])

    def position(self, ply: int) -> RenderableType:
        state = self.states[ply]
        last = state.turns[-1].placement if state.turns else None
        layout = presets()[state.options.preset].layout
        racks = ", ".join(
            f"{name} {rack or 'no tiles'}"
            for name, rack in zip(with_times(self.names, state.clocks), state.racks, strict=True)
        )
        picture = shown.board(state.board, layout, last.cells if last else ())
        return Group(picture, Text(shown.LEGEND, style="dim"), Text(racks, style="bold"))

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
                str(turn.number), self.names[turn.seat], turn.rack, played, best, format_rounded(turn.lost, 1)
            )
        lines = [
            f"{name}: accuracy {'none' if seat.accuracy is None else f'{format_rounded(seat.accuracy)}%'}"
            for name, seat in zip(self.names, found.seats, strict=True)
        ]
        formula = (
            "Accuracy is the mean of 100 x 2^(-lost / 15); lost is how much more equity the best move had."
        )
        return Group(*([table] if found.turns else []), *map(Text, (*lines, formula)))


TERMINAL: Final = Terminal(display=FribbleDisplay(), renderer=FribbleRenderer)
