"""Strength of the Wibble bots: each level against the one below it, and the words it plays.

Each level plays Versus against the next in seeded games, opening alternately. A draw counts half; the error
is two standard errors. The goal is a share of 60 to 85%.

Before that, Classic alone on the same seeds: the strongest level of before, which considers one swap a turn;
greedy play, the best word with up to two or three swaps that the gems pay for; and the policy of the
strongest level, which plans its gems. The policy also plays Versus against the strongest level of before.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.table import Table

from app.games.game import LexiconRef
from app.games.kernel import warm_up
from app.games.wibble.bot import Bot, bots, choose
from app.games.wibble.modes import modes
from app.games.wibble.moves import Chain, Move, Pass, Start, Swap
from app.games.wibble.options import Options
from app.games.wibble.rules import Wibble
from app.games.wibble.state import State
from app.resources import resource
from app.words.lexicon import UNRANKED
from app.words.library import Library
from app.words.vocabulary import suggested_words

SAMPLE = 12
Policy = Callable[[State, int], Move]
BEFORE = Bot(name="Before", knows=0, reaches=1.0, swaps=1.0)
"""The strongest level before it planned its gems."""


@dataclass
class LevelStats:
    """Scores, times and words of a level over all its games."""

    scores: list[int] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    passes: int = 0


def play(game: Wibble, levels: tuple[int, int], seed: str, stats: dict[int, LevelStats]) -> State:
    """Play a game of Versus between two levels; the first opens."""
    lexicon = LexiconRef.of(game.lexicon)
    state = game.apply(game.start(Options(mode="versus", lexicon=lexicon), 2, seed), 0, Start(), 0.0)
    while (seat := game.to_move(state)) is not None:
        start = time.thread_time()
        thought = game.bot(state, seat, levels[seat])
        stats[levels[seat]].milliseconds.append(1000 * (time.thread_time() - start))
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


def solo(game: Wibble, seed: str, move: Policy) -> int:
    """Play a game of Classic and return the score."""
    options = Options(mode="classic", lexicon=LexiconRef.of(game.lexicon), counted="common")
    state = game.apply(game.start(options, 1, seed), 0, Start(), 0.0)
    while (seat := game.to_move(state)) is not None:
        state = game.apply(state, seat, move(state, seat), 0.0)
    return state.scores[0]


def greedy(game: Wibble, most: int) -> Policy:
    """Return the policy of playing the best word with up to ``most`` swaps."""
    allowed = suggested_words(game.lexicon)

    def move(state: State, seat: int) -> Move:
        assert state.board is not None
        swaps = min(state.gems[seat] // modes()[state.options.mode].costs["swap"], most)
        scoring = game.scoring(state.options)
        best = game.solver.best(state.board, state.options.size, scoring, swaps, allowed)
        if best is None:
            return Pass()
        return Swap(cell=best.swaps[0][0], letter=best.swaps[0][1]) if best.swaps else Chain(cells=best.cells)

    return move


def level(game: Wibble, bot: Bot) -> Policy:
    """Return the policy of a bot."""
    return lambda state, seat: choose(
        state, seat, bot, game.lexicon, game.solver, game.scoring(state.options)
    )


def policies(game: Wibble, games: int) -> Table:
    """Play Classic with every policy on the same seeds and return the table."""
    table = Table("Policy", "Score", "To greedy, two swaps", title=f"Classic alone, {games} games each")
    players = {
        "level 5 of before": level(game, BEFORE),
        "greedy, two swaps": greedy(game, 2),
        "greedy, three swaps": greedy(game, 3),
        "planned": level(game, bots()[-1]),
    }
    scores = {
        name: [solo(game, f"solo/{number}", move) for number in range(games)]
        for name, move in players.items()
    }
    base = scores["greedy, two swaps"]
    for name, reached in scores.items():
        gains = [score - least for score, least in zip(reached, base, strict=True)]
        table.add_row(
            name,
            mean_and_error(reached),
            f"{statistics.mean(gains) / statistics.mean(base):+.1%} ({mean_and_error(gains)})",
        )
    return table


def against_before(game: Wibble, games: int) -> str:
    """Play Versus between the strongest level and that of before, opening alternately."""
    lexicon = LexiconRef.of(game.lexicon)
    players = {1: level(game, bots()[-1]), 0: level(game, BEFORE)}
    results = []
    for number in range(games):
        order = (1, 0) if number % 2 else (0, 1)
        options = Options(mode="versus", lexicon=lexicon, counted="common")
        state = game.apply(game.start(options, 2, f"before/{number}"), 0, Start(), 0.0)
        while (seat := game.to_move(state)) is not None:
            state = game.apply(state, seat, players[order[seat]](state, seat), 0.0)
        own, other = state.scores[order.index(1)], state.scores[order.index(0)]
        results.append((1 + (own > other) - (own < other)) / 2)
    return f"Level 5 against level 5 of before, {games} games of Versus: {share_won(results)}"


def mean_and_error(numbers: Sequence[float]) -> str:
    """Format the mean and two standard errors."""
    return f"{statistics.mean(numbers):.1f} ± {2 * statistics.stdev(numbers) / len(numbers) ** 0.5:.1f}"


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
        "CPU ms, median",
        "CPU ms, worst",
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
    parser.add_argument("--solo", type=int, default=400, help="games of Classic per policy (default 400)")
    options = parser.parse_args()
    if min(options.games, options.solo) < 2:
        parser.error("--games and --solo must be 2 or more: one game has no error")
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        game = Wibble(Library(resource("data"), home=Path(folder), cache=Path(folder)).load())
    stats = {level: LevelStats() for level in range(1, len(bots()) + 1)}
    console = Console()
    console.print(policies(game, options.solo))
    console.print(against_before(game, options.solo))
    console.print(f"{options.games} games of Versus per pair\n")
    console.print(matches(game, options.games, stats))
    console.print(levels(game, stats))


if __name__ == "__main__":
    main()
