"""What a table brings over the network: the first time, and when it is seen again."""

from collections.abc import Callable

import pytest

from tests.browser import boggle, fribble, letterpress
from tests.browser.conftest import Sit
from tests.browser.floors import SCREENS, weighs_little
from tests.browser.seat import Seat

FIVE_MINUTES = "300"


def versus(sit: Sit) -> Seat:
    me, friend = sit(), sit()
    me.open_with("friend", turn_seconds=FIVE_MINUTES)
    friend.join(me)
    return me


def crossword(sit: Sit) -> Seat:
    me, friend = sit(), sit()
    fribble.open_game(me, turn_seconds=FIVE_MINUTES)
    friend.join(me)
    return me


def territory(sit: Sit) -> Seat:
    return letterpress.together(sit)[0]


def duel(sit: Sit) -> Seat:
    return boggle.together(sit)[0]


@SCREENS
@pytest.mark.parametrize("open_table", [versus, crossword, territory, duel])
def test_a_table_with_a_friend_weighs_under_60_kb_for_who_plays(
    sit: Sit, screen: dict[str, int], open_table: Callable[[Sit], Seat]
) -> None:
    me = open_table(sit)
    again = sit(viewport=screen, storage_state=me.page.context.storage_state())
    weighs_little(again, me.page.url)


def test_a_table_that_was_seen_before_loads_no_file_again(sit: Sit) -> None:
    me = sit()
    address = me.open()
    loaded = """
      performance.getEntriesByType("resource").filter((one) => one.transferSize > 0).map((one) => one.name)
    """
    assert len(me.page.evaluate(loaded)) > 10
    me.home()
    me.visit(address)
    assert me.page.evaluate(loaded) == []
