"""Run time of `wibble --version` and `wibble --help`, including the start of the interpreter; first pages.

Floor: median under 0.3 s each. Then a server is started several times with the caches of an earlier start:
the time until it is ready, and the time of the first request for each page.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import httpx

from benchmarks.chain_load import free_port, serve

RUNS = 20
STARTS = 5
PAGES = ("/", "/words", "/rules/fribble", "/daily")


def run(*arguments: str) -> float:
    """Run Python with these arguments; return the seconds."""
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - started


def start_server(folder: Path) -> list[float]:
    """Start a server on the caches there are; return the seconds until it is ready, then of each page."""
    port = free_port()
    times = [time.perf_counter()]
    server = serve(port, folder)
    times.append(time.perf_counter())
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, follow_redirects=True) as client:
        for page in PAGES:
            client.get(page).raise_for_status()
            times.append(time.perf_counter())
    server.terminate()
    server.wait()
    return [later - earlier for earlier, later in pairwise(times)]


def main() -> None:
    """Run the benchmark and print the results."""
    cases = {
        "python alone": ("-c", "pass"),
        "wibble --version": ("-m", "app.cli", "--version"),
        "wibble --help": ("-m", "app.cli", "--help"),
    }
    for name, arguments in cases.items():
        seconds = [run(*arguments) for _ in range(RUNS)]
        print(f"{name:18} median {statistics.median(seconds):.3f} s, worst {max(seconds):.3f} s")
    with tempfile.TemporaryDirectory() as folder:
        start_server(Path(folder))
        starts = [start_server(Path(folder)) for _ in range(STARTS)]
    for name, *seconds in zip(("server ready", *PAGES), *starts, strict=True):
        print(f"{name:18} median {statistics.median(seconds):.3f} s, worst {max(seconds):.3f} s")


if __name__ == "__main__":
    main()
