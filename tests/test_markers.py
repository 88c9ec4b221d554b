"""What ``make quick`` leaves out is there to be left out."""

from pathlib import Path

import pytest

from tests.markers import MARKED, TESTS

ROOT = TESTS.parent


def test_every_file_that_bears_a_marker_exists_and_bears_one() -> None:
    paths = [path for marked in MARKED.values() for path in marked]
    assert [path for path in paths if not (TESTS / path).exists()] == []
    assert len(paths) == len(set(paths))


def test_every_marker_is_declared_and_left_out_of_the_quick_run(pytestconfig: pytest.Config) -> None:
    declared = {line.partition(":")[0] for line in pytestconfig.getini("markers")}
    assert set(MARKED) <= declared
    assert f'-m "not ({" or ".join(MARKED)})"' in (ROOT / "Makefile").read_text("utf-8")


def test_a_test_in_a_marked_folder_bears_the_marker(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        path = item.path.relative_to(TESTS)
        place = path if path.parts[0] != "browser" else Path("browser")
        expected = {marker for marker, paths in MARKED.items() if place.as_posix() in paths}
        assert {mark.name for mark in item.iter_markers()} & set(MARKED) == expected, item.nodeid
