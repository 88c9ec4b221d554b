"""Whether each bot of Fribble beats the one below it, by how many points, and how long it takes for a move.

Each level meets the next in pairs of games: one deal played from both seats. A draw counts half; errors are
95 % intervals. Milliseconds are processor time, so that a busy machine tells what an idle one does.
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
    """The rules over a lexicon, compiled."""
    warm_up()
    return Fribble(Settings().library().load(lexicon))


def played(
    lexicon: str, preset: str, levels: tuple[int, int], seed: int
) -> tuple[tuple[int, int], dict[int, list[float]]]:
    """The scores of the first level and the second, the first of which begins; each one's milliseconds."""
    game = fribble(lexicon)
    ref = LexiconRef(name=game.lexicon.name, sha256=game.lexicon.sha256)
    state = game.start(Options(lexicon=ref, preset=preset), 2, f"ladder {seed}")
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
    """Both games with one deal, as ``above`` has made them."""
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
    """Play, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=40, help="of each pair of levels")
    parser.add_argument("--lowest", type=int, default=1, help="the first level to be beaten")
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
                f"{mean(spent):.0f} ms a move, 90% under {slow:.0f}, most {max(spent):.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
