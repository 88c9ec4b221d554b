"""The board: dealt by letter frequency, refilled after each chain, shuffled on request."""

from collections.abc import Callable, Collection, Iterable
from random import Random

from app.games.randomness import pick, shuffled, unit
from app.games.wibble.modes import ModeRules
from app.games.wibble.state import Board, Bonus, State
from app.words.draw import LetterDraw

ATTEMPTS = 40
"""After this many deals the richest so far is accepted; only a poor lexicon needs as many."""

CountWords = Callable[[str, int], int]
"""``count(letters, enough)``: the number of words on the board, counted up to ``enough``."""


def replace_tiles(
    letters: str, cells: Iterable[int], draw: LetterDraw, random: Random, count: CountWords, minimum: int
) -> str:
    """Return ``letters`` with each of ``cells`` redrawn, so that the board has at least ``minimum`` words.

    Only these cells are drawn again if it has too few.
    """
    cells = tuple(cells)
    richest, most = letters, -1
    for _ in range(ATTEMPTS):
        tiles = list(letters)
        for cell in cells:
            tiles[cell] = draw(unit(random))
        dealt = "".join(tiles)
        words = count(dealt, minimum)
        if words >= minimum:
            return dealt
        if words > most:
            richest, most = dealt, words
    return richest


def mix(board: Board, random: Random, count: CountWords, minimum: int, kept: Collection[int] = ()) -> Board:
    """Return the same tiles in random places; gems and bonuses move with their tiles.

    The tiles of the cells ``kept`` stay where they are.
    """
    free = [cell for cell in range(len(board.letters)) if cell not in kept]
    richest, most = board, -1
    for _ in range(ATTEMPTS):
        order = list(range(len(board.letters)))
        for to, cell in zip(free, shuffled(random, free), strict=True):
            order[to] = cell
        moved = Board(
            letters="".join(board.letters[cell] for cell in order),
            gems=tuple(to for to, cell in enumerate(order) if cell in board.gems),
            letter_bonus=_moved(board.letter_bonus, order),
            word_bonus=_moved(board.word_bonus, order),
        )
        words = count(moved.letters, minimum)
        if words >= minimum:
            return moved
        if words > most:
            richest, most = moved, words
    return richest


def place_gems(
    gems: Iterable[int], candidates: Iterable[int], wanted: int, random: Random
) -> tuple[int, ...]:
    """Return the gem cells, filled up to ``wanted`` from ``candidates``."""
    kept = set(gems)
    free = [cell for cell in candidates if cell not in kept]
    return tuple(sorted(kept.union(shuffled(random, free)[: max(wanted - len(kept), 0)])))


def place_bonuses(board: Board, mode: ModeRules, round_: int, random: Random) -> Board:
    """Return the board with the round's bonuses on random cells, never both on the same."""
    cells = range(len(board.letters))
    letter_bonus = word_bonus = None
    if mode.letter_bonus_factors:
        letter_bonus = Bonus(cell=pick(random, cells), factor=pick(random, mode.letter_bonus_factors))
    if mode.word_bonus_factor and round_ >= mode.word_bonus_from_round:
        free = [cell for cell in cells if not letter_bonus or cell != letter_bonus.cell]
        word_bonus = Bonus(cell=pick(random, free), factor=mode.word_bonus_factor)
    return board.model_copy(update={"letter_bonus": letter_bonus, "word_bonus": word_bonus})


def _moved(bonus: Bonus | None, order: list[int]) -> Bonus | None:
    return bonus and Bonus(cell=order.index(bonus.cell), factor=bonus.factor)


def board_of(state: State) -> Board:
    """Return the board of a game that has started."""
    if state.board is None:
        raise AssertionError(f"no board is dealt in phase {state.phase}")
    return state.board
