"""Strength of the Wibble bots: each level against the one below it, and the words it plays.

Each level plays Versus against the next in seeded games, opening alternately. A draw counts half; the error
is two standard errors. The goal is a share of 65 to 85%.
"""

import argparse
import random
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.table import Table

from app.games.game import LexiconRef
from app.games.kernel import warm_up
from app.games.wibble.bot import bots
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Options, Start, State
from app.resources import resource
from app.words.lexicon import UNRANKED
from app.words.library import Library

SAMPLE = 12


@dataclass
class LevelStats:
    """Scores, times and words of a level over all its games."""

    scores: list[int] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    passes: int = 0


def play(game: Wibble, levels: tuple[int, int], seed: str, stats: dict[int, LevelStats]) -> State:
    """Play a game of Versus between two levels; the first opens."""
    lexicon = LexiconRef(name=game.lexicon.name, sha256=game.lexicon.sha256)
    state = game.apply(game.start(Options(mode="versus", lexicon=lexicon), 2, seed), 0, Start(), 0.0)
    while (seat := game.to_move(state)) is not None:
        start = time.perf_counter()
        thought = game.bot(state, seat, levels[seat])
        stats[levels[seat]].milliseconds.append(1000 * (time.perf_counter() - start))
        state = game.apply(state, seat, thought.move, 0.0)
    for turn in state.turns:
        level_stats = stats[levels[turn.seat]]
        if turn.word:
            level_stats.words.append(turn.word)
        else:
            level_stats.passes += 1
    for seat, level in enumerate(levels):
        stats[level].scores.append(state.scores[seat])
    return state


def share_won(results: list[float]) -> str:
    """Format the mean of the results (1 won, 0.5 drawn, 0 lost) and two standard errors."""
    error = 2 * statistics.stdev(results) / len(results) ** 0.5
    return f"{statistics.mean(results):.1%} ± {error:.1%}"


def matches(game: Wibble, games: int, stats: dict[int, LevelStats]) -> Table:
    """Play every level against the one below it and return the table."""
    table = Table(
        "Match", "Won", "Drawn", "Lost", "Share won", "Mean scores", title="Each level against the next"
    )
    for lower, upper in pairwise(stats):
        results: list[float] = []
        totals = {lower: 0, upper: 0}
        for number in range(games):
            levels = (lower, upper) if number % 2 else (upper, lower)
            scores = dict(zip(levels, play(game, levels, f"bots/{number}", stats).scores, strict=True))
            results.append((1 + (scores[upper] > scores[lower]) - (scores[upper] < scores[lower])) / 2)
            for level in totals:
                totals[level] += scores[level]
        table.add_row(
            f"{game.bots[upper - 1]} ({upper}) - {game.bots[lower - 1]} ({lower})",
            *(str(results.count(result)) for result in (1.0, 0.5, 0.0)),
            share_won(results),
            f"{totals[upper] / games:.1f} - {totals[lower] / games:.1f}",
        )
    return table


def levels(game: Wibble, stats: dict[int, LevelStats]) -> Table:
    """Return a table of each level's scores, times and words."""
    table = Table(
        "Bot",
        "Score",
        "ms, median",
        "ms, worst",
        "Passes",
        "Rank, median",
        "Rank, p90",
        "Sample words",
        title="What each level plays",
    )
    for level, level_stats in stats.items():
        ranks = sorted(int(game.lexicon.ranks[game.lexicon.index(word) or 0]) for word in level_stats.words)
        sample = random.Random(level).sample(level_stats.words, min(SAMPLE, len(level_stats.words)))
        table.add_row(
            f"{game.bots[level - 1]} ({level})",
            f"{statistics.mean(level_stats.scores):.1f}",
            f"{statistics.median(level_stats.milliseconds):.1f}",
            f"{max(level_stats.milliseconds):.1f}",
            str(level_stats.passes),
            _rank(ranks[len(ranks) // 2]),
            _rank(ranks[len(ranks) * 9 // 10]),
            " ".join(sample),
        )
    return table


def _rank(rank: int) -> str:
    return "unknown" if rank == UNRANKED else f"{rank:,}"


def main() -> None:
    """Run the benchmark and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=400, help="games per pair of levels (default 400)")
    options = parser.parse_args()
    if options.games < 2:
        parser.error("--games must be 2 or more: one game has no error")
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        game = Wibble(Library(resource("data"), home=Path(folder), cache=Path(folder)).load())
    stats = {level: LevelStats() for level in range(1, len(bots()) + 1)}
    console = Console()
    console.print(f"{options.games} games of Versus per pair\n")
    console.print(matches(game, options.games, stats))
    console.print(levels(game, stats))


if __name__ == "__main__":
    main()
