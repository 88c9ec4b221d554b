"""Quiet hours: when they end, and messages that wait for that."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from app.store.channels import Channels
from app.store.games import GameStore
from app.store.outbox import (
    EXPIRES_AFTER,
    RETRIES,
    Delivery,
    Outbox,
)
from app.store.quiet_hours import Times
from tests.store.driver import AT
from tests.store.messages import DAY, LATER, add, sent, versus


def test_a_turn_message_waits_until_quiet_hours_end(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    channel_store.set_times(ada, Times("UTC", 0, 6 * 60), AT)  # AT is sixteen minutes after midnight
    versus(games, ada, bob)
    assert sent(outbox, LATER) == []
    assert sent(outbox, 6 * 3600 - 60) == []
    assert len(sent(outbox, 6 * 3600)) == 1


def test_what_fails_before_quiet_hours_is_tried_again_when_they_end(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    channel_store.set_times(ada, Times("UTC", 20, 10), AT)  # they begin twenty minutes after midnight
    versus(games, ada, bob)
    begins, ends = 1_200.0, DAY + 600  # longer than a message is kept that cannot be delivered
    outbox.collect(begins - 1)
    outbox.record([Delivery(each, "failed") for each in outbox.claim(10, begins - 1)], begins - 1)
    assert outbox.claim(10, begins + EXPIRES_AFTER) == outbox.claim(10, ends - 1) == []
    assert [each.attempts for each in outbox.claim(10, ends + RETRIES[0])] == [2]


def test_a_daily_message_in_quiet_hours_waits_until_they_end(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    channel_store.set_times(ada, Times("UTC", 22 * 60, 10 * 60, digest_at=9 * 60), AT)
    add(channel_store, ada, daily=True)
    versus(games, ada, bob)
    for day in (0, DAY):
        assert sent(outbox, day + 9 * 3600) == []
        assert [each.content["kind"] for each in sent(outbox, day + 10 * 3600)] == ["daily"]


def test_quiet_hours_end_in_the_hour_that_the_clocks_repeat() -> None:
    at = datetime(2026, 10, 25, 1, 15, tzinfo=UTC).timestamp()  # a quarter past two, for the second time
    assert Times("Europe/Berlin", 22 * 60, 150).allowed_from(at) == at + 15 * 60


@given(
    st.integers(0, 1439),
    st.integers(0, 1439),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York"]),
    st.floats(1.7e9, 1.8e9),
)
def test_quiet_hours_end_within_a_day(start: int, end: int, zone: str, at: float) -> None:
    if start == end:
        return
    times = Times(zone, start, end)
    allowed = times.allowed_from(at)
    assert at <= allowed <= at + 25 * 3600
    assert times.allowed_from(allowed) == allowed
