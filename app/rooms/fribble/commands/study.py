"""The shell of ``wibble fribble study``."""

from dataclasses import dataclass, field

from app.games.fribble.known_tiles import with_rack
from app.games.fribble.position import parse_rack
from app.games.fribble.state import State
from app.rooms.fribble.commands.shell import GameShell, as_number
from app.terminal.shell import Command, InvalidInput


@dataclass(eq=False)
class Study(GameShell):
    """Steps through a finished game; the last of ``states`` is the current position."""

    whole: tuple[State, ...] = field(init=False)
    """All positions of the game."""

    def __post_init__(self) -> None:
        self.whole = tuple(self.states)

    def offered(self) -> dict[str, Command]:
        return super().offered() | {
            "/next": Command("", "go forward one turn", lambda _: self._go(len(self.states))),
            "/back": Command("", "go back one turn", lambda _: self._go(len(self.states) - 2)),
            "/go": Command("N", "go to the position after N turns", self._go_to),
            "/rack": Command("TILES", "set the rack of the player to move", self._rack),
        }

    @property
    def prompt(self) -> str:
        return f"{len(self.states) - 1}/{len(self.whole) - 1}> "

    def _go_to(self, rest: str) -> None:
        self._go(as_number(rest, "the position"))

    def _go(self, number: int) -> None:
        if not 0 <= number < len(self.whole):
            raise InvalidInput(f"position {number} does not exist; accepted: 0 to {len(self.whole) - 1}")
        self.states = list(self.whole[: number + 1])
        if self.state.turns and number:
            self.say(self.format_turn(self.state.turns[-1]))
        self.draw()

    def _rack(self, rest: str) -> None:
        self.states[-1] = with_rack(self.state, self.state.to_move, parse_rack(rest))
        self.draw()
