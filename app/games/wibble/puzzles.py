"""Puzzles of Wibble: the best word in a turn of Classic, with its swaps and the gems that it collects."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, model_validator

from app.games.game import Frozen, IllegalMove, LexiconRef, NotAWord
from app.games.grid import grid
from app.games.puzzles import LONG_WORD, Answer, Given, Judged, PuzzleRules, Solved, Theme, bot_game
from app.games.wibble.analysis import TurnPlan, planned_turns
from app.games.wibble.modes import ModeRules, modes
from app.games.wibble.options import Options
from app.games.wibble.planning import Position as Turn
from app.games.wibble.planning import affordable_swaps, gem_rows, gem_table, plan, points_later
from app.games.wibble.rules import Wibble
from app.games.wibble.scoring import Scoring, points
from app.games.wibble.solver import FoundWord
from app.games.wibble.state import Board, State
from app.grammar import format_count, there_are
from app.words.letters import letter_values
from app.words.vocabulary import Level

SIZE: Final = 5
SPELLCAST: Final = "spellcast"
_LEVELS: Final = (3, 4, 5)
_TURNS: Final = 40


class Position(Frozen):
    """A turn of Classic."""

    board: Board
    round: int = Field(ge=1)
    gems: int = Field(ge=0, le=10)
    """Gems that the player holds."""
    values: Literal["scrabble", "spellcast"] = Field(SPELLCAST, exclude_if=lambda values: values == SPELLCAST)
    """The table of letter values. Not stored if it is SpellCast's, the default of Classic."""

    @property
    def scoring(self) -> Scoring:
        """The scoring of Classic with these values."""
        mode = _mode()
        return Scoring(letter_values(self.values), mode.long_word_length, mode.long_word_bonus)

    @model_validator(mode="after")
    def _is_square(self) -> "Position":
        if len(self.board.letters) != SIZE**2:
            raise ValueError(f"a board has {SIZE**2} letters, this one has {len(self.board.letters)}")
        return self


class WibblePuzzles(PuzzleRules):
    """A word's value is its points plus the value of the gems left, in points of later rounds."""

    kind: ClassVar[str] = Wibble.kind
    engine: ClassVar[str] = "Wibble solver with gem values"
    position_type: ClassVar[type[BaseModel]] = Position
    task: ClassVar[str] = "Find the best word."
    hardest: ClassVar[Level] = "common"
    clear_margin: ClassVar[float] = 4.0

    def states(self, game: Wibble, seed: str) -> Iterator[State]:
        ref = LexiconRef.of(game.lexicon)
        level = _LEVELS[int(Random(seed).random() * len(_LEVELS))]
        return bot_game(game, Options(mode="classic", lexicon=ref), (level,), seed, _TURNS)

    def position_of(self, game: Wibble, state: State) -> Position | None:
        if (
            state.board is None
            or state.options.size != SIZE
            or state.options.mode not in ("classic", "versus")
        ):
            return None
        if game.to_move(state) is None or (state.report and state.report.result == "swapped"):
            return None
        values = state.options.values or _mode().values
        return Position(board=state.board, round=state.round, gems=state.gems[state.to_move], values=values)

    def state_before(self, states: Sequence[State], ply: int) -> State | None:
        return next((first for first, before, *_ in planned_turns(states) if before.ply == ply), None)

    def better_move(self, turn: Mapping[str, Any], *, is_final: bool = False) -> Mapping[str, Any] | None:
        plan = turn.get("plan")
        better: Mapping[str, Any] = (plan["word"] if plan else turn["best"]) or turn
        is_word = better["word"] != turn["word"] and not (plan and plan["shuffle"])
        return better if is_word and turn["size"] == SIZE else None

    def review_values(
        self, position: Position, turn: Mapping[str, Any], better: float
    ) -> tuple[float, float | None]:
        """The turn's includes the value of gems spent on swaps, which the points of the word do not show."""
        plan = turn.get("plan")
        return better, better - TurnPlan.model_validate(plan).lost if plan else None

    def included(self, position: Position) -> str:
        return "with gems"

    def solve(self, game: Wibble, position: Position) -> Solved | None:
        planned = plan(_turn(position), game.solver, position.scoring, _mode(), gem_table(1))
        best = planned.word
        if best is None or planned.shuffle:
            return None
        rows = gem_rows(_turn(position), _mode(), gem_table(1))
        second = game.solver.best_by_value(
            position.board, SIZE, position.scoring, rows, _all_but(game, game.lexicon.index(best.word))
        )
        if second is None:
            return None
        return Solved(
            _judged(position, best),
            _judged(position, second),
            self._themes(game, position, best),
            (best.word,),
        )

    def judge(self, game: Wibble, position: Position, given: Given) -> Judged:
        if given.cells:
            return _judged(position, _traced(game, position, given))
        word = _checked(game, given.word.strip().lower())
        rows = gem_rows(_turn(position), _mode(), gem_table(1))
        found = game.solver.best_by_value(
            position.board, SIZE, position.scoring, rows, _only(game, game.lexicon.index(word))
        )
        if found is None:
            raise IllegalMove(f"{word.upper()} cannot be traced on this board")
        return _judged(position, found)

    def _themes(self, game: Wibble, position: Position, best: FoundWord) -> tuple[Theme, ...]:
        swaps = affordable_swaps(_mode(), position.gems)
        greedy = game.solver.best(position.board, SIZE, position.scoring, swaps)
        held: dict[Theme, bool] = {
            "gem plan": greedy is not None and greedy.word != best.word,
            "last word": position.round == _mode().rounds,
            "swap": bool(best.swaps),
            "long word": len(best.word) >= LONG_WORD,
        }
        return tuple(theme for theme, holds in held.items() if holds)


def gem_values(position: Position) -> list[int]:
    """Return the value of 0, 1 ... more gems in later rounds, in points."""
    rows = gem_rows(_turn(position), _mode(), gem_table(1))
    return [value - rows[0][0] for value in rows[0]]


def _mode() -> ModeRules:
    return modes()["classic"]


def _turn(position: Position) -> Turn:
    return Turn(position.board, SIZE, position.round, position.gems)


def _judged(position: Position, found: FoundWord) -> Judged:
    """Return a word with its points and the value of the gems left, compared with keeping those held."""
    rows = gem_rows(_turn(position), _mode(), gem_table(1))
    kept = round(points_later(_mode(), gem_table(1), position.round, position.gems))
    value = found.points + rows[len(found.swaps)][found.gems] - kept
    return Judged(Answer(word=found.word, cells=found.cells), float(value))


def _traced(game: Wibble, position: Position, given: Given) -> FoundWord:
    """Return the word on these cells; letters that differ from the board's are swaps. Raises IllegalMove."""
    board, cells = position.board, given.cells
    for index, cell in enumerate(cells):
        if not 0 <= cell < SIZE**2:
            raise IllegalMove(f"cell {cell} is not on the board: cells are 0 to {SIZE**2 - 1}", index)
        if cell in cells[:index] or (index and not grid(SIZE, SIZE).touch(cells[index - 1], cell)):
            raise IllegalMove("a word goes from tile to neighbouring tile, each used once", index)
    word = given.word.strip().lower() or "".join(board.letters[cell] for cell in cells)
    if len(word) != len(cells):
        length = format_count(len(word), "letter")
        raise IllegalMove(f"{word.upper()} has {length}, and {there_are(len(cells), 'cell')}")
    word = _checked(game, word)
    swaps = tuple(
        (cell, letter) for cell, letter in zip(cells, word, strict=True) if board.letters[cell] != letter
    )
    if len(swaps) > affordable_swaps(_mode(), position.gems):
        raise IllegalMove(f"{word.upper()} on these cells takes more swaps than the gems pay for")
    letters = list(board.letters)
    for cell, letter in swaps:
        letters[cell] = letter
    swapped = board.model_copy(update={"letters": "".join(letters)})
    gems = len(set(cells) & set(board.gems))
    return FoundWord(word, cells, points(swapped, cells, position.scoring), gems, swaps)


def _checked(game: Wibble, word: str) -> str:
    if not (word.isascii() and word.isalpha()):
        raise IllegalMove("type a word of the letters a to z")
    if word not in game.lexicon:
        raise NotAWord(word)
    return word


def _only(game: Wibble, index: int | None) -> NDArray[np.uint8]:
    allowed = np.zeros(len(game.lexicon), np.uint8)
    allowed[index] = 1
    return allowed


def _all_but(game: Wibble, index: int | None) -> NDArray[np.uint8]:
    allowed = np.ones(len(game.lexicon), np.uint8)
    allowed[index] = 0
    return allowed
