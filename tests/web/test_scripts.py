"""The scripts of a page and the modules that it preloads."""

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.resources import resource
from app.rooms import ROOMS
from app.web import files
from app.web.files import VERSION, module_imports
from tests.web.boggle_tables import begin_round, open_board
from tests.web.browsing import HTML, start_versus

STATIC = resource("static")
IMPORT = re.compile(r'\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"', re.MULTILINE)
DYNAMIC_IMPORT = re.compile(r'\bimport\("([^"]+)"\)')
SCRIPTS = sorted(STATIC.glob("*/*.js"))
ENTRIES = sorted(
    {
        path
        for template in resource("templates").rglob("*.html")
        for path in re.findall(r'module_script\("([^"]+)"\)', template.read_text(encoding="utf-8"))
    }
    | {room.study.script for room in ROOMS.values() if room.study is not None and room.study.script}
)


def code_of(script: Path) -> str:
    """The source without comments, as their types also name modules."""
    return re.sub(r"/\*.*?\*/", "", script.read_text(encoding="utf-8"), flags=re.DOTALL)


def imports_of(script: Path) -> set[Path]:
    found = (one or other for one, other in IMPORT.findall(code_of(script)))
    return {(script.parent / path).resolve() for path in found}


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_module_that_a_script_imports_is_preloaded_once(entry: str) -> None:
    script = (STATIC / entry).resolve()
    needed: set[Path] = set()
    waiting = [script]
    while waiting:
        new = imports_of(waiting.pop()) - needed
        needed |= new
        waiting += new
    preloaded = module_imports(entry)
    assert {(STATIC / path).resolve() for path in preloaded} == needed - {script}
    assert len(preloaded) == len(set(preloaded))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: f"{script.parent.name}/{script.name}")
def test_every_imported_module_exists(script: Path) -> None:
    dynamic = {(script.parent / path).resolve() for path in DYNAMIC_IMPORT.findall(code_of(script))}
    for module in imports_of(script) | dynamic:
        assert module.is_file(), module


def test_scripts_come_without_their_comments(client: TestClient) -> None:
    for script in SCRIPTS:
        answer = client.get(f"/static/{VERSION}/{script.relative_to(STATIC)}")
        assert answer.headers["content-type"] == "text/javascript"
        lines = [line for line in code_of(script).splitlines() if not line.strip().startswith("//")]
        assert "".join(answer.text.split()) == "".join("".join(lines).split()), script


def test_no_text_of_a_script_spans_lines() -> None:
    """Scripts are sent without their indentation, which such a text would lose, too."""
    for script in SCRIPTS:
        assert all(line.count("`") % 2 == 0 for line in code_of(script).splitlines()), script


def test_every_script_is_used() -> None:
    # /sw.js loads the worker; templates/base.html loads early.js before all others.
    used = {(STATIC / entry).resolve() for entry in (*ENTRIES, "worker/worker.js", "site/early.js")}
    for script in SCRIPTS:
        used |= imports_of(script)
        used |= {(script.parent / path).resolve() for path in DYNAMIC_IMPORT.findall(code_of(script))}
    assert {script.resolve() for script in SCRIPTS} <= used


def test_a_table_names_each_module_once(client: TestClient) -> None:
    running = open_board(client)
    begin_round(client, running)
    for address in (running, start_versus(client, "friend")):
        page = client.get(address, headers=HTML).text
        named = re.findall(r'rel="modulepreload" href="([^"]+)"', page)
        assert len(named) == len(set(named)) > 0


def test_modules_that_import_each_other_are_listed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "static").mkdir()
    for name, other in (("one", "two"), ("two", "three"), ("three", "one")):
        (tmp_path / "static" / f"{name}.js").write_text(f'import {{\n  x,\n}} from "./{other}.js";\n')
    monkeypatch.setattr(files, "resource", lambda name: tmp_path / name)
    assert module_imports.__wrapped__("one.js") == ("two.js", "three.js")


def test_a_page_names_its_script_and_the_modules_of_it(client: TestClient) -> None:
    page = client.get("/daily", headers=HTML).text
    assert f'<script type="module" src="/static/{VERSION}/site/share.js"></script>' in page
    for module in module_imports("site/share.js"):
        assert f'<link rel="modulepreload" href="/static/{VERSION}/{module}">' in page
