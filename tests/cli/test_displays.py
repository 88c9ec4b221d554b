"""Every kind of game has a display, and the displays are consistent."""

import pytest

from app.commands.displays import DISPLAYS
from app.rooms import ROOMS
from app.terminal.display import AnalysisDisplay


def test_every_kind_of_game_has_a_display() -> None:
    assert set(DISPLAYS) == set(ROOMS)


@pytest.mark.parametrize("kind", DISPLAYS)
def test_only_a_display_that_shows_an_analysis_has_one(kind: str) -> None:
    display = DISPLAYS[kind]
    assert hasattr(display, "analysis") == isinstance(display, AnalysisDisplay)
    if isinstance(display, AnalysisDisplay):
        assert display.analysis_type.model_fields
