"""A refused word is voted on without leaving the table."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import boggle, letterpress
from tests.browser.conftest import Sit
from tests.browser.page_checks import assert_accessible
from tests.browser.scrabblet import Hand
from tests.browser.seat import Seat


def refuse_boggle(me: Seat) -> str:
    boggle.KIND.open(me)
    boggle.send(me, "epl")
    return "EPL"


def refuse_letterpress(me: Seat) -> str:
    letterpress.KIND.open(me)
    letterpress.tap(me, 11, 12, 13, 14)
    me.page.locator("#send").click()
    return "ZZZZ"


def refuse_scrabblet(me: Seat) -> str:
    hand = Hand(me)
    hand.deal()
    hand.guess("crppe")
    return "CRPPE"


@pytest.mark.parametrize("refuse", [refuse_boggle, refuse_letterpress, refuse_scrabblet])
def test_a_refused_word_gets_its_vote_at_the_table(sit: Sit, refuse: Callable[[Seat], str]) -> None:
    me = sit(bypass_csp=True)
    word = refuse(me)
    address = me.address
    offer = me.page.get_by_role("button", name=f"{word} should be a word")
    expect(offer).to_be_visible()
    assert_accessible(me)
    with me.page.expect_response(re.compile("/votes$")) as sent:
        offer.click()
    assert sent.value.status == 204
    expect(me.page.get_by_role("button", name="Thanks for your vote")).to_be_visible()
    expect(me.announced).to_have_text("Thanks for your vote")
    assert me.address == address
    me.page.reload()
    expect(offer).to_have_count(0)
