"""Who plays Fribble for the machine: five levels that differ in the words they know and how near they reach.

Which words a bot knows is settled by the game's seed and the seat; so the same position always gets the same
answer.
"""

import math
import tomllib
from functools import cache

from pydantic import Field, TypeAdapter

from app.games.bot_words import words_known
from app.games.fribble.advice import Advice, Worths, best_first, best_kept, nearest_first, worths_in
from app.games.fribble.bag import without
from app.games.fribble.kernels import POINT
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.state import Challenge, Exchange, Move, Pass, Place, State
from app.games.fribble.strategy import Strategy
from app.games.game import Frozen
from app.games.randomness import generator, unit
from app.resources import resource
from app.words.lexicon import Lexicon


class Bot(Frozen):
    """One level, from ``data/fribble-bots.toml``."""

    name: str
    knows: int = Field(ge=0)
    """The rank of a word known with even chances; 0 is the whole lexicon."""
    reaches: float = Field(gt=0, le=1)
    """The share of its best move's points that it finds on average; of a single turn, any share."""
    strategy: Strategy
    """How it values moves."""
    doubts: float = Field(ge=0, le=1)
    """How often it challenges a play that is not valid."""


@cache
def bots() -> tuple[Bot, ...]:
    """The bots, weakest first: level 1 is the first of them."""
    table = tomllib.loads((resource("data") / "fribble-bots.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Bot, ...]).validate_python(table["bot"])


def choose(state: State, bot: Bot, lexicon: Lexicon, movegen: MoveGenerator, exchangeable: int) -> Move:
    """What ``bot`` plays for the seat to move, which may exchange so many tiles.

    It exchanges where it knows no move, or where it values what it would keep above all moves, and passes if
    it cannot.
    """
    seat = state.to_move
    mood = generator(f"{state.seed}/{seat}", state.ply)
    if state.unsettled is not None:
        phony = any(word.lower() not in lexicon for word in state.turns[-1].words)
        if phony and mood.random() < bot.doubts:
            return Challenge()
        if state.out is not None:
            return Pass()
    tiles, worth = state.racks[seat], worths_in(state, movegen, bot.strategy)
    rack = Rack(tiles)
    found = _found(
        state, bot, lexicon, movegen, rack, worth, math.pow(unit(mood), (1 - bot.reaches) / bot.reaches)
    )
    if exchangeable:
        kept = best_kept(rack, worth, exchangeable)
        if found is None or (bot.strategy != "greedy" and worth[kept] / POINT > found.equity):
            return Exchange(tiles=without(tiles, rack.kept(kept)))
    return Pass() if found is None else Place(cells=found.placement.cells, tiles=found.placement.tiles)


def pause(state: State, move: Move) -> float:
    """Seconds that a person would take over the move: looking, and laying the tiles."""
    looking = 3.0 + 4.0 * generator(state.seed, state.ply).random()
    return looking + (0.5 * len(move.cells) if isinstance(move, Place) else 0.0)


def _found(
    state: State,
    bot: Bot,
    lexicon: Lexicon,
    movegen: MoveGenerator,
    rack: Rack,
    worth: Worths,
    share: float,
) -> Advice | None:
    """The known move that scores nearest to ``share`` of the best one known; None if it knows none."""
    known = words_known(bot.knows, lexicon, state.seed, state.to_move)

    def knows(word: str) -> bool:
        index = lexicon.index(word)
        return index is not None and bool(known[index])

    moves = movegen.moves(movegen.squares(state.board), rack)
    best = next(best_first(moves, state.board, rack, knows, worth), None)
    if best is None or share == 1:
        return best
    return next(nearest_first(moves, share * best.score, state.board, rack, knows))
