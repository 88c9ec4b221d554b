"""Speed and strength of the Fribble engine.

Floors, on the Words With Friends board with ENABLE, one core: all legal moves in a median of 0.15 ms without
a blank on the rack, 1.2 ms with one, 5.5 ms with two; only the best move with one blank or two in 0.2 ms;
over 200 games/s of greedy self-play; the GADDAG built in under 2 s and 6 MB, the filter of anagrams in 8 MB;
static wins 60% against greedy in paired games with the same tile order.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from app.games.fribble.advice import counted
from app.games.fribble.bag import missing
from app.games.fribble.board import Board
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.match import match
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.presets import presets
from app.games.fribble.selfplay import play
from app.games.fribble.strategy import player
from app.games.kernel import warm_up
from app.words.anagrams import build_anagram_filter
from app.words.gaddag import build_gaddag
from app.words.lexicon import Lexicon

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"


def median(function: Callable[[], Any], rounds: int) -> float:
    """Return the median time of several calls, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def searches(generator: MoveGenerator, positions: list[tuple[Board, Rack]], title: str) -> None:
    """Print how long move generation takes in these positions."""
    leaves, full_bag = shipped_leaves("wwf"), presets()["wwf"].tiles.full_bag
    every, greedy, static, counts = [], [], [], []
    for board, rack in positions:
        squares, unseen = generator.squares(board), missing(board.tiles + rack.tiles, full_bag)
        nothing = np.zeros(rack.leave_count, np.int32)
        leave_values = leaves.values(rack, counted(unseen))
        counts.append(generator.moves(squares, rack).total)
        every.append(median(lambda: generator.moves(squares, rack), 5))  # noqa: B023 - called at once
        greedy.append(median(lambda: generator.best(squares, rack, nothing), 5))  # noqa: B023
        static.append(median(lambda: generator.best(squares, rack, leave_values), 5))  # noqa: B023
    print(
        f"{title:12} {statistics.median(counts):8,.0f} moves: "
        + ", ".join(
            f"{name} {1000 * statistics.median(times):.3f} ms (worst {1000 * max(times):.2f})"
            for name, times in (("all", every), ("best score", greedy), ("best equity", static))
        )
    )


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--games", type=int, default=400, help="number of games of static against greedy (default 400)"
    )
    options = parser.parse_args()
    file = REFERENCE / "words" / "enable1.txt"
    if not file.exists():
        print(f"skipped: the reference collection is not at {REFERENCE}")
        return
    words = file.read_text(encoding="ascii").split()
    lexicon = Lexicon.from_words(words, "enable1")
    start = time.perf_counter()
    warm_up()
    print(f"kernels ready in {time.perf_counter() - start:.1f} s, compiled or from the cache")
    print(
        f"GADDAG of {len(lexicon):,} words: {median(lambda: build_gaddag(lexicon), 3):.2f} s, "
        f"{lexicon.gaddag.nbytes / 1e6:.2f} MB"
    )
    print(
        f"filter of anagrams: {median(lambda: build_anagram_filter(lexicon.letter_counts), 3):.2f} s, "
        f"{lexicon.anagrams.nbytes / 1e6:.2f} MB"
    )
    preset = presets()["wwf"]
    generator = MoveGenerator(lexicon, preset)
    entries = json.loads((REFERENCE / "fribble" / "enable1_wwf_movegen.json").read_text())
    for blanks, title in enumerate(("no blank", "one blank", "two blanks")):
        positions = [
            (Board(rows=tuple(entry["board"])), Rack(entry["rack"]))
            for entry in entries
            if entry["rack"].count("?") == blanks
        ]
        searches(generator, positions, title)
    leaves = shipped_leaves("wwf")
    greedy, static = player("greedy", leaves), player("static", leaves)
    games = 300
    start = time.perf_counter()
    played = [play(generator, preset, (greedy, greedy), Random(n)) for n in range(games)]
    spent = time.perf_counter() - start
    turns = sum(game.turns for game in played)
    print(f"greedy self-play: {games / spent:.0f} games/s, {turns / spent:,.0f} turns/s")
    if options.games:
        *_, score = match(generator, preset, static, greedy, range(options.games // 2))
        print(f"static against greedy, {score}")


if __name__ == "__main__":
    main()
