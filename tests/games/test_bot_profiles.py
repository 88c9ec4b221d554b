"""The names of the bots, the same in all games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.bot_profiles import bot_profiles, thinking_time
from app.rooms import ROOMS

WITH_BOTS = [room.game for room in ROOMS.values() if room.game.bots]


@pytest.mark.parametrize("game", WITH_BOTS, ids=lambda game: game.kind)
def test_the_same_five_play_every_game(game: type) -> None:
    assert game.bots == tuple(profile.name for profile in bot_profiles())  # type: ignore[attr-defined]


def test_every_bot_introduces_itself() -> None:
    lines = [profile.line for profile in bot_profiles()]
    assert len(set(lines)) == 5
    assert all(line.endswith(".") and len(line) <= 60 for line in lines)


@given(level=st.integers(1, 5), tiles=st.integers(0, 49), chance=st.floats(0, 1))
def test_bots_move_within_a_few_seconds(level: int, tiles: int, chance: float) -> None:
    seconds = thinking_time(level, tiles, chance)
    assert 1 <= seconds <= (2 if level <= 2 else 4)
    assert seconds <= thinking_time(level, tiles + 1, chance)
