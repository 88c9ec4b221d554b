"""Which tests take long, and why: the markers, and the files and folders of ``tests`` that bear them.

``make quick`` runs what bears none of them.
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
        "games/boggle/test_search.py",
        "games/boggle/test_solver.py",
        "games/boggle/test_study.py",
        "games/fribble/test_bot.py",
        "games/fribble/test_endgame.py",
        "games/fribble/test_inference.py",
        "games/fribble/test_movegen.py",
        "games/letterpress/test_late_positions.py",
        "games/letterpress/test_solver.py",
        "games/test_adversaries.py",
        "games/test_rules.py",
        "games/wibble/test_tracing.py",
        "store/test_every_game.py",
        "web/test_fuzzing.py",
        "web/test_long_game.py",
    ),
    "kill": (
        "cli/test_admin.py",
        "cli/test_cli.py",
        "cli/test_interrupts.py",
        "cli/test_play.py",
        "cli/test_remote_play.py",
        "games/test_kernel.py",
        "games/test_kernel_cache.py",
        "store/test_migrations.py",
        "test_wheel.py",
        "web/test_faults.py",
        "web/test_flood.py",
        "web/test_kills.py",
        "web/test_live.py",
        "web/test_memory.py",
        "web/test_news.py",
        "web/test_served_limits.py",
        "web/test_starting.py",
        "web/test_stopping.py",
        "web/test_storage.py",
        "web/test_survival.py",
        "web/test_watching.py",
        "web/test_workers.py",
    ),
}
"""What each marker means is in ``pyproject.toml``."""
_MARKER_OF: Final = {TESTS / path: marker for marker, paths in MARKED.items() for path in paths}


def mark(items: list[pytest.Item]) -> None:
    """Give each test the marker of its file, or of the folder that it is in."""
    for item in items:
        for place in (item.path, item.path.parent):
            if place in _MARKER_OF:
                item.add_marker(_MARKER_OF[place])
