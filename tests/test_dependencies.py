"""The application's imports match the package's dependencies, and all of these are pinned."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent


def imported_by(file: Path) -> Iterator[str]:
    """The third-party top-level packages that a file imports, anywhere in it."""
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


def pinned(name: str) -> dict[str, tuple[Requirement, list[str]]]:
    """The requirements of a file by normalised name, each with its hashes."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = {}
    for line in lines:
        pin, *hashes = re.split(r"\s+--hash=", line)
        requirement = Requirement(pin)
        found[normal(requirement.name)] = requirement, [one.strip() for one in hashes]
    assert len(found) == len(lines), "a package is listed twice"
    return found


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_package_is_pinned_to_files_by_their_hashes(name: str) -> None:
    for requirement, hashes in pinned(name).values():
        assert re.fullmatch("==[^*,]+", str(requirement.specifier)), requirement
        assert hashes, requirement
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", one) for one in hashes), requirement
        assert len(set(hashes)) == len(hashes), requirement


def test_files_are_pinned_for_every_platform() -> None:
    """A compiled package has some twenty files: for systems, processors and versions of Python."""
    compiled = {"numpy", "llvmlite", "numba", "sqlalchemy", "pydantic-core", "uvloop", "psycopg-binary"}
    everything = pinned("requirements.txt")
    assert {name for name in compiled if len(everything[name][1]) < 10} == set()


def test_what_is_declared_is_pinned_and_what_serves_is_a_part_of_what_is_tested() -> None:
    serving, everything = pinned("requirements.txt"), pinned("requirements-dev.txt")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    served = [*project["project"]["dependencies"], *project["build-system"]["requires"], "editables"]
    served += [*extras["postgresql"], *extras["redis"]]
    for text in served:
        wanted = Requirement(text)
        requirement, _ = serving[normal(wanted.name)]
        assert wanted.specifier.contains(str(requirement.specifier).removeprefix("==")), requirement
    for text in (one for extra in extras.values() for one in extra if not one.startswith("wibble")):
        wanted = Requirement(text)
        requirement, _ = everything[normal(wanted.name)]
        assert wanted.specifier.contains(str(requirement.specifier).removeprefix("==")), requirement
    for name, (requirement, hashes) in serving.items():
        assert (everything[name][0].specifier, everything[name][1]) == (requirement.specifier, hashes)
