"""Strength of the Fribble bots: each level against the one below it, with spread and time per move.

Each level plays the next in pairs of games: one deal from both seats. A draw counts half; errors are 95 %
intervals. Milliseconds are CPU time, so that the load of the machine does not matter.
"""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import pairwise
from multiprocessing import get_context
from statistics import mean, quantiles

from app.games.fribble.bot import bots
from app.games.fribble.match import Score
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Options
from app.games.game import LexiconRef
from app.games.kernel import warm_up
from app.settings import Settings


@cache
def fribble(lexicon: str) -> Fribble:
    """Return the compiled rules for a lexicon."""
    warm_up()
    return Fribble(Settings().library().load(lexicon))


def played(
    lexicon: str, preset: str, levels: tuple[int, int], seed: int
) -> tuple[tuple[int, int], dict[int, list[float]]]:
    """Play a game, the first level opening; return both scores and the milliseconds per move by level."""
    game = fribble(lexicon)
    state = game.start(Options(lexicon=LexiconRef.of(game.lexicon), preset=preset), 2, f"ladder {seed}")
    spent: dict[int, list[float]] = {level: [] for level in levels}
    while (seat := game.to_move(state)) is not None:
        began = time.thread_time()
        move = game.bot(state, seat, levels[seat]).move
        spent[levels[seat]].append(1000 * (time.thread_time() - began))
        state = game.apply(state, seat, move, 0.0)
    return (state.scores[0], state.scores[1]), spent


def paired(
    lexicon: str, preset: str, below: int, above: int, seed: int
) -> tuple[Score, dict[int, list[float]]]:
    """Play both games of a deal; return the score of ``above`` and the milliseconds per move by level."""
    first, spent = played(lexicon, preset, (above, below), seed)
    second, more = played(lexicon, preset, (below, above), seed)
    spreads = first[0] - first[1], second[1] - second[0]
    wins, draws = sum(each > 0 for each in spreads), sum(each == 0 for each in spreads)
    score = Score(
        pairs=1,
        wins=wins,
        draws=draws,
        share_squares=((wins + draws / 2) / 2) ** 2,
        spread=sum(spreads),
        spread_squares=float(sum(spreads) ** 2),
    )
    return score, {level: spent[level] + more[level] for level in spent}


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=40, help="number of games per pair of levels")
    parser.add_argument("--lowest", type=int, default=1, help="lowest level")
    parser.add_argument("--preset", default="wwf")
    parser.add_argument("--lexicon", default=Settings().library().default)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    fribble(arguments.lexicon)
    with ProcessPoolExecutor(arguments.processes, mp_context=get_context("spawn")) as executor:
        for below, above in pairwise(range(arguments.lowest, len(bots()) + 1)):
            jobs = [
                executor.submit(paired, arguments.lexicon, arguments.preset, below, above, seed)
                for seed in range(arguments.games // 2)
            ]
            pairs = [job.result() for job in jobs]
            spent = [each for _, times in pairs for each in times[above]]
            slow = quantiles(spent, n=10)[-1]
            print(
                f"{above} {bots()[above - 1].name} against {below} {bots()[below - 1].name}: "
                f"{sum((score for score, _ in pairs), Score())}; "
                f"{mean(spent):.0f} ms per move, 90% under {slow:.0f}, maximum {max(spent):.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
