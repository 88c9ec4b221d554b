"""Rebuild ``data/wibble/gem-values.toml``: what gems are worth in Classic and Versus, learned by self-play.

Usage: PYTHONPATH=. python data/build/gem_values.py [--seed SEED] [--games N] [--iterations N] [--seats 1 2]

Each iteration plays games with the values so far, takes the boards at the start of every turn, and computes
the values again from the last round to the first: the value of holding g gems in a round is the mean over its
boards of the best sum of points now and value later, over all words with up to three swaps, and over shuffles
until the board is good enough. The same seed and number of games give the same file.
"""

import argparse
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.game import LexiconRef
from app.games.kernel import warm_up
from app.games.randomness import generator
from app.games.wibble.board import mix
from app.games.wibble.modes import modes
from app.games.wibble.moves import Chain, Pass, Shuffle, Start, Swap
from app.games.wibble.options import Options
from app.games.wibble.planning import GemTable, Position, plan
from app.games.wibble.rules import Wibble
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import solver_of
from app.games.wibble.state import Board
from app.resources import resource
from app.words.letters import letter_values
from app.words.library import Library
from app.words.vocabulary import common_words, suggested_words

SHUFFLES = 3
"""Shuffles tried on each sampled board."""
MODE = {1: "classic", 2: "versus"}
SCORING = Scoring(
    letter_values(modes()["classic"].values),
    modes()["classic"].long_word_length,
    modes()["classic"].long_word_bonus,
)
GEMS = 11
"""Numbers of gems that a seat may hold."""
FIRST_GUESS = (58.0, 5.0)
"""Points a round and points a gem, before anything is learned."""


class Task(NamedTuple):
    """A board to evaluate, and the values of what is left after its turn."""

    board: Board
    key: str
    later: tuple[float, ...]


@cache
def game() -> Wibble:
    """Return the rules over the default lexicon, with compiled searches."""
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        return Wibble(Library(resource("data"), home=Path(folder), cache=Path(folder)).load())


def first_guess(seats: int) -> GemTable:
    """Return values that only know that rounds and gems are worth something."""
    rounds, gem = FIRST_GUESS
    points = tuple(tuple(rounds * left + gem * held for held in range(GEMS)) for left in range(5, 0, -1))
    return GemTable(seats=seats, expected_points=points, shuffle_below=((0.0,) * GEMS,) * 5, likeness=0.5)


def played(seed: str, seats: int, table: GemTable) -> tuple[list[list[Board]], float]:
    """Play a game by the table; return the boards at the start of each round's turns, and the mean score."""
    wibble = game()
    options = Options(mode=MODE[seats], lexicon=LexiconRef.of(wibble.lexicon), counted="common")
    state = wibble.apply(wibble.start(options, seats, seed), 0, Start(), 0.0)
    boards: list[list[Board]] = [[] for _ in range(5)]
    turns = -1
    allowed = suggested_words(wibble.lexicon)
    while (seat := wibble.to_move(state)) is not None:
        assert state.board is not None
        if turns < len(state.turns):
            turns = len(state.turns)
            boards[state.round - 1].append(state.board)
        swapped = state.report is not None and state.report.result == "swapped"
        position = Position(state.board, 5, state.round, state.gems[seat])
        found = plan(position, wibble.solver, SCORING, modes()[MODE[seats]], table, allowed)
        if found.shuffle and not swapped:
            move = Shuffle()
        elif found.word is None:
            move = Pass()
        elif found.word.swaps:
            cell, letter = found.word.swaps[0]
            move = Swap(cell=cell, letter=letter)
        else:
            move = Chain(cells=found.word.cells)
        state = wibble.apply(state, seat, move, 0.0)
    return boards, sum(state.scores) / seats


def evaluate(task: Task) -> NDArray[np.float64]:
    """(1 + SHUFFLES, GEMS): the best sum of points and later value, per shuffle made and gems held."""
    wibble = game()
    allowed = suggested_words(wibble.lexicon)
    common = solver_of(common_words(wibble.lexicon))
    board, random = task.board, generator(task.key, 0)
    later = task.later
    result = np.zeros((1 + SHUFFLES, GEMS))
    for shuffles in range(1 + SHUFFLES):
        if shuffles:
            board = mix(board, random, lambda letters, enough: common.count(letters, 5, enough=enough), 20)
        for held in range(GEMS):
            rows = [
                [round(later[min(held - 3 * swaps + gathered, len(later) - 1)]) for gathered in range(11)]
                for swaps in range(min(held // 3, 3) + 1)
            ]
            word = wibble.solver.best_by_value(board, 5, SCORING, rows, allowed)
            if word:
                result[shuffles, held] = word.points + rows[len(word.swaps)][word.gems]
    return result


def value_of(samples: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return a round's value per number of gems, the bars below which to shuffle, and the likeness.

    ``samples`` is (boards, 1 + SHUFFLES, GEMS), as from :func:`evaluate`.
    """
    before, after = samples[:, 0], samples[:, 1]
    spread = before - before.mean(axis=0)
    likeness = float((spread * (after - after.mean(axis=0))).sum() / (spread**2).sum())
    value, bar = np.zeros(GEMS), np.zeros(GEMS)
    value[0] = before[:, 0].mean()
    for held in range(1, GEMS):
        bar[held] = (value[held - 1] - likeness * before[:, held].mean()) / (1 - likeness)
        reached, left = before[:, held].copy(), np.full(len(samples), held)
        going = np.ones(len(samples), bool)
        for shuffles in range(1, 1 + SHUFFLES):
            going &= (left > 0) & (reached < bar[left])
            left = left - going
            reached = np.where(going, samples[np.arange(len(samples)), shuffles, left], reached)
        value[held] = reached.mean()
    return np.maximum.accumulate(value), bar, likeness


def learn(seats: int, seed: str, games: int, iterations: int, pool: ProcessPoolExecutor) -> GemTable:
    """Return the table after ``iterations`` times self-play and computing the values from the last round."""
    table = first_guess(seats)
    for iteration in range(iterations):
        start = time.monotonic()
        keys = [f"{seed}/{seats}/{iteration}/{number}" for number in range(games)]
        results = list(pool.map(played, keys, [seats] * games, [table] * games, chunksize=4))
        mean = np.mean([score for _, score in results])
        took = time.monotonic() - start
        print(f"seats {seats}, iteration {iteration}: mean score {mean:.1f}, {took:.0f} s", flush=True)
        later: tuple[float, ...] = (0.0,)
        points, bars, likenesses = [], [], []
        for round_ in range(5, 0, -1):
            boards = [board for dealt, _ in results for board in dealt[round_ - 1][:1]]
            tasks = [Task(board, f"{keys[index]}/{round_}", later) for index, board in enumerate(boards)]
            value, bar, likeness = value_of(np.array(list(pool.map(evaluate, tasks, chunksize=4))))
            print(round_, value.round(1), bar.round(1), round(likeness, 2), flush=True)
            later = tuple(value.round(1).tolist())
            points.insert(0, later)
            bars.insert(0, tuple(bar.round(1).tolist()))
            likenesses.append(likeness)
        table = GemTable(
            seats=seats,
            expected_points=tuple(points),
            shuffle_below=tuple(bars),
            likeness=round(float(np.mean(likenesses)), 2),
        )
    return table


def main() -> None:
    """Learn the tables and write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", default="gem values")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--iterations", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seats", type=int, nargs="+", default=[1, 2], choices=[1, 2])
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        tables = [
            learn(seats, options.seed, options.games, options.iterations, pool) for seats in options.seats
        ]
    lines = [
        "# What gems are worth in Classic and Versus, learned by self-play with",
        f"# python data/build/gem_values.py --seed {options.seed!r} --games {options.games}"
        f" --iterations {options.iterations} --seats {' '.join(map(str, options.seats))}",
        f"# on {datetime.now(UTC):%Y-%m-%d}, with the list {game().lexicon.name}. More seats than any table's"
        " use the largest.",
        "#",
        "# expected_points  for each round, from the first, and number of gems held, from 0: the points"
        " a seat still scores",
        "# shuffle_below    likewise: a word worth less than this now and later is worse than a shuffle",
        "# likeness         how much a board's value says about its value after a shuffle (the slope of the"
        " regression)",
    ]
    for table in tables:
        lines += ["", "[[tables]]", f"seats = {table.seats}", f"likeness = {table.likeness}"]
        for name in ("expected_points", "shuffle_below"):
            lines += [f"{name} = [", *(f"    {list(row)}," for row in getattr(table, name)), "]"]
    (resource("data") / "wibble" / "gem-values.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
