"""Which seats of a table have a page open right now, in this process and in others."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import Final

from app.web.live.bus import Bus

HERE: Final = "here"
"""The name of the news that a page gets: the seats with somebody there."""
REPORT: Final = "report"
"""The name of the news between processes: the seats with somebody there at one of them."""
STALE: Final = 45.0
"""Seconds after which a process that has not reported counts as gone."""


class Presence:
    """Counts the open pages of each seat. Everything happens on the event loop."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._me = token_hex(4)
        self._here: dict[str, Counter[int | None]] = {}
        """Open pages by table and seat; None are the watchers."""
        self._elsewhere: dict[str, dict[str, tuple[float, frozenset[int]]]] = {}

    @contextmanager
    def attending(self, table_id: str, seat: int | None) -> Iterator[None]:
        """Count one page of the table, of a player's or of a watcher's, for as long as the block runs."""
        pages = self._here.setdefault(table_id, Counter())
        pages[seat] += 1
        self.report(table_id)
        try:
            yield
        finally:
            pages[seat] -= 1
            if not +pages:
                self._here.pop(table_id, None)
                self._elsewhere.pop(table_id, None)  # from now on nobody tells us of this table
            self.report(table_id)

    def seats(self, table_id: str) -> list[int]:
        """The seats with somebody there."""
        found = self._seats_here(table_id)
        for at, seats in self._elsewhere.get(table_id, {}).values():
            if time.monotonic() - at < STALE:
                found |= seats
        return sorted(found)

    def report(self, table_id: str) -> None:
        """Tell the pages of the table, and the other processes, who is here."""
        self._bus.pass_on(table_id, HERE, json.dumps(self.seats(table_id)))
        if self._bus.relay is not None:
            mine = sorted(self._seats_here(table_id))
            self._bus.relay.send(table_id, REPORT, json.dumps([self._me, mine]))

    def reported(self, table_id: str, text: str) -> None:
        """Another process told who is there."""
        process, seats = json.loads(text)
        if process == self._me or table_id not in self._here:
            return
        known = self._elsewhere.setdefault(table_id, {})
        new = process not in known
        if seats:
            known[process] = (time.monotonic(), frozenset(seats))
        else:
            known.pop(process, None)
            if not known:
                self._elsewhere.pop(table_id, None)
        self._bus.pass_on(table_id, HERE, json.dumps(self.seats(table_id)))
        if new and seats:
            self.report(table_id)  # it may not know of us

    def _seats_here(self, table_id: str) -> set[int]:
        """The seats with a page open in this process."""
        pages = self._here.get(table_id, Counter())
        return {seat for seat in +pages if seat is not None}
