"""The tests that ``make quick`` leaves out exist and have their markers."""

import pytest

from tests.markers import MARKED, TESTS

ROOT = TESTS.parent


def test_every_file_that_bears_a_marker_exists_and_bears_one() -> None:
    paths = [path for marked in MARKED.values() for path in marked]
    for path in paths:
        file, _, test = path.partition("::")
        assert (TESTS / file).exists(), path
        assert not test or f"def {test}(" in (TESTS / file).read_text("utf-8"), path
    assert len(paths) == len(set(paths))


def test_every_marker_is_declared_and_left_out_of_the_quick_run(pytestconfig: pytest.Config) -> None:
    declared = {line.partition(":")[0] for line in pytestconfig.getini("markers")}
    assert set(MARKED) <= declared
    assert f'-m "not ({" or ".join(MARKED)})"' in (ROOT / "Makefile").read_text("utf-8")


def test_a_test_and_whatever_is_in_a_marked_file_or_folder_bears_the_marker(
    request: pytest.FixtureRequest,
) -> None:
    for item in request.session.items:
        test = item.nodeid.removeprefix("tests/").partition("[")[0]
        expected = {
            marker
            for marker, places in MARKED.items()
            if any(test == place or test.startswith((f"{place}/", f"{place}::")) for place in places)
        }
        assert {mark.name for mark in item.iter_markers()} & set(MARKED) == expected, item.nodeid


def test_browser_tests_come_first_and_no_long_file_last(
    request: pytest.FixtureRequest,
) -> None:
    marks: dict[str, set[str]] = {}
    for item in request.session.items:
        marks.setdefault(str(item.path), set()).update(mark.name for mark in item.iter_markers())
    order = [2 if not found & set(MARKED) else "browser" not in found for found in marks.values()]
    assert order == sorted(order)
