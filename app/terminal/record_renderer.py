"""Base class of the renderers of recorded games."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel
from rich import box
from rich.console import RenderableType
from rich.table import Table

from app.games.game import AnyGame, Measure
from app.games.record import Record
from app.grammar import format_percent
from app.terminal.clocks import with_times
from app.terminal.display import ending

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
    def format_move(self, ply: int) -> str:
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
            {
                "ply": ply,
                "seat": line.seat,
                "at": line.at,
                "move": line.move,
                "account": self.format_move(ply),
            }
            | {"scores": self.scores(self.states[ply + 1])}
            | self._clocks(self.states[ply + 1])
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
            scores = with_times(self.scores(after), getattr(after, "clocks", None))
            table.add_row(str(ply), self.format_move(ply), *scores)
        return table

    def _clocks(self, state: StateT) -> dict[str, Any]:
        """Return the seconds that each seat has left, as ``clocks``; empty in a game without clocks."""
        clocks = getattr(state, "clocks", None)
        return {} if clocks is None else {"clocks": clocks.left}

    def describe_result(self) -> str:
        """Describe how the game ended, or the scores of an unfinished one."""
        outcome = self.game.outcome(self.states[-1])
        if outcome is not None:
            return ending(outcome, self.names)
        scores = zip(self.names, self.scores(self.states[-1]), strict=True)
        text = ", ".join(f"{name} {score}" for name, score in scores)
        return f"Verified; the game was not finished. {text}."


class MissedWord(Protocol):
    """A word that no player found."""

    @property
    def word(self) -> str:
        """The word in lower case."""

    @property
    def points(self) -> int:
        """Its points."""


def measured(share: float | None, measure: Measure) -> str:
    """Format an accuracy as a phrase, also if there is none."""
    return f"none {measure.phrase}" if share is None else f"{format_percent(share)} {measure.phrase}"


def missed_words(missed: Iterable[MissedWord]) -> list[str]:
    """Return a line that lists missed words; nothing if there are none."""
    words = ", ".join(f"{each.word.upper()} {each.points}" for each in missed)
    return [f"Missed words: {words}"] if words else []
