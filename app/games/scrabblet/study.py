"""Study boards of Scrabblet: a hand, and the words made from it in order.

Words that are not in the list are reported, not refused: the game studied may use another list.
"""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final

from pydantic import Field

from app.games.game import Frozen
from app.games.scrabblet.bag import BLANK
from app.games.scrabblet.hand import Hand, Tiles
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.solver import SHORTEST
from app.games.scrabblet.state import LONGEST_GUESS, State
from app.games.study_tree import MOST_NODES, BadStudy, Played, StudyNode, StudyRules, StudyTree
from app.grammar import format_count
from app.validation import quote
from app.words.library import Library

MOST_WORDS: Final = 2000
"""The most words of a position."""

Word = Annotated[str, Field(pattern=f"^[a-z]{{1,{LONGEST_GUESS}}}$")]


class StudyPosition(Frozen):
    """A position of Scrabblet."""

    rack: Tiles
    """The tiles: letters a to z, and ``?`` for a blank."""
    min_length: Annotated[int, Field(ge=2, le=15)] = SHORTEST
    """The minimum length of a word."""
    found: Annotated[tuple[Word, ...], Field(max_length=MOST_WORDS)] = ()
    """The words made, in order."""
    lost: Annotated[int, Field(ge=0)] = 0
    """Points lost for wrong guesses, which are not moves of a study board."""
    lexicon: Annotated[str, Field(max_length=32)] = Library.default

    @property
    def points(self) -> int:
        """The points of the words."""
        hand = Hand(self.rack)
        return sum(map(hand.score, self.found))

    @property
    def score(self) -> int:
        """The points of the words minus those lost."""
        return self.points - self.lost


class ScrabbletStudy(StudyRules[StudyPosition]):
    """Moves are written as the word."""

    kind: ClassVar[str] = Scrabblet.kind
    position_type: ClassVar[type[Frozen]] = StudyPosition
    known: ClassVar[frozenset[str]] = frozenset({"lost"})

    def seats(self, position: StudyPosition) -> int:
        return 1

    def checked(self, game: Scrabblet, position: StudyPosition) -> StudyPosition:
        earlier = set[str]()
        for word in position.found:
            try:
                _check_new(position, word)
                if word in earlier:
                    raise BadStudy(f"{word.upper()} was found already")
            except BadStudy as error:
                raise BadStudy(f"found: {error.reason}", "found") from None
            earlier.add(word)
        if position.score < 0:
            points = format_count(position.points, "point")
            raise BadStudy(f"lost: {position.lost} is more than the words have made, {points}", "lost")
        return position

    def unlisted(self, game: Scrabblet, position: StudyPosition) -> tuple[str, ...]:
        return tuple(word.upper() for word in position.found if word not in game.lexicon)

    def play(self, game: Scrabblet, position: StudyPosition, move: str) -> Played:
        word = move.strip().lower()
        if not (word.isascii() and word.isalpha()):
            raise BadStudy(f"{quote(move)} is not a word; accepted: the letters a to z")
        if len(word) > LONGEST_GUESS:
            raise BadStudy(f"a word of {len(word)} letters; accepted: up to {LONGEST_GUESS}")
        _check_new(position, word)
        if word in position.found:
            raise BadStudy(f"{word.upper()} was found already")
        if len(position.found) == MOST_WORDS:
            raise BadStudy(f"a position has up to {MOST_WORDS:,} words")
        hand = Hand(position.rack)
        return Played(
            position.model_copy(update={"found": (*position.found, word)}),
            word.upper(),
            hand.score(word),
            () if word in game.lexicon else (word.upper(),),
            cells_of(hand, word),
        )

    def ending(self, position: StudyPosition) -> str | None:
        return None


def cells_of(hand: Hand, word: str) -> tuple[int, ...]:
    """Return the tiles that a word uses: all with its letters, and as many blanks as it needs."""
    blanks = [cell for cell, tile in enumerate(hand.tiles) if tile == BLANK][: len(hand.blanked(word))]
    return tuple(cell for cell, tile in enumerate(hand.tiles) if tile in word or cell in blanks)


def tree_of_game(states: Sequence[State], names: Sequence[str]) -> StudyTree:
    """Return the tree of a game: its words in the order found.

    Points lost are stored with the word before them. If there are more words than a tree may have moves, the
    first ones are part of its start.
    """
    first, last = states[0], states[-1]
    words, begun = [found.word for found in last.found], _at_start(last)
    lost = {len(state.found): sum(found.points for found in state.found) - state.score for state in states}
    start = StudyPosition(
        rack=first.hand,
        min_length=first.options.min_length,
        found=tuple(words[:begun]),
        lost=lost.get(begun, 0),
        lexicon=first.options.lexicon.name,
    ).model_dump(mode="json")
    nodes = (
        StudyNode(
            parent=number - begun,
            move=word.upper(),
            known={"lost": lost[number + 1]} if lost[number + 1] != lost[number] else {},
        )
        for number, word in enumerate(words[begun:], start=begun)
    )
    return StudyTree(start=start, names=tuple(names), nodes=tuple(nodes))


def node_of(states: Sequence[State], ply: int) -> int:
    """Return the number of the node of a game's tree after ``ply`` moves."""
    return max(0, len(states[ply].found) - _at_start(states[-1]))


def _at_start(last: State) -> int:
    """Return how many of a game's words are part of the start of its tree."""
    return max(0, len(last.found) - MOST_NODES)


def _check_new(position: StudyPosition, word: str) -> None:
    """Raise BadStudy for a word that is too short or cannot be made from the hand."""
    if len(word) < position.min_length:
        letters = format_count(len(word), "letter")
        raise BadStudy(f"{word.upper()} has {letters}: a word has {position.min_length} or more")
    hand = Hand(position.rack)
    if not hand.makes(word):
        lacking = hand.blanked(word).upper()
        blanks = f" and {format_count(hand.blanks, 'blank')}" if hand.blanks else ""
        raise BadStudy(
            f"{word.upper()} needs {', '.join(lacking)}: the hand has {hand.letters.upper()}{blanks}"
        )
