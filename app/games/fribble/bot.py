"""Who plays Fribble for the machine: five levels that differ in the words they know and how near they reach.

The best of them plays on in its mind, and knows how an endgame ends. Which words a bot knows and which tiles
it imagines is settled by the game's seed and the seat; so the same position always gets the same answer, as
soon as the search is compiled: before, the best of them does not look ahead.
"""

import math
import tomllib
from functools import cache
from random import Random

from pydantic import Field, TypeAdapter

from app.games.bot_words import words_known
from app.games.fribble.advice import nearest_first
from app.games.fribble.adviser import Adviser, outlook_of
from app.games.fribble.kernels import search
from app.games.fribble.movegen import Rack
from app.games.fribble.simulate import LookAhead
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
    samples: int = Field(default=0, ge=0)
    """How many ways the game may go on it plays through for a move; with 0 it does not look ahead."""
    positions: int = Field(default=0, ge=0)
    """How many positions of an endgame it looks at, once it can tell the opponent's tiles."""


@cache
def bots() -> tuple[Bot, ...]:
    """The bots, weakest first: level 1 is the first of them."""
    table = tomllib.loads((resource("data") / "fribble-bots.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Bot, ...]).validate_python(table["bot"])


def choose(state: State, bot: Bot, lexicon: Lexicon, adviser: Adviser) -> Move:
    """What ``bot`` plays for the seat to move.

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
    known = words_known(bot.knows, lexicon, state.seed, seat)

    def knows(word: str) -> bool:
        index = lexicon.index(word)
        return index is not None and bool(known[index])

    share = math.pow(unit(mood), (1 - bot.reaches) / bot.reaches)
    outlook = outlook_of(state)
    advised = adviser.advise(outlook, 1, bot.strategy, _ahead(bot, mood), knows)
    if advised.instead is not None:
        tiles = advised.instead.exchanged
        return Exchange(tiles=tiles) if tiles else Pass()
    move = advised.moves[0]
    if share < 1:
        rack = Rack(outlook.tiles)
        move = next(nearest_first(advised.found, share * move.score, state.board, rack, knows))
    return Place(cells=move.placement.cells, tiles=move.placement.tiles)


def _ahead(bot: Bot, mood: Random) -> LookAhead | None:
    """How far it looks; not at all before the search is compiled, when that would take minutes."""
    if not bot.samples or not search.ready:
        return None
    return LookAhead(
        enough=lambda samples: samples >= bot.samples,
        give_up=lambda positions: positions > bot.positions,
        random=Random(int(mood.random() * (1 << 53))),
    )


def pause(state: State, move: Move) -> float:
    """Seconds that a person would take over the move: looking, and laying the tiles."""
    looking = 3.0 + 4.0 * generator(state.seed, state.ply).random()
    return looking + (0.5 * len(move.cells) if isinstance(move, Place) else 0.0)
