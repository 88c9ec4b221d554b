"""What the application imports is what the package asks for."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parent.parent


def imported_by(file: Path) -> Iterator[str]:
    """The top-level packages that a file imports from elsewhere, anywhere in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        modules: list[str] = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules = [node.module]
        yield from {module.partition(".")[0] for module in modules} - sys.stdlib_module_names - {"app"}


def normal(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def declared() -> set[str]:
    """The distributions of the package and its extras, without what only development needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for name in extras if name != "dev" for one in extras[name])]
    return {normal(re.split(r"[^\w.-]", requirement)[0]) for requirement in wanted}


def test_every_import_is_of_a_declared_dependency() -> None:
    distributions, known = packages_distributions(), declared()
    files = [file for file in (ROOT / "app").rglob("*.py") if file.is_file()]
    assert len(files) > 100
    undeclared = sorted(
        f"{file.relative_to(ROOT)} imports {module}"
        for file in files
        for module in imported_by(file)
        if not known & {normal(name) for name in distributions.get(module, ())}
    )
    assert not undeclared
