"""Fribble bots: five levels that differ in vocabulary and strength.

The strongest simulates and solves endgames. A bot's vocabulary and random numbers depend only on the game's
seed and the seat, so the same position always gets the same move once the kernels are compiled; before that,
the strongest bot does not look ahead.
"""

import math
import tomllib
from functools import cache
from random import Random

from pydantic import Field, TypeAdapter

from app.games.bot_profiles import thinking_time, with_names
from app.games.bot_words import words_known
from app.games.fribble.advice import nearest_first
from app.games.fribble.adviser import Adviser, outlook_of
from app.games.fribble.movegen import Rack
from app.games.fribble.movegen_kernels import search
from app.games.fribble.simulate import LookAhead
from app.games.fribble.state import Challenge, Exchange, Move, Pass, Place, State
from app.games.fribble.strategy import Strategy
from app.games.game import Frozen
from app.games.randomness import generator, unit
from app.resources import resource
from app.words.lexicon import Lexicon


class Bot(Frozen):
    """One level, from ``data/fribble/bots.toml``."""

    name: str
    knows: int = Field(ge=0)
    """The rank of a word known with probability 1/2; 0 is the whole lexicon."""
    reaches: float = Field(gt=0, le=1)
    """The mean share of the best move's points that it aims for; the share is drawn for each move."""
    strategy: Strategy
    """How it evaluates moves."""
    doubts: float = Field(ge=0, le=1)
    """The probability that it challenges an invalid play."""
    samples: int = Field(default=0, ge=0)
    """The number of simulation samples per move; 0 for no lookahead."""
    positions: int = Field(default=0, ge=0)
    """The maximum number of endgame positions searched, once the opponent's tiles are known."""


@cache
def bots() -> tuple[Bot, ...]:
    """Return the bots, weakest first: level 1 is the first."""
    table = tomllib.loads((resource("data") / "fribble" / "bots.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Bot, ...]).validate_python(with_names(table["bot"]))


def choose(state: State, bot: Bot, lexicon: Lexicon, adviser: Adviser) -> Move:
    """Return the move of ``bot`` for the seat to move.

    It exchanges if it knows no move or an exchange has higher equity, and passes if it cannot exchange.
    """
    seat = state.to_move
    random = generator(f"{state.seed}/{seat}", state.ply)
    if state.unsettled is not None:
        phony = any(word.lower() not in lexicon for word in state.turns[-1].words)
        if phony and random.random() < bot.doubts:
            return Challenge()
        if state.out is not None:
            return Pass()
    known = words_known(bot.knows, lexicon, state.seed, seat)

    def knows(word: str) -> bool:
        index = lexicon.index(word)
        return index is not None and bool(known[index])

    share = math.pow(unit(random), (1 - bot.reaches) / bot.reaches)
    outlook = outlook_of(state)
    advised = adviser.advise(outlook, 1, bot.strategy, _ahead(bot, random), knows)
    if advised.instead is not None:
        tiles = advised.instead.exchanged
        return Exchange(tiles=tiles) if tiles else Pass()
    move = advised.moves[0]
    if share < 1:
        rack = Rack(outlook.tiles)
        move = next(nearest_first(advised.found, share * move.score, state.board, rack, knows))
    return Place(cells=move.placement.cells, tiles=move.placement.tiles)


def _ahead(bot: Bot, random: Random) -> LookAhead | None:
    """Return its search limits; None before the kernels are compiled, as lookahead would take minutes."""
    if not bot.samples or not search.ready:
        return None
    return LookAhead(
        enough=lambda samples: samples >= bot.samples,
        give_up=lambda positions: positions > bot.positions,
        random=Random(int(random.random() * (1 << 53))),
    )


def pause(state: State, move: Move, level: int) -> float:
    """Return the seconds that the bot of this level takes over the move."""
    tiles = len(move.cells) if isinstance(move, Place) else 0
    return thinking_time(level, tiles, generator(state.seed, state.ply).random())
