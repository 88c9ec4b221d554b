"""The shell of ``wibble fribble study``."""

from dataclasses import dataclass, field

from app.commands.fribble_shell import GameShell, as_number
from app.commands.shell import Command, Misread
from app.games.fribble.known import holding
from app.games.fribble.position import parse_rack
from app.games.fribble.state import State


@dataclass(eq=False)
class Study(GameShell):
    """Goes back and forth in a game that was played: ``states`` end with the one that is looked at."""

    whole: tuple[State, ...] = field(init=False)
    """All positions of the game."""

    def __post_init__(self) -> None:
        self.whole = tuple(self.states)

    def offered(self) -> dict[str, Command]:
        """Also those that move to another position, or suppose another rack."""
        return super().offered() | {
            "/next": Command("", "one turn on", lambda _: self._go(len(self.states))),
            "/back": Command("", "one turn back", lambda _: self._go(len(self.states) - 2)),
            "/go": Command("N", "to the position after N turns, 0 the first", self._go_to),
            "/rack": Command("TILES", "suppose that whose turn it is holds these", self._rack),
        }

    @property
    def prompt(self) -> str:
        """Which position it is, of how many."""
        return f"{len(self.states) - 1}/{len(self.whole) - 1}> "

    def _go_to(self, rest: str) -> None:
        self._go(as_number(rest, "which position"))

    def _go(self, number: int) -> None:
        if not 0 <= number < len(self.whole):
            raise Misread(f"there is no position {number}: they are 0 to {len(self.whole) - 1}")
        self.states = list(self.whole[: number + 1])
        if self.state.turns and number:
            self.say(self.told(self.state.turns[-1]))
        self.draw()

    def _rack(self, rest: str) -> None:
        self.states[-1] = holding(self.state, self.state.to_move, parse_rack(rest))
        self.draw()
