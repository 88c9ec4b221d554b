"""Puzzles of Boggle: the word with the most points on a board."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Final

from pydantic import AfterValidator, BaseModel

from app.games.boggle.board import Board
from app.games.boggle.rules import Boggle
from app.games.boggle.solver import FoundWord, solver_of
from app.games.boggle.state import Options, State
from app.games.game import Frozen, IllegalMove, LexiconRef, NotAWord
from app.games.puzzles import LONG_WORD, Answer, Given, Judged, PuzzleRules, Solved, Theme
from app.words.vocabulary import Level

BOARDS: Final = 20
"""Boards dealt for one seed."""


def _checked(rows: tuple[str, ...]) -> tuple[str, ...]:
    Board(rows)
    return rows


class Position(Frozen):
    """A board."""

    rows: Annotated[tuple[str, ...], AfterValidator(_checked)]


class BogglePuzzles(PuzzleRules):
    """A word's value is its points in the dice game."""

    kind: ClassVar[str] = Boggle.kind
    engine: ClassVar[str] = "Boggle solver"
    position_type: ClassVar[type[BaseModel]] = Position
    task: ClassVar[str] = "Find the word with the most points."
    hardest: ClassVar[Level] = "common"
    clear_margin: ClassVar[float] = 2.0

    def states(self, game: Boggle, seed: str) -> Iterator[State]:
        ref = LexiconRef.of(game.lexicon)
        for number in range(BOARDS):
            yield game.start(Options(richness="fair", lexicon=ref), 1, f"{seed}/{number}")

    def position_of(self, game: Boggle, state: State) -> Position | None:
        plain = not state.options.qu or not any("q" in row for row in state.board)
        return Position(rows=state.board) if plain else None

    def solve(self, game: Boggle, position: Position) -> Solved | None:
        found = solver_of(game.lexicon).solve(Board(position.rows)).words
        if len(found) < 2:
            return None
        best, second = found[:2]
        themes: tuple[Theme, ...] = ("long word",) if len(best.word) >= LONG_WORD else ()
        return Solved(_judged(best), _judged(second), themes, (best.word,))

    def judge(self, game: Boggle, position: Position, given: Given) -> Judged:
        board = Board(position.rows)
        if given.cells:
            return self._judge_path(game, board, given.cells)
        word = given.word.strip().lower()
        _check_word(game, word)
        found = next((each for each in solver_of(game.lexicon).solve(board).words if each.word == word), None)
        if found is None:
            raise IllegalMove(f"{word.upper()} is not on this board")
        return _judged(found)

    def _judge_path(self, game: Boggle, board: Board, cells: tuple[int, ...]) -> Judged:
        for index, cell in enumerate(cells):
            if not 0 <= cell < board.grid.cells:
                raise IllegalMove(
                    f"cell {cell} is not on the board: cells are 0 to {board.grid.cells - 1}", index
                )
            if cell in cells[:index] or (index and not board.grid.touch(cells[index - 1], cell)):
                raise IllegalMove("a word goes from tile to neighbouring tile, each used once", index)
        word = "".join(board.letters[cell] for cell in cells)
        _check_word(game, word)
        found = next(each for each in solver_of(game.lexicon).solve(board).words if each.word == word)
        return Judged(Answer(word=word, cells=cells), float(found.points))


def _judged(found: FoundWord) -> Judged:
    return Judged(Answer(word=found.word, cells=found.paths[0]), float(found.points))


def _check_word(game: Boggle, word: str) -> None:
    if not (word.isascii() and word.isalpha()):
        raise IllegalMove("type a word of the letters a to z")
    if len(word) < solver_of(game.lexicon).min_length:
        raise IllegalMove(f"a word has {solver_of(game.lexicon).min_length} letters or more")
    if word not in game.lexicon:
        raise NotAWord(word)
