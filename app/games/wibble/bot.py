"""Who plays Wibble for the machine: five levels that differ in what they know and how near to it they reach.

Which words of a board a bot knows follows their frequency: weak bots play words that people know. What it
knows is settled by the game's seed, so that the same position always gets the same answer.
"""

import tomllib
from functools import cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.games.randomness import generator
from app.games.wibble.modes import modes
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import FoundWord, Solver
from app.games.wibble.state import Chain, Move, Pass, Shuffle, State, Swap
from app.resources import resource
from app.words.lexicon import UNRANKED, Lexicon
from app.words.vocabulary import allowed_words

WORTH_A_SWAP = 8
"""Points that a swap must add before a bot spends gems on it."""


class Bot(Frozen):
    """One level, from ``data/wibble-bots.toml``."""

    name: str
    knows: int = Field(ge=0)
    """The rank of a word known with even chances; 0 is the whole lexicon."""
    reaches: float = Field(gt=0, le=1)
    """The share of its best word's points that it looks for."""
    swaps: bool


@cache
def bots() -> tuple[Bot, ...]:
    """The bots, weakest first: level 1 is the first of them."""
    table = tomllib.loads((resource("data") / "wibble-bots.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Bot, ...]).validate_python(table["bot"])


def choose(state: State, seat: int, bot: Bot, lexicon: Lexicon, solver: Solver, scoring: Scoring) -> Move:
    """What ``bot`` plays on ``seat``, whose turn it is.

    It shuffles where it knows no word and can pay for that, and passes where it cannot.
    """
    board, size = state.board, state.options.size
    if board is None:
        raise ValueError("the game has not started")
    found = solver.words(board, size, scoring, allowed=allowed_words(lexicon))
    known = [word for word in found if _knows(bot, lexicon, word.word, state.seed, seat)]
    costs = modes()[state.options.mode].costs
    swap_cost = costs.get("swap")
    if bot.swaps and swap_cost is not None and state.gems[seat] >= swap_cost:
        allowed = _known_mask(bot, lexicon)
        best = solver.best(board, size, scoring, swaps=1, allowed=allowed)
        if best and best.swaps and best.points >= (known[0].points if known else 0) + WORTH_A_SWAP:
            cell, letter = best.swaps[0]
            return Swap(cell=cell, letter=letter)
    if known:
        return Chain(cells=_reached(known, bot.reaches).cells)
    if state.gems[seat] >= costs.get("shuffle", 1):
        return Shuffle()
    return Pass()


def pause(state: State, move: Move) -> float:
    """Seconds that a person would take over the move: looking, and drawing the path."""
    looking = 1.5 + 2.0 * generator(state.seed, state.ply).random()
    return looking + (0.25 * len(move.cells) if isinstance(move, Chain) else 0.0)


def _knows(bot: Bot, lexicon: Lexicon, word: str, seed: str, seat: int) -> bool:
    """Whether the bot knows the word in this game: ever less likely the rarer it is, even at its rank."""
    if not bot.knows:
        return True
    index = lexicon.index(word)
    rank = UNRANKED if index is None else int(lexicon.ranks[index])
    chance = 1 / (1 + (rank / bot.knows) ** 2)
    return crc32(f"{seed}/{seat}/{word}".encode()) < chance * 2**32


def _known_mask(bot: Bot, lexicon: Lexicon) -> NDArray[np.uint8]:
    """The words it may swap for: those it surely knows."""
    allowed = allowed_words(lexicon)
    return allowed & (lexicon.ranks <= bot.knows).astype(np.uint8) if bot.knows else allowed


def _reached(known: list[FoundWord], share: float) -> FoundWord:
    """The word with points nearest to that share of the best; the first of equals, best first."""
    wanted = known[0].points * share
    return min(known, key=lambda word: abs(word.points - wanted))
