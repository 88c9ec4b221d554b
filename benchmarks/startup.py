"""Run time of `wibble --version` and `wibble --help`, including the start of the interpreter.

Floor: median under 0.3 s each.
"""

import statistics
import subprocess
import sys
import time

RUNS = 20


def run(*arguments: str) -> float:
    """Run Python with these arguments; return the seconds."""
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - started


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


if __name__ == "__main__":
    main()
