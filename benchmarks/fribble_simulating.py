"""Strength of the Fribble simulation: paired games against `static` on the Words With Friends board.

Floor: 60% of 400 games at 2 s per move, with ENABLE. The time limit of a move is CPU time of its thread, so
that the load of the machine does not matter; 400 games take an hour or more on two cores. The running score
is printed after each pair of games.
"""

import argparse
import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random

from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.match import Score, pair
from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.presets import presets
from app.games.fribble.simulate import simulating
from app.games.fribble.strategy import player
from app.games.kernel import warm_up
from app.words.lexicon import Lexicon

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"


@cache
def generator() -> MoveGenerator:
    """Return the compiled move generator for ENABLE."""
    warm_up()
    words = (REFERENCE / "words" / "enable1.txt").read_text().split()
    return MoveGenerator(Lexicon.from_words(words, "enable1"), presets()["wwf"])


def played(bag: int, seconds: float) -> Score:
    """Play both games with one bag."""
    leaves = shipped_leaves("wwf")

    def begin() -> Callable[[int], bool]:
        deadline = time.thread_time() + seconds
        return lambda _: time.thread_time() > deadline

    strong = simulating(leaves, Random(bag), begin)
    return pair(generator(), presets()["wwf"], strong, player("static", leaves), bag)


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=2.0, help="time limit per move")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if not REFERENCE.is_dir():
        parser.exit(0, f"skipped: the reference collection is not at {REFERENCE}\n")
    score = Score()
    with ProcessPoolExecutor(arguments.processes, mp_context=get_context("spawn")) as executor:
        jobs = [executor.submit(played, bag, arguments.seconds) for bag in range(arguments.games // 2)]
        for job in as_completed(jobs):
            score += job.result()
            print(f"simulating at {arguments.seconds} s against static, {score}", flush=True)


if __name__ == "__main__":
    main()
