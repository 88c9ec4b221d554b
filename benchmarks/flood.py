"""Denial of service by one visitor: floods every route in turn while another visitor plays.

For each route except plain pages, and each of its worst inputs, 60 keep-alive connections from one loopback
address send requests as fast as they are answered, with the default rate limits. A player on another address
loads ten pages and makes four moves per second. Floors on two cores, with everything on one machine: page p99
under 300 ms, move p99 under 500 ms, no player request refused, memory below 1.5 times the start and back
within a minute, and normal response times 2 seconds after the flood.

Run it as ``python -m benchmarks.flood``; ``--only boggle`` floods routes with that in their names. The whole
run takes 45 minutes.
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
from benchmarks.flooding.requests import Requests
from benchmarks.flooding.routes import CHEAP, INPUTS, routes_of
from benchmarks.flooding.trial import CONNECTIONS, Server, Trial, p99, percentile, run_trial, send_each

WARMING = 3
"""Requests sent before each flood, so that one-time work and its memory are not measured."""
_HEAD = (
    f"{'route':40} {'input':26} {'page p50':>8} {'p99':>7} {'move p99':>8} {'memory':>15} "
    f"{'recovers':>8}  answers/s by status, missed floors"
)


def chosen(material: Material, only: str) -> Iterator[tuple[str, str, Requests]]:
    """Yield the floods to run: route, input, requests."""
    for route, inputs in INPUTS.items():
        for name, make in inputs.items():
            if only.lower() in f"{route} {name}".lower():
                yield route, name, make(material)


def line(route: str, name: str, trial: Trial) -> str:
    """Format a row of the table; times in ms, memory in MB: start, peak, end."""
    pages, answers = trial.player.pages, sorted(trial.answers.items())
    memory = f"{trial.start:.0f} {trial.peak:.0f} {trial.after:.0f}"
    rates = ", ".join(f"{status}: {count / trial.seconds:.0f}" for status, count in answers)
    fault = f"; {len(trial.player.errors)} x {trial.player.errors[0]}" if trial.player.errors else ""
    failed = f"  FAILS {', '.join(trial.failed)}{fault}" if trial.failed else ""
    return (
        f"{route:40} {name:26} {percentile(pages, 0.5) * 1000:8.0f} {p99(pages) * 1000:7.0f} "
        f"{p99(trial.player.moves) * 1000:8.0f} {memory:>15} {trial.recovery:7.1f}s  {rates}{failed}"
    )


async def measure(server: Server, arguments: argparse.Namespace, material: Material) -> None:
    """Print each flood as it ends, then all sorted by severity, and the number of missed floors."""
    first, trials = ip_address(arguments.address), []
    for number, (route, name, requests) in enumerate(chosen(material, arguments.only)):
        await send_each(server.port, str(first - 1), requests[:WARMING])
        trial = await run_trial(
            server, str(first + number), requests, arguments.seconds, arguments.connections
        )
        trials.append((route, name, trial))
        print(line(route, name, trial), flush=True)
    trials.sort(key=lambda row: -row[2].severity)
    print("\nworst first\n" + _HEAD)
    for route, name, trial in trials:
        print(line(route, name, trial))
    failed = [trial.failed for _, _, trial in trials if trial.failed]
    print(f"\n{len(trials)} floods, {len(failed)} with missed floors, by floor:", end=" ")
    floors = {floor for each in failed for floor in each}
    print({floor: sum(floor in each for each in failed) for floor in sorted(floors)} or "none")


def main() -> None:
    """Prepare the store, start the server, flood it and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20, help="length of each flood")
    parser.add_argument("--only", default="", help="flood only routes and inputs with this in their names")
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--plies", type=int, default=8000, help="number of moves of a long game")
    parser.add_argument("--copies", type=int, default=10, help="number of games of each kind")
    parser.add_argument(
        "--address",
        default="127.0.1.1",
        help="source address of the first flood; each flood uses the next one",
    )
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the finally blocks run
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder) / "data", cache_dir=Path(folder) / "cache")
        left_out = routes_of(create_app(settings)).keys() - INPUTS.keys() - CHEAP
        assert not left_out, f"add {sorted(left_out)} to benchmarks/flooding/routes.py"
        material = prepare(settings, arguments.plies, arguments.copies)
        port = free_port()
        server = serve(port, Path(folder))
        try:
            print(_HEAD, flush=True)
            uvloop.run(measure(Server(port, server.pid), arguments, material))
        finally:
            server.terminate()
            server.wait(60)


if __name__ == "__main__":
    main()
