"""The shell of ``wibble fribble``: look at a position, try moves, list the best."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

from rich.console import Console

from app.commands import fribble_board as shown
from app.commands.board import harmless
from app.commands.shell import Command, Misread, Shell
from app.games.fribble import gcg
from app.games.fribble.advice import Advice
from app.games.fribble.adviser import outlook_of
from app.games.fribble.known import Impossible
from app.games.fribble.notation import ACCEPTED, BadNotation, parse
from app.games.fribble.position import BadPosition
from app.games.fribble.rules import Fribble
from app.games.fribble.simulate import LookAhead
from app.games.fribble.state import State, Turn, preset_of
from app.games.fribble.strategy import Strategy
from app.games.game import IllegalMove
from app.grammar import format_count

LISTED: Final = 10


class Thinking(NamedTuple):
    """How the moves that are listed are valued."""

    strategy: Literal["greedy", "static", "simulating"] = "static"
    """By score alone, with what the tiles kept are worth, or by playing on."""
    budget_ms: int = 1000
    """Milliseconds that playing on may take."""

    def ahead(self) -> LookAhead | None:
        """How far to play on from now."""
        if self.strategy != "simulating":
            return None
        deadline = time.monotonic() + self.budget_ms / 1000
        return LookAhead.until(lambda: time.monotonic() > deadline)


AT_A_GLANCE: Final = Thinking()


@dataclass(eq=False)
class GameShell(Shell):
    """Looks at a game."""

    refusals = (IllegalMove, BadNotation, BadPosition, Impossible, Misread)

    game: Fribble
    states: list[State]
    """All the positions so far, in order; the shell goes on with this very list."""
    names: Sequence[str]
    """The players', by seat."""
    console: Console
    thinking: Thinking = AT_A_GLANCE
    listed: tuple[Advice, ...] = field(default=(), init=False)
    """The moves that were listed last for the position there is."""

    def offered(self) -> dict[str, Command]:
        """Look at the position and list moves."""
        return {
            "/board": Command("", "show the board", lambda _: self.draw()),
            "/best": Command("[N]", f"list the best moves, {LISTED} or N", self._best),
            "/try": Command("MOVE", "score a move without playing it", self._try),
            "/unseen": Command("", "the tiles one cannot see", lambda _: self._unseen()),
            "/history": Command("", "the turns so far", lambda _: self._history()),
            "/save": Command("FILE", "keep the game as GCG in a new file", self._save),
        }

    @property
    def state(self) -> State:
        """The position that is looked at."""
        return self.states[-1]

    @property
    def introduction(self) -> str:
        """How moves are written."""
        return f"A move: {ACCEPTED}. Beside capitals a small letter is a blank, . a tile that lies there."

    def begin(self) -> None:
        """Greet; called once."""
        self.draw()

    def typed(self, line: str) -> None:
        """Do what a line says that is no command."""
        self._try(line)

    def draw(self) -> None:
        """Show the board, the scores, and the rack of whose turn it is if one may see it."""
        state = self.state
        last = state.turns[-1] if state.turns else None
        fresh = last.placement.cells if last and last.kind == "place" and last.placement else ()
        self.console.print()
        self.console.print(shown.board(state.board, preset_of(state).layout, fresh))
        self.say(self.scores())
        held = self.held()
        if state.reason is None and (held is None or state.to_move in held):
            name, rack = self.names[state.to_move], state.racks[state.to_move]
            self.say(harmless(f"{name} {'hold' if name == 'You' else 'holds'} {rack}"))

    def scores(self) -> str:
        """Every seat's score, as far as it is known."""
        return shown.scores(self.state, self.names)

    def _best(self, rest: str) -> None:
        most = as_number(rest, "how many moves to list") if rest else LISTED
        if most == 0:
            raise Misread("no move at all is not much of a list: say 1 or more")
        self.list_moves(most)

    def list_moves(self, most: int) -> None:
        """List the best moves of whose turn it is."""
        state = self.state
        if state.reason is not None:
            raise Misread("the game is over")
        self.check_rack()
        adviser = self.game.adviser(state.options.preset)
        strategy: Strategy = "greedy" if self.thinking.strategy == "greedy" else "static"
        advised = adviser.advise(outlook_of(state), most, strategy, self.thinking.ahead())
        self.listed = advised.moves
        if advised.moves:
            self.console.print(shown.moves(state.board, advised.moves))
            self.say(format_count(advised.found.total, "move"))
        else:
            self.say("There is no move.")
        if advised.instead is not None:
            self.say(shown.instead(advised.instead))

    def check_rack(self) -> None:
        """Raise ValueError where nobody here knows the rack of whose turn it is."""

    def _try(self, text: str) -> None:
        self.check_rack()
        placement = parse(text, self.state.board, self.state.racks[self.state.to_move])
        self.say(shown.scored(*self.game.judge(self.state, placement)))

    def unseen(self) -> str:
        """The tiles that who looks cannot see."""
        return self.state.unseen

    def _unseen(self) -> None:
        unseen = self.unseen()
        self.say(f"{len(unseen)} unseen: {shown.tiles(unseen)}")

    def shown(self) -> tuple[int, ...] | None:
        """The seats whose racks are written down; None for all."""
        return None

    def held(self) -> tuple[int, ...] | None:
        """The seats whose racks are known as they are now; None for all."""
        return self.shown()

    def told(self, turn: Turn) -> str:
        """A turn in words, without the tiles that one may not see."""
        seats = self.shown()
        if seats is not None and turn.seat not in seats:
            turn = turn.model_copy(update={"returned": ""})
        return shown.turn(turn, self.names[turn.seat])

    def keep(self, file: Path) -> None:
        """Write the game as GCG. Raises OSError, also where the file is there already."""
        text = gcg.write(self.states, self.names, self.shown(), self.held())
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)

    def _history(self) -> None:
        for number, turn in enumerate(self.state.turns, start=1):
            self.say(f"{number:>3}. {self.told(turn)}")

    def _save(self, rest: str) -> None:
        if not rest:
            raise Misread("name the file: /save GAME.gcg")
        try:
            self.keep(Path(rest))
        except OSError as error:
            raise Misread(f"{rest}: {error.strerror}") from error
        self.say(f"Saved. Look at it with: wibble fribble study {harmless(rest)}")


def as_number(text: str, what: str) -> int:
    """The number that was typed for ``what``. Raises Misread where it is none."""
    if not (text.isascii() and text.isdigit()):
        raise Misread(f"say {what} as a number, not {text!r}")
    return int(text[:6])
