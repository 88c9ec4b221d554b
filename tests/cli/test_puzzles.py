"""`wibble puzzles make` and `verify`."""

import json
import lzma
import os
from errno import ENOSPC
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from unittest.mock import Mock

import pytest
from typer import BadParameter
from typer.testing import CliRunner

from app.commands import puzzles
from app.commands.root import app
from app.games.puzzles import Puzzle, PuzzleRules, read_puzzles
from app.rooms import ROOMS
from app.settings import Settings
from app.store.database import Database
from app.store.games import GameStore
from app.store.models import Seat
from app.store.players import PlayerStore
from app.terminal import arguments
from app.terminal.checkpoint import Checkpoint
from app.terminal.interrupts import INTERRUPTED
from app.words.library import Library
from tests.store.driver import AT


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIBBLE_DATA_DIR", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["puzzles", *arguments])
    return result.exit_code, result.stdout, " ".join(result.stderr.replace("│", " ").split())


def make(*arguments: str) -> tuple[int, str, str]:
    return run("make", "--kind", "scrabblet", "--workers", "1", *arguments)


def test_puzzles_are_lines_of_json_that_verify_and_the_same_for_a_seed(tmp_path: Path) -> None:
    status, made, message = make("--count", "5", "--seed", "a")
    assert status == 0
    assert "5 puzzles of scrabblet" in message
    assert len({json.loads(line)["id"] for line in made.splitlines()}) == 5
    file = tmp_path / "made.jsonl"
    assert make("--count", "5", "--seed", "a", "--out", str(file))[0] == 0
    assert file.read_text() == made
    assert make("--count", "5", "--seed", "b")[1] != made
    assert run("verify", str(file))[:2] == (0, "5 of 5 puzzles verified\n")


def test_a_wrong_puzzle_is_named_with_status_1(tmp_path: Path) -> None:
    first, second = (json.loads(line) for line in make("--count", "2")[1].splitlines())
    second["second_value"] -= 1
    file = tmp_path / "made.jsonl"
    file.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")
    status, output, _ = run("verify", str(file))
    assert status == 1
    assert f"{second['id']}: the second value is" in output
    assert "1 of 2 puzzles verified" in output
    status, output, _ = run("verify", str(file), "--json")
    assert (status, json.loads(output)["verified"]) == (1, 1)


def test_verify_writes_the_recomputed_puzzles_without_those_of_rare_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (json.loads(line) for line in make("--count", "2")[1].splitlines())
    wrong = second | {"second_value": second["second_value"] - 1}
    file, renewed = tmp_path / "made.jsonl", tmp_path / "renewed.jsonl.xz"
    file.write_text(f"{json.dumps(first)}\n{json.dumps(wrong)}\n")
    assert run("verify", str(file), "--out", str(renewed))[0] == 1
    assert [json.loads(line) for line in lzma.decompress(renewed.read_bytes()).splitlines()] == [
        first,
        second,
    ]
    assert run("verify", str(renewed))[:2] == (0, "2 of 2 puzzles verified\n")
    monkeypatch.setattr(PuzzleRules, "is_common", lambda _, puzzle: puzzle.id == first["id"])
    assert run("verify", str(renewed), "--out", str(renewed))[0] == 0
    assert run("verify", str(renewed))[1] == "1 of 1 puzzle verified\n"
    status, _, message = run("verify", str(file), "--out", str(tmp_path / "renewed.jsonl"))
    assert (status, "must end in .xz" in message) == (2, True)


def test_wrong_arguments_have_status_2(tmp_path: Path) -> None:
    status, _, message = run("make", "--kind", "chess")
    assert status == 2
    assert "'chess' has no puzzles; accepted: wibble, letterpress, boggle, fribble, scrabblet" in message
    status, _, message = make("--out", str(tmp_path / "no" / "file"))
    assert (status, "No such file or directory" in message) == (2, True)
    assert make("--lexicon", "klingon")[0] == 2
    assert make("--count", "0")[0] == 2
    broken = tmp_path / "broken.jsonl"
    broken.write_text('\n{"id": "scrabblet-aaaaaaaa"}\n')
    status, _, message = run("verify", str(broken))
    assert (status, "line 2: kind" in message) == (2, True)
    broken.write_text("")
    assert run("verify", str(broken))[0] == 2


def test_finished_games_of_this_server_are_a_source(library: Library) -> None:
    assert make("--from-games")[0] == 2, "there is no game yet"
    database = Database(Settings().store_url)
    database.migrate()
    games = GameStore(database, ROOMS.rulebook(library))
    player = PlayerStore(database).create(AT)
    game = ROOMS.games["scrabblet"]
    racks = [puzzle.position["rack"] for puzzle in read_puzzles(make("--count", "3")[1])]
    for number, rack in enumerate(racks):
        table = games.open("scrabblet", game.setup_type(rack=rack), [Seat(player)], AT)
        games.play(table.id, player, game.resignation, AT + number)
    database.close()
    status, made, message = make("--from-games", "--count", "1000")
    assert status == 0
    assert "there are no more games" in message
    assert [puzzle.position["rack"] for puzzle in read_puzzles(made)] == racks
    assert player not in made


def test_ctrl_c_keeps_what_was_made_for_the_next_run(monkeypatch: pytest.MonkeyPatch) -> None:
    find, found = puzzles.find_puzzles, []

    def interrupted(job: puzzles.Job) -> list[Puzzle]:
        found.append(job)
        if len(found) == 3:
            raise KeyboardInterrupt
        return find(job)

    whole = make("--count", "6")[1]
    monkeypatch.setattr(puzzles, "find_puzzles", interrupted)
    status, made, message = make("--count", "6")
    assert status == INTERRUPTED
    assert "Run the same command again to continue." in message
    assert whole.startswith(made)
    assert make("--count", "6")[1] == whole
    assert found[3] == found[2], "it goes on with the job that was interrupted"


def test_puzzles_kept_by_another_version_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = make("--count", "2")[1]
    monkeypatch.setattr(Checkpoint, "load", lambda _: {"jobs": 9, "puzzles": [{"id": "old"}]})
    assert make("--count", "2")[:2] == (0, whole)


def test_a_file_that_cannot_be_written_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made.jsonl").write_text(make("--count", "1")[1])
    monkeypatch.setattr(puzzles, "puzzle_of", lambda *_: pytest.fail("this is the work"))
    monkeypatch.setattr(puzzles, "find_puzzles", lambda _: pytest.fail("this is the work"))
    beside_nothing = tmp_path / "link.xz"
    beside_nothing.symlink_to("/proc/self/comm")
    for out, reason in ((tmp_path / f"{'x' * 300}.xz", "name too long"), (beside_nothing, "No such file")):
        for command in (("make", "--kind", "scrabblet"), ("verify", str(tmp_path / "made.jsonl"))):
            status, _, message = run(*command, "--out", str(out))
            assert (status, reason in message) == (2, True)


def test_out_may_be_a_link_to_a_file_that_can_be_written(tmp_path: Path) -> None:
    link, target = tmp_path / "link.jsonl", tmp_path / "made.jsonl"
    link.symlink_to(target)
    arguments.check_writable(link)
    assert (link.is_symlink(), target.exists()) == (True, False), "the check leaves nothing"
    assert make("--count", "1", "--out", str(link))[0] == 0
    assert (link.is_symlink(), target.is_symlink(), target.stat().st_size > 0) == (True, False, True)
    astray, loop = tmp_path / "astray", tmp_path / "loop"
    astray.symlink_to(tmp_path / "no" / "file")
    loop.symlink_to(loop)
    for out, reason in ((astray, "No such file or directory"), (loop, "Too many levels of symbolic links")):
        status, _, message = run("make", "--kind", "scrabblet", "--out", str(out))
        assert (status, reason in " ".join(message.split()), out.is_symlink()) == (2, True, True)
    assert not (tmp_path / "no").exists()
    with pytest.raises(BadParameter, match="already exists"):
        arguments.check_savable(astray)  # a game is saved to a new file only, once it is over
    with pytest.raises(BadParameter, match="File name too long"):
        arguments.check_savable(tmp_path / ("x" * 300))


def test_puzzles_that_could_not_be_written_are_kept_for_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Mock(side_effect=OSError(ENOSPC, "No space left"))
    whole = make("--count", "6")[1]
    with monkeypatch.context() as patched:
        patched.setattr(arguments, "write_file", full)
        status, _, message = make("--count", "6", "--out", str(tmp_path / "full.xz"))
    assert (status, "No space left" in message) == (2, True)
    find = Mock(wraps=puzzles.find_puzzles)
    monkeypatch.setattr(puzzles, "find_puzzles", find)
    file = tmp_path / "made.jsonl"
    assert make("--count", "6", "--out", str(file))[0] == 0
    assert (file.read_text(), find.call_count) == (whole, 1)
    monkeypatch.setattr(arguments, "write_file", full)
    status, _, message = run("verify", str(file), "--out", str(tmp_path / "full.xz"))
    assert (status, "No space left" in message) == (2, True)


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    arguments.write_out(pipe, b"puzzles")
    assert (os.read(reader, 10), pipe.is_fifo()) == (b"puzzles", True)
    os.close(reader)


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file, link = tmp_path / "made.jsonl", tmp_path / "link"
    link.symlink_to(file)
    file.write_text("before")
    file.chmod(0o640)
    limits = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (10, limits[1]))
    try:
        with pytest.raises(BadParameter, match="File too large"):
            arguments.write_out(link, b"longer than ten")
    finally:
        setrlimit(RLIMIT_FSIZE, limits)
    assert (file.read_text(), set(tmp_path.iterdir())) == ("before", {file, link})
    arguments.write_out(link, b"after")
    assert (link.is_symlink(), file.read_text(), file.stat().st_mode & 0o777) == (True, "after", 0o640)
    (tmp_path / "plain").touch()
    arguments.write_out(tmp_path / "new", b"")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_more_processes_make_the_same_puzzles() -> None:
    alone = make("--count", "4")[1]
    together = run("make", "--kind", "scrabblet", "--workers", "2", "--count", "4")
    assert together[0] == 0, together[2]
    assert together[1] == alone
