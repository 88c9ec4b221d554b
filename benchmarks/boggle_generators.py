"""Speed of the Boggle generators and richness of their boards.

Floors, on one core: every generator of the published study under 20 microseconds per 4x4 board, without
solving; `/api/boggle` with 1000 boards under 100 ms. In points as the game counts them: 40% more than
greedy-CAD at the same cost, and twice as many with 5 ms per board. Hill climbing reaches the best known
boards of ENABLE2K in a median of 5 CPU seconds up to 4x4 (most words: 30), and in 60 on 4x5 and 5x5 (120).

The word list comes from ``../shared/reference``. The published study took about 500 microseconds per board;
the hill climbing of a C++ solver on the same class of machine takes 157 s to reach 3625.
"""

import argparse
import statistics
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import TypeAlias

from fastapi.testclient import TestClient

from app.games.boggle.climb import Aim, climb
from app.games.boggle.generators import ALGORITHMS, Options, generate
from app.games.boggle.letter_statistics import statistics_of
from app.games.boggle.solver import Solver
from app.games.kernel import warm_up
from app.main import create_app
from app.settings import Settings
from app.words.lexicon import Lexicon
from app.words.wordlist import read_words

Record: TypeAlias = tuple[int, int, Aim, int]
"""Rows, columns, what is maximised, and the most known."""
REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"
RECORDS: list[Record] = [
    (3, 3, "points", 545),
    (3, 4, "points", 1651),
    (4, 4, "points", 3625),
    (4, 4, "words", 1158),
    (4, 5, "points", 6383),
    (5, 5, "points", 10406),
    (5, 5, "words", 2552),
]
"""The best known boards of ENABLE2K with Qu faces; those up to 4x4 points are proven."""
SHARP = Options(decay=0.01, sharpness=3.0)


def drawing(solver: Solver, boards: int) -> float:
    """Print time and points per board of each algorithm; return the points of greedy-CAD."""
    known = statistics_of(solver.lexicon)
    rivals = [(name, name, Options()) for name in ALGORITHMS]
    rivals.append(("sharp greedy-dcad", "greedy-dcad", SHARP))
    base = 0.0
    for label, name, options in rivals:
        times = []
        for run in range(7):
            start = time.process_time()
            drawn = generate(name, 4, 4, boards, f"benchmark/{run}", known, options)
            times.append(1e6 * (time.process_time() - start) / boards)
        points = float(solver.score(drawn, 4, 4)[1].mean())
        base = points if name == label == "greedy-cad" else base
        beside = f"{points / base:5.2f} of greedy-cad" if base else ""
        print(f"{label:>18}: {statistics.median(times):6.2f} µs/board, {points:7.1f} points {beside}")
    return base


def short_climbs(solver: Solver, base: float) -> None:
    """Print the points of short climbs of a few milliseconds."""
    for evaluations in (50, 100, 200, 400):
        start = time.process_time()
        points = [climb(solver, 4, 4, f"short/{run}", evaluations=evaluations).points for run in range(40)]
        spent = 1000 * (time.process_time() - start) / len(points)
        mean = statistics.mean(points)
        print(f"climb of {evaluations:4}: {spent:6.2f} ms/board, {mean:7.1f} points {mean / base:5.2f}")


def time_to_best(solver: Solver, record: Record, tries: int) -> None:
    """Print how long repeated climbs take to reach the best known board."""
    rows, columns, aim, best = record
    label = f"{best:,} {aim} on {rows}x{columns}"
    times = []
    for attempt in range(tries):
        start = time.process_time()
        for run in count():
            found = climb(solver, columns, rows, f"top/{attempt}/{run}", aim=aim)
            if (found.words if aim == "words" else found.points) >= best:
                break
        times.append(time.process_time() - start)
        print(f"  {label}: {times[-1]:.1f} CPU s, {run + 1} runs", flush=True)
    print(f"{label}: median {statistics.median(times):.1f} CPU s of {tries}")


def over_http() -> None:
    """Print the response time of `/api/boggle` for 1000 boards."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder) / "data", cache_dir=Path(folder) / "cache")
        with TestClient(create_app(settings)) as client:
            warm_up()
            for name in ("greedy-cad", "trip"):
                times = []
                for _ in range(15):
                    start = time.perf_counter()
                    query: dict[str, str | int] = {"algorithm": name, "count": 1000, "words": "false"}
                    assert len(client.get("/api/boggle", params=query).json()["boards"]) == 1000
                    times.append(1000 * (time.perf_counter() - start))
                print(f"/api/boggle, 1000 boards by {name}: median {statistics.median(times):.0f} ms")


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--climbs", type=int, default=5, help="climbs to each best known board; 0 for none")
    options = parser.parse_args()
    warm_up()
    words = read_words(REFERENCE / "words" / "enable2k.txt")
    solver = Solver(Lexicon.from_words(words, "enable2k"), qu=True)
    short_climbs(solver, drawing(solver, options.boards))
    over_http()
    for record in RECORDS:
        if options.climbs:
            time_to_best(solver, record, options.climbs)


if __name__ == "__main__":
    main()
