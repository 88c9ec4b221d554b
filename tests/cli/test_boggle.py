"""`wibble boggle solve`, and the numbers of the study."""

from io import StringIO

import numpy as np
import pytest
import rich
from typer.testing import CliRunner

from app.games.boggle.published_study import MEASURES, Tally, Tuning
from app.rooms.boggle.commands import study
from app.rooms.boggle.commands.group import app
from app.rooms.boggle.commands.tuning import tuning_table

pytestmark = pytest.mark.usefixtures("home")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, " ".join(result.output.split())


def test_solve_lists_the_words_with_their_cells() -> None:
    status, output = run("solve", "perslatgsineters", "--limit", "1")
    assert status == 0
    assert "P E R S L A T G" in output
    assert "alerting 11 5 4 1 2 6 9 10 7" in output
    assert "alieners" not in output
    assert "1,212 words, 4,162 points" in output


def test_solve_applies_qu_min_length_and_paths() -> None:
    status, output = run("solve", "qi", "te", "--qu", "--min-length", "5", "--paths", "all")
    assert status == 0
    assert "Qu I T E" in output
    assert "quiet 2 0 1 3 2" in output
    assert "2 words, 4 points" in output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["abc"], "3 letters do not make a square"),
        (["ab", "c1"], "row 2, column 2 holds '1'"),
        (["qite", "--paths", "some"], "accepted: one, all"),
        (["qite", "--min-length", "1"], "greater than or equal to 2"),
        (["qite", "--lexicon", "nope"], "there is no lexicon named 'nope'"),
        (["seserese" * 8, "--paths", "all"], "up to 50,000 are listed"),
    ],
)
def test_what_cannot_be_solved_is_refused(arguments: list[str], says: str) -> None:
    status, output = run("solve", *arguments)
    assert status == 2
    assert says in " ".join(output.replace("│", " ").split())


def test_means_are_rounded_half_up() -> None:
    ones = np.ones(len(MEASURES))
    eighths = Tally(8, ones, ones, np.zeros(1, np.int64), 0.0)
    assert study._with_error(eighths, "words").startswith("0.13 ± ")
    shown = StringIO()
    rich.print(tuning_table(Tuning("vowels", (5,)), {5: eighths._replace(boards=4)}), file=shown)
    assert "0.3 ± " in shown.getvalue()
