"""`wibble fribble match` and `learn-leaves`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import app
from app.games.fribble.leaves import load_leaves

runner = CliRunner()


def test_a_match_is_told_with_its_errors() -> None:
    result = runner.invoke(app, ["fribble", "match", "static", "greedy", "--games", "4"])
    assert result.exit_code == 0, result.output
    told = " ".join(result.output.split())
    assert "static against greedy, 4 games: " in told
    assert " ± " in told
    assert "turns/s" in told


def test_leaves_are_learned_into_a_file(tmp_path: Path) -> None:
    file = tmp_path / "leaves.npz"
    result = runner.invoke(app, ["fribble", "learn-leaves", str(file), "--games", "5", "--rounds", "1"])
    assert result.exit_code == 0, result.output
    assert load_leaves(file).weights.any()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["match", "static", "clever"], "there are greedy, static, simulating"),
        (["match", "static", "greedy", "--preset", "none"], "there are wwf, standard"),
        (["match", "static", "greedy", "--lexicon", "klingon"], "klingon"),
        (["match", "static", "greedy", "--games", "1"], "--games"),
        (["learn-leaves", "leaves.txt"], ".npz"),
    ],
)
def test_what_cannot_be_is_refused(arguments: list[str], told: str) -> None:
    result = runner.invoke(app, ["fribble", *arguments])
    assert result.exit_code == 2
    assert told in " ".join(result.output.replace("│", " ").split())
