"""Ghost in the terminal."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.console import RenderableType
from rich.text import Text

from app.games.game import AnyGame
from app.terminal import Terminal
from app.terminal.display import Display
from app.terminal.record_renderer import RecordRenderer
from tests.sixth_room.ghost.rules import Add, Ghost, Move, Resign, State, View


class GhostDisplay(Display):
    """Displays Ghost."""

    game: ClassVar[type[AnyGame]] = Ghost

    def title(self, view: View) -> str:
        return f"Ghost, {view.lexicon}"

    def board(self, view: View, names: Sequence[str]) -> RenderableType:
        return Text(view.fragment.upper() or "no letters yet")

    def position(self, view: View) -> object:
        return view.fragment

    def changes(self, before: View, after: View, names: Sequence[str]) -> list[str]:
        added = after.fragment[len(before.fragment) :]
        lines = [
            f"{names[(len(before.fragment) + index) % len(names)]}: {letter.upper()}"
            for index, letter in enumerate(added)
        ]
        if after.loser is not None and after.reason == "resigned":
            lines.append(f"{names[after.loser]}: resigned")
        return lines

    def move(self, typed: str, view: View) -> Move:
        if typed == "/resign":
            return Resign()
        return Add(letter=typed)

    def introduction(self, view: View) -> str:
        return "Type a letter to add it. Do not complete a word of four letters or more."

    def commands(self, view: View) -> dict[str, tuple[str, str]]:
        return {"/resign": ("", "resign")}


class GhostRenderer(RecordRenderer[Ghost, State]):
    """A recorded game of Ghost."""

    def heading(self) -> str:
        return f"Ghost, {self.states[0].options.lexicon.name}"

    def scores(self, state: State) -> tuple[int, ...]:
        outcome = self.game.outcome(state)
        return outcome.scores if outcome else (0,) * state.seats

    def format_move(self, ply: int) -> str:
        line = self.recorded.moves[ply]
        made = line.move.letter.upper() if isinstance(line.move, Add) else "resigned"
        return f"{self.names[line.seat]}: {made}"

    def position(self, ply: int) -> RenderableType:
        return Text(self.states[ply].fragment.upper() or "no letters yet")

    def analysis(self) -> RenderableType:
        escapes = self.game.analyse(self.states).escapes
        return Text("\n".join(f"{ply}: {letters.upper() or 'none'}" for ply, letters in enumerate(escapes)))


TERMINAL: Final = Terminal(display=GhostDisplay(), renderer=GhostRenderer)
