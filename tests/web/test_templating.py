"""The cache of compiled templates: used if valid, rebuilt if not, and optional."""

import os
import shutil
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from jinja2 import DictLoader, Environment, FileSystemLoader

from app.web.templating import CompiledTemplates, load_templates, templates
from tests.damage import damage

ATTACKS: Final = int(os.environ.get("WIBBLE_TEST_ATTACKS", "40"))
TEMPLATE: Final = "{% for word in words %}{{ loop.index }}. {{ word | upper }} {% endfor %}"
PAGE: Final = "1. QI 2. ZAX "


def rendered(folder: Path, template: str = TEMPLATE) -> tuple[str, int]:
    """Render a page as a new process would, with this cache folder; return it and the number compiled."""
    compiled = 0

    class Counting(Environment):
        def compile(self, *arguments: Any, **named: Any) -> Any:
            nonlocal compiled
            compiled += 1
            return super().compile(*arguments, **named)

    environment = Counting(
        loader=DictLoader({"page.html": template}), bytecode_cache=CompiledTemplates(folder)
    )
    return environment.get_template("page.html").render(words=["qi", "zax"]), compiled


def test_a_template_is_compiled_once(tmp_path: Path) -> None:
    assert [rendered(tmp_path) for _ in range(3)] == [(PAGE, 1), (PAGE, 0), (PAGE, 0)]


def test_a_changed_template_is_compiled_again(tmp_path: Path) -> None:
    rendered(tmp_path)
    assert rendered(tmp_path, "{{ words | length }}") == ("2", 1)


def test_a_damaged_compiled_template_is_never_used(tmp_path: Path) -> None:
    whole, other, folder = tmp_path / "whole", tmp_path / "other", tmp_path / "cache"
    rendered(whole)
    rendered(other, "{{ words | length }}")
    for seed in range(ATTACKS):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        damage(folder, Random(seed), other)
        assert rendered(folder) == (PAGE, 1), seed
        assert rendered(folder) == (PAGE, 0), seed


def test_without_a_folder_to_write_to_pages_are_shown_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    assert rendered(file) == rendered(file) == (PAGE, 1)
    assert file.read_text() == "not a folder"


def test_a_faulty_template_does_not_keep_the_others_from_being_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {"a_fault.html": "{% for %}", "sound.html": "QI", "notes.bin": "\x00"}.items():
        (tmp_path / name).write_text(text)
    environment = Environment(loader=FileSystemLoader(tmp_path), autoescape=True)
    monkeypatch.setattr(templates, "env", environment)
    load_templates()
    assert environment.cache is not None
    assert [name for _, name in environment.cache] == ["sound.html"]
