"""Moderation with ``wibble admin``."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner, Result

from app.commands.root import app
from app.store.circles import Circles
from app.store.database import Database
from app.store.players import PlayerStore
from app.store.sanctions import Sanctions

AT = 1_700_000_000.0


class Shell(NamedTuple):
    """A shell beside a store with the players Ada and Ada Two."""

    folder: Path
    database: Database
    ada: str
    other: str

    def run(self, *arguments: str, given: str | None = None) -> Result:
        return CliRunner().invoke(
            app, ["admin", *arguments], input=given, env={"WIBBLE_DATA_DIR": str(self.folder)}
        )

    def read(self, *arguments: str) -> Any:
        options = arguments.index("--") if "--" in arguments else len(arguments)
        result = self.run(*arguments[:options], "--json", *arguments[options:])
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    def name(self, player: str) -> str | None:
        found = self.read("players", "find", "--", player)
        name: str | None = found[0]["name"]
        return name

    def kinds(self, at: float = AT) -> list[str]:
        return [each.kind for each in Sanctions(self.database).of_player(self.ada, at)]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    tmp_path.mkdir(exist_ok=True)
    database = Database(f"sqlite:///{tmp_path / 'wibble.sqlite3'}")
    database.migrate()
    players = PlayerStore(database)
    ada, other = players.create(AT), players.create(AT)
    players.rename(ada, "Ada", AT)
    players.rename(other, "Ada Two", AT)
    return Shell(tmp_path, database, ada, other)


def test_a_player_is_found_muted_and_has_the_name_again(shell: Shell) -> None:
    assert [each["id"] for each in shell.read("players", "find", "ada")] == [shell.ada, shell.other]
    muted = shell.run("players", "mute", "--days", "3", "--reason", "rude", "--", shell.ada)
    assert (muted.exit_code, "mute: " in muted.stdout) == (0, True)
    assert (shell.name(shell.ada), shell.name(shell.other)) == (None, "Ada Two")
    assert shell.kinds() == ["mute"]
    assert "mute" in shell.run("players", "find", "--", shell.ada).stdout
    lifted = shell.run("players", "lift", "--reason", "said sorry", "--", shell.ada, "mute")
    assert lifted.exit_code == 0, lifted.output
    assert (shell.name(shell.ada), shell.kinds()) == ("Ada", [])
    log = shell.read("audit")
    kept = [(each["operator"], each["action"], each["player_id"], each["reason"]) for each in log]
    assert kept == [
        ("command line", "lift", shell.ada, "said sorry"),
        ("command line", "mute", shell.ada, "rude"),
    ]
    assert [each["action"] for each in shell.read("audit", "--before", str(log[0]["number"]))] == ["mute"]
    assert "said sorry" in shell.run("audit").stdout
    assert shell.run("audit", "--before", str(10**20)).exit_code == 2


def test_a_name_is_replaced_and_a_player_suspended(shell: Shell) -> None:
    for arguments in (["rename", "--name", "Eve"], ["suspend", "--for-good"]):
        done = shell.run("players", *arguments, "--reason", "x", "--", shell.ada)
        assert done.exit_code == 0, done.output
    assert (shell.name(shell.ada), shell.kinds(time.time())) == ("Eve", ["suspend"])
    removed = shell.run("players", "rename", "--for-good", "--reason", "x", "--", shell.ada)
    assert removed.exit_code == 0, removed.output
    assert (shell.name(shell.ada), shell.kinds()) == (None, ["suspend", "name"])


def test_erasing_asks_for_the_id(shell: Shell) -> None:
    command = ("players", "erase", "--reason", "asked by mail")
    kept = shell.run(*command, "--", shell.ada, given="yes\n")
    assert (kept.exit_code, "nothing was erased" in kept.stderr) == (2, True)
    assert shell.name(shell.ada) == "Ada"
    done = shell.run(*command, "--", shell.ada, given=f"{shell.ada}\n")
    assert done.exit_code == 0, done.output
    assert shell.run(*command, "--yes", "--", shell.other).exit_code == 0
    assert shell.read("players", "find", "Ada") == []


def test_a_circle_is_renamed(shell: Shell) -> None:
    circle = Circles(shell.database).open("Rude", shell.other, AT)
    done = shell.run("rename-circle", "--name", "Polite", "--reason", "rude", "--", circle)
    assert done.exit_code == 0, done.output
    assert shell.read("audit")[0]["circle_id"] == circle
    assert Circles(shell.database).read(circle, shell.other).name == "Polite"


Arguments = Callable[[Shell], list[str]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (lambda _: ["players", "find", "nobody"], "no player found"),
        (lambda _: ["players", "mute", "--days", "1", "--reason", "x", "Ada"], "no such player"),
        (lambda _: ["players", "mute", "--days", "1", "--reason", "x", "game/0"], "no player sits"),
        (lambda on: ["players", "mute", "--reason", "x", "--", on.ada], "either --days or --for-good"),
        (
            lambda on: ["players", "suspend", "--days", "1", "--for-good", "--reason", "x", "--", on.ada],
            "either --days or --for-good",
        ),
        (lambda on: ["players", "mute", "--days", "0", "--reason", "x", "--", on.ada], "--days"),
        (lambda on: ["players", "mute", "--days", "1", "--", on.ada], "--reason"),
        (lambda on: ["players", "mute", "--days", "1", "--reason", " ", "--", on.ada], "1 to 200"),
        (lambda on: ["players", "mute", "--days", "1", "--reason", "x" * 201, "--", on.ada], "1 to 200"),
        (
            lambda on: ["players", "rename", "--days", "1", "--for-good", "--reason", "x", "--", on.ada],
            "not both",
        ),
        (lambda on: ["players", "rename", "--name", "x" * 99, "--reason", "x", "--", on.ada], "name"),
        (lambda on: ["players", "lift", "--reason", "x", "--", on.ada, "mute"], "no mute to undo"),
        (lambda on: ["players", "lift", "--reason", "x", "--", on.ada, "nothing"], "nothing"),
        (lambda _: ["rename-circle", "--reason", "x", "nowhere"], "no such circle"),
        (lambda _: ["remove-game", "--reason", "x", "nosuchgame"], "no game 'nosuchgame'"),
        (lambda _: ["audit", "--limit", "0"], "--limit"),
    ],
)
def test_a_refused_action_changes_nothing(shell: Shell, arguments: Arguments, message: str) -> None:
    refused = shell.run(*arguments(shell))
    assert refused.exit_code == 2, refused.output
    assert message in " ".join(refused.stderr.replace("│", " ").split())
    assert (shell.read("audit"), shell.kinds(), shell.name(shell.ada)) == ([], [], "Ada")
