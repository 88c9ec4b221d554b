"""How far Fribble's leave values are from what games show, by the number of tiles in the bag.

Games of `static` against itself are played, on one core, with ENABLE. After each turn the points that its
player still gains on the opponent by the end of the game are compared with the value of the leave. What
remains is explained by the tiles kept, and by the number of tiles left in the bag after drawing: points that
the leave values miss at that stage of the game (a weighted ridge regression; only those of more than two
standard errors are printed).
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.leaves import Leaves, shipped_leaves
from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.presets import Preset, presets
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.selfplay import Table
from app.games.fribble.strategy import best_turn
from app.games.fribble.tileset import TILES
from app.games.kernel import warm_up
from app.words.lexicon import Lexicon

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"
STAGES: Final = ((1, 6), (7, 13), (14, 20), (21, 34), (35, 60), (61, 100))
"""Fewest and most tiles in the bag before the turn."""
SHRINKAGE: Final = 200.0
"""Ridge penalty: the points missed for a tile with this many observations are shrunk by half."""
FEWEST_SEEN: Final = 300
"""Fewest turns for a number of tiles left in the bag to be printed."""


class Kept(NamedTuple):
    """A turn with tiles in the bag."""

    counts: NDArray[np.int32]
    """(27,): the count of each kind of tile kept."""
    before: int
    """The number of tiles in the bag before the turn."""
    after: int
    """The same after drawing."""
    missed: float
    """Points gained on the opponent from then to the end of the game, minus the value of the leave."""


def turns(
    generator: MoveGenerator, preset: Preset, leaves: Leaves, games: int, random: Random
) -> Iterator[Kept]:
    """Yield the turns of that many games."""
    for _ in range(games):
        table, played = Table(generator, preset, random), []
        while not table.over:
            seat, rack, before = table.to_move, table.rack, table.in_bag
            choice, value = best_turn("static", leaves, table)
            kept = choice.kept // np.maximum(rack.strides, 1) % (rack.counts + 1)
            table.play(choice)
            played.append((seat, kept, before, table.in_bag, value / POINT, list(table.scores)))
        final = table.settle()
        for seat, kept, before, after, left_points, scores in played:
            if before:
                gained = final[seat] - scores[seat] - (final[1 - seat] - scores[1 - seat])
                yield Kept(kept, before, after, gained - left_points)


def report(seen: Sequence[Kept]) -> None:
    """Print what the leave values miss."""
    counts = np.array([each.counts for each in seen], np.float64)
    before, after = (np.array([each[column] for each in seen]) for column in (1, 2))
    missed = np.array([each.missed for each in seen])
    usual = missed[after > STAGES[0][1]].mean()
    print("  tiles left in the bag after the turn, beside many:")
    numbers = [number for number in range(STAGES[0][1] + 1) if (after == number).sum() >= FEWEST_SEEN]
    print("   ", " ".join(f"{number}: {missed[after == number].mean() - usual:+.1f}" for number in numbers))
    for fewest, most in STAGES:
        stage = (before >= fewest) & (before <= most)
        # Without what is due to the number of tiles left.
        means = np.bincount(after[stage], missed[stage]) / np.maximum(np.bincount(after[stage]), 1)
        gained = missed[stage] - means[after[stage]]
        tiles = counts[stage] - counts[stage].mean(axis=0)
        inverse = np.linalg.inv(tiles.T @ tiles + SHRINKAGE * np.eye(len(TILES)))
        points, errors = inverse @ tiles.T @ gained, np.sqrt(gained.var() * inverse.diagonal())
        clear = [kind for kind in range(len(TILES)) if abs(points[kind]) > 2 * errors[kind]]
        print(f"  {fewest} to {most} in the bag, {stage.sum():,} turns, points missed for a tile kept:")
        print("   ", " ".join(f"{TILES[kind]} {points[kind]:+.1f}" for kind in clear))


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=40_000, help="number of games on each board")
    options = parser.parse_args()
    if not REFERENCE.is_dir():
        parser.exit(0, f"skipped: the reference collection is not at {REFERENCE}\n")
    warm_up()
    words = (REFERENCE / "words" / "enable1.txt").read_text(encoding="ascii").split()
    lexicon = Lexicon.from_words(words, "enable1")
    for preset in ("wwf", "standard"):
        generator = MoveGenerator(lexicon, presets()[preset])
        print(f"{preset}, {options.games:,} games")
        report(
            list(turns(generator, presets()[preset], shipped_leaves(preset), options.games, Random("leaves")))
        )


if __name__ == "__main__":
    main()
