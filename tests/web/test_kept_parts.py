"""Cached parts of pages depend only on their arguments: see ``app.web.templating.kept``."""

from functools import cache

from jinja2 import nodes

from app.resources import resource
from app.web.templating import templates

FOLDER = resource("templates")
NAMES = {str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*.html")}


@cache
def parsed(name: str) -> nodes.Template:
    return templates.env.parse((FOLDER / name).read_text(encoding="utf-8"), name)


def named(template: nodes.Expr) -> set[str]:
    """The templates that an expression may name, by its last constant part: a room may come first."""
    constants = [template] if isinstance(template, nodes.Const) else list(template.find_all(nodes.Const))
    ending = str(constants[-1].value) if constants else ""
    return {name for name in NAMES if name.endswith(ending)}


def imported_alone(name: str) -> set[str]:
    """The macros that a template imports without its context, by the names it uses."""
    importing = [each for each in parsed(name).find_all(nodes.FromImport) if not each.with_context]
    return {each if isinstance(each, str) else each[1] for found in importing for each in found.names}


def rendered_per_page() -> set[str]:
    """The templates whose macros are rendered for every page: pages, parts, and imports with the context."""
    pages = {name for name in NAMES if next(parsed(name).find_all(nodes.Extends), None)}
    included = [each.template for name in NAMES for each in parsed(name).find_all(nodes.Include)]
    imports = [each for name in NAMES for each in parsed(name).find_all(nodes.FromImport)]
    return pages.union(
        *map(named, included), *(named(each.template) for each in imports if each.with_context)
    )


def test_only_macros_that_know_nothing_of_the_page_are_kept() -> None:
    per_page, checked = rendered_per_page(), 0
    for name in NAMES:
        own = set() if name in per_page else {macro.name for macro in parsed(name).find_all(nodes.Macro)}
        for filtered in parsed(name).find_all(nodes.Filter):
            if filtered.name == "kept":
                assert isinstance(filtered.node, nodes.Name)
                assert filtered.node.name in imported_alone(name) | own, f"{filtered.node.name} in {name}"
                checked += 1
    assert checked > 10
