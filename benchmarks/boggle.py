"""Speed of the Boggle engine.

Floors, on one core: 300,000 boards/s of 4x4 scored with uniform letters and 25,000 boards/s with rich ones;
all words of a board drawn by letter frequency in 100 microseconds, called from Python.

Boards and word list come from ``../shared/reference``. A C++ solver on the same class of machine scores
57,000 to 82,000 boards/s (uniform) and 5,600 to 8,700 boards/s (rich).
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from app.games.boggle.board import Board, parse_board
from app.games.boggle.solver import Solver
from app.games.kernel import warm_up
from app.words.lexicon import Lexicon
from app.words.wordlist import read_words

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"


def median_seconds(function: Callable[[], object], rounds: int = 7) -> float:
    """Return the median CPU time of several calls, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return statistics.median(times)


def all_words(solver: Solver, boards: list[Board]) -> None:
    """Solve the boards one by one."""
    for board in boards:
        solver.solve(board)


def solving(solver: Solver) -> None:
    """Print scored boards per second and the time for all words of a board, by kind of board."""
    known = json.loads((REFERENCE / "boggle" / "enable2k_scores.json").read_text())
    draw = np.random.default_rng(5)
    print(f"{'boards':>14} {'points':>7} {'scored/s':>10} {'every path/s':>13} {'words of one':>13}")
    for size, kinds in known.items():
        side = int(size[0])
        for kind, entries in kinds.items():
            boards = [parse_board(letters) for letters, _ in entries]
            codes = np.stack([board.codes for board in boards])
            # Each board in all eight symmetries, repeated, in random order.
            squares = codes.reshape(-1, side, side)
            turned = [
                np.rot90(square, turns, (1, 2))
                for square in (squares, squares.swapaxes(1, 2))
                for turns in range(4)
            ]
            many = np.concatenate([*turned] * 5).reshape(-1, side * side)
            draw.shuffle(many)
            score = partial(solver.score, many, side, side)
            rates = [len(many) / median_seconds(partial(score, every_path=every)) for every in (False, True)]
            solved = median_seconds(partial(all_words, solver, boards))
            points = statistics.mean(points for _, points in entries)
            print(
                f"{size + ' ' + kind:>14} {points:7.0f} {rates[0]:10,.0f} {rates[1]:13,.0f} "
                f"{1e6 * solved / len(boards):10.0f} us"
            )


def main() -> None:
    """Measure and print the tables."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    lexicon = Lexicon.from_words(read_words(REFERENCE / "words" / "enable2k.txt"), "enable2k")
    start = time.perf_counter()
    warm_up()
    print(f"kernels ready in {time.perf_counter() - start:.1f} s, compiled or from the cache")
    start = time.perf_counter()
    solver = Solver(lexicon, qu=True)
    print(f"solver of {len(lexicon):,} words made in {time.perf_counter() - start:.2f} s")
    solving(solver)


if __name__ == "__main__":
    main()
