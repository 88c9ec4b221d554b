"""Speed and strength of the Fribble simulation, on the Words With Friends board with ENABLE.

Prints how many turns it plays a second, in positions eight to twelve turns into a game, then the running
score of paired games against `static`. Floors: 12,000 turns a second; 60% of 400 games at 2 s per move. The
time limit of a move is CPU time of its thread, so that the load of the machine does not matter; 400 games
take an hour or more on two cores.
"""

import argparse
import os
import statistics
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
from app.games.fribble.selfplay import Table
from app.games.fribble.simulate import FEWEST, PLIES, SIMULATED, Situation, best_candidates, simulate
from app.games.fribble.simulating_player import simulating
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


def turns_per_second(bag: int) -> float:
    """Return how many turns the simulation plays in a second, for the position after some turns of a game."""
    leaves, words = shipped_leaves("wwf"), presets()["wwf"]
    static, table = player("static", leaves), Table(generator(), words, Random(bag))
    for _ in range(8 + bag % 3 * 2):
        table.play(static(table))
    candidates = best_candidates(
        table.generator, table.squares, table.rack, leaves.values(table.rack, table.unseen), SIMULATED
    )
    lead = table.scores[table.to_move] - table.scores[1 - table.to_move]
    situation = Situation(table.squares, table.counts[table.to_move], table.unseen, lead)
    began = time.thread_time()
    found = simulate(
        table.generator,
        words,
        leaves,
        situation,
        candidates,
        Random(bag),
        lambda samples: samples >= 2 * FEWEST,
    )
    return sum(each.samples for each in found) * PLIES / (time.thread_time() - began)


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
    rates = [turns_per_second(bag) for bag in range(12)]
    print(f"turns simulated a second: {statistics.median(rates):,.0f}", flush=True)
    score = Score()
    with ProcessPoolExecutor(arguments.processes, mp_context=get_context("spawn")) as executor:
        jobs = [executor.submit(played, bag, arguments.seconds) for bag in range(arguments.games // 2)]
        for job in as_completed(jobs):
            score += job.result()
            print(f"simulating at {arguments.seconds} s against static, {score}", flush=True)


if __name__ == "__main__":
    main()
