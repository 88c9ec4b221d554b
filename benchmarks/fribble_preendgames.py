"""Fribble's pre-endgame: the time for positions of self-play with one or two tiles in the bag.

Goals, on one core: exact in a median under 2 s with one tile in the bag, under 10 s with two; reached are
0.8 s and 7 s. All placements that empty the bag are candidates. Games of `static` against itself are played
until the bag has that many tiles, half of them on each board, with ENABLE. The time is CPU time of the
thread.
"""

import argparse
import statistics
import time
from pathlib import Path
from random import Random

from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.preendgame import PreEndgameSolver
from app.games.fribble.presets import presets
from app.games.fribble.selfplay import Table
from app.games.fribble.simulate import Candidate, Situation, best_candidates
from app.games.fribble.strategy import player
from app.games.kernel import warm_up
from app.words.lexicon import Lexicon

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"


def position(generator: MoveGenerator, preset: str, seed: int, in_bag: int) -> Situation | None:
    """Return the first position of a game with so many tiles in the bag, if there is one."""
    static = player("static", shipped_leaves(preset))
    table = Table(generator, presets()[preset], Random(f"ending {seed}"))
    while table.in_bag > in_bag and not table.over:
        table.play(static(table))
    if table.in_bag != in_bag or table.over:
        return None
    lead = table.scores[table.to_move] - table.scores[1 - table.to_move]
    return Situation(table.squares, table.counts[table.to_move], table.unseen, lead, table.scoreless)


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--in-bag", type=int, default=1)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0, help="time limit per position")
    options = parser.parse_args()
    if not REFERENCE.is_dir():
        parser.exit(0, f"skipped: the reference collection is not at {REFERENCE}\n")
    warm_up()
    words = (REFERENCE / "words" / "enable1.txt").read_text(encoding="ascii").split()
    lexicon = Lexicon.from_words(words, "enable1")
    times, exact = [], 0
    for preset in ("wwf", "standard"):
        generator, seed, count = MoveGenerator(lexicon, presets()[preset]), 0, 0
        while count < options.positions // 2:
            situation = position(generator, preset, seed, options.in_bag)
            seed += 1
            if situation is None:
                continue
            count += 1
            spent, decided = timed(generator, preset, situation, options.in_bag, options.seconds)
            times.append(spent)
            exact += decided
    print(
        f"{options.in_bag} in the bag: {exact} of {len(times)} exact within {options.seconds} s, "
        f"median {statistics.median(times):.2f} s, maximum {max(times):.2f} s"
    )


def timed(
    generator: MoveGenerator, preset: str, situation: Situation, in_bag: int, seconds: float
) -> tuple[float, bool]:
    """Return the seconds taken, and whether the best win probability is exact."""
    leaves = shipped_leaves(preset)
    rack = Rack(situation.rack)
    every: list[Candidate] = best_candidates(
        generator, situation.squares, rack, leaves.values(rack, situation.unseen), 1 << 17
    )
    fewest = rack.counts.sum() - in_bag
    emptying = [each for each in every if len(rack.kept(each.choice.kept)) <= fewest]
    solver = PreEndgameSolver(generator, presets()[preset], leaves)
    start = time.thread_time()
    found = solver.evaluate(
        situation, emptying, Random(1), lambda _: time.thread_time() - start > seconds, each=1 << 40
    )
    spent = time.thread_time() - start
    return spent, bool(found) and found[0].exact and spent < seconds


if __name__ == "__main__":
    main()
