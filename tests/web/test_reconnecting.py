"""Outdated events, and reconnecting after the end of a stream."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from app.web.live.bus import Bus, Listener
from app.web.live.stream import TABLE
from tests.event_streams import SOON, open_on
from tests.servers import Served

BOT_TO_MOVE = json.dumps(["6-2", True])
OVERTAKEN = json.dumps(["5-2", False])


async def events_of(bus: Bus, listener: Listener) -> dict[str, str]:
    """Return the listener's events once everything published has arrived."""
    bus.publish("table", "end", "")
    received: dict[str, str] = {}
    while "end" not in received:
        received |= await listener.receive(SOON)
    return {name: text for name, text in received.items() if name != "end"}


def test_an_outdated_event_does_not_replace_a_newer_one() -> None:
    async def both_at_once() -> dict[str, str]:
        bus = Bus()
        bus.open()
        with bus.listen("table") as listener:
            bus.publish("table", TABLE, BOT_TO_MOVE, (6, 2, 0))
            bus.publish("table", TABLE, OVERTAKEN, (5, 2, 0))
            return await events_of(bus, listener)

    assert asyncio.run(both_at_once()) == {TABLE: BOT_TO_MOVE}


def test_a_listener_gets_no_event_that_it_has_already_seen() -> None:
    async def late() -> list[dict[str, str]]:
        bus = Bus()
        bus.open()
        with bus.listen("table") as listener:
            listener.has_seen(TABLE, (6, 2, 0))
            bus.publish("table", TABLE, OVERTAKEN, (5, 2, 0))
            before = await events_of(bus, listener)
            bus.publish("table", TABLE, BOT_TO_MOVE, (7, 2, 0))
            return [before, await events_of(bus, listener)]

    assert asyncio.run(late()) == [{}, {TABLE: BOT_TO_MOVE}]


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose streams end after a second."""
    with Served(tmp_path_factory.mktemp("hasty"), longest_stream="1") as server:
        yield server


def listened(server: Served, game: dict[str, Any], **headers: str) -> list[dict[str, str]]:
    """The blocks of a stream from start to end."""
    address = f"{server.url}/api/games/{game['id']}/events"
    with httpx.stream("GET", address, headers=headers, timeout=SOON) as answer:
        text = answer.read().decode()
    blocks = text.strip().split("\n\n")
    return [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]


def test_a_stream_that_has_lasted_long_enough_ends_and_is_taken_up_again(hasty: Served) -> None:
    host, game = open_on(hasty, kind="letterpress", bots=[1])
    first, *_, last = listened(hasty, game)
    assert (first["event"], first["data"], first["id"]) == ("table", "0-2", "0-2")
    assert int(last["retry"]) > 0
    assert "event" not in last
    host.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "resign"}})
    again = listened(hasty, game, **{"Last-Event-ID": first["id"]})
    assert (again[0]["event"], again[0]["data"]) == ("table", "1-2")
