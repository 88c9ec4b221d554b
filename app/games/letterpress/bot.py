"""Letterpress bots: levels that differ in vocabulary and search depth."""

import tomllib
from functools import cache

from pydantic import Field, TypeAdapter

from app.games.bot_profiles import thinking_time, with_names
from app.games.game import Frozen
from app.games.letterpress.solver import Advice, Position, Solver
from app.games.letterpress.state import Move, Pass, Play, State
from app.games.letterpress.territory import CELLS, Territory
from app.games.randomness import chances, generator
from app.resources import resource
from app.words.vocabulary import Level, suggested_words


class Bot(Frozen):
    """One engine configuration, from ``data/letterpress/game.toml``."""

    name: str
    vocabulary: Level
    longest: int = Field(default=CELLS, ge=2, le=CELLS)
    """The maximum length of the words it plays."""
    notices: float = Field(default=1.0, gt=0, le=1)
    """The share of its known words that it considers in a turn."""
    plies: int = Field(ge=1, le=3)
    effort: int = Field(gt=0)
    """Search limit, in millions of positions."""
    proof: int = Field(default=0, ge=0)
    """Positions searched to prove the outcome; 0 for no proof."""


@cache
def _table(kind: str) -> tuple[Bot, ...]:
    table = tomllib.loads((resource("data") / "letterpress" / "game.toml").read_text(encoding="utf-8"))
    levels = with_names(table[kind]) if kind == "bot" else table[kind]
    return TypeAdapter(tuple[Bot, ...]).validate_python(levels)


def bots() -> tuple[Bot, ...]:
    """Return the bots, weakest first: level 1 is the first."""
    return _table("bot")


def engines() -> dict[str, Bot]:
    """Return all configurations by name: the bots, and sparring partners for measuring them."""
    return {bot.name.lower(): bot for bot in (*bots(), *_table("sparring"))}


def position_of(state: State) -> Position:
    """Return the position as the seat to move sees it."""
    seat = state.to_move
    return Position(
        board=state.board,
        territory=Territory(ours=state.owned[seat], theirs=state.owned[1 - seat]),
        played=state.played,
        passed=state.passed,
    )


def choose(state: State, bot: Bot, solver: Solver) -> Move:
    """Return the move of ``bot`` for the seat to move. Deterministic for a given state.

    A proven win is played. In a lost position it delays the end, or else prefers a word that keeps the game
    going: the opponent may make a mistake.
    """
    known = suggested_words(solver.lexicon, bot.vocabulary) & (solver.lengths <= bot.longest)
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
            proof_stop=(lambda: lambda positions: positions > bot.proof) if bot.proof else None,
        ).moves

    move = best(1)[0]
    if not move.word and not move.wins:
        move = next((other for other in best(2) if other.word and not other.territory.full), move)
    return Play(cells=move.cells(state.board)) if move.word else Pass()


def pause(state: State, move: Move, level: int) -> float:
    """Return the seconds that the bot of this level takes over the move."""
    tiles = len(move.cells) if isinstance(move, Play) else 0
    return thinking_time(level, tiles, generator(state.seed, state.ply).random())
