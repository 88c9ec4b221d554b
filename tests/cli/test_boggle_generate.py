"""`wibble boggle generate`, `climb` and `study`."""

import csv
import json
import re
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.commands.root import app
from app.games.boggle.climb import climb
from app.games.boggle.published_study import Chunk
from app.games.boggle.solver import solver_of
from app.rooms.boggle.commands import measure
from app.rooms.boggle.commands import study as boggle_study
from app.rooms.boggle.commands.climb import Search, climb_in_worker
from app.rooms.boggle.commands.measure import measure_on_cluster
from app.settings import Settings

WORDS = "stone stones tones notes tone note one ones onset set sets ten tens net nets son sent nest nests eon"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate installation with a small word list besides the shipped one."""
    monkeypatch.setenv("WIBBLE_DATA_DIR", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "small.txt").write_text("\n".join(WORDS.split()))
    assert run_status("words", "add", "small", str(tmp_path / "small.txt")) == 0
    return tmp_path


def run_status(*arguments: str) -> int:
    return CliRunner().invoke(app, arguments).exit_code


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["boggle", *arguments])
    return result.exit_code, " ".join(result.output.split())


def test_generate_shows_boards_and_their_words() -> None:
    status, output = run("generate", "--size", "3x5", "--count", "2", "--seed", "a", "--words", "3")
    assert status == 0
    assert output.count(" points") == 2
    assert "trip, seed a" in output
    assert (status, output) == run("generate", "--size", "3x5", "--count", "2", "--seed", "a", "--words", "3")


def test_generate_makes_boards_to_measure() -> None:
    status, output = run(
        *["generate", "--algorithm", "target", "--word", "puzzle", "--max-words", "60", "--words", "60"],
        *["--budget-ms", "10000", "--seed", "a"],
    )
    assert status == 0
    assert " puzzle " in output


ONE_BOARD = ("study", "--boards", "1", "--algorithms", "rnd", "--lexicon", "small", "--workers", "1")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["generate", "--size", "12"], "each side must be from 2 to 8"),
        (["generate", "--algorithm", "best"], "there are rnd, vcr, freq"),
        (["generate", "--algorithm", "rnd", "--decay", "0.5"], "rnd takes no decay"),
        (["generate", "--lexicon", "nope"], "there is no lexicon named 'nope'"),
        (["generate", "--min-words", "5000", "--budget-ms", "20"], "board with 5,000 words or more"),
        (["generate", "--algorithm", "target", "--word", "qat", "--qu"], "every q is a Qu face"),
        (["climb", "--aim", "fun"], "accepted: points, words"),
        (["climb", "--size", "four"], "accepted: 4 (a square), or 4x5"),
        (["study", "--algorithms", "rnd,best"], "unknown algorithm 'best'"),
        (["study", "--algorithms", ","], "name at least one of"),
        (["study", "--vowels", "few"], "'few' is invalid; accepted: numbers such as 7, 4-10 or 2,4,8"),
        (["study", "--vowels", "9-4"], "'9-4' is invalid"),
        (["study", "--size", "3", "--vowels", "0-10"], "10 is out of range; accepted: 0 to 9"),
        (["study", "--seeds", "0-3"], "0 is out of range; accepted: 1 to 16"),
        (["study", "--seeds", "2", "--averages", "a.toml"], "averages need algorithms"),
        (["study", "--size", "1"], "each side must be from 2 to 8"),
        (["study", "--csv", "nowhere/at/all.csv"], "the folder nowhere/at does not exist"),
        ([*ONE_BOARD, "--csv", "/"], "for --csv: /: Is a directory"),
        ([*ONE_BOARD, "--averages", "/"], "for --averages: /: Is a directory"),
        ([*ONE_BOARD, "--plots", __file__], "test_boggle_generate.py is not a folder"),
    ],
)
def test_bad_arguments_exit_with_status_2(arguments: list[str], says: str) -> None:
    status, output = run(*arguments)
    assert status == 2
    assert says in " ".join(output.replace("│", " ").split())


def test_climb_lists_the_best_of_different_boards() -> None:
    status, output = run("climb", "--size", "2x3", "--seconds", "0.3", "--lexicon", "small", "--seed", "a")
    assert status == 0
    assert re.search(r"\b(1 run|\d+ runs) of up to", output)


def test_a_climb_with_minutes_can_be_resumed_after_its_time_is_up() -> None:
    command = ("climb", "--size", "2x3", "--minutes", "0.01", "--aim", "words", "--lexicon", "small")
    parts = []
    for _ in range(2):
        status, text = run(*command, "--seed", "night", "--json")
        assert status == 0
        parts.append(json.loads(text))
    first, second = parts
    assert first["complete"]
    assert second["runs"] > first["runs"] > 0
    assert second["boards"][0]["word_count"] >= first["boards"][0]["word_count"] > 0


def test_a_worker_process_makes_the_same_climb_from_the_same_seed() -> None:
    lexicon = Settings().library().load("small")
    search = Search("small", lexicon.sha256, 2, 3, qu=True, aim="points", seed="night")
    found = climb_in_worker((search, 5, time.time() + 1000))
    here = climb(solver_of(lexicon, qu=True), 3, 2, "night/5")
    assert found.complete
    assert (found.board.tolist(), found.points) == (here.board.tolist(), here.points)
    assert not climb_in_worker((search, 6, time.time() - 1)).complete


def test_a_climb_ends_at_the_board_that_was_asked_for() -> None:
    status, text = run(
        *("climb", "--size", "3", "--until", "10", "--seconds", "100", "--lexicon", "small", "--seed", "a"),
        *("--limit", "1", "--json"),
    )
    assert status == 0
    found = json.loads(text)
    assert found["boards"][0]["points"] >= 10
    assert found["best_after_seconds"] < 100


@pytest.mark.parametrize("workers", ["1", "2"])
def test_study_prints_and_writes_its_table(home: Path, workers: str) -> None:
    pytest.importorskip("matplotlib")
    written = {"--csv": home / "table.csv", "--averages": home / "averages.toml", "--plots": home / "plots"}
    status, output = run(
        *["study", "--boards", "2500", "--algorithms", "freq,greedy-cad,climb", "--lexicon", "small"],
        *["--workers", workers, "--seed", "a"],
        *(str(part) for option in written.items() for part in option),
    )
    assert status == 0, output
    assert "405.49" not in output, "published for another list"
    assert "there are none for other lists and sizes" in " ".join(output.split())
    rows = list(csv.DictReader(written["--csv"].open()))
    assert [row["algorithm"] for row in rows] == ["freq", "greedy-cad", "climb"]
    assert [row["boards"] for row in rows] == ["2500", "2500", "25"]
    assert float(rows[0]["points"]) < float(rows[1]["points"]) < float(rows[2]["points"])
    kept = tomllib.loads(written["--averages"].read_text())
    assert kept["freq"]["points"] == pytest.approx(float(rows[0]["points"]), abs=0.01)
    assert {file.name for file in written["--plots"].iterdir()} == {
        "averages.svg",
        "distribution.svg",
        "adjacency.svg",
    }


def test_published_averages_are_shown_for_the_word_list_of_the_published_study(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Treat the small list as that of the published study."""
    monkeypatch.setattr(boggle_study, "has_published", lambda *_: True)
    status, output = run(
        "study", "--boards", "100", "--algorithms", "freq", "--lexicon", "small", "--workers", "1"
    )
    assert (status, "405.49" in output) == (0, True)


def test_study_repeats_the_two_tuning_experiments(home: Path) -> None:
    pytest.importorskip("matplotlib")
    table, plots = home / "table.csv", home / "plots"
    status, output = run(
        *["study", "--vowels", "3,5-6", "--seeds", "1-2,16", "--boards", "2500", "--lexicon", "small"],
        *["--workers", "1", "--csv", str(table), "--plots", str(plots)],
    )
    assert status == 0, output
    assert "Algorithm" not in output, "no algorithm is studied unless it is named"
    assert output.index("constant number of vowels") < output.index("initial seed of n letters")
    rows = list(csv.DictReader(table.open()))
    assert [(row["algorithm"], row["vowels"], row["seeds"]) for row in rows] == [
        *(("7freq", vowels, "") for vowels in ("3", "5", "6")),
        *(("adj", "", seeds) for seeds in ("1", "2", "16")),
    ]
    assert {row["boards"] for row in rows} == {"2500"}
    for option, of_option in (("vowels", rows[:3]), ("seeds", rows[3:])):
        best = {
            measure: max(of_option, key=lambda row: float(row[measure]))[option]
            for measure in ("path_points", "points")
        }
        verdict = (
            f"Most points with {option} = {best['path_points']} counting paths, "
            f"{best['points']} as the game counts"
        )
        assert verdict in " ".join(output.split())
    assert {file.name for file in plots.iterdir()} == {"vowels.svg", "seeds.svg"}


def test_a_tuning_experiment_can_be_combined_with_algorithms(home: Path) -> None:
    table = home / "table.csv"
    arguments = ["--algorithms", "freq,adj", "--seeds", "1,16", "--boards", "2500", "--lexicon", "small"]
    status, output = run("study", *arguments, "--workers", "1", "--csv", str(table))
    assert status == 0, output
    rows = [{**row, "microseconds": "", "seeds": ""} for row in csv.DictReader(table.open())]
    assert [row["algorithm"] for row in rows] == ["freq", "adj", "adj", "adj"]
    unpublished = {"published_path_words": "", "published_path_points": ""}
    assert rows[1] | unpublished == rows[2], "ADJ from one random letter is ADJ"
    assert rows[3]["points"] != rows[2]["points"]


@pytest.fixture
def scheduler(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a Dask cluster of one worker, in this process."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def test_study_gives_the_same_table_on_a_cluster(home: Path, scheduler: str) -> None:
    tables = []
    for option in (["--scheduler", scheduler], ["--workers", "1"]):
        table = home / "table.csv"
        arguments = ["--boards", "2500", "--algorithms", "rnd,cad", "--lexicon", "small", "--csv", str(table)]
        status, output = run("study", *arguments, *option)
        assert status == 0, output
        tables.append([{**row, "microseconds": ""} for row in csv.DictReader(table.open())])
    assert tables[0] == tables[1]


def test_climb_on_a_cluster_can_be_resumed(scheduler: str) -> None:
    command = ("climb", "--size", "2x3", "--minutes", "0.03", "--lexicon", "small", "--seed", "a", "--json")
    parts = []
    for _ in range(2):
        status, text = run(*command, "--scheduler", scheduler)
        assert status == 0, text
        parts.append(json.loads(text))
    first, second = parts
    lexicon = Settings().library().load("small")
    own = climb(solver_of(lexicon), 3, 2, "a/0")
    assert first["boards"][0]["points"] >= own.points > 0
    assert second["runs"] > first["runs"] > 0


def test_a_cluster_worker_gets_the_word_list_with_the_job() -> None:
    text = "".join(f"{word}\n" for word in sorted(WORDS.split())).encode()
    assert measure_on_cluster("elsewhere", text, Chunk("freq", 4, 4, 50, "a")).means["words"] > 0


def test_a_missing_scheduler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(measure, "SCHEDULER_SECONDS", 1)
    status, output = run("study", "--boards", "1", "--lexicon", "small", "--scheduler", "tcp://127.0.0.1:9")
    assert status == 2
    assert "no Dask scheduler at tcp://127.0.0.1:9" in " ".join(output.replace("│", " ").split())
    status, output = run("study", "--boards", "1", "--lexicon", "small", "--scheduler", "none")
    assert (status, "no Dask scheduler at none" in output) == (2, True)
    assert run("climb", "--workers", "99999999999")[0] == 2
