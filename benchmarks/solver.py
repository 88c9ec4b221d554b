"""Speed of the Wibble solver on boards with prose letter frequencies, as the game deals them.

Every board has ten gems, a letter bonus (DL or TL) and a 2x tile, with SpellCast's letter values and the
default lexicon. Floors, as medians on 5x5: all words with their best paths under 0.5 ms, the best word with
one swap under 20 ms, with two swaps under 1 s, with three swaps under 60 ms and never over 300 ms. The
baseline is the same search in plain Python on the first few boards, measured in the same run before the
kernels are compiled.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from string import ascii_lowercase
from typing import Any
from unittest.mock import patch

from app.games.kernel import warm_up
from app.games.wibble import solver as solver_module
from app.games.wibble.path_kernels import best_paths
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import Solver
from app.games.wibble.state import Board, Bonus
from app.resources import resource
from app.words.letters import frequencies, letter_values
from app.words.library import Library

SCORING = Scoring(values=letter_values("spellcast"), long_word_length=6, long_word_bonus=10)
BASELINE_BOARDS = 5


def deal(size: int, draw: random.Random) -> Board:
    """Return a board with every kind of tile."""
    cells = range(size * size)
    return Board(
        letters="".join(draw.choices(ascii_lowercase, frequencies("prose"), k=len(cells))),
        gems=tuple(sorted(draw.sample(cells, 10))),
        letter_bonus=Bonus(cell=draw.choice(cells), factor=draw.choice([2, 3])),
        word_bonus=Bonus(cell=draw.choice(cells), factor=2),
    )


class Stopwatch:
    """Wraps a function and adds up the milliseconds of its calls."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.spent = 0.0

    def __call__(self, *args: Any) -> Any:
        """Call the function."""
        start = time.perf_counter()
        result = self.function(*args)
        self.spent += 1000 * (time.perf_counter() - start)
        return result

    def take(self) -> float:
        """Return the milliseconds since the last call of ``take``."""
        spent, self.spent = self.spent, 0.0
        return spent


def measure(solver: Solver, boards: list[Board], size: int) -> dict[str, list[float]]:
    """Return the milliseconds per board for each use of the solver."""
    tasks: dict[str, Callable[[Board], object]] = {
        "20 words or more?": lambda board: solver.count(board.letters, size, 20),
        "number of words": lambda board: solver.count(board.letters, size),
        "all words, best paths": lambda board: solver.words(board, size, SCORING),
        "best word": lambda board: solver.best(board, size, SCORING),
        "best word, 1 swap": lambda board: solver.best(board, size, SCORING, swaps=1),
        "best word, 2 swaps": lambda board: solver.best(board, size, SCORING, swaps=2),
        "best word, 3 swaps": lambda board: solver.best(board, size, SCORING, swaps=3),
    }
    times: dict[str, list[float]] = {}
    with patch.object(solver_module, "best_paths", Stopwatch(best_paths)) as kernel:
        for name, task in tasks.items():
            watch = Stopwatch(task)
            for board in boards:
                watch(board)
                times.setdefault(name, []).append(watch.take())
                if kernel.spent:
                    times.setdefault("  kernel time of it", []).append(kernel.take())
    return times


def main() -> None:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lexicon", default=Library.default)
    parser.add_argument("--size", type=int, default=5, help="tiles per side (default 5)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        solver = Solver(
            Library(resource("data"), home=Path(folder), cache=Path(folder)).load(options.lexicon)
        )
    draw = random.Random(2)
    boards = [deal(options.size, draw) for _ in range(options.boards)]
    solver.best(boards[0], options.size, SCORING)
    baseline = measure(solver, boards[:BASELINE_BOARDS], options.size)

    start = time.perf_counter()
    warm_up()
    print(f"kernels ready in {time.perf_counter() - start:.2f} s, compiled or from the cache\n")

    measure(solver, boards[:BASELINE_BOARDS], options.size)
    rounds = [measure(solver, boards, options.size) for _ in range(options.rounds)]
    print(f"{options.boards} boards of {options.size}x{options.size}, {options.rounds} rounds; milliseconds")
    print(f"{'':24}{'median':>9}{'p99':>9}{'worst':>9}{'rounds':>18}{'plain Python':>14}{'ratio':>7}")
    for name in rounds[0]:
        times = [spent for each in rounds for spent in each[name]]
        medians = [statistics.median(each[name]) for each in rounds]
        median, plain = statistics.median(times), statistics.median(baseline[name])
        print(
            f"{name:24}{median:9.3f}{statistics.quantiles(times, n=100)[98]:9.3f}{max(times):9.3f}"
            f"{min(medians):9.3f} - {max(medians):6.3f}{plain:14.1f}{plain / median:7.0f}"
        )


if __name__ == "__main__":
    main()
