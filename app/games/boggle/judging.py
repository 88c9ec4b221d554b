"""Judges the words of a round: finds a word's path, and its points or why it scores none."""

from collections.abc import Sequence

from app.games.boggle.board import Board
from app.games.boggle.solved_boards import SolvedBoards
from app.games.boggle.state import Found, Report, Round, State, Word
from app.games.game import IllegalMove


def judge(state: State, round_: Round, move: Word, boards: SolvedBoards) -> Report:
    """Return the result of a word, given by its path or as text, in this round.

    Raises IllegalMove if the cells are not a path.
    """
    cells = move.cells
    if cells is not None:
        word = spelled(Board(state.board), cells, qu=state.options.qu)
    else:
        word = (move.word or "").strip().lower()
        cells = boards.of(state).cells.get(word, ())
    if len(word) < state.options.min_length:
        return Report(result="too_short", word=word, cells=cells)
    if word not in boards.lexicon:
        return Report(result="not_a_word", word=word, cells=cells)
    if not cells:
        return Report(result="not_on_board", word=word)
    if any(found.word == word for found in round_.found):
        return Report(result="repeated", word=word, cells=cells)
    points = boards.points(word, find_all=state.options.find_all)
    return Report(result="scored", word=word, cells=cells, points=points)


def found_at_once(state: State, words: Sequence[str], at: float, boards: SolvedBoards) -> tuple[Found, ...]:
    """Return the words of a complete round with their points.

    Raises IllegalMove if one is not on the board or is repeated.
    """
    places = boards.of(state).cells
    for word in words:
        if word not in places:
            raise IllegalMove(f"{word.upper()!r} is not a word on this board")
    if len(set(words)) < len(words):
        raise IllegalMove("each word counts once")
    find_all = state.options.find_all
    return tuple(
        Found(word=word, cells=places[word], points=boards.points(word, find_all=find_all), at=at)
        for word in words
    )


def spelled(board: Board, cells: Sequence[int], *, qu: bool) -> str:
    """Return the word that the cells spell. Raises IllegalMove if they are not a path."""
    grid, letters = board.grid, board.letters
    for index, cell in enumerate(cells):
        if not 0 <= cell < grid.cells:
            raise IllegalMove(f"cell {cell} is not on the board: cells are 0 to {grid.cells - 1}", index)
        if cell in cells[:index]:
            raise IllegalMove(f"cell {cell} is used twice: each counts once in a word", index)
        if index and not grid.touch(cells[index - 1], cell):
            raise IllegalMove(f"cell {cell} does not touch cell {cells[index - 1]}", index)
    return "".join("qu" if qu and letters[cell] == "q" else letters[cell] for cell in cells)
