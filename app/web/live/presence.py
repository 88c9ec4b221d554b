"""Presence: which seats of a table have a page open, across all worker processes."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import Final

from app.web.live.bus import Bus

HERE: Final = "here"
"""Event name for pages: the seats that are present."""
REPORT: Final = "report"
"""Event name between processes: the seats that are present in one process."""
STALE: Final = 45.0
"""Seconds without a report after which a process counts as gone."""


class Presence:
    """Counts the open pages of each seat. Not thread-safe: use it on the event loop only."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._me = token_hex(4)
        self._here: dict[str, Counter[int | None]] = {}
        """Number of open pages by table and seat; seat None for watchers."""
        self._elsewhere: dict[str, dict[str, tuple[float, frozenset[int]]]] = {}

    @contextmanager
    def attending(self, table_id: str, seat: int | None) -> Iterator[None]:
        """Count a page of a player or watcher (seat None) within the block."""
        pages = self._here.setdefault(table_id, Counter())
        pages[seat] += 1
        self.report(table_id)
        try:
            yield
        finally:
            pages[seat] -= 1
            if not +pages:
                self._here.pop(table_id, None)
                self._elsewhere.pop(table_id, None)  # we no longer get reports for this table
            self.report(table_id)

    def seats(self, table_id: str) -> list[int]:
        """The seats that are present."""
        found = self._seats_here(table_id)
        for at, seats in self._elsewhere.get(table_id, {}).values():
            if time.monotonic() - at < STALE:
                found |= seats
        return sorted(found)

    def report(self, table_id: str) -> None:
        """Send the present seats to the table's pages and to the other processes."""
        self._bus.pass_on(table_id, HERE, json.dumps(self.seats(table_id)))
        if self._bus.relay is not None:
            mine = sorted(self._seats_here(table_id))
            self._bus.relay.send(table_id, REPORT, json.dumps([self._me, mine]))

    def reported(self, table_id: str, text: str) -> None:
        """Handle a report of another process."""
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
            self.report(table_id)  # the new process does not know our seats yet

    def _seats_here(self, table_id: str) -> set[int]:
        """The seats with a page open in this process."""
        pages = self._here.get(table_id, Counter())
        return {seat for seat in +pages if seat is not None}
