"""Who plays Letterpress for the machine: levels that differ in the words they know and how far they look."""

import tomllib
from functools import cache

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.games.letterpress.solver import Position, Solver
from app.games.letterpress.state import Move, Pass, Play, State
from app.games.letterpress.territory import Territory
from app.games.randomness import generator
from app.resources import resource
from app.words.vocabulary import Level, allowed_words


class Bot(Frozen):
    """One way to play, from ``data/letterpress.toml``."""

    name: str
    vocabulary: Level
    plies: int = Field(ge=1, le=3)
    effort: int = Field(gt=0)
    """Millions of positions after which it plays the best it has found."""


@cache
def _table(kind: str) -> tuple[Bot, ...]:
    table = tomllib.loads((resource("data") / "letterpress.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Bot, ...]).validate_python(table[kind])


def bots() -> tuple[Bot, ...]:
    """The bots, weakest first: level 1 is the first of them."""
    return _table("bot")


def engines() -> dict[str, Bot]:
    """Every way to play by its name: the bots, and what they are measured against."""
    return {bot.name.lower(): bot for bot in (*bots(), *_table("sparring"))}


def position_of(state: State) -> Position:
    """The position as the seat to move sees it."""
    seat = state.to_move
    return Position(
        board=state.board,
        territory=Territory(ours=state.owned[seat], theirs=state.owned[1 - seat]),
        played=state.played,
        passed=state.passed,
    )


def choose(state: State, bot: Bot, solver: Solver) -> Move:
    """What ``bot`` plays for the seat to move; the same state gives the same answer."""
    known = allowed_words(solver.lexicon, bot.vocabulary)
    effort = 1_000_000 * bot.effort
    best = solver.solve(
        position_of(state),
        top=1,
        plies=bot.plies,
        allowed=known,
        their_allowed=known,
        stop=lambda positions: positions > effort,
    ).moves[0]
    return Play(cells=best.cells(state.board)) if best.word else Pass()


def pause(state: State, move: Move) -> float:
    """Seconds that a person would take over the move: looking, and tapping the tiles."""
    looking = 2.0 + 3.0 * generator(state.seed, state.ply).random()
    return looking + (0.25 * len(move.cells) if isinstance(move, Play) else 0.0)
