"""A game played elsewhere, reported turn by turn: board, scores and turns of two sides.

Drawn tiles are not reported. Words that are not in our lexicon are listed, not rejected: the game may be
played with another one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from app.games.fribble.board import Board
from app.games.fribble.notation import ACCEPTED, BadNotation, marked, parse, standard
from app.games.fribble.placement import Placement
from app.games.fribble.position import overdrawn
from app.games.fribble.presets import Preset
from app.games.fribble.scoring import score
from app.games.fribble.state import Turn as GameTurn
from app.games.fribble.tileset import TILES
from app.games.game import Frozen, IllegalMove
from app.words.lexicon import Lexicon

_PASS: Final = re.compile(r"pass|-", re.IGNORECASE)
_EXCHANGE: Final = re.compile(r"(?:exchange\s+|-)(?:([1-7])|([A-Za-z?]{1,7}))", re.IGNORECASE)


class BadTurn(ValueError):
    """An impossible turn; the message says which and why."""


class ReportedTurn(NamedTuple):
    """A turn of either side."""

    ours: bool
    text: str
    """As written: ``8H FRIBBLE``, ``exchange 3`` or ``pass``."""
    placement: Placement | None = None
    words: tuple[str, ...] = ()
    """In upper case, the main word first."""
    unknown: tuple[str, ...] = ()
    """The words that are not in the lexicon."""
    points: int = 0
    returned: str = ""
    """The tiles put back, if reported; in capitals, ``?`` for a blank."""

    @property
    def used(self) -> str:
        """The tiles that left the rack, as far as they are known."""
        return self.placement.used if self.placement else self.returned


class Sides(Frozen):
    """A game between us and them."""

    board: Board
    preset: Preset
    ours: int = 0
    """Our score."""
    theirs: int = 0
    our_turn: bool = True
    turns: tuple[ReportedTurn, ...] = ()

    @property
    def lead(self) -> int:
        """Our score minus theirs."""
        return self.ours - self.theirs

    def unseen(self, rack: str = "") -> str:
        """Return the tiles neither on the board nor on our ``rack``, in alphabetical order."""
        left = Counter(self.preset.tiles.full_bag) - Counter(self.board.tiles) - Counter(rack)
        return "".join(kind * left[kind] for kind in TILES)

    @property
    def scoreless(self) -> int:
        """The number of consecutive scoreless turns so far."""
        return sum(1 for _ in takewhile(lambda turn: turn.points == 0, reversed(self.turns)))

    @property
    def stalled(self) -> bool:
        """Whether scoreless turns have ended the game."""
        scored = bool(self.ours or self.theirs)
        return self.scoreless >= self.preset.scoreless_turns and (scored or self.preset.scoreless_from_zero)

    def after(self, text: str, lexicon: Lexicon, rack: str = "") -> "Sides":
        """Return the game after the turn ``text`` of the side to move. Raises BadTurn.

        Accepts a placement in any notation, ``pass``, ``exchange 3`` and ``exchange ABC``. ``rack`` is that
        of the side to move, if known.
        """
        stripped = text.strip()
        if _PASS.fullmatch(stripped):
            return self._with(ReportedTurn(self.our_turn, "pass"), self.board)
        if match := _EXCHANGE.fullmatch(stripped):
            returned = (match[2] or "").upper()
            count = int(match[1] or len(returned))
            if fault := overdrawn(returned, self.unseen(), self.preset):
                raise BadTurn(fault)
            return self._with(ReportedTurn(self.our_turn, f"exchange {count}", returned=returned), self.board)
        try:
            placement = parse(stripped, self.board, rack or self.unseen())
            scored = score(self.board, placement, self.preset)
        except BadNotation as error:
            extra = ", pass, exchange 3" if str(error).endswith(ACCEPTED) else ""
            raise BadTurn(f"{error}{extra}") from error
        except IllegalMove as error:
            raise BadTurn(error.reason) from error
        if fault := overdrawn(placement.used, self.unseen(), self.preset):
            raise BadTurn(fault)
        turn = ReportedTurn(
            ours=self.our_turn,
            text=standard(self.board, placement),
            placement=placement,
            words=scored.words,
            unknown=tuple(word for word in scored.words if word.lower() not in lexicon),
            points=scored.total,
        )
        return self._with(turn, self.board.with_tiles(placement.cells, placement.tiles))

    def apply_turns(self, texts: Iterable[str], lexicon: Lexicon) -> "Sides":
        """Return the game after these turns of alternating sides. Raises BadTurn naming the turn."""
        sides = self
        for number, text in enumerate(texts, start=1):
            try:
                sides = sides.after(text, lexicon)
            except BadTurn as error:
                raise BadTurn(f"turn {number}: {error}") from error
        return sides

    def _with(self, turn: ReportedTurn, board: Board) -> "Sides":
        return self.model_copy(
            update={
                "board": board,
                "ours": self.ours + turn.points * turn.ours,
                "theirs": self.theirs + turn.points * (not turn.ours),
                "our_turn": not self.our_turn,
                "turns": (*self.turns, turn),
            }
        )


def texts_of(turns: Sequence[GameTurn]) -> tuple[str, ...]:
    """Return a game's turns as input for ``Sides.after``; a withdrawn play becomes a pass."""
    return tuple(
        f"{turn.coordinate} {marked(turn.text)}"
        if turn.kind == "place"
        else f"exchange {turn.exchanged}"
        if turn.kind == "exchange"
        else "pass"
        for turn in turns
    )
