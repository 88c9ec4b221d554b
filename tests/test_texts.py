"""Typography of the pages' texts, and the documentation of every setting."""

import re
from pathlib import Path

import pytest

from app.resources import resource
from app.settings import Settings
from app.web.templating import templates

NAMES = sorted(str(file.relative_to(resource("templates"))) for file in resource("templates").rglob("*.html"))


def texts(name: str) -> list[str]:
    """The texts of a template: between its tags, in its labels and in its expressions."""
    source = (resource("templates") / name).read_text()
    tokens = list(templates.env.lex(source, name))
    markup = "".join(value for _, kind, value in tokens if kind == "data")
    labels = re.findall(r'(?:aria-label|placeholder|title|content)="([^"]*)"', markup)
    quoted = [value[1:-1] for _, kind, value in tokens if kind == "string"]
    return [re.sub(r"<[^>]*>", " ", markup), *labels, *quoted]


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_set_alike(name: str) -> None:
    for text in texts(name):
        assert not re.search(r"\w'\w", text), "a straight apostrophe"
        assert not re.search(r"\d\s+%", text), "a space before the percent sign"
    source = (resource("templates") / name).read_text()
    assert not re.search(r"\}\}(</b>)? %(?!})", source), "a space before the percent sign"


def test_the_operators_guide_names_every_setting_and_no_other() -> None:
    guide = (Path(__file__).parents[1] / "docs" / "operations.md").read_text(encoding="utf-8")
    tables = "\n".join(re.findall(r"^\| .*\|$", guide, re.MULTILINE))
    named = set(re.findall(r"\bWIBBLE_[A-Z_]*[A-Z]\b", tables)) - {"WIBBLE_RATE"}
    for name, rest in re.findall(r"`(WIBBLE_\w+)_PER_PLAYER`, `(_PER_ADDRESS)`", tables):
        named.add(name + rest)
    assert named == {f"WIBBLE_{name.upper()}" for name in Settings.model_fields}
