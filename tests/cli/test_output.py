"""Tables are complete in a pipe, and every command that prints one has --json."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.commands.root import app
from app.rooms.boggle import api as boggle
from app.rooms.boggle import generate_api as boggle_generate
from app.rooms.fribble import api as fribble
from app.rooms.letterpress import api as letterpress
from app.rooms.scrabblet import api as scrabblet
from app.rooms.wibble import api as wibble
from app.web.model import Documented
from app.web.site import words_api
from tests.cli.shells import recorded
from tests.cli.walk import leaves

WITHOUT_TABLES = {
    "serve": "a server",
    "warm": "says when it is done",
    "play": "a game",
    "fribble self": "a game",
    "fribble solo": "a game",
    "fribble team": "a shell",
    "fribble study": "a shell",
    "fribble add-preset": "writes a file",
    "fribble learn-leaves": "writes a file",
    "scrabblet deal": "a game",
    "words add": "writes a file",
    "words install-meanings": "writes files",
    "admin export": "prints a record, which is for programs already",
    "admin backup": "writes a file",
}
ARGUMENTS = {
    "boggle solve": ["pers latg sine ters", "--limit", "5"],
    "boggle generate": ["--seed", "a", "--count", "2", "--words", "3"],
    "boggle climb": ["--seed", "a", "--seconds", "0.2"],
    "boggle study": ["--boards", "20", "--algorithms", "trip,greedy-cad,greedy-dcad", "--workers", "1"],
    "fribble presets": [],
    "fribble match": ["greedy", "static", "--games", "2"],
    "letterpress solve": ["horseradishzzzzteamscatzz", "--plies", "1"],
    "letterpress match": ["pip", "moss", "--games", "2"],
    "scrabblet gamesetup": ["--seed", "a", "--count", "3"],
    "scrabblet player": ["ruolfnt", "--min-length", "6"],
    "scrabblet anagrams": ["flour"],
    "scrabblet signature": ["flour"],
    "scrabblet subsets": ["flour"],
    "wibble solve": [
        "wibbl etile schai nword games",
        "--x2",
        "c3",
        "--gems",
        "b1,a2",
        "--round",
        "2",
        "--held",
        "6",
    ],
    "words list": [],
    "words check": ["qi", "quiz"],
    "words anagram": ["retina?", "--min-length", "7"],
    "words hooks": ["lace"],
    "words pattern": ["q[^u]*"],
    "words stems": ["tisane"],
    "words study": ["two-letters"],
    "words stats": [],
    "words define": ["quiz"],
    "words review": [],
    "admin stats": [],
    "admin prune": ["--dry-run"],
}
API: dict[str, type[Documented]] = {
    "boggle solve": boggle.SolveAnswer,
    "boggle generate": boggle_generate.GenerateAnswer,
    "letterpress solve": letterpress.SolveAnswer,
    "fribble presets": fribble.PresetAnswer,
    "scrabblet player": scrabblet.WordsAnswer,
    "scrabblet signature": scrabblet.SignatureAnswer,
    "wibble solve": wibble.SolveAnswer,
    "words list": words_api.LexiconAnswer,
    "words check": words_api.WordAnswer,
}
EMPTY = {"words review": "nobody has voted yet"}
ADDED = {"words check": {"family"}}
"""What the command line tells besides."""
WITH_JSON = sorted(set(leaves()) - set(WITHOUT_TABLES))


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIBBLE_DATA_DIR", str(tmp_path / "data"))


def printed(name: str, *arguments: str) -> str:
    result = CliRunner().invoke(app, [*name.split(), *ARGUMENTS[name], *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_only_commands_that_print_no_table_go_without_json() -> None:
    without = {
        name for name, command in leaves().items() if not any("--json" in one.opts for one in command.params)
    }
    assert without == set(WITHOUT_TABLES)


@pytest.mark.parametrize("name", [name for name in WITH_JSON if name != "replay"])
def test_json_is_one_document_named_as_in_the_api(name: str) -> None:
    document = json.loads(printed(name, "--json"))
    assert document or name in EMPTY
    if name not in API:
        return
    first = document[0] if isinstance(document, list) else document
    fields = API[name].model_fields
    assert set(first) <= set(fields) | ADDED.get(name, set())
    assert set(first) >= {key for key, field in fields.items() if field.is_required()} - {"milliseconds"}


# What `boggle climb` finds depends on the time that it has.
@pytest.mark.parametrize("name", [name for name in WITH_JSON if name not in ("replay", "boggle climb")])
def test_a_pipe_gets_the_whole_table(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[Any] = []
    for columns in ("30", "300"):
        monkeypatch.setenv("COLUMNS", columns)
        text = printed(name)
        assert "…" not in text
        shapes.append([line.split()[:1] for line in text.splitlines()])
    assert shapes[0] == shapes[1]


def test_a_record_is_replayed_as_json(tmp_path: Path) -> None:
    recorded(tmp_path / "game.txt", typed="/resign\n")
    result = CliRunner().invoke(app, ["replay", str(tmp_path / "game.txt"), "--json"])
    assert json.loads(result.stdout)["kind"] == "wibble"
