"""Whether one visitor can freeze the site: every route is flooded, one after the other, while somebody plays.

For each route that is not a plain page, and each of its worst inputs, 60 keep-alive connections from one
loopback address ask as fast as they are answered, within the limits as they are by default; a player with
an address of their own loads ten pages a second and makes four moves. Floors on two cores, with everything on
one machine: page p99 under 300 ms, move p99 under 500 ms, the player is never refused, memory stays under 1.5
times what it was and is back within a minute, and 2 seconds after the flood all is as before.

Run it as ``python -m benchmarks.flood``; ``--only boggle`` floods the routes with that in their names. All of
it takes three quarters of an hour.
"""

import argparse
import signal
import tempfile
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import uvloop

from app.main import create_app
from app.settings import Settings
from benchmarks.chain_load import free_port, serve
from benchmarks.flooding.material import Material, prepare
from benchmarks.flooding.questions import Questions
from benchmarks.flooding.routes import INPUTS, PLAIN, found
from benchmarks.flooding.trial import CONNECTIONS, Server, Trial, answers_to, attempt, p99, percentile

WARMING = 3
"""Questions that are asked before: what is made once is no flood's, nor is the memory that it takes."""
_HEAD = (
    f"{'route':40} {'input':26} {'page p50':>8} {'p99':>7} {'move p99':>8} {'memory':>15} "
    f"{'recovers':>8}  answers a second, and what is not kept"
)


def chosen(made: Material, only: str) -> Iterator[tuple[str, str, Questions]]:
    """The floods to be made: route, input, questions."""
    for route, inputs in INPUTS.items():
        for name, make in inputs.items():
            if only.lower() in f"{route} {name}".lower():
                yield route, name, make(made)


def line(route: str, name: str, trial: Trial) -> str:
    """A row of the table; times in ms, memory in MB at the start, at most and at the end."""
    pages, answers = trial.seen.pages, sorted(trial.answers.items())
    memory = f"{trial.start:.0f} {trial.peak:.0f} {trial.after:.0f}"
    told = ", ".join(f"{status}: {count / trial.seconds:.0f}" for status, count in answers)
    fault = f"; {len(trial.seen.faults)} x {trial.seen.faults[0]}" if trial.seen.faults else ""
    failed = f"  FAILS {', '.join(trial.failed)}{fault}" if trial.failed else ""
    return (
        f"{route:40} {name:26} {percentile(pages, 0.5) * 1000:8.0f} {p99(pages) * 1000:7.0f} "
        f"{p99(trial.seen.moves) * 1000:8.0f} {memory:>15} {trial.recovery:7.1f}s  {told}{failed}"
    )


async def measure(server: Server, given: argparse.Namespace, made: Material) -> None:
    """Print every flood as it is over, then all, the worst first, and how many are beyond which floor."""
    first, trials = ip_address(given.address), []
    for number, (route, name, questions) in enumerate(chosen(made, given.only)):
        await answers_to(server.port, str(first - 1), questions[:WARMING])
        trial = await attempt(server, str(first + number), questions, given.seconds, given.connections)
        trials.append((route, name, trial))
        print(line(route, name, trial), flush=True)
    trials.sort(key=lambda one: -one[2].badness)
    print("\nthe worst first\n" + _HEAD)
    for route, name, trial in trials:
        print(line(route, name, trial))
    failed = [trial.failed for _, _, trial in trials if trial.failed]
    print(f"\n{len(trials)} floods, {len(failed)} beyond a floor, by floor:", end=" ")
    floors = {floor for each in failed for floor in each}
    print({floor: sum(floor in each for each in failed) for floor in sorted(floors)} or "none")


def main() -> None:
    """Make material, serve it, flood, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20, help="of each flood")
    parser.add_argument("--only", default="", help="flood what has this in the names of route and input")
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--plies", type=int, default=8000, help="moves of a long game")
    parser.add_argument("--copies", type=int, default=10, help="how many there are of every kind of game")
    parser.add_argument(
        "--address", default="127.0.1.1", help="of the first flood; each has the next, with limits of its own"
    )
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is also ended then
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder) / "data", cache_dir=Path(folder) / "cache")
        left_out = found(create_app(settings)).keys() - INPUTS.keys() - PLAIN.keys()
        assert not left_out, f"nobody has said what is the worst of {sorted(left_out)}"
        made = prepare(settings, given.plies, given.copies)
        port = free_port()
        server = serve(port, Path(folder))
        try:
            print(_HEAD, flush=True)
            uvloop.run(measure(Server(port, server.pid), given, made))
        finally:
            server.terminate()
            server.wait(60)


if __name__ == "__main__":
    main()
