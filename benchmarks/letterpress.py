"""Speed and strength of the Letterpress engine.

Floors: more than 100 million positions/s at one ply; on 200 middle-game boards, `/api/solve` exact to two
plies (top 10, uncached boards) with a median under 15 ms and a p99 under 80 ms; the board with the most
placements within its time limit, under 1 s and 300 MB; in matches of 200 games, 85% against LetterPwn's
ranking and 65% for three plies against two.

The baseline is the same one-ply ranking in plain NumPy, measured in the same run.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from fastapi.testclient import TestClient
from numpy.typing import NDArray

from app.games.game import LexiconRef
from app.games.kernel import warm_up
from app.games.letterpress.bot import bots, choose, engines, position_of
from app.games.letterpress.evaluation import BOTTOM_ROW, FIRST_COLUMN, LAST_COLUMN, TOP_ROW
from app.games.letterpress.match import match
from app.games.letterpress.placements import placements_of
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.solver import Position
from app.games.letterpress.state import Options
from app.main import create_app
from app.resources import resource
from app.settings import Settings
from app.words.library import Library

CROWDED = "eeeesssstttaaarrriiinnnlo"


def middle_games(game: Letterpress, boards: int) -> list[Position]:
    """Return positions after 0 to 9 turns between two LetterPwn engines."""
    draw = random.Random(4)
    ref = LexiconRef.of(game.lexicon)
    found: list[Position] = []
    for number in range(boards):
        state = game.start(Options(lexicon=ref), 2, f"benchmark/{number}")
        for _ in range(draw.randrange(10)):
            after = game.apply(state, state.to_move, choose(state, engines()["letterpwn"], game.solver), 0.0)
            if after.reason is not None:
                break
            state = after
        found.append(position_of(state))
    return found


def in_numpy(masks: NDArray[np.int32], ours: int, theirs: int) -> NDArray[np.int32]:
    """Return LetterPwn's one-ply value of each placement, in plain NumPy."""

    def neighbours(own: NDArray[np.int32]) -> tuple[NDArray[np.int32], ...]:
        return own >> 1 | LAST_COLUMN, own << 1 | FIRST_COLUMN, own >> 5 | BOTTOM_ROW, own << 5 | TOP_ROW

    def held(own: NDArray[np.int32]) -> NDArray[np.int32]:
        right, left, below, above = neighbours(own)
        number: NDArray[np.int32] = np.bitwise_count(own & right & left & below & above).astype(np.int32)
        return number

    free = ~np.int32(theirs)
    own, other = ours | masks & free, theirs & ~(masks & free)
    weakness = np.zeros(len(masks), np.int32)
    for beside in neighbours(own):
        weakness += np.bitwise_count(own & ~beside)
    lead = np.bitwise_count(own).astype(np.int32) - np.bitwise_count(other)
    value: NDArray[np.int32] = ((held(own) - held(other)) << 14) - (weakness << 7) + lead
    return value


def median(function: Callable[[], Any], rounds: int) -> float:
    """Return the median time of several calls, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def one_ply(game: Letterpress) -> None:
    """Print the positions ranked per second."""
    position = Position(board=CROWDED)
    total = game.solver.solve(position, plies=1).positions
    masks = placements_of(CROWDED, game.solver.anagrams).masks
    ranked = median(lambda: game.solver.solve(position, plies=1), 9)
    plain = median(lambda: in_numpy(masks, 0, 0), 3)
    print(f"one ply, {total:,} placements, whole solve: {total / ranked / 1e6:6.0f} million positions/s")
    print(f"{'values only, in plain NumPy':>{50}}: {total / plain / 1e6:6.0f} million positions/s")


def two_plies(client: TestClient, positions: list[Position], plies: int, budget: int) -> None:
    """Print the response times of `/api/solve` on uncached boards."""
    times, exact = [], 0
    for position in positions:
        body = {
            "board": position.board,
            "ours": position.territory.ours,
            "theirs": position.territory.theirs,
            "played": position.played,
            "plies": plies,
            "budget_ms": budget,
        }
        start = time.perf_counter()
        answer = client.post("/api/solve", json=body)
        times.append(1000 * (time.perf_counter() - start))
        exact += answer.json()["stats"]["exact"]
    p99 = statistics.quantiles(times, n=100)[98]
    print(
        f"/api/solve, plies={plies}, {len(times)} boards: median {statistics.median(times):.1f} ms, "
        f"p99 {p99:.1f} ms, worst {max(times):.1f} ms; {exact} exact within {budget} ms"
    )


def crowded(cache: Path) -> None:
    """Print time and memory for the board with the most placements, in a separate process."""
    program = (
        "from benchmarks.letterpress import crowded_here; from pathlib import Path; import sys;"
        "crowded_here(Path(sys.argv[1]))"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    subprocess.run([sys.executable, "-c", program, str(cache)], check=True, env=environment)


def crowded_here(cache: Path) -> None:
    """Solve the crowded board twice, first as the process's first request."""
    with server(cache) as client:
        client.get("/healthz")
        warm_up()
        before = peak_memory()
        for name in ("first", "again"):
            start = time.perf_counter()
            stats = client.post("/api/solve", json={"board": CROWDED}).json()["stats"]
            spent = 1000 * (time.perf_counter() - start)
            print(
                f"crowded board, {name}: {spent:.0f} ms, {stats['placements']:,} placements, depth "
                f"{stats['depth']}, exact {stats['exact']}; "
                f"peak {peak_memory():.0f} MB, {before:.0f} MB before"
            )


def peak_memory() -> float:
    """Return the peak memory of this process in MB, from /proc; getrusage would include the parent's."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def server(cache: Path) -> TestClient:
    """Return a test client of the application."""
    return TestClient(create_app(Settings(data_dir=cache / "data", cache_dir=cache)))


def strength(game: Letterpress, games: int) -> None:
    """Print the results of the matches with floors and of each bot against the one below it."""
    for first, second in (
        ("two-plies", "letterpwn"),
        ("three-plies", "letterpwn"),
        ("three-plies", "two-plies"),
        *pairwise(bot.name for bot in reversed(bots())),
    ):
        score = list(match(game, engines()[first.lower()], engines()[second.lower()], games, "benchmark"))[-1]
        print(
            f"{first} against {second}, {games} games: {score.wins} won, {score.draws} drawn, "
            f"{score.losses} lost: {score.share:.1%} ± {score.error:.1%}"
        )


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--games", type=int, default=200, help="games per match (default 200; 0 for none)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        game = Letterpress(Library(resource("data"), home=cache, cache=cache).load())
        start = time.perf_counter()
        warm_up()
        print(f"kernels ready in {time.perf_counter() - start:.1f} s, compiled or from the cache")
        one_ply(game)
        positions = middle_games(game, options.boards)
        with server(cache) as client:
            client.post("/api/solve", json={"board": CROWDED})
            two_plies(client, positions, 2, 1000)
            two_plies(client, positions[::-1], 3, 150)
        crowded(cache)
        if options.games:
            strength(game, options.games)


if __name__ == "__main__":
    main()
