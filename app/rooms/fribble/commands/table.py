"""Shells of a Fribble game in progress: bot against bot, and person against bot."""

from dataclasses import dataclass

from app.games.fribble.notation import parse
from app.games.fribble.position import parse_rack
from app.games.fribble.state import Challenge, Exchange, Move, Pass, Place, Resign, preset_of
from app.rooms.fribble import drawing as shown
from app.rooms.fribble.commands.shell import GameShell, as_number
from app.terminal.shell import Command, InvalidInput


class Table(GameShell):
    """A game in progress; a typed line is a move of the player to move."""

    def offered(self) -> dict[str, Command]:
        commands = super().offered() | {
            "/exchange": Command("TILES", "exchange tiles", self._exchange),
            "/pass": Command("", "pass", lambda _: self.make(Pass())),
        }
        if self.state.options.challenge == "double":
            commands["/challenge"] = Command("", "challenge the last play", lambda _: self.make(Challenge()))
        return commands

    def typed(self, line: str) -> None:
        """Play the typed move, or the listed move with the typed number."""
        if line.isdigit():
            if not 1 <= as_number(line, "the move") <= len(self.listed):
                raise InvalidInput(f"move {line} is not listed; /best lists moves")
            placement = self.listed[int(line) - 1].placement
        else:
            placement = parse(line, self.state.board, self.state.racks[self.state.to_move])
        self.make(Place(cells=placement.cells, tiles=placement.tiles))

    def make(self, move: Move) -> None:
        """Make a move for the player to move and print it. Raises IllegalMove."""
        after = self.game.apply(self.state, self.state.to_move, move, 0.0)
        self.states.append(after)
        self.listed = ()
        if after.turns:
            self.say(self.format_turn(after.turns[-1]))

    def finish(self) -> bool:
        """Print the result if the game is over; return whether it is."""
        outcome = self.game.outcome(self.state)
        if outcome is None:
            return False
        self.draw()
        self.say(shown.ending(self.state, self.names, outcome.winners))
        return True

    def _exchange(self, rest: str) -> None:
        tiles = parse_rack(rest)
        if not tiles:
            raise InvalidInput("name the tiles to exchange: /exchange VUU")
        self.make(Exchange(tiles=tiles))


@dataclass(eq=False, kw_only=True)
class Solo(Table):
    """A person on seat 0 against a bot."""

    level: int
    """Level of the bot."""

    def offered(self) -> dict[str, Command]:
        return super().offered() | {"/resign": Command("", "resign", lambda _: self._resign())}

    def begin(self) -> None:
        self.say(f"Fribble, {preset_of(self.state).title}. {shown.LEGEND}.")
        self.help()
        self.draw()

    def shown(self) -> tuple[int, ...] | None:
        """Return the person's seat; all seats once the game is over."""
        return None if self.state.reason is not None else (0,)

    def ready(self) -> bool:
        """Play the bot's turns; return False once the game is over."""
        while self.state.reason is None and self.state.to_move != 0:
            self.make(self.game.bot(self.state, self.state.to_move, self.level).move)
            if self.state.reason is None:
                self.draw()
        return not self.finish()

    def _resign(self) -> None:
        self.states.append(self.game.apply(self.state, 0, Resign(), 0.0))
