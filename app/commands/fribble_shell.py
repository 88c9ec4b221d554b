"""The shells of ``wibble fribble``: look at a position, try moves, list the best; play, advise, replay."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from rich.console import Console
from rich.text import Text

from app.commands import fribble_board as shown
from app.commands.board import harmless
from app.games.fribble import gcg
from app.games.fribble.advice import Advice
from app.games.fribble.adviser import outlook_of
from app.games.fribble.known import Impossible, holding
from app.games.fribble.notation import ACCEPTED, BadNotation, parse
from app.games.fribble.position import BadPosition, parse_rack
from app.games.fribble.rules import Fribble
from app.games.fribble.simulate import LookAhead
from app.games.fribble.state import (
    Challenge,
    Exchange,
    Move,
    Pass,
    Place,
    Resign,
    State,
    Turn,
    preset_of,
)
from app.games.fribble.strategy import Strategy
from app.games.game import IllegalMove

LISTED: Final = 10
_PROPOSED: Final = 5


class Command(NamedTuple):
    """What a line that begins with a slash does with the rest of it."""

    usage: str
    help: str
    run: Callable[[str], None]


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


class Leave(Exception):
    """The player leaves the shell."""


class Shell:
    """Looks at a game, of which ``states`` are all the positions so far, in order."""

    def __init__(
        self,
        game: Fribble,
        states: Sequence[State],
        names: Sequence[str],
        console: Console,
        thinking: Thinking = AT_A_GLANCE,
    ) -> None:
        self.game = game
        self.thinking = thinking
        self.states = list(states)
        self.names = list(names)
        self.console = console
        self.listed: tuple[Advice, ...] = ()
        """The moves that were listed last for the position there is."""
        self.commands: dict[str, Command] = {}
        self._add("/board", "", "show the board", lambda _: self.draw())
        self._add("/best", "[N]", f"list the best moves, {LISTED} or N", self._best)
        self._add("/try", "MOVE", "score a move without playing it", self._try)
        self._add("/unseen", "", "the tiles one cannot see", lambda _: self._unseen())
        self._add("/history", "", "the turns so far", lambda _: self._history())
        self._add("/save", "FILE", "keep the game as GCG in a new file", self._save)

    @property
    def state(self) -> State:
        """The position that is looked at."""
        return self.states[-1]

    @property
    def prompt(self) -> str:
        """What stands before what is typed."""
        return "> "

    def run(self) -> None:
        """Do what is typed until the end, or until the player leaves."""
        self._add("/help", "", "show this", lambda _: self._help())
        self._add("/quit", "", "leave", self._quit)
        try:
            self.begin()
            while self.ready():
                self._line(self.console.input(Text(self.prompt)).strip())
        except (EOFError, KeyboardInterrupt, Leave):
            self.say("")

    def begin(self) -> None:
        """Greet; called once."""
        self.draw()

    def ready(self) -> bool:
        """Get to the point where something is to be typed; False where nothing is."""
        return True

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
        self.say(shown.scores(state, self.names))
        held = self.held()
        if state.reason is None and (held is None or state.to_move in held):
            name, rack = self.names[state.to_move], state.racks[state.to_move]
            self.say(harmless(f"{name} {'hold' if name == 'You' else 'holds'} {rack}"))

    def say(self, text: str) -> None:
        """Print a line."""
        self.console.print(Text(text), soft_wrap=True)

    def _add(self, name: str, usage: str, text: str, run: Callable[[str], None]) -> None:
        self.commands[name] = Command(usage, text, run)

    def _line(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        try:
            if not line:
                self._help()
            elif not name.startswith("/"):
                self.typed(line)
            elif name.lower() in self.commands:
                self.commands[name.lower()].run(rest.strip())
            else:
                self.say(f"there is no {harmless(name)}; /help lists what there is")
        except (IllegalMove, BadNotation, BadPosition, Impossible, _Misread) as error:
            self.say(harmless(str(error)))

    def _best(self, rest: str) -> None:
        most = _number(rest, "how many moves to list") if rest else LISTED
        if most == 0:
            raise _Misread("no move at all is not much of a list: say 1 or more")
        self.list_moves(most)

    def list_moves(self, most: int) -> None:
        """List the best moves of whose turn it is."""
        state = self.state
        if state.reason is not None:
            raise _Misread("the game is over")
        self.check_rack()
        adviser = self.game.adviser(state.options.preset)
        strategy: Strategy = "greedy" if self.thinking.strategy == "greedy" else "static"
        advised = adviser.advise(outlook_of(state), most, strategy, self.thinking.ahead())
        self.listed = advised.moves
        if advised.moves:
            self.console.print(shown.moves(state.board, advised.moves))
            self.say(f"{advised.found.total:,} moves")
        else:
            self.say("There is no move.")
        if advised.instead is not None:
            self.say(shown.instead(advised.instead))

    def check_rack(self) -> None:
        """Raise ValueError where nobody here knows the rack of whose turn it is."""

    def _try(self, text: str) -> None:
        self.check_rack()
        placement = parse(text, self.state.board)
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
            raise _Misread("name the file: /save GAME.gcg")
        try:
            self.keep(Path(rest))
        except OSError as error:
            raise _Misread(f"{rest}: {error.strerror}") from error
        self.say(f"Saved. Look at it with: wibble fribble study {harmless(rest)}")

    def _help(self) -> None:
        self.say(f"A move: {ACCEPTED}. Lower case is a blank, . a tile that lies there.")
        for name, command in self.commands.items():
            self.say(f"  {f'{name} {command.usage}':<18} {command.help}")

    def _quit(self, _: str) -> None:
        raise Leave


class Study(Shell):
    """Goes back and forth in a game that was played."""

    def __init__(
        self,
        game: Fribble,
        states: Sequence[State],
        names: Sequence[str],
        console: Console,
        thinking: Thinking = AT_A_GLANCE,
    ) -> None:
        super().__init__(game, states, names, console, thinking)
        self.all = list(states)
        self._add("/next", "", "one turn on", lambda _: self._go(len(self.states)))
        self._add("/back", "", "one turn back", lambda _: self._go(len(self.states) - 2))
        self._add("/go", "N", "to the position after N turns, 0 the first", self._go_to)
        self._add("/rack", "TILES", "suppose that whose turn it is holds these", self._rack)

    @property
    def prompt(self) -> str:
        """Which position it is, of how many."""
        return f"{len(self.states) - 1}/{len(self.all) - 1}> "

    def _go_to(self, rest: str) -> None:
        self._go(_number(rest, "which position"))

    def _go(self, number: int) -> None:
        if not 0 <= number < len(self.all):
            raise _Misread(f"there is no position {number}: they are 0 to {len(self.all) - 1}")
        self.states = self.all[: number + 1]
        if self.state.turns and number:
            self.say(self.told(self.state.turns[-1]))
        self.draw()

    def _rack(self, rest: str) -> None:
        self.states[-1] = holding(self.state, self.state.to_move, parse_rack(rest))
        self.draw()


class Table(Shell):
    """A game that goes on: what is typed is a move of whose turn it is."""

    def __init__(
        self,
        game: Fribble,
        states: Sequence[State],
        names: Sequence[str],
        console: Console,
        thinking: Thinking = AT_A_GLANCE,
    ) -> None:
        super().__init__(game, states, names, console, thinking)
        self._add("/exchange", "TILES", "put tiles back and draw others", self._exchange)
        self._add("/pass", "", "let the turn go by", lambda _: self.make(Pass()))
        if self.state.options.challenge == "double":
            self._add("/challenge", "", "doubt the latest play", lambda _: self.make(Challenge()))

    def typed(self, line: str) -> None:
        """Play a move, or the one of that number in the list."""
        if line.isdigit():
            if not 1 <= _number(line, "which move") <= len(self.listed):
                raise _Misread(f"there is no move {line} in a list; /best lists moves")
            placement = self.listed[int(line) - 1].placement
        else:
            placement = parse(line, self.state.board)
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
            raise _Misread("name the tiles to put back: /exchange VUU")
        self.make(Exchange(tiles=tiles))


class Solo(Table):
    """A person on seat 0 against a bot."""

    def __init__(
        self,
        game: Fribble,
        states: Sequence[State],
        names: Sequence[str],
        console: Console,
        thinking: Thinking,
        level: int,
    ) -> None:
        super().__init__(game, states, names, console, thinking)
        self.level = level
        self._add("/resign", "", "give the game up", lambda _: self._resign())

    def begin(self) -> None:
        """Say what is played."""
        self.say(f"Fribble, {preset_of(self.state).title}. {shown.LEGEND}.")
        self._help()
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


class Team(Table):
    """Advises a person whose game is played at another table: it is told the racks and all moves."""

    def __init__(
        self,
        game: Fribble,
        states: Sequence[State],
        names: Sequence[str],
        console: Console,
        thinking: Thinking,
        us: int,
    ) -> None:
        super().__init__(game, states, names, console, thinking)
        self.us = us
        self.rack_known = False
        self._add("/undo", "", "take the latest move back", lambda _: self._undo())

    @property
    def prompt(self) -> str:
        """What is wanted: our rack, our move or the foe's."""
        if self.state.to_move != self.us:
            return "foe's move> "
        return "your move> " if self.rack_known else "your rack> "

    def shown(self) -> tuple[int, ...] | None:
        """Our own rack; the foe's is made up as far as it has not shown."""
        return (self.us,)

    def held(self) -> tuple[int, ...] | None:
        """Our own, once it was told."""
        return (self.us,) if self.rack_known else ()

    def unseen(self) -> str:
        """What is not on the board nor, as far as it was told, on our rack."""
        return self.state.unseen_by(self.us if self.rack_known else None)

    def check_rack(self) -> None:
        """Raise ValueError unless it is our turn and we have told our tiles."""
        if self.state.to_move != self.us:
            raise _Misread("it is the foe's turn, whose tiles are not known")
        if not self.rack_known:
            raise _Misread("tell your tiles first")

    def begin(self) -> None:
        """Say how it goes."""
        title = preset_of(self.state).title
        self.say(f"Fribble, {title}: tell your tiles and both sides' moves. {shown.LEGEND}.")
        self._help()

    def ready(self) -> bool:
        """Accept a play that ended the game; there is nobody here to doubt it."""
        if self.state.out is not None and self.state.reason is None:
            self.states.append(self.game.apply(self.state, self.state.to_move, Pass(), 0.0))
        return not self.finish()

    def typed(self, line: str) -> None:
        """Our rack where it is wanted, else a move."""
        if self.state.to_move == self.us and not self.rack_known:
            self._tell_rack(line)
        elif self.state.to_move == self.us:
            super().typed(line)
        else:
            placement = parse(line, self.state.board)
            self.states[-1] = holding(self.state, self.state.to_move, placement.used)
            super().typed(line)

    def make(self, move: Move) -> None:
        """Make the move, and mark words that our list lacks."""
        if self.state.to_move == self.us and not isinstance(move, Challenge):
            self.check_rack()
        super().make(move)
        self.rack_known = False
        last = self.state.turns[-1]
        if last.kind == "place":
            for word in last.words:
                if word.lower() not in self.game.lexicon:
                    self.say(f"{word} is not in the word list")
            self.draw()

    def _tell_rack(self, line: str) -> None:
        rack, wanted = parse_rack(line), len(self.state.racks[self.us])
        if len(rack) != wanted:
            raise _Misread(f"{line} has {len(rack)} tiles: you hold {wanted} now")
        self.states[-1] = holding(self.state, self.us, rack)
        self.rack_known = True
        self.list_moves(_PROPOSED)

    def _exchange(self, rest: str) -> None:
        if self.state.to_move == self.us:
            super()._exchange(rest)
        else:
            rack, count = self.state.racks[self.state.to_move], _number(rest, "how many tiles it put back")
            if not 1 <= count <= len(rack):
                raise _Misread(f"the foe holds {len(rack)} tiles, so it cannot have put back {count}")
            self.make(Exchange(tiles=rack[:count]))

    def _undo(self) -> None:
        if len(self.states) == 1:
            raise _Misread("there is no move to take back")
        self.states.pop()
        self.rack_known = False
        self.draw()


class _Misread(ValueError):
    """What was typed cannot be done; the message says why."""


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise _Misread(f"say {what} as a number, not {text!r}")
    return int(text[:6])
