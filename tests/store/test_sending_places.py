"""Sending slots: a slow host or player occupies some of them and delays no others."""

from collections import Counter

import pytest

from app.store.channels import Channels
from app.store.outbox import (
    Delivery,
    Message,
    Outbox,
)
from app.store.players import PlayerStore
from app.store.sending_places import MOST_PER_HOST, MOST_PER_PLAYER
from tests.store.driver import AT
from tests.store.messages import LATER, add


@pytest.mark.parametrize(
    ("kind", "other", "claims"),
    [
        ("webhook", "https://one.example/other", 0),
        ("webhook", "https://one.example?x", 0),
        ("webhook", "https://one.example.org/hook", 1),
        ("push", "https://one.example/other", 1),
    ],
)
def test_a_host_with_the_most_running_webhooks_gets_no_more(
    outbox: Outbox, channel_store: Channels, players: PlayerStore, kind: str, other: str, claims: int
) -> None:
    def write(address: str) -> None:
        player = players.create(AT)
        outbox.test(player, add(channel_store, player, kind, address=address), AT)

    for number in range(MOST_PER_HOST):
        write(f"https://one.example/{number}")
    running = [each.channel for each in outbox.claim(100, LATER)]
    assert len(running) == MOST_PER_HOST
    write(other)
    assert len(outbox.claim(100, LATER, running)) == claims


def test_a_slow_host_or_player_takes_some_of_the_places_and_loses_nothing(
    outbox: Outbox, channel_store: Channels, players: PlayerStore
) -> None:
    def write(address: str, number: int, at: float) -> None:
        player = players.create(AT)
        channel = add(channel_store, player, address=address)
        for _ in range(number):
            outbox.test(player, channel, at)

    def hosts(claimed: list[Message]) -> Counter[str]:
        return Counter(one.channel.address for one in claimed)

    write("https://one/hook", MOST_PER_PLAYER + 1, AT)
    for _ in range(MOST_PER_HOST // MOST_PER_PLAYER + 1):
        write("https://SLOW/hook", MOST_PER_PLAYER, AT + 1)
    write("https://two/hook", 2, AT + 2)
    claimed = outbox.claim(100, LATER)
    assert hosts(claimed) == {
        "https://one/hook": MOST_PER_PLAYER,
        "https://SLOW/hook": MOST_PER_HOST,
        "https://two/hook": 2,
    }
    running = [one.channel for one in claimed]
    assert outbox.claim(100, LATER, running) == [], "the others wait"
    write("https://two/hook", 1, AT + 3)
    claimed += outbox.claim(1, LATER, running)
    assert claimed[-1].channel.address == "https://two/hook", "it does not wait for them"
    outbox.record([Delivery(each, "delivered") for each in claimed], LATER)
    assert hosts(outbox.claim(100, LATER)) == {"https://one/hook": 1, "https://SLOW/hook": MOST_PER_PLAYER}
