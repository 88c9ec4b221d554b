"""Every kind of game has a terminal, and the displays are consistent."""

import pytest

from app.rooms import ROOMS
from app.terminal.display import AnalysisDisplay


def test_every_kind_of_game_has_a_terminal() -> None:
    assert set(ROOMS.terminals) == set(ROOMS)


@pytest.mark.parametrize("kind", ROOMS)
def test_only_a_display_that_shows_an_analysis_has_one(kind: str) -> None:
    display = ROOMS.terminals[kind].display
    assert hasattr(display, "analysis") == isinstance(display, AnalysisDisplay)
