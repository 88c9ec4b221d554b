"""Adventure: levels with goals, obstacles and a number of words.

The rules, each in a sentence:

- A *move* is a word that scores; powers are not moves.
- A level is won with the word that reaches the last of its goals, and lost when its moves are used up first.
- A *wall* is a cell without a tile: no word passes through it.
- A *frozen* tile cannot be used until its ice has melted: each word next to it melts one layer.
- A *fixed* tile can be used like any other, but keeps its letter: it is never replaced, shuffled or swapped.
- A *bomb* counts down with every word; a word with its tile defuses it, and at 0 the level is lost.
- A *marked* tile has to be used in a word if that is a goal.
- A shuffle leaves every tile with an obstacle or mark in its place.

The first board of a level is the same in every game with the same word list: letters that the layout leaves
open are drawn from a seed pinned by the level's name. Later letters are drawn from the game's own
seed, so that every attempt is different.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final

from app.games.grid import grid
from app.games.randomness import generator
from app.games.wibble.board import CountWords, place_gems, replace_tiles
from app.games.wibble.levels import (
    Goal,
    GoalView,
    Level,
    LevelView,
    Obstacle,
    Progress,
    level_after,
    number_of,
    without,
)
from app.games.wibble.state import Board, State
from app.words.draw import LetterDraw

WON: Final = "level won"
OUT_OF_MOVES: Final = "out of moves"
EXPLODED: Final = "a bomb went off"

Obstacles = Mapping[int, tuple[Obstacle | None, int]]
"""The obstacle or mark of each cell that has one, and its layers of ice or moves left."""


def first_board(level: Level, draw: LetterDraw, count: CountWords) -> tuple[Board, Progress]:
    """Return the first board of a level and its progress: the same for the same ``draw`` and ``count``."""
    random = generator(f"adventure/{level.name}", 0)
    progress = Progress(frozen=level.counts("frozen"), bombs=level.counts("bomb"), marked=level.at("marked"))
    drawn = [number for number, cell in enumerate(level.cells) if not cell.letter]
    closed = blocked_cells(level, progress)
    letters = replace_tiles(
        "".join(cell.letter or "a" for cell in level.cells),
        drawn,
        draw,
        random,
        lambda letters, enough: count(without(letters, closed), enough),
        level.min_words,
    )
    gems: tuple[int, ...] = ()
    if level.gems:
        free = [cell for cell in range(len(letters)) if cell not in closed]
        gems = place_gems((), free, level.gems.on_board, random)
    return Board(letters=letters, gems=gems), progress


def blocked_cells(level: Level, progress: Progress) -> frozenset[int]:
    """Return the cells that no word can use: walls and frozen tiles."""
    return _walls(level) | {cell for cell, _ in progress.frozen}


def kept_cells(state: State) -> Collection[int]:
    """Return the cells that a shuffle does not move: those with an obstacle or mark."""
    level, progress = state.options.level, state.adventure
    if level is None or progress is None:
        return ()
    bombs = {cell for cell, _ in progress.bombs}
    return blocked_cells(level, progress) | bombs | set(progress.marked) | set(level.at("fixed"))


def refused_cell(state: State, cell: int) -> str | None:
    """Return why a word cannot use the cell; None if it can, which is always so outside Adventure."""
    obstacle = obstacle_at(state, cell)[0]
    if obstacle == "wall":
        return f"cell {cell} is a wall: words go around it"
    if obstacle == "frozen":
        return f"cell {cell} is frozen: play a word beside it to melt the ice"
    return None


def obstacle_at(state: State, cell: int) -> tuple[Obstacle | None, int]:
    """Return the obstacle on a cell, and its layers of ice or moves left; (None, 0) outside Adventure."""
    return obstacles_of(state).get(cell, (None, 0))


def obstacles_of(state: State) -> Obstacles:
    """Return the obstacles of a game, like ``obstacles``; empty outside Adventure."""
    level, progress = state.options.level, state.adventure
    return obstacles(level, progress) if level and progress else {}


def obstacles(level: Level, progress: Progress) -> Obstacles:
    """Return the current obstacles by cell, with their layers of ice or moves left."""
    found: dict[int, tuple[Obstacle | None, int]] = dict.fromkeys(level.at("wall"), ("wall", 0))
    found |= dict.fromkeys(level.at("fixed"), ("fixed", 0))
    found |= {cell: ("frozen", layers) for cell, layers in progress.frozen}
    found |= {cell: ("bomb", left) for cell, left in progress.bombs}
    return found | dict.fromkeys(progress.marked, ("marked", 0))


def open_board(state: State) -> Board:
    """Return the board with WALL on blocked cells; outside Adventure, the board itself.

    Raises ValueError before the start.
    """
    board, level, progress = state.board, state.options.level, state.adventure
    if board is None:
        raise ValueError("the game has not started")
    if level is None or progress is None:
        return board
    closed = blocked_cells(level, progress)
    return board.model_copy(update={"letters": without(board.letters, closed)}) if closed else board


def after_word(level: Level, progress: Progress, cells: Sequence[int]) -> Progress:
    """Return the progress after a word over ``cells``: ice melts, bombs tick, marks are used."""
    used = set(cells)
    beside = near(level.size, cells)
    layers = ((cell, left - (cell in beside)) for cell, left in progress.frozen)
    return Progress(
        moves=progress.moves + 1,
        frozen=tuple((cell, left) for cell, left in layers if left),
        bombs=tuple((cell, left - 1) for cell, left in progress.bombs if cell not in used),
        marked=tuple(cell for cell in progress.marked if cell not in used),
    )


def near(size: int, cells: Sequence[int]) -> set[int]:
    """Return the cells that touch any of ``cells``."""
    neighbours = grid(size, size).neighbours
    return {cell for used in cells for cell in neighbours[used]}


def reached(level: Level, goal: Goal, progress: Progress, state: State) -> int:
    """Return the progress of a goal, up to its target."""
    target = level.target(goal)
    match goal.type:
        case "points":
            done = sum(turn.points for turn in state.turns)
        case "words":
            done = sum(len(turn.word) >= (goal.length or 1) for turn in state.turns)
        case "gems":
            done = sum(turn.gems for turn in state.turns)
        case "frozen":
            done = target - sum(layers for _, layers in progress.frozen)
        case "marked":
            done = target - len(progress.marked)
        case "bombs":
            done = target - len(progress.bombs)
    return min(done, target)


def ending(state: State) -> str | None:
    """Return why the level is over: WON, EXPLODED or OUT_OF_MOVES; None if it is not over, or not a level."""
    level, progress = state.options.level, state.adventure
    if level is None or progress is None:
        return None
    if any(left <= 0 for _, left in progress.bombs):
        return EXPLODED
    if all(reached(level, goal, progress, state) == level.target(goal) for goal in level.goals):
        return WON
    return OUT_OF_MOVES if progress.moves >= level.moves else None


def stars(state: State) -> int:
    """Return the stars of a finished level: 1 to 3, or 0 if it was not won."""
    level, progress = state.options.level, state.adventure
    if level is None or progress is None or ending(state) != WON:
        return 0
    return level.stars_for(progress.moves)


def level_view(state: State, *, over: bool) -> LevelView | None:
    """Return the level of a game as players see it; None outside Adventure."""
    level = state.options.level
    if level is None:
        return None
    progress = state.adventure or Progress(
        frozen=level.counts("frozen"), bombs=level.counts("bomb"), marked=level.at("marked")
    )
    return LevelView(
        name=level.name,
        title=level.title,
        story=level.story,
        number=number_of(level.name),
        next=level_after(level.name),
        goals=tuple(
            GoalView(
                type=goal.type,
                text=level.describe(goal),
                reached=reached(level, goal, progress, state),
                target=level.target(goal),
            )
            for goal in level.goals
        ),
        moves=level.moves,
        moves_left=level.moves - progress.moves,
        stars_within=level.stars or (0, 0),
        won=ending(state) == WON if over else None,
        stars=stars(state),
    )


@lru_cache(maxsize=256)
def _walls(level: Level) -> frozenset[int]:
    return frozenset(level.at("wall"))
