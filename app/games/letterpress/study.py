"""Study boards of Letterpress: a position, and the words played from it.

Words that are not in the list are reported, not refused: the game studied may use another list.
"""

import re
from collections.abc import Sequence
from typing import Annotated, ClassVar, Final

from pydantic import Field, field_validator

from app.games.game import Frozen, IllegalMove
from app.games.letterpress.anagrams import SHORTEST
from app.games.letterpress.rules import Letterpress, why_closed
from app.games.letterpress.state import State
from app.games.letterpress.territory import CELLS, Territory, lay, mask_of
from app.games.study_tree import BadStudy, Played, StudyNode, StudyRules, StudyTree
from app.validation import quote
from app.words.library import Library

FREE: Final = "."
SIDES: Final = "12"
"""The signs of the two players' tiles."""
PASS: Final = "pass"  # noqa: S105 - the move
_MOVE: Final = re.compile(r"([A-Za-z]{1,25})(?:\s+(\d{1,2}(?:[\s,]+\d{1,2})*))?")

Word = Annotated[str, Field(pattern="^[a-z]{1,25}$")]


class StudyPosition(Frozen):
    """A position of Letterpress."""

    board: Annotated[str, Field(pattern=f"^[a-z]{{{CELLS}}}$")]
    """25 letters, row by row."""
    owners: Annotated[str, Field(pattern=f"^[.12]{{{CELLS}}}$")] = FREE * CELLS
    """The owner of each tile: player ``1`` or ``2``, or ``.`` for none."""
    to_move: Annotated[int, Field(ge=0, le=1)] = 0
    played: Annotated[tuple[Word, ...], Field(max_length=500)] = ()
    """The words played so far, in order."""
    passes: Annotated[int, Field(ge=0, le=2)] = 0
    """The number of passes just before; two end the game."""
    lexicon: Annotated[str, Field(max_length=32)] = Library.default

    @field_validator("board", "owners", mode="before")
    @classmethod
    def _one_text(cls, given: object) -> object:
        return "".join(given.lower().split()) if isinstance(given, str) else given

    def owned(self, seat: int) -> int:
        """Return a player's tiles as a mask."""
        return mask_of(cell for cell, sign in enumerate(self.owners) if sign == SIDES[seat])

    @property
    def territory(self) -> Territory:
        """The tiles as the side to move sees them."""
        return Territory(ours=self.owned(self.to_move), theirs=self.owned(1 - self.to_move))


class LetterpressStudy(StudyRules[StudyPosition]):
    """Moves are written as the word with its cells, ``FUSSY 3 4 10 11 2``, or ``pass``.

    Without cells, a word is laid like a typed word in a game.
    """

    kind: ClassVar[str] = Letterpress.kind
    position_type: ClassVar[type[Frozen]] = StudyPosition

    def checked(self, game: Letterpress, position: StudyPosition) -> StudyPosition:
        for word in position.played:
            if lacking := [letter for letter in word if word.count(letter) > position.board.count(letter)]:
                raise BadStudy(f"played: {word.upper()} needs more of {lacking[0].upper()}", "played")
        return position

    def play(self, game: Letterpress, position: StudyPosition, move: str) -> Played:
        if move.strip().lower() in (PASS, "-"):
            turn = {"to_move": 1 - position.to_move, "passes": position.passes + 1}
            return Played(position.model_copy(update=turn), PASS)
        word, cells = _read(position, move)
        if reason := why_closed(word, position.played):
            raise BadStudy(reason)
        before = position.territory
        after = before.after(mask_of(cells))
        reached = position.model_copy(
            update={
                "owners": owners_of(after.ours, after.theirs, position.to_move),
                "to_move": 1 - position.to_move,
                "played": (*position.played, word),
                "passes": 0,
            }
        )
        unlisted = () if word in game.lexicon else (word.upper(),)
        return Played(reached, text_of(word, cells), after.lead - before.lead, unlisted, cells)

    def ending(self, position: StudyPosition) -> str | None:
        if FREE not in position.owners:
            return "every tile is owned"
        return "both passed" if position.passes == len(SIDES) else None


def owners_of(ours: int, theirs: int, seat: int = 0) -> str:
    """Return the owners as text, of the masks of ``seat`` and the other player."""
    own, other = SIDES[seat], SIDES[1 - seat]
    return "".join(
        own if ours >> cell & 1 else other if theirs >> cell & 1 else FREE for cell in range(CELLS)
    )


def text_of(word: str, cells: Sequence[int]) -> str:
    """Return a move as it is stored."""
    return f"{word.upper()} {' '.join(map(str, cells))}" if word else PASS


def tree_of_game(states: Sequence[State], names: Sequence[str]) -> StudyTree:
    """Return the tree of a game."""
    first = states[0]
    start = StudyPosition(
        board=first.board, owners=owners_of(*first.owned), lexicon=first.options.lexicon.name
    ).model_dump(mode="json")
    nodes = (
        StudyNode(parent=number, move=text_of(turn.word, turn.cells))
        for number, turn in enumerate(states[-1].turns)
    )
    return StudyTree(start=start, names=tuple(names), nodes=tuple(nodes))


def _read(position: StudyPosition, move: str) -> tuple[str, tuple[int, ...]]:
    """Parse a word, with its cells if they are given. Raises BadStudy."""
    match = _MOVE.fullmatch(move.strip())
    if match is None:
        raise BadStudy(f"{quote(move)} is not a move; accepted: a word, FUSSY 3 4 10 11 2, and pass")
    word = match[1].lower()
    if len(word) < SHORTEST:
        raise BadStudy(f"{word.upper()} has {len(word)} letter: a word has {SHORTEST} or more")
    if match[2] is None:
        try:
            return word, lay(word, position.board, position.territory)
        except IllegalMove as error:
            raise BadStudy(error.reason) from None
    cells = tuple(int(cell) for cell in match[2].replace(",", " ").split())
    for place, cell in enumerate(cells):
        if cell >= CELLS:
            raise BadStudy(f"cell {cell} is not on the board: cells are 0 to {CELLS - 1}")
        if cell in cells[:place]:
            raise BadStudy(f"cell {cell} is used twice: each tile counts once in a word")
    spelled = "".join(position.board[cell] for cell in cells)
    if spelled != word:
        raise BadStudy(f"these cells spell {spelled.upper()}, not {word.upper()}")
    return word, cells
