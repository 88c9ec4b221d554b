"""Markers of slow tests, by reason, and the tests, files and folders that have them.

``make quick`` runs the tests without a marker.
"""

from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parent
MARKED: Final = {
    "browser": ("browser",),
    "campaign": (
        "cli/test_boggle_generate.py",
        "cli/test_fribble_match.py",
        "games/boggle/test_generators.py",
        "games/boggle/test_published_study.py",
        "games/boggle/test_search.py",
        "games/boggle/test_solver.py",
        "games/fribble/test_bot.py",
        "games/fribble/test_endgame.py",
        "games/fribble/test_inference.py",
        "games/fribble/test_movegen.py",
        "games/fribble/test_preendgame.py",
        "games/letterpress/test_compiled_search.py",
        "games/letterpress/test_late_positions.py",
        "games/letterpress/test_placements.py",
        "games/letterpress/test_solver.py",
        "games/letterpress/test_stopped_search.py",
        "games/letterpress/test_territory.py",
        "games/scrabblet/test_solver.py::test_a_hand_has_the_words_that_brute_force_finds_in_the_whole_lexicon",
        "games/test_adversaries.py",
        "games/test_rules.py",
        "games/wibble/test_adventure.py::test_a_few_levels_measured_again_are_as_hard_as_stored",
        "games/wibble/test_bot.py::test_each_level_scores_more_than_the_one_below",
        "games/wibble/test_tracing.py",
        "store/test_every_game.py",
        "web/test_fuzzing.py",
        "web/test_long_game.py",
        "web/test_privacy.py",
        "web/test_replays.py::test_every_position_is_as_the_game_was_played",
    ),
    "kill": (
        "web/test_notifications.py::test_a_kill_loses_no_message",
        "cli/test_admin.py",
        "cli/test_cli.py",
        "cli/test_interrupts.py",
        "cli/test_play.py",
        "cli/test_output.py",
        "cli/test_remote_play.py",
        "client/test_api.py::test_a_server_that_asks_for_patience_is_asked_again",
        "client/test_events.py",
        "games/test_kernel.py",
        "games/test_kernel_cache.py",
        "sixth_room/test_ghost.py::test_it_is_played_in_the_terminal",
        "sixth_room/test_ghost.py::test_it_is_served_by_the_command",
        "store/test_migrations.py",
        "test_wheel.py",
        "web/test_connections.py",
        "web/test_faults.py",
        "web/test_flood.py",
        "web/test_kills.py",
        "web/test_live.py",
        "web/test_memory.py",
        "web/test_reconnecting.py",
        "web/test_readiness.py",
        "web/test_served_limits.py",
        "web/test_starting.py",
        "web/test_stopping.py",
        "web/test_storage.py",
        "web/test_durability.py",
        "web/test_metrics.py",
        "web/test_workers.py",
    ),
}
"""Test paths by marker; ``pyproject.toml`` describes the markers."""
_MARKER_OF: Final = {path: marker for marker, paths in MARKED.items() for path in paths}


def place_of(item: pytest.Item) -> str | None:
    """The entry of ``MARKED`` for the test: its own, or that of its file or folder."""
    path, name = item.path.relative_to(TESTS), getattr(item, "originalname", item.name)
    places = (f"{path.as_posix()}::{name}", path.as_posix(), path.parent.as_posix())
    return next((place for place in places if place in _MARKER_OF), None)


def mark(items: list[pytest.Item]) -> None:
    """Give each test its own marker, or that of its file or folder."""
    for item in items:
        place = place_of(item)
        if place is not None:
            item.add_marker(_MARKER_OF[place])


def put_long_first(items: list[pytest.Item]) -> None:
    """Put browser tests first, then other files with a marker, so that no slow file runs last."""
    first = dict.fromkeys((item.path for item in items), len(MARKED))
    for item in items:
        for mark in item.iter_markers():
            if mark.name in MARKED:
                first[item.path] = min(first[item.path], mark.name != "browser")
    items.sort(key=lambda item: first[item.path])
