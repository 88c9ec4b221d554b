"""The shell of ``wibble fribble team``: advice for a game played elsewhere."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app.games.fribble import gcg, gcg_writer
from app.games.fribble.bag import without
from app.games.fribble.external_result import ending_of
from app.games.fribble.known_tiles import with_rack
from app.games.fribble.notation import parse
from app.games.fribble.position import parse_rack
from app.games.fribble.reported_turns import Sides, texts_of
from app.games.fribble.state import Challenge, Exchange, Move, Pass, preset_of
from app.grammar import format_count
from app.rooms.fribble import drawing as shown
from app.rooms.fribble.commands.shell import as_number
from app.rooms.fribble.commands.table import Table
from app.terminal.shell import Command, InvalidInput

_PROPOSED: Final = 5
"""Number of moves listed when the rack is entered."""


@dataclass(eq=False, kw_only=True)
class Team(Table):
    """Advises in a game played elsewhere. The user enters our racks and both sides' moves."""

    us: int
    """Our seat."""
    first_rack: str = ""
    """Our rack at the beginning, if known."""
    rack_known: bool = field(default=False, init=False)
    """Whether our current rack has been entered."""
    rack: str = field(default="", init=False)
    """Our known tiles: the rack entered last, without the tiles played or exchanged since."""

    def offered(self) -> dict[str, Command]:
        return super().offered() | {"/undo": Command("", "undo the last move", lambda _: self._undo())}

    @property
    def prompt(self) -> str:
        if self.state.to_move != self.us:
            return "opponent's move> "
        return "your move> " if self.rack_known else "your rack> "

    def shown(self) -> tuple[int, ...] | None:
        """Return our seat; the opponent's unseen tiles are placeholders."""
        return (self.us,)

    def held(self) -> tuple[int, ...] | None:
        """Return our seat once our rack has been entered."""
        return (self.us,) if self.rack_known else ()

    def unseen(self) -> str:
        """Return the tiles that are neither on the board nor on our rack, if it has been entered."""
        return self.state.unseen_by(self.us if self.rack_known else None)

    def check_rack(self) -> None:
        """Raise ValueError unless it is our turn and our rack has been entered."""
        if self.state.to_move != self.us:
            raise InvalidInput("it is the opponent's turn, and their rack is unknown")
        if not self.rack_known:
            raise InvalidInput("enter your rack first")

    def begin(self) -> None:
        title = preset_of(self.state).title
        self.say(f"Fribble, {title}: enter your racks and both sides' moves. {shown.LEGEND}.")
        self.help()
        if self.first_rack:
            self.draw()
            self._enter_rack(self.first_rack)

    def ready(self) -> bool:
        """Accept a final play that was not challenged; return False once the game is over."""
        if self.state.out is not None and self.state.reason is None:
            self.states.append(self.game.apply(self.state, self.state.to_move, Pass(), 0.0))
        return not self.finish()

    def scores(self) -> str:
        """Format the scores; at the end, without the adjustment for tiles left, which may be unknown."""
        return super().scores() if self.state.reason is None else shown.known_scores(self.sides())

    def finish(self) -> bool:
        """Print the known result if the game is over; return whether it is."""
        if self.state.reason is None:
            return False
        self.draw()
        sides = self.sides()
        if end := ending_of(sides, self.rack):
            for line in shown.known_ending(sides, end):
                self.say(line)
        return True

    def sides(self) -> Sides:
        """Return the game as entered."""
        first = self.states[0]
        ours, theirs = first.scores[self.us], first.scores[1 - self.us]
        sides = Sides(
            board=first.board,
            preset=preset_of(first),
            ours=ours,
            theirs=theirs,
            our_turn=first.to_move == self.us,
        )
        return sides.apply_turns(texts_of(self.state.turns), self.game.lexicon)

    def write_gcg(self, file: Path) -> None:
        """Write the game as GCG to a new file; if it is finished, with known tiles left. Raises OSError."""
        if self.state.reason is None or not self.states[0].board.empty:
            super().write_gcg(file)
            return
        ours, theirs = self.names[self.us], self.names[1 - self.us]
        options = self.state.options
        text = gcg_writer.write_reported(
            self.sides(), self.rack, (ours, theirs), options.preset, self.state.lexicon.name
        )
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)

    def typed(self, line: str) -> None:
        """Read our rack if it is missing, otherwise a move."""
        if self.state.to_move == self.us and not self.rack_known:
            self._enter_rack(line)
        elif self.state.to_move == self.us:
            super().typed(line)
        else:
            placement = parse(line, self.state.board, self.unseen())
            self.states[-1] = with_rack(self.state, self.state.to_move, placement.used)
            super().typed(line)

    def make(self, move: Move) -> None:
        """Make the move and report words that are not in the list."""
        if self.state.to_move == self.us and not isinstance(move, Challenge):
            self.check_rack()
        before = self.state
        super().make(move)
        if before.to_move == self.us:
            self.rack = without(before.racks[self.us], gcg.tiles_used(move)) if self.rack_known else ""
        self.rack_known = False
        last = self.state.turns[-1]
        if last.kind == "place":
            for word in last.words:
                if word.lower() not in self.game.lexicon:
                    self.say(f"{word} is not in the word list")
            self.draw()

    def _enter_rack(self, line: str) -> None:
        rack, wanted = parse_rack(line), len(self.state.racks[self.us])
        if len(rack) != wanted:
            raise InvalidInput(f"{line} has {format_count(len(rack), 'tile')}; your rack has {wanted}")
        self.states[-1] = with_rack(self.state, self.us, rack)
        self.rack_known, self.rack = True, rack
        self.list_moves(_PROPOSED)

    def _exchange(self, rest: str) -> None:
        if self.state.to_move == self.us:
            super()._exchange(rest)
        else:
            rack, count = (
                self.state.racks[self.state.to_move],
                as_number(rest, "the number of exchanged tiles"),
            )
            if not 1 <= count <= len(rack):
                raise InvalidInput(
                    f"the opponent holds {format_count(len(rack), 'tile')} and cannot exchange {count}"
                )
            self.make(Exchange(tiles=rack[:count]))

    def _undo(self) -> None:
        if len(self.states) == 1:
            raise InvalidInput("there is no move to undo")
        self.states.pop()
        self.rack_known, self.rack = False, ""
        self.draw()
