"""Letterpress's proof of endings: the share of positions decided within a second, by the tiles left free.

The positions are from games of LetterPwn's ranking against itself, and not decided at two plies. The time is
CPU time of the thread, so that the load of the machine matters little. The second part is the cost to a
caller: a search of two plies as `/api/solve` runs it, without and with 20 ms for the proof.

Run it as ``python -m benchmarks.letterpress_endings``.
"""

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from app.games.game import LexiconRef
from app.games.kernel import warm_up
from app.games.letterpress.bot import choose, engines, position_of
from app.games.letterpress.endings import MOST_FREE
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.solver import Position, Solver
from app.games.letterpress.state import Options
from app.games.letterpress.territory import CELLS
from app.resources import resource
from app.words.library import Library

PROOF_SECONDS = 0.02
"""The time for the proof in the second part."""


def late_positions(game: Letterpress, wanted: int) -> dict[int, list[Position]]:
    """Return so many undecided positions for each number of free tiles, at most one of a game."""
    ref = LexiconRef.of(game.lexicon)
    found: dict[int, list[Position]] = defaultdict(list)
    number = 0
    while any(len(found[free]) < wanted for free in range(1, MOST_FREE + 1)) and number < 100 * wanted:
        state = game.start(Options(lexicon=ref), 2, f"ending/{number}")
        number += 1
        while state.reason is None:
            position = position_of(state)
            free = CELLS - position.territory.ours.bit_count() - position.territory.theirs.bit_count()
            if free <= MOST_FREE and len(found[free]) < wanted and _is_open(game.solver, position):
                found[free].append(position)
                break
            state = game.apply(state, state.to_move, choose(state, engines()["letterpwn"], game.solver), 0.0)
    return found


def _is_open(solver: Solver, position: Position) -> bool:
    return solver.solve(position, plies=2, top=1).ending is None


def time_limit(seconds: float) -> Callable[[int], bool]:
    """Return a stop condition: so many seconds of this thread's CPU time from now."""
    end = time.thread_time() + seconds
    return lambda _: time.thread_time() > end


def main() -> None:
    """Run the benchmark and print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=30, help="positions of each number of free tiles")
    parser.add_argument("--seconds", type=float, default=1.0, help="time limit of the proof")
    arguments = parser.parse_args()
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        library = Library(resource("data"), Path(folder) / "home", Path(folder) / "cache")
        game = Letterpress(library.load())
        found = late_positions(game, arguments.positions)
    solver = game.solver
    print(f"{'free':>5} {'positions':>10} {'decided':>8} {'median ms':>10} {'of those decided':>17}")
    for free, positions in sorted(found.items()):
        took: list[float] = []
        decided: list[float] = []
        for position in positions:
            solver.solve(position, plies=1, top=1)  # places the board's words
            began = time.thread_time()
            proven = solver.prove(position, stop=time_limit(arguments.seconds))
            took.append(1000 * (time.thread_time() - began))
            if proven is not None:
                decided.append(took[-1])
        share, middle = len(decided) / len(positions), statistics.median(decided) if decided else 0.0
        print(f"{free:5} {len(positions):10} {share:8.0%} {statistics.median(took):10.1f} {middle:17.1f}")
    everything = [position for positions in found.values() for position in positions]
    print(f"\n{'two plies':>22} {'median ms':>10} {'p99 ms':>8}")
    for name, seconds in (("without proof", None), (f"with {PROOF_SECONDS * 1000:.0f} ms", PROOF_SECONDS)):
        took = []
        for position in everything:
            limit = None if seconds is None else lambda seconds=seconds: time_limit(seconds)
            began = time.perf_counter()
            solver.solve(position, plies=2, top=10, grouped=True, proof_stop=limit)
            took.append(1000 * (time.perf_counter() - began))
        print(f"{name:>22} {statistics.median(took):10.1f} {statistics.quantiles(took, n=100)[98]:8.1f}")


if __name__ == "__main__":
    main()
