"""Fribble's endgame solver: the share of self-play endings that it solves exactly within a time limit.

Goal: 95% of 200 endings exact within 1 s each on one core; reached are 92.5%. Games of `static` against
itself are played until the bag is empty, half of them on each board, with ENABLE. The time is CPU time of the
thread, so that the load of the machine matters little. The endings of the reference collection follow, each
with its known value.
"""

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from app.games.fribble.board import Board
from app.games.fribble.endgame import EndgameSolver, Line
from app.games.fribble.ending import Ending
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.presets import presets
from app.games.fribble.selfplay import Table
from app.games.fribble.strategy import player
from app.games.kernel import warm_up
from app.words.lexicon import Lexicon

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"


def endings(generator: MoveGenerator, preset: str, count: int) -> Iterator[Ending]:
    """Yield the first positions with an empty bag of that many games."""
    static = player("static", shipped_leaves(preset))
    for seed in range(count):
        table = Table(generator, presets()[preset], Random(f"ending {seed}"))
        while table.in_bag and not table.over:
            table.play(static(table))
        if not table.over:
            counts = table.counts[table.to_move], table.counts[1 - table.to_move]
            yield Ending(table.squares, *counts, table.scoreless)


def solved(generator: MoveGenerator, preset: str, ending: Ending, seconds: float) -> tuple[Line, float]:
    """Return what the solver finds within the time limit, and the seconds taken."""
    solver = EndgameSolver(generator, presets()[preset].scoreless_turns)
    start = time.thread_time()
    found = solver.solve(ending, lambda _: time.thread_time() - start > seconds)
    return found, time.thread_time() - start


def report(title: str, results: list[tuple[Line, float]]) -> None:
    """Print the share that is exact, and the times."""
    exact = [seconds for line, seconds in results if line.exact]
    nodes = sum(line.positions for line, _ in results) / sum(seconds for _, seconds in results)
    print(
        f"{title}: {len(exact)} of {len(results)} exact ({len(exact) / len(results):.1%}), "
        f"median {1000 * statistics.median(seconds for _, seconds in results):.0f} ms, "
        f"{nodes:,.0f} positions/s",
        flush=True,
    )


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--endings", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1.0, help="time limit per ending")
    parser.add_argument("--each", action="store_true", help="print each ending")
    options = parser.parse_args()
    if not REFERENCE.is_dir():
        parser.exit(0, f"skipped: the reference collection is not at {REFERENCE}\n")
    warm_up()
    words = (REFERENCE / "words" / "enable1.txt").read_text(encoding="ascii").split()
    lexicon = Lexicon.from_words(words, "enable1")
    total = []
    for preset in ("wwf", "standard"):
        generator = MoveGenerator(lexicon, presets()[preset])
        results = []
        for ending in endings(generator, preset, options.endings // 2):
            line, seconds = solved(generator, preset, ending, options.seconds)
            results.append((line, seconds))
            if options.each:
                racks = f"{Rack(ending.ours).tiles:7} {Rack(ending.theirs).tiles:7}"
                print(
                    f"  {racks} {line.value:4} {'exact' if line.exact else 'open':5} depth {line.depth:2} "
                    f"{line.positions:8} positions {seconds:6.2f} s",
                    flush=True,
                )
        report(preset, results)
        total += results
    report("both boards", total)
    known = json.loads((REFERENCE / "fribble" / "endgames_standard.json").read_text())["positions"]
    generator, results, agreeing = MoveGenerator(lexicon, presets()["standard"]), [], 0
    for position in known:
        counts = Rack(position["rack"]).counts, Rack(position["opponent"]).counts
        board = generator.squares(Board(rows=tuple(position["board"])))
        line, seconds = solved(
            generator, "standard", Ending(board, *counts, position["scoreless"]), options.seconds
        )
        results.append((line, seconds))
        agreeing += line.exact and line.value == position["spread"]
    report("reference", results)
    print(f"{agreeing} of them have the known value")


if __name__ == "__main__":
    main()
