"""How the texts of pages are set: typographic apostrophes, and no space before a percent sign."""

import re

import pytest

from app.resources import resource
from app.web.templating import templates

NAMES = sorted(str(file.relative_to(resource("templates"))) for file in resource("templates").rglob("*.html"))


def texts(name: str) -> list[str]:
    """What stands between the tags and in the labels of a template, and the texts in its expressions."""
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
