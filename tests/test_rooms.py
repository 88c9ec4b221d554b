"""Every room has all its parts, and no other part of the application names a game."""

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest
from fastapi.testclient import TestClient

import app
from app.resources import resource
from app.rooms import ROOMS
from app.settings import Settings
from app.web.room import REQUIRED_TEMPLATES
from tests.browser.kinds import KINDS
from tests.games.trials import TRIALS
from tests.shared_parts import create_app

APP: Final = Path(app.__file__).parent
WITH_COMMANDS: Final = {"wibble", "letterpress", "boggle", "fribble", "scrabblet"}
ALLOWED: Final = {
    "commands/play.py": "wibble",  # without --server the command plays Wibble, and has its options
    "commands/root.py": "wibble",  # the name of the command
    "client/api.py": "wibble",  # NotWibble, the error for servers of something else
    "settings.py": "wibble",  # the name of the data and cache folders
    "store/migrations/versions/0010_blitz.py": "wibble",  # renames the options of old games
    "web/study/api.py": "fribble",  # the example of a board
}


@pytest.fixture(params=ROOMS)
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_a_room_is_named_after_its_game(kind: str) -> None:
    room = ROOMS[kind]
    assert room.kind == room.game.kind == kind
    assert room.game.__module__ == f"app.games.{kind}.rules"
    assert type(room).__module__ == f"app.rooms.{kind}.room"


def test_a_room_has_texts_and_routes(kind: str) -> None:
    room = ROOMS[kind]
    assert room.title
    assert room.blurb
    assert room.invitation
    assert room.examples
    assert list(room.routers())
    assert bool(room.daily) == bool(room.daily_terms)


def test_a_room_has_a_page_and_its_daily_another(tmp_path: Path, shared_cache: Path) -> None:
    settings = Settings(data_dir=tmp_path, cache_dir=shared_cache)
    addresses = [path for room in ROOMS.values() for path in (room.address, room.daily) if path]
    with TestClient(create_app(settings)) as visitor:
        assert [path for path in addresses if visitor.get(path).status_code != 200] == []


def test_a_room_has_templates(kind: str) -> None:
    folder = resource("templates") / kind
    assert [name for name in REQUIRED_TEMPLATES if not (folder / name).is_file()] == []


def test_a_room_has_rules_and_a_lesson(kind: str) -> None:
    room = ROOMS[kind]
    assert room.has_rules, f"rules() and templates/{kind}/_rules.html are missing"
    assert room.lesson is not None, f"lesson and data/{kind}/lesson.toml are missing"


def test_a_room_has_a_terminal_game(kind: str) -> None:
    assert kind in ROOMS.terminals
    terminal = ROOMS.terminals[kind]
    assert terminal.display
    assert terminal.renderer


def test_a_room_has_commands_that_are_loaded_with_the_group(kind: str) -> None:
    groups = ROOMS.command_groups
    assert set(groups) == WITH_COMMANDS
    if kind in groups:
        module, _, name = groups[kind].source.partition(":")
        assert getattr(import_module(module), name)
        assert groups[kind].help


def test_a_room_is_tried_at_random_and_in_the_browser(kind: str) -> None:
    assert kind in TRIALS, f"tests/games/{kind}/trial.py is missing"
    assert kind in KINDS, f"tests/browser/{kind}.py is missing"


def test_only_games_rooms_and_the_registry_name_a_game() -> None:
    """This applies to names, strings and imports, not to comments and docstrings."""
    kinds = set(ROOMS)
    found = {}
    for file in APP.rglob("*.py"):
        path = file.relative_to(APP)
        if path.parts[0] in ("games", "rooms") and (path.parts[1] in kinds or path.name == "__init__.py"):
            continue
        if names := named_games(file, kinds):
            found[path.as_posix()] = ", ".join(sorted(names))
    assert found == ALLOWED


def named_games(file: Path, kinds: set[str]) -> set[str]:
    """The kinds in strings of one word, identifiers and imports of a module."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Constant(value=str(text)) if text in kinds:
                found.add(text)
            case ast.ImportFrom(module=str(module)):
                found |= kinds & set(module.split("."))
            case ast.Import(names=names):
                found |= kinds & {part for alias in names for part in alias.name.split(".")}
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                found |= kinds & set(re.split(r"_|(?<=[a-z])(?=[A-Z])", name.lower()))
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found |= kinds & set(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()))
    return found
