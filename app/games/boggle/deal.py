"""Deals the board of a game from its seed."""

import tomllib
from functools import cache

import numpy as np

from app.games.boggle.board import Board
from app.games.boggle.solver import solver_of
from app.games.boggle.state import Choices, Richness
from app.games.randomness import generator, unit
from app.resources import resource
from app.words.draw import LetterDraw
from app.words.letters import frequencies_of
from app.words.lexicon import Lexicon
from app.words.vocabulary import common_words


@cache
def draws() -> dict[Richness, int]:
    """Return the number of boards to draw per richness, from ``data/boggle/game.toml``."""
    table: dict[Richness, int] = tomllib.loads(
        (resource("data") / "boggle" / "game.toml").read_text(encoding="utf-8")
    )["richness"]
    return table


def deal(options: Choices, seed: str, lexicon: Lexicon) -> Board:
    """Return the richest, in points, of several boards drawn from the seed by letter frequency."""
    random = generator(seed, 0)
    draw = LetterDraw(frequencies_of(lexicon))
    cells = options.rows * options.columns
    drawn = [
        Board.of("".join(draw(unit(random)) for _ in range(cells)), options.columns)
        for _ in range(draws()[options.richness])
    ]
    counted = common_words(lexicon) if options.counted == "common" else lexicon
    solver = solver_of(counted, min_length=options.min_length, qu=options.qu)
    _, points = solver.score(np.stack([board.codes for board in drawn]), options.columns, options.rows)
    return drawn[int(np.argmax(points))]
