"""`wibble fribble match` and `learn-leaves`."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from app.commands.root import app
from app.games.fribble.leaves import load_leaves

runner = CliRunner()

SOON = 30.0
"""Timeout in seconds: it takes half a second on an idle machine, but minutes without the interrupt."""


def test_a_match_is_reported_with_its_errors() -> None:
    result = runner.invoke(app, ["fribble", "match", "static", "greedy", "--games", "4"])
    assert result.exit_code == 0, result.output
    output = " ".join(result.output.split())
    assert "static against greedy, 4 games: " in output
    assert " ± " in output
    assert "turns/s" in output


def test_leaves_are_learned_into_a_file(tmp_path: Path) -> None:
    file = tmp_path / "leaves.npz"
    result = runner.invoke(app, ["fribble", "learn-leaves", str(file), "--games", "5", "--rounds", "1"])
    assert result.exit_code == 0, result.output
    assert load_leaves(file).weights.any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "static", "clever"], "accepted: greedy, static, simulating"),
        (["match", "static", "greedy", "--preset", "none"], "accepted: wwf, standard"),
        (["match", "static", "greedy", "--lexicon", "klingon"], "klingon"),
        (["match", "static", "greedy", "--games", "1"], "--games"),
        (["learn-leaves", "leaves.txt"], ".npz"),
        (
            ["learn-leaves", "nowhere/leaves.npz", "--games", "5", "--rounds", "1"],
            "No such file or directory",
        ),
        (["learn-leaves", "leaves.npz", "--only-late"], "--begin"),
    ],
)
def test_impossible_input_is_refused(arguments: list[str], message: str) -> None:
    result = runner.invoke(app, ["fribble", *arguments])
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())


def test_leaves_of_another_kind_are_refused(tmp_path: Path) -> None:
    old, broken, cut = (tmp_path / f"{name}.npz" for name in ("old", "broken", "cut"))
    np.savez_compressed(old, places=np.zeros(1, np.int16), weights=np.ones(1, np.int32))
    broken.write_text("no leaves")
    cut.write_bytes(old.read_bytes()[:50])
    for arguments in (
        ["match", "static", "static", "--games", "2", "--leaves"],
        ["learn-leaves", "x.npz", "--begin"],
    ):
        for file, reason in (
            (old, "those of an earlier version"),
            (broken, "no leave values"),
            (cut, "no leave values"),
        ):
            result = runner.invoke(app, ["fribble", *arguments, str(file)])
            assert result.exit_code == 2
            assert reason in " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize("after", [0.0, 6.0], ids=["while processes start", "while they play"])
def test_ctrl_c_stops_a_match_within_a_second_and_keeps_what_was_played(after: float) -> None:
    status, seconds, output, errors = interrupted(
        ["fribble", "match", "static", "greedy", "--games", "100000"], after
    )
    assert status == 130, errors
    assert "Traceback" not in errors
    assert seconds < SOON
    stopped = re.search(r"Stopped after ([\d,]+) of 100,000 games.* --seed (\d+) --games (\d+)", errors)
    assert stopped, errors
    games, _, missing = (int(number.replace(",", "")) for number in stopped.groups())
    assert games + missing == 100_000
    assert (f"{games:,} games: " in output) == bool(games)


def test_ctrl_c_keeps_the_leaves_learned_so_far(tmp_path: Path) -> None:
    file = tmp_path / "leaves.npz"
    status, seconds, _, errors = interrupted(
        ["fribble", "learn-leaves", str(file), "--games", "10", "--rounds", "100000"], 0.0, until=file
    )
    assert status == 130, errors
    assert "Traceback" not in errors
    assert seconds < SOON
    again = re.search(r"--begin (\S+) --rounds (\d+)", errors)
    assert again, errors
    assert again[1] == str(file)
    assert int(again[2]) < 100_000
    assert load_leaves(file).weights.any()
    result = runner.invoke(
        app, ["fribble", "learn-leaves", str(file), "--begin", str(file), "--games", "5", "--rounds", "1"]
    )
    assert result.exit_code == 0, result.output


def interrupted(arguments: list[str], after: float, until: Path | None = None) -> tuple[int, float, str, str]:
    """Send Ctrl+C as a terminal does, to all processes of a command, once it has several.

    Return the exit status, the seconds until all have ended, and the output.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "app.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as command:
        children = Path(f"/proc/{command.pid}/task/{command.pid}/children")
        end = time.monotonic() + 120
        while len(children.read_text().split()) < 2 or not (until is None or until.exists()):
            assert time.monotonic() < end
            assert command.poll() is None, command.communicate()
            time.sleep(0.01)
        time.sleep(after)
        os.killpg(command.pid, signal.SIGINT)
        began = time.monotonic()
        output, errors = command.communicate(timeout=60)  # its processes hold the pipes open, too
    return command.returncode, time.monotonic() - began, output, errors
