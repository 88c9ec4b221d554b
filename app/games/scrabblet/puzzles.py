"""Puzzles of Scrabblet: the word with the most points in a hand."""

from collections.abc import Iterator
from typing import ClassVar, Final

from pydantic import BaseModel

from app.games.game import Frozen, IllegalMove, LexiconRef, NotAWord
from app.games.puzzles import LONG_WORD, Answer, Given, Judged, PuzzleRules, Solved, Theme
from app.games.scrabblet.bag import BLANK
from app.games.scrabblet.hand import Hand, Tiles, mask_of
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.solver import SHORTEST, HandWord
from app.games.scrabblet.state import Options, State
from app.words.vocabulary import Level

HANDS: Final = 20
"""Hands dealt for one seed."""
SIZES: Final = (6, 5, 7, 8)
"""The sizes of the hands dealt, in turn: with a single size, the same few words would be best."""
FEWEST_WORDS: Final = 10
"""The minimum number of words in a hand dealt."""


class Position(Frozen):
    """A hand without blanks."""

    rack: Tiles


class ScrabbletPuzzles(PuzzleRules):
    """A word's value is its score."""

    kind: ClassVar[str] = Scrabblet.kind
    engine: ClassVar[str] = "Scrabblet solver"
    position_type: ClassVar[type[BaseModel]] = Position
    task: ClassVar[str] = "Find the word with the most points. Letters may repeat."
    hardest: ClassVar[Level] = "common"
    clear_margin: ClassVar[float] = 2.0

    def states(self, game: Scrabblet, seed: str) -> Iterator[State]:
        ref = LexiconRef.of(game.lexicon)
        for number in range(HANDS):
            size = SIZES[number % len(SIZES)]
            options = Options(lexicon=ref, size=size, min_words=FEWEST_WORDS)
            yield game.start(options, 1, f"{seed}/{number}")

    def position_of(self, game: Scrabblet, state: State) -> Position | None:
        return None if BLANK in state.hand else Position(rack=state.hand)

    def solve(self, game: Scrabblet, position: Position) -> Solved | None:
        hand = Hand(position.rack)
        found = game.solver.find(hand).listed("score", 2)
        if len(found) < 2:
            return None
        best, second = found
        held: dict[Theme, bool] = {
            "bingo": mask_of(best.word) == hand.mask,
            "long word": len(best.word) >= LONG_WORD,
        }
        themes = tuple(theme for theme, holds in held.items() if holds)
        return Solved(_judged(best), _judged(second), themes, (best.word,))

    def judge(self, game: Scrabblet, position: Position, given: Given) -> Judged:
        hand, word = Hand(position.rack), given.word.strip().lower()
        if given.cells:
            for index, cell in enumerate(given.cells):
                if not 0 <= cell < len(hand.tiles):
                    raise IllegalMove(f"there is no tile {cell}: tiles are 0 to {len(hand.tiles) - 1}", index)
            word = "".join(hand.tiles[cell] for cell in given.cells)
        if not (word.isascii() and word.isalpha()):
            raise IllegalMove("type a word of the letters a to z")
        if len(word) < SHORTEST:
            raise IllegalMove(f"a word has {SHORTEST} letters or more")
        if not hand.makes(word):
            raise IllegalMove(f"{word.upper()} has letters that are not in the hand")
        if word not in game.lexicon:
            raise NotAWord(word)
        return _judged(HandWord(word, hand.score(word)))


def _judged(found: HandWord) -> Judged:
    return Judged(Answer(word=found.word), float(found.score))
