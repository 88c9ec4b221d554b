"""Measures the ratings of the bots by self-play, and how accurately they play, and writes data/ratings.toml.

Run ``python data/build/bot_ratings.py [GAMES]`` (default 60, half an hour): every pair of neighbouring levels
plays so many games of a kind, each side first in half of them. The ratings follow from their results, with
level 3 at 1500; as one side wins some pairs always, a win and a loss are added to each. The deviation is
that of the estimate. The accuracy of a level is the mean over all its games, where turns are judged.
"""

import math
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

from app.games.kernel import warm_up
from app.resources import resource
from app.rooms import ROOMS
from app.words.library import Library

KINDS: Final = ("boggle", "fribble", "letterpress", "wibble")
SETUPS: Final = {"wibble": {"mode": "versus"}}
LEVELS: Final = range(1, 6)
PER_POINT: Final = math.log(10) / 400
SMALLEST: Final = 45.0


class Played(NamedTuple):
    """A game between two bots."""

    share: float
    """Of the point, for the first level."""
    accuracy: dict[int, float]
    """By level; empty where turns are not judged."""


def play(kind: str, levels: tuple[int, int], seed: str, cache: str) -> Played:
    """One game between two bots."""
    warm_up()
    rulebook = ROOMS.rulebook(Library(resource("data"), Path(cache), Path(cache)))
    game = rulebook.usual(kind)
    options = rulebook.pin(kind, game.setup_type.model_validate(SETUPS.get(kind, {})))
    state, at = game.start(options, 2, seed), 0.0
    states = [state]
    for move in game.opening(options):
        state = game.apply(state, 0, move, at)
        states.append(state)
    while (seat := game.to_move(state)) is not None:
        thought = game.bot(state, seat, levels[seat])
        at += thought.seconds
        due = game.due(state, at)
        seat, move, at = (seat, thought.move, at) if due is None else (due.seat, due.move, due.at)
        state = game.apply(state, seat, move, at)
        states.append(state)
    outcome = game.outcome(state)
    assert outcome is not None
    analysed = game.analyse(states).seats
    return Played(
        float(outcome.won(0)) if outcome.is_decided else 0.5,
        {
            level: seat.accuracy
            for level, seat in zip(levels, analysed, strict=True)
            if seat.accuracy is not None and seat.mistake_index is not None
        },
    )


def measured(
    kind: str, games: int, run: Callable[..., list[Played]]
) -> tuple[list[tuple[int, int]], list[float]]:
    """Rating and deviation of each level of a kind, and the mean accuracies."""
    gaps, errors = [], []
    accuracies: dict[int, list[float]] = defaultdict(list)
    for level in LEVELS[:-1]:
        pairs = [((level, level + 1), False), ((level + 1, level), True)]
        shares = []
        for levels, swapped in pairs:
            found = run(kind, levels, [f"{kind} {level} {swapped} {number}" for number in range(games // 2)])
            shares += [game.share if swapped else 1 - game.share for game in found]
            for game in found:
                for one, accuracy in game.accuracy.items():
                    accuracies[one].append(accuracy)
        share = (sum(shares) + 1) / (len(shares) + 2)
        gaps.append(math.log(share / (1 - share)) / PER_POINT)
        errors.append(1 / (PER_POINT * math.sqrt((len(shares) + 2) * share * (1 - share))))
        print(
            f"{kind} {level + 1} against {level}: {sum(shares)} of {len(shares)}, {gaps[-1]:+.0f}", flush=True
        )
    values = [0.0]
    for gap in gaps:
        values.append(values[-1] + gap)
    variance = [0.0] * len(values)
    for step in (1, -1):
        total, place = 0.0, 2
        while 0 <= place + step < len(values):
            total += errors[min(place, place + step)] ** 2
            place += step
            variance[place] = total
    ratings = [
        (round(1500 + value - values[2]), round(max(SMALLEST, math.sqrt(spread))))
        for value, spread in zip(values, variance, strict=True)
    ]
    return ratings, [round(statistics.mean(accuracies[level]), 1) for level in LEVELS if accuracies[level]]


def main() -> None:
    """Measure all kinds and write the file."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with (
        tempfile.TemporaryDirectory() as cache,
        ProcessPoolExecutor(mp_context=get_context("spawn")) as cores,
    ):

        def run(kind: str, levels: tuple[int, int], seeds: list[str]) -> list[Played]:
            count = len(seeds)
            return list(cores.map(play, [kind] * count, [levels] * count, seeds, [cache] * count))

        found = {kind: measured(kind, games, run) for kind in KINDS}
    ratings = [f"{kind} = {[list(each) for each in found[kind][0]]}" for kind in KINDS]
    accuracies = [f"{kind} = {found[kind][1]}" for kind in KINDS if found[kind][1]]
    text = (
        "# Ratings of the bots, weakest first: value and deviation. Measured by data/build/bot_ratings.py:\n"
        f"# {games} games between neighbouring levels in self-play; level 3 is at 1500.\n\n[bots]\n"
    )
    more = "\n\n# The mean accuracy of their play in these games, in percent.\n[accuracy]\n"
    content = text + "\n".join(ratings) + more + "\n".join(accuracies) + "\n"
    (resource("data") / "ratings.toml").write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
