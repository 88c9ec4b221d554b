"""Presence at a table while pages come and go."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.web.live.bus import Bus, Listener, Stage
from app.web.live.presence import HERE, REPORT, STALE, Presence
from tests.event_streams import SOON

TABLE = "table"


def test_a_watcher_who_leaves_changes_no_seat() -> None:
    presence = Presence(Bus())
    watcher = presence.count_page(TABLE, None)
    watcher.__enter__()
    with presence.count_page(TABLE, 0):
        assert presence.seats(TABLE) == [0]
    assert presence.seats(TABLE) == []
    with presence.count_page(TABLE, 0):
        watcher.__exit__(None, None, None)
        assert presence.seats(TABLE) == [0]
    assert presence.seats(TABLE) == []


def test_a_seat_with_two_pages_is_there_until_both_are_gone() -> None:
    presence = Presence(Bus())
    with presence.count_page(TABLE, 1):
        with presence.count_page(TABLE, 1), presence.count_page(TABLE, 0):
            assert presence.seats(TABLE) == [0, 1]
        assert presence.seats(TABLE) == [1]


def test_a_page_counts_as_open_while_it_listens() -> None:
    presence = Presence(Bus())
    with presence.count_page("game", 1):
        assert presence.is_open("game", 1)
        assert not presence.is_open("game", 0)
        assert not presence.is_open("other", 1)
    assert not presence.is_open("game", 1)


def test_a_process_without_listeners_forgets_presence_elsewhere() -> None:
    presence = Presence(Bus())
    report = json.dumps([[1], False])
    presence.note_alive("other")
    presence.handle_report(TABLE, "other", report)
    with presence.count_page(TABLE, 0):
        assert presence.seats(TABLE) == [0], "earlier reports may be outdated"
        presence.handle_report(TABLE, "other", report)
        assert presence.seats(TABLE) == [0, 1]
    with presence.count_page(TABLE, 0):
        assert presence.seats(TABLE) == [0], "no report said in the meantime that they left"


class Wire:
    """Records what a process sends to others."""

    def __init__(self) -> None:
        self.sent: list[object] = []

    def send(self, table_id: str, name: str, text: str, stage: Stage = ()) -> None:
        assert (table_id, name, stage) == (TABLE, REPORT, ())
        self.sent.append(json.loads(text))

    def follow(self, table_id: str, *, wanted: bool) -> None:
        pass


@contextmanager
def listening(presence: Presence, bus: Bus) -> Iterator[Listener]:
    """The page of seat 0 at the table, with a confirmed subscription."""
    bus.open()
    with bus.listen(TABLE) as page, presence.count_page(TABLE, 0):
        presence.introduce(TABLE)
        presence.note_alive("other")
        presence.handle_report(TABLE, "other", json.dumps([[1], False]))
        yield page


def test_processes_send_each_other_only_changes() -> None:
    async def play() -> None:
        bus, wire = Bus(), Wire()
        bus.relay = wire
        presence = Presence(bus)
        with listening(presence, bus) as page:
            assert wire.sent.pop() == [[0], True], "and requests the others' reports"
            assert (await page.receive(SOON))[HERE] == "[0, 1]"
            with presence.count_page(TABLE, 0), presence.count_page(TABLE, None):
                presence.handle_report(TABLE, "other", json.dumps([[1], False]))
            presence.refresh()
            assert not wire.sent
            assert not await page.receive(0.05)
            presence.handle_report(TABLE, "other", json.dumps([[1], True]))
            assert wire.sent.pop() == [[0], False], "an answer"
            with presence.count_page(TABLE, 2):
                assert wire.sent.pop() == [[0, 2], False]
            assert wire.sent.pop() == [[0], False]
        assert wire.sent == [[[], False]]

    asyncio.run(play())


def test_presence_of_a_dead_process_ends_and_that_of_a_slow_one_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play() -> None:
        now = [1000.0]
        monkeypatch.setattr("app.web.live.presence.time.monotonic", lambda: now[0])
        bus = Bus()
        presence = Presence(bus)
        with listening(presence, bus) as page:
            assert (await page.receive(SOON))[HERE] == "[0, 1]"
            now[0] += STALE
            presence.refresh()
            assert (await page.receive(SOON))[HERE] == "[0]"
            presence.note_alive("other")
            presence.refresh()
            assert (await page.receive(SOON))[HERE] == "[0, 1]"

    asyncio.run(play())
