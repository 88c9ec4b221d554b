"""The shells of a game of Fribble that goes on: the machine against itself, a person against it."""

from dataclasses import dataclass

from app.commands import fribble_board as shown
from app.commands.fribble_shell import GameShell, as_number
from app.commands.shell import Command, Misread
from app.games.fribble.notation import parse
from app.games.fribble.position import parse_rack
from app.games.fribble.state import Challenge, Exchange, Move, Pass, Place, Resign, preset_of


class Table(GameShell):
    """A game that goes on: what is typed is a move of whose turn it is."""

    def offered(self) -> dict[str, Command]:
        """Also the turns that lay nothing."""
        commands = super().offered() | {
            "/exchange": Command("TILES", "put tiles back and draw others", self._exchange),
            "/pass": Command("", "let the turn go by", lambda _: self.make(Pass())),
        }
        if self.state.options.challenge == "double":
            commands["/challenge"] = Command("", "doubt the latest play", lambda _: self.make(Challenge()))
        return commands

    def typed(self, line: str) -> None:
        """Play a move, or the one of that number in the list."""
        if line.isdigit():
            if not 1 <= as_number(line, "which move") <= len(self.listed):
                raise Misread(f"there is no move {line} in a list; /best lists moves")
            placement = self.listed[int(line) - 1].placement
        else:
            placement = parse(line, self.state.board, self.state.racks[self.state.to_move])
        self.make(Place(cells=placement.cells, tiles=placement.tiles))

    def make(self, move: Move) -> None:
        """Make the move of whose turn it is, and say what it was. Raises IllegalMove."""
        after = self.game.apply(self.state, self.state.to_move, move, 0.0)
        self.states.append(after)
        self.listed = ()
        if after.turns:
            self.say(self.told(after.turns[-1]))

    def finish(self) -> bool:
        """Say how the game ended, if it did."""
        outcome = self.game.outcome(self.state)
        if outcome is None:
            return False
        self.draw()
        self.say(shown.ending(self.state, self.names, outcome.winners))
        return True

    def _exchange(self, rest: str) -> None:
        tiles = parse_rack(rest)
        if not tiles:
            raise Misread("name the tiles to put back: /exchange VUU")
        self.make(Exchange(tiles=tiles))


@dataclass(eq=False, kw_only=True)
class Solo(Table):
    """A person on seat 0 against a bot."""

    level: int
    """The bot's."""

    def offered(self) -> dict[str, Command]:
        """Also to give up."""
        return super().offered() | {"/resign": Command("", "give the game up", lambda _: self._resign())}

    def begin(self) -> None:
        """Say what is played."""
        self.say(f"Fribble, {preset_of(self.state).title}. {shown.LEGEND}.")
        self.help()
        self.draw()

    def shown(self) -> tuple[int, ...] | None:
        """The person's rack; the bot's once the game is over."""
        return None if self.state.reason is not None else (0,)

    def ready(self) -> bool:
        """Let the bot move, until it is the person's turn."""
        while self.state.reason is None and self.state.to_move != 0:
            self.make(self.game.bot(self.state, self.state.to_move, self.level).move)
            if self.state.reason is None:
                self.draw()
        return not self.finish()

    def _resign(self) -> None:
        self.states.append(self.game.apply(self.state, 0, Resign(), 0.0))
