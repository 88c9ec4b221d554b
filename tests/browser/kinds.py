"""The kinds of games in browser tests, one for each room.

The module of this folder that is named after a room has its ``KIND``; ``tests/test_rooms.py`` reports one
that is missing.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from app.rooms import ROOMS
from tests.browser.kind import Kind

KINDS: Final[dict[str, Kind]] = {
    kind: import_module(f"tests.browser.{kind}").KIND
    for kind in ROOMS
    if Path(__file__).with_name(f"{kind}.py").is_file()
}


def each(condition: Callable[[Kind], bool] = lambda _: True) -> pytest.MarkDecorator:
    """Run a test for each kind that fulfils the condition."""
    found = {name: kind for name, kind in KINDS.items() if condition(kind)}
    return pytest.mark.parametrize("kind", found.values(), ids=found)


EACH_KIND: Final = each()
EACH_MULTIPLAYER_KIND: Final = each(lambda kind: kind.multiplayer)
EACH_TURN_BASED_KIND: Final = each(lambda kind: kind.multiplayer and not kind.queues_words)
ONE_MOVE_AT_A_TIME: Final = each(lambda kind: not kind.queues_words)
