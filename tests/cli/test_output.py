"""Tables are complete in a pipe, and every command that prints one has --json."""

import json
import shutil
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.commands.root import app
from app.games.boggle.puzzles import BogglePuzzles
from app.games.boggle.rules import Boggle
from app.games.puzzles import make
from app.rooms import ROOMS
from app.rooms.boggle import api as boggle
from app.rooms.boggle import generate_api as boggle_generate
from app.rooms.fribble import api as fribble
from app.rooms.letterpress import api as letterpress
from app.rooms.scrabblet import api as scrabblet
from app.rooms.wibble import api as wibble
from app.store.circles import Circles
from app.store.database import Database
from app.store.games import GameStore
from app.store.moderation import Moderation
from app.store.operators import Operators
from app.store.players import PlayerStore
from app.store.reports import Reports, Subject
from app.store.sanctions import Sanctions
from app.web.model import Documented
from app.web.site import words_api
from app.words.lexicon import Lexicon
from tests.cli.command_list import leaves
from tests.cli.shells import recorded
from tests.games.fribble.test_gcg import OPENING
from tests.store.driver import AT, open_wibble

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
    "puzzles make": "prints puzzles as JSON already",
    "words add": "writes a file",
    "words install-meanings": "writes files",
    "admin export": "prints a record, which is for programs already",
    "admin backup": "writes a file",
    "admin copy-sqlite": "fills a database",
}
WHY = ("--reason", "asked to", "--")
ARGUMENTS = {
    "boggle solve": ["pers latg sine ters", "--limit", "5"],
    "boggle generate": ["--seed", "a", "--count", "2", "--words", "3"],
    "boggle climb": ["--seed", "a", "--seconds", "0.2"],
    "boggle study": ["--boards", "20", "--algorithms", "trip,greedy-cad,greedy-dcad", "--workers", "1"],
    "fribble presets": [],
    "fribble match": ["greedy", "static", "--games", "2"],
    "fribble analyse": ["{gcg}", "--seconds", "0"],
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
    "puzzles verify": ["{puzzles}"],
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
    "admin ratings rebuild": [],
    "admin audit": [],
    "admin reports list": [],
    "admin reports dismiss": [*WHY, "{report}"],
    "admin operators add": ["Grace"],
    "admin operators list": [],
    "admin operators remove": ["Hopper"],
    "admin players find": ["ada"],
    "admin players rename": [*WHY, "{ada}"],
    "admin players mute": ["--for-good", *WHY, "{ada}"],
    "admin players suspend": ["--for-good", *WHY, "{ada}"],
    "admin players lift": [*WHY, "{bob}", "mute"],
    "admin players erase": ["--yes", *WHY, "{ada}"],
    "admin rename-circle": [*WHY, "{circle}"],
    "admin remove-game": [*WHY, "{game}"],
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
EMPTY = {"words review": "no votes yet", "admin ratings rebuild": "none"}
ADDED = {"words check": {"family"}}
"""Keys that only the command line prints."""
WITH_JSON = sorted(set(leaves()) - set(WITHOUT_TABLES))


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIBBLE_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def names(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Data for commands that read the store: the players Ada and Bob (muted), a circle and a game."""
    name = request.node.callspec.params["name"]
    if name == "puzzles verify":
        return {"puzzles": str(_puzzle_file(tmp_path, request.getfixturevalue("lexicon")))}
    if name == "fribble analyse":
        file = tmp_path / "game.gcg"
        file.write_text(OPENING)
        return {"gcg": str(file)}
    if not name.startswith(("admin ", "words review")):
        return {}
    (tmp_path / "data").mkdir()
    database = Database(f"sqlite:///{tmp_path / 'data' / 'wibble.sqlite3'}")
    database.migrate()
    players = PlayerStore(database)
    ada, bob = players.create(AT), players.create(AT)
    players.rename(ada, "Ada", AT)
    Moderation(database, Sanctions(database)).mute("test", bob, "rude", time.time(), days=None)
    reported = Subject("name", "Ada", ada)
    Reports(database).file(bob, [reported], "offensive", "see", time.time())
    Operators(database).add("Hopper", time.time())
    (report,) = Reports(database).open(1)
    circle = Circles(database).open("Circle", ada, AT)
    table = open_wibble(GameStore(database, ROOMS.rulebook(request.getfixturevalue("library"))), ada)
    database.close()
    return {"ada": ada, "bob": bob, "circle": circle, "game": table.id, "report": report.id}


def _puzzle_file(folder: Path, lexicon: Lexicon) -> Path:
    """A file with a puzzle of Boggle."""
    rules, game = BogglePuzzles(), Boggle(lexicon)
    puzzle = next(found for number in count() for found in make(rules, game, rules.states(game, str(number))))
    file = folder / "puzzles.jsonl"
    file.write_text(puzzle.model_dump_json())
    return file


def printed(name: str, names: dict[str, str], *options: str) -> str:
    arguments = [argument.format(**names) if names else argument for argument in ARGUMENTS[name]]
    result = CliRunner().invoke(app, [*name.split(), *options, *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_only_commands_that_print_no_table_go_without_json() -> None:
    without = {
        name for name, command in leaves().items() if not any("--json" in one.opts for one in command.params)
    }
    assert without == set(WITHOUT_TABLES)


@pytest.mark.parametrize("name", [name for name in WITH_JSON if name != "replay"])
def test_json_is_one_document_named_as_in_the_api(name: str, names: dict[str, str]) -> None:
    document = json.loads(printed(name, names, "--json"))
    assert document or name in EMPTY
    if name not in API:
        return
    first = document[0] if isinstance(document, list) else document
    fields = API[name].model_fields
    assert set(first) <= set(fields) | ADDED.get(name, set())
    assert set(first) >= {key for key, field in fields.items() if field.is_required()} - {"milliseconds"}


# What `boggle climb` finds depends on the time that it has.
@pytest.mark.parametrize("name", [name for name in WITH_JSON if name not in ("replay", "boggle climb")])
def test_a_table_in_a_pipe_is_not_cut_to_the_terminal_width(
    name: str, names: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir(exist_ok=True)
    shapes: list[Any] = []
    for columns in ("30", "300"):
        own = shutil.copytree(tmp_path / "data", tmp_path / columns)
        monkeypatch.setenv("WIBBLE_DATA_DIR", str(own))
        monkeypatch.setenv("COLUMNS", columns)
        text = printed(name, names)
        assert "…" not in text
        shapes.append([line.split()[:1] for line in text.splitlines()])
    assert shapes[0] == shapes[1]


def test_a_record_is_replayed_as_json(tmp_path: Path) -> None:
    recorded(tmp_path / "game.txt", typed="/resign\n")
    result = CliRunner().invoke(app, ["replay", str(tmp_path / "game.txt"), "--json"])
    assert json.loads(result.stdout)["kind"] == "wibble"
