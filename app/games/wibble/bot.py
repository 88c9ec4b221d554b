"""Wibble bots: five levels that differ in vocabulary and strength.

A bot's vocabulary follows word frequency, so weak bots play well-known words. It depends only on the game's
seed and the seat, so the same position always gets the same move.
"""

import math
import tomllib
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, TypeAdapter

from app.games.bot_profiles import thinking_time, with_names
from app.games.bot_words import words_known
from app.games.game import Frozen
from app.games.randomness import generator, unit
from app.games.wibble.goal_choice import words_for_goals
from app.games.wibble.modes import rules_of
from app.games.wibble.moves import Chain, Move, Pass, Resign, Shuffle, Swap
from app.games.wibble.planning import Position, gem_table, plan
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import FoundWord, Solver
from app.games.wibble.state import State
from app.games.wibble.teams import active_seats
from app.resources import resource
from app.words.lexicon import UNRANKED, Lexicon

MIN_SWAP_GAIN = 8
"""The minimum gain in points for which a bot pays for a swap."""
MOVES_IN_A_TURN = 5
"""The moves of a bot's longest turn in practice: a shuffle, three swaps and the word."""


class Bot(Frozen):
    """One level, from ``data/wibble/bots.toml``."""

    name: str
    knows: int = Field(ge=0)
    """The rank of a word known with probability 1/2; 0 is the whole lexicon."""
    reaches: float = Field(gt=0, le=1)
    """The mean share of its best word's points that it aims for; the share is drawn for each turn."""
    swaps: float = Field(ge=0, le=1)
    """The probability that it considers a swap."""
    plans: float = Field(default=0.0, ge=0, le=1)
    """The probability that it plans a turn: its gems over the rounds, up to three swaps, its best word."""


@cache
def bots() -> tuple[Bot, ...]:
    """Return the bots, weakest first: level 1 is the first."""
    table = tomllib.loads((resource("data") / "wibble" / "bots.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Bot, ...]).validate_python(with_names(table["bot"]))


def choose(state: State, seat: int, bot: Bot, lexicon: Lexicon, solver: Solver, scoring: Scoring) -> Move:
    """Return the move of ``bot`` on ``seat``, the seat to move.

    It shuffles if it knows no word and can afford that, else passes; if it plans, it shuffles when that is
    expected to score more. After a swap it plays the word it swapped for. Raises ValueError before the
    start.
    """
    board, size = state.board, state.options.size
    if board is None:
        raise ValueError("the game has not started")
    vocabulary = known_words(bot, lexicon, state.seed, seat)
    costs = rules_of(state.options).costs
    random = generator(f"{state.seed}/{seat}", state.ply)
    if state.adventure is not None:
        return choose_for_goals(state, seat, bot, vocabulary, solver, scoring, random)
    swapped = state.report is not None and state.report.result == "swapped"
    if bot.plans and (swapped or random.random() < bot.plans):
        return _planned(
            Position(board, size, state.round, state.gems[seat]), state, vocabulary, solver, scoring
        )
    found = solver.words(board, size, scoring, allowed=vocabulary)
    if random.random() < bot.swaps and _affords(state, seat, costs.get("swap")):
        best = solver.best(board, size, scoring, swaps=1, allowed=vocabulary)
        if best and best.swaps and best.points >= (found[0].points if found else 0) + MIN_SWAP_GAIN:
            cell, letter = best.swaps[0]
            return Swap(cell=cell, letter=letter)
    if found:
        share = 1.0 if swapped else _share(bot, random)
        return Chain(cells=_nearest(found, share * found[0].points, lexicon).cells)
    return Shuffle() if _affords(state, seat, costs.get("shuffle")) else Pass()


def _planned(
    position: Position,
    state: State,
    vocabulary: NDArray[np.uint8],
    solver: Solver,
    scoring: Scoring,
) -> Move:
    mode = rules_of(state.options)
    table = gem_table(len(active_seats(state)))
    planned = plan(position, solver, scoring, mode, table, vocabulary)
    swapped = state.report is not None and state.report.result == "swapped"
    if planned.shuffle and not (swapped and planned.word):
        return Shuffle()
    if planned.word is None:
        return Pass()
    if planned.word.swaps:
        cell, letter = planned.word.swaps[0]
        return Swap(cell=cell, letter=letter)
    return Chain(cells=planned.word.cells)


def choose_for_goals(
    state: State,
    seat: int,
    bot: Bot,
    vocabulary: NDArray[np.uint8],
    solver: Solver,
    scoring: Scoring,
    random: Random,
) -> Move:
    """Return a move in Adventure: a word with about the bot's share of the best word's value for the goals.

    Without a word it shuffles if it can afford that, else resigns.
    """
    found = words_for_goals(state, solver, scoring, vocabulary)
    if not found:
        shuffle = rules_of(state.options).costs.get("shuffle")
        return Shuffle() if _affords(state, seat, shuffle) else Resign()
    aim = _share(bot, random) * found[0][0]
    return Chain(cells=min(found, key=lambda each: abs(each[0] - aim))[1].cells)


def pause(state: State, move: Move, level: int) -> float:
    """Return the seconds that the bot of this level takes over the move."""
    tiles = len(move.cells) if isinstance(move, Chain) else 0
    return thinking_time(level, tiles, generator(state.seed, state.ply).random())


def known_words(bot: Bot, lexicon: Lexicon, seed: str, seat: int) -> NDArray[np.uint8]:
    """(n,): 1 for each word of ``lexicon`` that ``bot`` knows in this game on this seat; no names."""
    return words_known(bot.knows, lexicon, seed, seat)


def _share(bot: Bot, random: Random) -> float:
    """Return the share of its best word's points to aim for this turn: 0 to 1, mean ``bot.reaches``."""
    return math.pow(unit(random), (1 - bot.reaches) / bot.reaches)


def _nearest(found: list[FoundWord], points: float, lexicon: Lexicon) -> FoundWord:
    """Return the word nearest to ``points``; ties go to the commonest, then the first."""
    least = min(abs(word.points - points) for word in found)
    nearest = [word for word in found if abs(word.points - points) == least]
    return min(nearest, key=lambda word: _rank(lexicon, word.word))


def _rank(lexicon: Lexicon, word: str) -> int:
    index = lexicon.index(word)
    return UNRANKED if index is None else int(lexicon.ranks[index])


def _affords(state: State, seat: int, cost: int | None) -> bool:
    return cost is not None and state.gems[seat] >= cost
