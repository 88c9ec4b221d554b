"""Base shell of the Fribble games: shows a position, scores moves, lists the best moves."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

from rich.console import Console

from app.games.fribble import cgp, gcg_writer
from app.games.fribble.advice import Advice
from app.games.fribble.adviser import outlook_of
from app.games.fribble.cgp import Cgp
from app.games.fribble.known_tiles import Impossible
from app.games.fribble.notation import ACCEPTED, BadNotation, parse
from app.games.fribble.position import BadPosition
from app.games.fribble.rules import Fribble
from app.games.fribble.simulate import LookAhead
from app.games.fribble.state import State, Turn, preset_of
from app.games.fribble.strategy import Strategy
from app.games.game import IllegalMove
from app.grammar import format_count, printable
from app.rooms.fribble import drawing as shown
from app.terminal.shell import Command, InvalidInput, Shell

LISTED: Final = 10
_DUEL: Final = 2


class Ranking(NamedTuple):
    """How listed moves are ranked."""

    strategy: Literal["greedy", "static", "simulating"] = "static"
    """By score, by equity (score plus leave value), or by simulation."""
    budget_ms: int = 1000
    """Time limit of a simulation, in milliseconds."""

    def simulation_limits(self) -> LookAhead | None:
        """Return the simulation limits, starting now; None without simulation."""
        if self.strategy != "simulating":
            return None
        began, budget = time.monotonic(), self.budget_ms / 1000
        return LookAhead.until(
            lambda: time.monotonic() > began + budget, lambda: time.monotonic() > began + budget / 2
        )


WITHOUT_SIMULATION: Final = Ranking()


@dataclass(eq=False)
class GameShell(Shell):
    """Commands to inspect a game: board, best moves, unseen tiles, history, save."""

    refusals = (IllegalMove, BadNotation, BadPosition, Impossible, InvalidInput)

    game: Fribble
    states: list[State]
    """All positions so far, in order. The shell appends to this list."""
    names: Sequence[str]
    """Player names by seat."""
    console: Console
    ranking: Ranking = WITHOUT_SIMULATION
    listed: tuple[Advice, ...] = field(default=(), init=False)
    """The latest list of moves for the current position."""

    def offered(self) -> dict[str, Command]:
        return {
            "/board": Command("", "show the board", lambda _: self.draw()),
            "/best": Command("[N]", f"list the best moves, {LISTED} or N", self._best),
            "/try": Command("MOVE", "score a move without playing it", self._try),
            "/unseen": Command("", "show the unseen tiles", lambda _: self._unseen()),
            "/history": Command("", "show the turns so far", lambda _: self._history()),
            "/cgp": Command("", "show the position in CGP", lambda _: self._cgp()),
            "/save": Command("FILE", "save the game as GCG to a new file", self._save),
        }

    @property
    def state(self) -> State:
        """The current position."""
        return self.states[-1]

    @property
    def introduction(self) -> str:
        return f"A move: {ACCEPTED}. Beside capitals, lower case is a blank; . is a tile on the board."

    def begin(self) -> None:
        self.draw()

    def typed(self, line: str) -> None:
        self._try(line)

    def draw(self) -> None:
        """Show the board, the scores and, if visible, the rack of the player to move."""
        state = self.state
        last = state.turns[-1] if state.turns else None
        fresh = last.placement.cells if last and last.kind == "place" and last.placement else ()
        self.console.print()
        self.console.print(shown.board(state.board, preset_of(state).layout, fresh))
        self.say(self.scores())
        held = self.held()
        if state.reason is None and (held is None or state.to_move in held):
            name, rack = self.names[state.to_move], state.racks[state.to_move]
            self.say(printable(f"{name} {'hold' if name == 'You' else 'holds'} {rack}"))

    def scores(self) -> str:
        """Format the known scores."""
        return shown.scores(self.state, self.names)

    def _best(self, rest: str) -> None:
        most = as_number(rest, "the number of moves to list") if rest else LISTED
        if most == 0:
            raise InvalidInput("the number of moves must be 1 or more")
        self.list_moves(most)

    def list_moves(self, most: int) -> None:
        """List the best moves of the player to move."""
        state = self.state
        if state.reason is not None:
            raise InvalidInput("the game is over")
        self.check_rack()
        adviser = self.game.adviser(state.options.preset)
        strategy: Strategy = "greedy" if self.ranking.strategy == "greedy" else "static"
        advised = adviser.advise(outlook_of(state), most, strategy, self.ranking.simulation_limits())
        self.listed = advised.moves
        if advised.moves:
            self.console.print(shown.moves(state.board, advised.moves))
            self.say(format_count(advised.found.total, "move"))
        else:
            self.say("No legal move.")
        if advised.instead is not None:
            self.say(shown.instead(advised.instead))

    def check_rack(self) -> None:
        """Raise ValueError if the rack of the player to move is unknown."""

    def _try(self, text: str) -> None:
        self.check_rack()
        placement = parse(text, self.state.board, self.state.racks[self.state.to_move])
        self.say(shown.scored(*self.game.judge(self.state, placement)))

    def unseen(self) -> str:
        """Return the tiles that the player cannot see."""
        return self.state.unseen

    def _unseen(self) -> None:
        unseen = self.unseen()
        self.say(f"{len(unseen)} unseen: {shown.tiles(unseen)}")

    def shown(self) -> tuple[int, ...] | None:
        """Return the seats whose racks are saved in the GCG; None for all."""
        return None

    def held(self) -> tuple[int, ...] | None:
        """Return the seats whose current racks are known; None for all."""
        return self.shown()

    def format_turn(self, turn: Turn) -> str:
        """Format a turn without hidden tiles."""
        seats = self.shown()
        if seats is not None and turn.seat not in seats:
            turn = turn.model_copy(update={"returned": ""})
        return shown.turn(turn, self.names[turn.seat])

    def write_gcg(self, file: Path) -> None:
        """Write the game as GCG to a new file. Raises OSError."""
        text = gcg_writer.write(self.states, self.names, self.shown(), self.held())
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)

    def _history(self) -> None:
        for number, turn in enumerate(self.state.turns, start=1):
            self.say(f"{number:>3}. {self.format_turn(turn)}")

    def _cgp(self) -> None:
        state, us = self.state, self.state.to_move
        if len(state.racks) != _DUEL:
            raise InvalidInput("CGP is only for positions of two players")
        held = self.held()
        ours, theirs = (state.racks[seat] if held is None or seat in held else "" for seat in (us, 1 - us))
        position = Cgp.of(
            state.board,
            (ours, theirs),
            (state.scores[us], state.scores[1 - us]),
            outlook_of(state).scoreless,
            preset=state.options.preset,
            lexicon=state.lexicon.name,
        )
        self.say(cgp.write(position))

    def _save(self, rest: str) -> None:
        if not rest:
            raise InvalidInput("name a file: /save GAME.gcg")
        try:
            self.write_gcg(Path(rest))
        except OSError as error:
            raise InvalidInput(f"{rest}: {error.strerror}") from error
        self.say(f"Saved. Open it with: wibble fribble study {printable(rest)}")


def as_number(text: str, what: str) -> int:
    """Parse the number typed for ``what``. Raises InvalidInput."""
    if not (text.isascii() and text.isdigit()):
        raise InvalidInput(f"{what} must be a number, not {text!r}")
    return int(text[:6])
