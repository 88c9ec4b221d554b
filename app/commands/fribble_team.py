"""The shell of ``wibble fribble team``."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app.commands import fribble_board as shown
from app.commands.fribble_shell import as_number
from app.commands.fribble_table import Table
from app.commands.shell import Command, Misread
from app.games.fribble import gcg
from app.games.fribble.bag import without
from app.games.fribble.external_result import ending_of
from app.games.fribble.known import holding
from app.games.fribble.notation import parse
from app.games.fribble.position import parse_rack
from app.games.fribble.reported_turns import Sides, texts_of
from app.games.fribble.state import Challenge, Exchange, Move, Pass, preset_of
from app.grammar import format_count

_PROPOSED: Final = 5
"""So many moves are listed as soon as our tiles are told."""


@dataclass(eq=False, kw_only=True)
class Team(Table):
    """Advises a person whose game is played at another table: it is told the racks and all moves."""

    us: int
    """Our seat."""
    rack_known: bool = field(default=False, init=False)
    """Whether we have told the tiles we hold now."""
    rack: str = field(default="", init=False)
    """Our known tiles: the rack entered last, less the tiles played or exchanged since."""

    def offered(self) -> dict[str, Command]:
        """Also to take back what was told wrong."""
        return super().offered() | {"/undo": Command("", "take the latest move back", lambda _: self._undo())}

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
            raise Misread("it is the foe's turn, whose tiles are not known")
        if not self.rack_known:
            raise Misread("tell your tiles first")

    def begin(self) -> None:
        """Say how it goes."""
        title = preset_of(self.state).title
        self.say(f"Fribble, {title}: tell your tiles and both sides' moves. {shown.LEGEND}.")
        self.help()

    def ready(self) -> bool:
        """Accept a play that ended the game; there is nobody here to doubt it."""
        if self.state.out is not None and self.state.reason is None:
            self.states.append(self.game.apply(self.state, self.state.to_move, Pass(), 0.0))
        return not self.finish()

    def scores(self) -> str:
        """Every seat's score; at the end without the tiles left, of which not all are known."""
        return super().scores() if self.state.reason is None else shown.known_scores(self.sides())

    def finish(self) -> bool:
        """Say how the game ended, as far as that is known here."""
        if self.state.reason is None:
            return False
        self.draw()
        sides = self.sides()
        if end := ending_of(sides, self.rack):
            for line in shown.known_ending(sides, end):
                self.say(line)
        return True

    def sides(self) -> Sides:
        """The game as both sides have told it."""
        first = self.states[0]
        ours, theirs = first.scores[self.us], first.scores[1 - self.us]
        sides = Sides(
            board=first.board,
            preset=preset_of(first),
            ours=ours,
            theirs=theirs,
            our_turn=first.to_move == self.us,
        )
        return sides.following(texts_of(self.state.turns), self.game.lexicon)

    def keep(self, file: Path) -> None:
        """Write the game as GCG; at its end with the tiles left that are known. Raises OSError."""
        if self.state.reason is None or not self.states[0].board.empty:
            super().keep(file)
            return
        ours, theirs = self.names[self.us], self.names[1 - self.us]
        options = self.state.options
        text = gcg.write_reported(
            self.sides(), self.rack, (ours, theirs), options.preset, self.state.lexicon.name
        )
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)

    def typed(self, line: str) -> None:
        """Our rack where it is wanted, else a move."""
        if self.state.to_move == self.us and not self.rack_known:
            self._tell_rack(line)
        elif self.state.to_move == self.us:
            super().typed(line)
        else:
            placement = parse(line, self.state.board, self.unseen())
            self.states[-1] = holding(self.state, self.state.to_move, placement.used)
            super().typed(line)

    def make(self, move: Move) -> None:
        """Make the move, and mark words that our list lacks."""
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

    def _tell_rack(self, line: str) -> None:
        rack, wanted = parse_rack(line), len(self.state.racks[self.us])
        if len(rack) != wanted:
            raise Misread(f"{line} has {format_count(len(rack), 'tile')}: you hold {wanted} now")
        self.states[-1] = holding(self.state, self.us, rack)
        self.rack_known, self.rack = True, rack
        self.list_moves(_PROPOSED)

    def _exchange(self, rest: str) -> None:
        if self.state.to_move == self.us:
            super()._exchange(rest)
        else:
            rack, count = self.state.racks[self.state.to_move], as_number(rest, "how many tiles it put back")
            if not 1 <= count <= len(rack):
                raise Misread(
                    f"the foe holds {format_count(len(rack), 'tile')}, so it cannot have put back {count}"
                )
            self.make(Exchange(tiles=rack[:count]))

    def _undo(self) -> None:
        if len(self.states) == 1:
            raise Misread("there is no move to take back")
        self.states.pop()
        self.rack_known, self.rack = False, ""
        self.draw()
