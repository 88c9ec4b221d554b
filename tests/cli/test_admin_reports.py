"""Reports and operators with ``wibble admin``."""

from urllib.parse import urlsplit

import pytest

from app.store.operators import LINK_SECONDS, Operators
from app.store.reports import Reports, Subject
from tests.cli.test_admin_moderation import AT, Arguments, Shell, shell

__all__ = ["shell"]


def report_ada(shell: Shell) -> Reports:
    """A report on Ada's name by the other, and one on a game."""
    reports = Reports(shell.database)
    reports.file(shell.other, [Subject("name", "Ada", shell.ada)], "offensive", "see", AT)
    reports.file(shell.other, [Subject("game", "Boggle", game_id="g1")], "cheating", None, AT + 60)
    return reports


def test_reports_are_listed_and_dismissed(shell: Shell) -> None:
    reports = report_ada(shell)
    on_ada, on_game = shell.read("reports", "list")
    assert (on_ada["kind"], on_ada["id"], on_game["id"]) == ("player", shell.ada, "g1")
    (first,) = on_ada["reports"]
    assert (first["text"], first["reason"], first["comment"]) == ("Ada", "offensive", "see")
    table = shell.run("reports", "list").stdout
    assert all(each in table for each in (first["id"], "14 November 2023, 22:13", "cheating", "Boggle"))
    done = shell.run("reports", "dismiss", "--reason", "a fine name", "--", first["id"])
    assert done.exit_code == 0, done.output
    assert [each.subject for each in reports.open(9)] == ["game"]
    assert shell.read("audit")[0]["reason"] == "a fine name"


def test_an_action_closes_the_reports(shell: Shell) -> None:
    reports = report_ada(shell)
    done = shell.run("players", "mute", "--days", "3", "--reason", "rude", "--", shell.ada)
    assert done.exit_code == 0, done.output
    assert [each.subject for each in reports.open(9)] == ["game"]


def test_operators_are_added_by_a_link_listed_and_removed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.time", lambda: AT)
    monkeypatch.setenv("WIBBLE_SITE_URL", "https://words.example/")
    added = shell.read("operators", "add", "Grace")
    assert (added["name"], added["expires_at"]) == ("Grace", AT + LINK_SECONDS)
    assert added["link"].startswith("https://words.example/admin/join/")
    assert [each["joined"] for each in shell.read("operators", "list")] == [False]
    token = urlsplit(added["link"]).path.rpartition("/")[2]
    assert Operators(shell.database).join(token, shell.ada, AT) == "Grace"
    table = shell.run("operators", "list").stdout
    assert ("Grace" in table, "link not used yet" in table) == (True, False)
    again = shell.run("operators", "add", "Grace")
    assert (again.exit_code, "operator Grace already" in again.stderr) == (2, True)
    assert shell.run("operators", "remove", "Grace").exit_code == 0
    assert (shell.read("operators", "list"), Operators(shell.database).name_of(shell.ada)) == ([], None)
    log = [(each["action"], each["detail"]) for each in shell.read("audit")]
    assert log == [("remove operator", "Grace"), ("join operators", ""), ("add operator", "Grace")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (lambda _: ["reports", "dismiss", "--reason", "x", "nothing"], "no such open report"),
        (lambda _: ["reports", "dismiss", "--reason", " ", "nothing"], "1 to 200"),
        (lambda _: ["reports", "dismiss", "nothing"], "--reason"),
        (lambda _: ["reports", "list", "--limit", "0"], "--limit"),
        (lambda _: ["operators", "remove", "Nobody"], "no operator 'Nobody'"),
        (lambda _: ["operators", "add", "x" * 33], "1 to 32 characters"),
    ],
)
def test_a_refused_action_changes_nothing(shell: Shell, arguments: Arguments, message: str) -> None:
    report_ada(shell)
    refused = shell.run(*arguments(shell))
    assert refused.exit_code == 2, refused.output
    assert message in " ".join(refused.stderr.replace("│", " ").split())
    assert (shell.read("audit"), shell.read("operators", "list")) == ([], [])
