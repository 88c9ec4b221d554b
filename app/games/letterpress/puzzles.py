"""Puzzles of Letterpress: the word with the best position after the opponent's best reply."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, ClassVar, Final

import numpy as np
from pydantic import BaseModel, Field

from app.games.game import Frozen, IllegalMove, LexiconRef, NotAWord
from app.games.letterpress.anagrams import SHORTEST
from app.games.letterpress.rules import Letterpress, why_closed
from app.games.letterpress.solver import Advice
from app.games.letterpress.solver import Position as Turn
from app.games.letterpress.state import Options, State
from app.games.letterpress.territory import CELLS, EVERY, Territory, mask_of, protected
from app.games.puzzles import Answer, Given, Judged, Outcome, PuzzleRules, Solved, Theme, bot_game, is_shown
from app.words.vocabulary import Level

MOST_VALUE: Final = 100
"""Wins and losses count as this."""
STEAL: Final = 4
"""Minimum number of tiles taken from the opponent by a steal."""
BLOCK: Final = 3
"""Minimum number of tiles newly protected by a block."""
_LEVELS: Final = (2, 3, 4)
_TURNS: Final = 30


class Position(Frozen):
    """A position as the side to move sees it."""

    board: str = Field(pattern=f"^[a-z]{{{CELLS}}}$")
    ours: int = Field(ge=0, le=EVERY)
    """Our tiles, as a mask with bit ``i`` for cell ``i``."""
    theirs: int = Field(ge=0, le=EVERY)
    played: tuple[str, ...] = ()
    """The words played so far, which may not be played again; nor may their prefixes."""


class LetterpressPuzzles(PuzzleRules):
    """A value is the lead after the opponent's best reply, in which a protected tile counts four times."""

    kind: ClassVar[str] = Letterpress.kind
    engine: ClassVar[str] = "Letterpress solver, 2 plies"
    position_type: ClassVar[type[BaseModel]] = Position
    task: ClassVar[str] = "Find the word that leaves you best off after their reply."
    hardest: ClassVar[Level] = "highbrow"
    clear_margin: ClassVar[float] = 4.0
    earliest: ClassVar[int] = 3  # with few tiles owned, all long words are about equally good

    def states(self, game: Letterpress, seed: str) -> Iterator[State]:
        random = Random(seed)
        levels = tuple(_LEVELS[int(random.random() * len(_LEVELS))] for _ in range(2))
        options = Options(letters="usual", lexicon=LexiconRef.of(game.lexicon))
        return bot_game(game, options, levels, seed, _TURNS)

    def position_of(self, game: Letterpress, state: State) -> Position | None:
        if game.to_move(state) is None or state.passed:
            return None
        seat = state.to_move
        return Position(
            board=state.board, ours=state.owned[seat], theirs=state.owned[1 - seat], played=state.played
        )

    def better_move(self, turn: Mapping[str, Any], *, is_final: bool = False) -> Mapping[str, Any] | None:
        best: Mapping[str, Any] = turn["best"]
        return best if turn["lost"] and best["word"] else None

    def review_values(
        self, position: Position, turn: Mapping[str, Any], better: float
    ) -> tuple[float, float | None]:
        """A review may have proven the outcome, which is not seen at two plies."""
        return turn["best"]["value"], turn["value"]

    def is_proven(self, turn: Mapping[str, Any]) -> bool:
        return turn["proven"] is not None

    def outcome(self, value: float) -> Outcome | None:
        return "win" if value >= MOST_VALUE else "loss" if value <= -MOST_VALUE else None

    def is_fit(self, game: Letterpress, position: Position) -> bool:
        return all(is_shown(game.lexicon, word) for word in position.played)

    def solve(self, game: Letterpress, position: Position) -> Solved | None:
        found = game.solver.solve(_turn(position), top=3, plies=2, grouped=True).moves
        best, *others = found
        second = next((move for move in others if move.word), None)
        if not best.word or second is None or max(move.value for move in others) > second.value:
            return None  # a pass is best, or better than every other word
        return Solved(
            _judged(position, best), _judged(position, second), _themes(position, best), (best.word,)
        )

    def judge(self, game: Letterpress, position: Position, given: Given) -> Judged:
        for index, cell in enumerate(given.cells):
            if not 0 <= cell < CELLS:
                raise IllegalMove(f"cell {cell} is not on the board: cells are 0 to {CELLS - 1}", index)
            if cell in given.cells[:index]:
                raise IllegalMove(f"cell {cell} is used twice: each tile counts once in a word", index)
        word = "".join(position.board[cell] for cell in given.cells) or given.word.strip().lower()
        _check_word(game, position, word)
        if given.cells:
            value = game.solver.judge(_turn(position), word, mask_of(given.cells)).value
            return Judged(Answer(word=word, cells=given.cells), _bounded(value))
        only = np.zeros(len(game.lexicon), np.uint8)
        only[game.lexicon.index(word)] = 1
        found = game.solver.solve(_turn(position), top=2, plies=2, allowed=only).moves
        # A pass is listed like any other move, and may be better than the word.
        return _judged(position, next(move for move in found if move.word))


def _turn(position: Position) -> Turn:
    territory = Territory(ours=position.ours, theirs=position.theirs)
    return Turn(board=position.board, territory=territory, played=position.played)


def _bounded(value: int) -> float:
    return float(max(-MOST_VALUE, min(MOST_VALUE, value)))


def _judged(position: Position, move: Advice) -> Judged:
    return Judged(Answer(word=move.word, cells=move.cells(position.board)), _bounded(move.value))


def _themes(position: Position, best: Advice) -> tuple[Theme, ...]:
    taken = position.theirs & ~best.territory.theirs
    newly_protected = protected(best.territory.ours) & ~protected(position.ours)
    held: dict[Theme, bool] = {
        "steal": taken.bit_count() >= STEAL,
        "block": newly_protected.bit_count() >= BLOCK,
        "last word": best.territory.full,
    }
    return tuple(theme for theme, holds in held.items() if holds)


def _check_word(game: Letterpress, position: Position, word: str) -> None:
    if not (word.isascii() and word.isalpha()):
        raise IllegalMove("type a word of the letters a to z")
    if len(word) < SHORTEST:
        raise IllegalMove(f"a word has {SHORTEST} letters or more")
    if word not in game.lexicon:
        raise NotAWord(word)
    if reason := why_closed(word, position.played):
        raise IllegalMove(reason)
    for letter in set(word):
        if word.count(letter) > position.board.count(letter):
            raise IllegalMove(f"{word.upper()} needs more of {letter.upper()} than this board has")
