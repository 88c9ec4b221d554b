"""Who plays Letterpress for the machine: levels that differ in the words they know and how far they look."""

import tomllib
from functools import cache

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.games.letterpress.solver import Advice, Position, Solver
from app.games.letterpress.state import Move, Pass, Play, State
from app.games.letterpress.territory import CELLS, Territory
from app.games.randomness import chances, generator
from app.resources import resource
from app.words.vocabulary import Level, allowed_words


class Bot(Frozen):
    """One way to play, from ``data/letterpress.toml``."""

    name: str
    vocabulary: Level
    longest: int = Field(default=CELLS, ge=2, le=CELLS)
    """Letters of the longest word that it finds."""
    notices: float = Field(default=1.0, gt=0, le=1)
    """The share of the words it knows that come to its mind in a turn."""
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
    """What ``bot`` plays for the seat to move; the same state gives the same answer.

    Where all is lost it plays a word that keeps the game going, if there is one: the other may yet err.
    """
    known = allowed_words(solver.lexicon, bot.vocabulary) & (solver.lengths <= bot.longest)
    noticed = known
    if bot.notices < 1:
        noticed = known & (chances(f"{state.seed}/{state.ply}", len(known)) < bot.notices)
    effort = 1_000_000 * bot.effort

    def best(top: int) -> list[Advice]:
        return solver.solve(
            position_of(state),
            top=top,
            plies=bot.plies,
            allowed=noticed,
            their_allowed=known,
            stop=lambda positions: positions > effort,
        ).moves

    move = best(1)[0]
    if not move.word and not move.wins:
        move = next((other for other in best(2) if other.word and not other.territory.full), move)
    return Play(cells=move.cells(state.board)) if move.word else Pass()


def pause(state: State, move: Move) -> float:
    """Seconds that a person would take over the move: looking, and tapping the tiles."""
    looking = 2.0 + 3.0 * generator(state.seed, state.ply).random()
    return looking + (0.25 * len(move.cells) if isinstance(move, Play) else 0.0)
