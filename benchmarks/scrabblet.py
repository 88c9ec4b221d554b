"""Speed of the Scrabblet engine.

Floors, as medians: all words of a 7-letter hand from the 274,926-word list in under 60 microseconds, of a
hand with blanks in under 1 ms; a deal with at least 25 words in under 2 ms.

The baseline is one AND of the hand with every word's letter mask in plain NumPy, measured in the same run.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import numpy as np
from fastapi.testclient import TestClient

from app.games.game import LexiconRef
from app.games.kernel import warm_up
from app.games.scrabblet.bag import BLANK, draw
from app.games.scrabblet.hand import Hand
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.solver import SHORTEST
from app.games.scrabblet.state import Hint, Options
from app.main import create_app
from app.resources import resource
from app.settings import Settings
from app.words.library import Library

T = TypeVar("T")


def hands(blanks: int, number: int) -> list[Hand]:
    """Return hands of seven tiles drawn from the bank, ``blanks`` of them blank."""
    random_, found = random.Random(7), list[Hand]()
    while len(found) < number:
        letters = [tile for tile in draw(random_, 9) if tile != BLANK][: 7 - blanks]
        found.append(Hand("".join(letters) + BLANK * blanks))
    return found


def row(name: str, call: Callable[[T], object], arguments: Iterable[T], floor: str = "") -> None:
    """Print a line of the table: the time per call in microseconds."""
    times = []
    for argument in arguments:
        start = time.perf_counter()
        call(argument)
        times.append(1e6 * (time.perf_counter() - start))
    p99 = statistics.quantiles(times, n=100)[98]
    print(f"{name:<46}{statistics.median(times):10.1f}{p99:12.1f}{max(times):12.1f}   {floor}")


def main() -> None:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=2000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        game = Scrabblet(Library(resource("data"), home=cache, cache=cache).load())
        start = time.perf_counter()
        solver = game.solver
        print(f"solver built in {time.perf_counter() - start:.2f} s")
        start = time.perf_counter()
        warm_up()
        print(f"kernels ready in {time.perf_counter() - start:.1f} s, compiled or from the cache")
        print(f"{'microseconds':<46}{'median':>10}{'99%':>12}{'worst':>12}   floor")

        ref = LexiconRef.of(game.lexicon)
        dealer, daily = Options(lexicon=ref), Options(lexicon=ref, mode="daily")
        for blanks, floor in ((0, "60"), (1, "1,000"), (2, "1,000")):
            drawn = hands(blanks, options.hands)
            words = statistics.median(len(solver.find(hand)) for hand in drawn)
            row(f"words of 7 tiles, {blanks} blank, {words:.0f} words", solver.find, drawn, floor)
        drawn = hands(0, options.hands)
        row("the same, sorted, as text", lambda hand: solver.find(hand).listed("score"), drawn)
        masks = game.lexicon.letter_masks
        long_enough = np.diff(game.lexicon.starts.astype(np.int64)) > SHORTEST
        row(
            "one AND per word in plain NumPy",
            lambda hand: np.flatnonzero((masks & ~np.uint32(hand.mask) == 0) & long_enough),
            drawn,
        )
        seeds = [str(number) for number in range(options.hands)]
        row("deal of at least 25 words", lambda seed: game.dealt(dealer, seed), seeds, "2,000")
        row("daily hand", lambda seed: game.dealt(daily, seed), seeds[:200])
        state = game.apply(game.start(daily, 1, "day"), 0, Hint(), 0.0)
        row("view with hints", lambda seat: game.view(state, seat), [0] * options.hands)
        with TestClient(create_app(Settings(data_dir=cache / "data", cache_dir=cache))) as client:
            client.post("/api/scrabblet/words", json={"hand": "a"})
            row(
                "POST /api/scrabblet/words, request to answer",
                lambda hand: client.post("/api/scrabblet/words", json={"hand": hand.tiles}),
                drawn[:300],
            )


if __name__ == "__main__":
    main()
