"""Ctrl+C in every command, sent to the process group, as a terminal does, or to the process only."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import pytest

from app.games.boggle.published_study import chunks
from app.rooms.boggle.commands.climb import Search
from app.terminal.checkpoint import Checkpoint
from app.words.lexicon import Lexicon
from tests.cli.command_list import leaves
from tests.cli.test_output import ARGUMENTS

SECONDS = 30
"""Timeout; a second is promised, but the machine may be busy. LONG commands take much longer."""
LONG = {
    "boggle climb": ["--seconds", "600", "--seed", "a"],
    "boggle study": ["--boards", "100000", "--algorithms", "trip,cad"],
    "fribble match": ["static", "static", "--games", "100000"],
    "fribble learn-leaves": ["leaves.npz", "--games", "100000"],
    "fribble self": [],
    "letterpress match": ["moss", "moss", "--games", "1000"],
    "boggle generate": ["--count", "1000", "--size", "8", "--algorithm", "climb", "--budget-ms", "10000"],
}
DELAYS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Seconds to try before interrupting a command, until it was stopped twice in the middle of its work.

They cover slow and fast machines: at least one of them is after the start and before the end of the work.
"""
FILES = {
    "replay": ["-"],
    "words add": ["mine", str(Path("pyproject.toml").resolve())],
    "fribble add-preset": ["mine", str(Path("pyproject.toml").resolve())],
    "admin export": ["nothing"],
    "admin backup": ["nowhere/copy"],
    "admin copy-sqlite": [str(Path("pyproject.toml").resolve())],
}
BEGIN = """
from app.cli import main
from app.terminal.interrupts import exit_immediately
exit_immediately()  # as main does first; before that Python itself is starting
print(".", flush=True)
main()
"""


def arguments(name: str) -> list[str]:
    return [*name.split(), *(LONG.get(name) or ARGUMENTS.get(name) or FILES.get(name) or [])]


class Running:
    """A command in a process group of its own, past the interpreter's start."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", BEGIN, *command],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(folder / "errors").open("wb"),
            env=os.environ | {"WIBBLE_DATA_DIR": str(folder / "data"), "PYTHONPATH": str(Path.cwd())},
            cwd=folder,
            start_new_session=True,
        )
        self.errors_file = folder / "errors"
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b".\n"

    def wait_for(self, text: bytes) -> bytes:
        assert self.process.stdout is not None
        shown = b""
        while text not in shown:
            more = os.read(self.process.stdout.fileno(), 100)
            assert more, self.errors()
            shown += more
        return shown

    def still_runs_after(self, seconds: float) -> bool:
        """Whether it still runs after that time; returns at once if it ends earlier."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return True
        return False

    def interrupt(self, send: Callable[[int, int], None]) -> bytes:
        """Send SIGINT; return the output from then on."""
        send(self.process.pid, signal.SIGINT)
        sent = time.monotonic()
        output, _ = self.process.communicate(timeout=60)
        assert time.monotonic() - sent < SECONDS
        return output

    def errors(self) -> str:
        return self.errors_file.read_text()

    def group_is_gone(self) -> bool:
        for _ in range(1000):
            try:
                os.killpg(self.process.pid, 0)
            except ProcessLookupError:
                return True
            time.sleep(0.05)
        return False


@pytest.mark.parametrize("name", sorted(set(leaves()) - {"serve"}))
def test_any_command_ends_at_once(name: str, tmp_path: Path) -> None:
    """Runs three at a time, as most of the time is waiting. Long commands run until they are interrupted."""

    def ends(send: Callable[[int, int], None], delay: float) -> None:
        folder = tmp_path / f"{send.__name__}-{delay}"
        folder.mkdir()
        running = Running(folder, *arguments(name))
        done = not running.still_runs_after(delay)
        assert not done or name not in LONG, running.errors()
        if not done:
            running.interrupt(send)
        ended = {130, -signal.SIGINT}  # the latter as the interpreter shuts down, when all is done
        assert running.process.returncode in ended or name not in LONG, running.errors()
        assert "Traceback" not in running.errors()
        assert "KeyboardInterrupt" not in running.errors()
        assert running.group_is_gone()

    # An immediate interrupt finds all commands at the same imports, so only the long ones are tried.
    delays = (3.0, 0.5, 0.0)
    ways = list(product((os.killpg, os.kill), delays)) if name in LONG else [(os.killpg, 0.5)]
    with ThreadPoolExecutor(3) as pool:
        tries = [pool.submit(ends, *each) for each in ways]
    for each in tries:
        each.result()


@pytest.mark.parametrize(
    ("command", "prompt"),
    [
        (["play", "--seed", "a"], b"> "),
        (["scrabblet", "deal", "--hand", "ruolfnt"], b"Word > "),
        (["scrabblet", "signature"], b"Word > "),
        (["fribble", "solo"], b"> "),
        (["fribble", "team"], b"> "),
        (["fribble", "study"], b"> "),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_a_shell_is_left_with_status_130(command: list[str], prompt: bytes, tmp_path: Path) -> None:
    running = Running(tmp_path, *command)
    running.wait_for(prompt)
    running.interrupt(os.killpg)
    assert running.process.returncode == 130
    assert not running.errors()


def test_a_study_prints_what_it_has_and_goes_on_from_there(tmp_path: Path, lexicon: Lexicon) -> None:
    work = map(repr, chunks(["trip"], 120_000, 4, 4, "stopped"))
    # Remove only this checkpoint: other tests may be using theirs in the same folder.
    checkpoint = Checkpoint("boggle-study", lexicon=lexicon.sha256, work=list(work))
    checkpoint.remove()
    command = ["boggle", "study", "--boards", "120000", "--algorithms", "trip", "--seed", "stopped", "--json"]
    seen: list[int] = []
    for delay in DELAYS:
        folder = tmp_path / str(delay)
        folder.mkdir()
        running = Running(folder, *command)
        if not running.still_runs_after(delay):
            break
        output = running.interrupt(os.killpg)
        if running.process.returncode == 130 and output:
            document = json.loads(output)
            assert document["complete"] is False
            seen.append(sum(one["boards"] for one in document["algorithms"]))
            assert "Run the same command again to continue." in running.errors()
            assert checkpoint.file.exists()
        if len(seen) == 2:
            break
    assert seen == sorted(seen)
    assert seen, "it never started"
    rest = subprocess.run(
        [sys.executable, "-m", "app.cli", *command], capture_output=True, text=True, check=True, timeout=300
    )
    resumed = json.loads(rest.stdout)
    assert resumed["complete"]
    undisturbed = subprocess.run(
        [sys.executable, "-m", "app.cli", *command], capture_output=True, text=True, check=True, timeout=300
    )
    whole = json.loads(undisturbed.stdout)
    for one in (resumed["algorithms"][0], whole["algorithms"][0]):
        one.pop("microseconds")
    assert resumed == whole


def test_a_climb_prints_the_best_and_goes_on_from_there(tmp_path: Path, lexicon: Lexicon) -> None:
    search = Search(lexicon.name, lexicon.sha256, 3, 3, qu=False, aim="points", seed="stopped")
    checkpoint = Checkpoint("boggle-climb", **search._asdict())
    checkpoint.remove()
    command = ["boggle", "climb", "--size", "3", "--seed", "stopped", "--seconds", "600", "--json"]
    best, runs, stopped = 0, 0, 0
    for delay in DELAYS:
        folder = tmp_path / str(delay)
        folder.mkdir()
        running = Running(folder, *command)
        time.sleep(delay)
        output = running.interrupt(os.killpg)
        assert running.process.returncode == 130
        if not output:
            continue  # the engine was not ready
        document = json.loads(output)
        if document["runs"] == runs:
            continue  # the engine was ready, but no run had started
        assert document["boards"][0]["points"] >= best
        assert document["runs"] > runs
        assert checkpoint.file.exists()
        best, runs, stopped = document["boards"][0]["points"], document["runs"], stopped + 1
        assert "run the same command with --seed stopped" in running.errors()
        if stopped == 2:
            break
    assert stopped == 2


def test_ctrl_c_waits_for_a_protected_block() -> None:
    program = """
import signal
from app.terminal.interrupts import deferred_ctrl_c
try:
    with deferred_ctrl_c():
        signal.raise_signal(signal.SIGINT)
        print("whole")
    print("went on")
except KeyboardInterrupt:
    print("stopped")
with deferred_ctrl_c():
    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)
print("not ended by the second")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["whole", "stopped"], ran.stderr
    assert ran.returncode == 130
