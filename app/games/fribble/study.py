"""Study boards of Fribble: a position of a game for two, and the moves from it.

Racks may be known only in part: a move may use tiles that are not among the known ones of a rack, as long as
the rack has room for them. Words that are not in our list are reported, not refused: the game may be played
with another one.
"""

from functools import cached_property
from typing import Annotated, ClassVar, Final

from pydantic import Field, field_validator, model_validator

from app.games.fribble.bag import missing, ordered, without
from app.games.fribble.board import Board
from app.games.fribble.cgp import MOST_SCORELESS, Cgp, Points
from app.games.fribble.notation import shortage
from app.games.fribble.position import BadPosition, check_position, parse_board, parse_rack, unlisted_words
from app.games.fribble.presets import DEFAULT_PRESET, Preset, PresetName, presets, with_lexicon
from app.games.fribble.reported_turns import BadTurn, ReportedTurn, Sides
from app.games.fribble.rules import Fribble
from app.games.fribble.tileset import RACK
from app.games.game import Frozen
from app.games.study_tree import BadStudy, Played, StudyRules, raise_all
from app.grammar import format_count

SEATS: Final = 2

Rack = Annotated[str, Field(max_length=20)]
Held = Annotated[int, Field(ge=0, le=RACK)]


class StudyPosition(Frozen):
    """A position of a game for two, as far as it is known."""

    preset: PresetName = DEFAULT_PRESET
    lexicon: Annotated[str, Field(max_length=32)]
    """The name of the word list; by default the preset's."""
    rows: tuple[str, ...] = Board().rows
    """The board: 15 rows, ``.`` empty, upper case a tile, lower case a blank."""
    racks: tuple[Rack, Rack] = ("", "")
    """The known tiles of each player, in alphabetical order; ``?`` is a blank."""
    held: tuple[Held, Held] | None = None
    """How many tiles each player has; by default seven, as long as there are enough."""
    scores: tuple[Points, Points] = (0, 0)
    """Before the tiles left are settled at the end."""
    to_move: Annotated[int, Field(ge=0, lt=SEATS)] = 0
    scoreless: Annotated[int, Field(ge=0, le=MOST_SCORELESS)] = 0
    """The number of scoreless turns just before."""

    @field_validator("rows")
    @classmethod
    def _a_board(cls, rows: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return parse_board(rows).rows
        except BadPosition as error:
            raise ValueError(str(error)) from None

    _lexicon = model_validator(mode="before")(with_lexicon)

    @cached_property
    def board(self) -> Board:
        """The board."""
        return Board(rows=self.rows)

    @property
    def rules(self) -> Preset:
        """The preset."""
        return presets()[self.preset]

    @property
    def off_board(self) -> str:
        """The tiles in the bag and on both racks."""
        return without(self.rules.tiles.full_bag, self.board.tiles)

    @property
    def sizes(self) -> tuple[int, int]:
        """How many tiles each player has."""
        if self.held is not None:
            return self.held
        left, known = len(self.off_board), tuple(map(len, self.racks))
        if left >= SEATS * RACK:
            return RACK, RACK
        first = known[0] if known[0] >= known[1] else left - known[1]
        first = max(left - RACK, min(RACK, first or (left + 1) // 2))
        return first, left - first

    @property
    def bag(self) -> int:
        """The number of tiles in the bag."""
        return len(self.off_board) - sum(self.sizes)

    @property
    def unseen(self) -> str:
        """The tiles neither on the board nor known to be on a rack."""
        return without(self.off_board, "".join(self.racks))

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.is_out or self.is_stalled

    @property
    def is_out(self) -> bool:
        """Whether a player has gone out."""
        return not self.board.empty and not self.bag and not min(self.sizes)

    @property
    def is_stalled(self) -> bool:
        """Whether scoreless turns have ended the game."""
        counts = any(self.scores) or self.rules.scoreless_from_zero
        return counts and self.scoreless >= self.rules.scoreless_turns

    @property
    def final_scores(self) -> tuple[int, int] | None:
        """The scores once the tiles left are settled; None while the game is running or they are unknown."""
        if not self.is_over or any(
            len(rack) < size for rack, size in zip(self.racks, self.sizes, strict=True)
        ):
            return None
        first, second = map(self.rules.tiles.total_points, self.racks)
        ours, theirs = self.scores
        if not self.is_out:
            return ours - first, theirs - second
        return ours - first + second * (not first), theirs - second + first * (not second)

    def to_cgp(self) -> Cgp:
        """Return the position in CGP, the player to move first."""
        seat, other = self.to_move, 1 - self.to_move
        return Cgp.of(
            self.board,
            (self.racks[seat], self.racks[other]),
            (self.scores[seat], self.scores[other]),
            self.scoreless,
            preset=self.preset,
            lexicon=self.lexicon,
        )


class FribbleStudy(StudyRules[StudyPosition]):
    """Moves are written as ``8H FRIBBLE``, ``exchange ABC``, ``exchange 3`` or ``pass``."""

    kind: ClassVar[str] = Fribble.kind
    position_type: ClassVar[type[Frozen]] = StudyPosition
    known: ClassVar[frozenset[str]] = frozenset({"racks"})

    def checked(self, game: Fribble, position: StudyPosition) -> StudyPosition:
        """Complete the rack that follows from the other tiles once the bag is empty. Raises BadStudy."""
        faults: list[BadStudy] = []
        racks = ["", ""]
        for seat, text in enumerate(position.racks):
            try:
                racks[seat] = ordered(parse_rack(text))
                check_position(position.board, "".join(racks), position.rules, None)
            except BadPosition as error:
                racks[seat] = ""  # the other one is checked without it
                place = ("rows",) if error.field == "board" else ("racks", seat)
                if not any(fault.location == place for fault in faults):
                    faults.append(BadStudy(f"{place[0]}: {error}", *place))
        raise_all(faults)
        return _completed(position.model_copy(update={"racks": tuple(racks)}))

    def unlisted(self, game: Fribble, position: StudyPosition) -> tuple[str, ...]:
        return tuple(line.word for line in unlisted_words(position.board, game.lexicon))

    def play(self, game: Fribble, position: StudyPosition, move: str) -> Played:
        seat, rack, size = (
            position.to_move,
            position.racks[position.to_move],
            position.sizes[position.to_move],
        )
        sides = Sides(board=position.board, preset=position.rules, our_turn=True)
        try:
            after = sides.after(move, game.lexicon, rack if len(rack) == size else "")
        except BadTurn as error:
            raise BadStudy(str(error)) from None
        turn = after.turns[-1]
        text, left = turn.text, ""
        if turn.placement or turn.returned:
            left = _left(position, turn)
        count = len(turn.used) or int(text.split()[-1] if text != "pass" else 0)
        if not turn.placement and count:
            _check_exchange(position, count)
            text = f"exchange {ordered(turn.returned) or count}"
        drawn = min(len(turn.used), position.bag) if turn.placement else 0
        scores, racks, sizes = list(position.scores), list(position.racks), list(position.sizes)
        scores[seat] += turn.points
        sizes[seat] += drawn - len(turn.placement.cells if turn.placement else ())
        if text != "pass":
            racks[seat] = left
        reached = StudyPosition(
            preset=position.preset,
            lexicon=position.lexicon,
            rows=after.board.rows,
            racks=(racks[0], racks[1]),
            held=(sizes[0], sizes[1]),
            scores=(scores[0], scores[1]),
            to_move=1 - seat,
            scoreless=0 if turn.points else min(MOST_SCORELESS, position.scoreless + 1),
        )
        cells = turn.placement.cells if turn.placement else ()
        return Played(_completed(reached), text, turn.points, turn.unknown, cells, turn)

    def ending(self, position: StudyPosition) -> str | None:
        if position.is_out:
            return "a rack is empty, and so is the bag"
        if position.is_stalled:
            return f"the last {format_count(position.scoreless, 'turn')} made no points"
        return None


def _left(position: StudyPosition, turn: ReportedTurn) -> str:
    """Return the known tiles left on the rack after a turn. Raises BadStudy if it cannot have the tiles."""
    rack, size = position.racks[position.to_move], position.sizes[position.to_move]
    other = position.racks[1 - position.to_move]
    lacking = missing(rack, turn.used)
    if len(lacking) > size - len(rack):
        if turn.placement and len(rack) == size:
            raise BadStudy(f"the rack has {shortage(position.board, turn.placement, rack)}")
        room = format_count(size - len(rack), "tile")
        raise BadStudy(f"the rack has no {lacking[0]}: besides {rack or 'no known tile'} it holds {room}")
    if taken := missing(without(position.off_board, other), turn.used):
        raise BadStudy(f"the rack has no {taken[0]}: the others are on the board or on the other rack")
    return without(rack, without(turn.used, lacking))


def _check_exchange(position: StudyPosition, count: int) -> None:
    size, least = position.sizes[position.to_move], position.rules.exchange_minimum
    if count > size:
        raise BadStudy(f"an exchange of {format_count(count, 'tile')}: the rack has {size}")
    if position.bag < max(least, count):
        tiles = format_count(position.bag, "tile")
        raise BadStudy(f"the bag has {tiles}: an exchange of {count} needs {max(least, count)}")


def _completed(position: StudyPosition) -> StudyPosition:
    """Return the position with rack sizes, and a rack that follows from the others. Raises BadStudy."""
    sizes, racks, unseen = position.sizes, list(position.racks), position.unseen
    faults: list[BadStudy] = []
    for seat, (rack, size) in enumerate(zip(racks, sizes, strict=True)):
        if len(rack) > size:
            tiles = format_count(len(rack), "tile")
            text = f"racks: player {seat + 1} has {tiles}: the rack holds {size}"
            faults.append(BadStudy(text, "racks", seat))
    raise_all(faults)
    if position.bag < 0 or max(sizes) > RACK:
        raise BadStudy("held: the racks have more tiles than there are", "held")
    short = [seat for seat in range(SEATS) if len(racks[seat]) < sizes[seat]]
    if not position.bag and len(short) == 1:
        racks[short[0]] = ordered(racks[short[0]] + unseen)
    return position.model_copy(update={"racks": tuple(racks), "held": sizes})
