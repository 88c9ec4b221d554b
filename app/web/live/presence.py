"""Presence: which seats of a table have a page open, across all worker processes.

A process sends the others its seats when they change, and requests theirs when it begins to listen to a
table. Every process sends a sign of life at intervals: the seats of one that has died do not count.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from app.web.live.bus import Bus

HERE: Final = "here"
"""Event name for pages: the seats that are present."""
REPORT: Final = "report"
"""Event name between processes: the seats present in one process, and whether it requests the others'."""
STALE: Final = 45.0
"""Seconds without a sign of life after which a process counts as gone."""


class Presence:
    """Counts the open pages of each seat. Not thread-safe: use it on the event loop only."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._here: dict[str, Counter[int | None]] = {}
        """Number of open pages by table and seat; seat None for watchers."""
        self._elsewhere: dict[str, dict[str, frozenset[int]]] = {}
        """Seats by table and process, as last reported by the other processes."""
        self._seen_at: dict[str, float] = {}
        """When each of the other processes last gave a sign of life."""
        self._published: dict[str, list[int]] = {}
        """The seats last published to a table's pages."""

    @contextmanager
    def count_page(self, table_id: str, seat: int | None) -> Iterator[None]:
        """Count a page of a player or watcher (seat None) within the block."""
        if table_id in self._here:
            self._count(table_id, seat, 1)
        else:  # introduce() reports to the other processes once their answers can be received
            self._here[table_id] = Counter([seat])
            self._update_pages(table_id)
        try:
            yield
        finally:
            self._count(table_id, seat, -1)

    def seats(self, table_id: str) -> list[int]:
        """The seats that are present."""
        found = self._seats_here(table_id)
        for process, seats in self._elsewhere.get(table_id, {}).items():
            if time.monotonic() - self._seen_at[process] < STALE:
                found |= seats
        return sorted(found)

    def is_open(self, table_id: str, seat: int) -> bool:
        """Whether a page of that seat is open in this process. Thread-safe."""
        pages = self._here.get(table_id)
        return pages is not None and pages[seat] > 0

    def introduce(self, table_id: str) -> None:
        """Send the other processes the seats present here and request theirs, as reports may be missing."""
        if table_id in self._here:
            self._elsewhere.pop(table_id, None)
            self.report(table_id, asks=True)

    def report(self, table_id: str, *, asks: bool = False) -> None:
        """Send the other processes the seats present here."""
        if self._bus.relay is not None:
            mine = sorted(self._seats_here(table_id))
            self._bus.relay.send(table_id, REPORT, json.dumps([mine, asks]))

    def handle_report(self, table_id: str, process: str, text: str) -> None:
        """Handle a report of another process, after ``note_alive`` for it. Raises ValueError."""
        seats, asks = json.loads(text)
        if table_id not in self._here:
            return
        self._elsewhere.setdefault(table_id, {})[process] = frozenset(seats)
        self._update_pages(table_id)
        if asks and self._seats_here(table_id):
            self.report(table_id)

    def note_alive(self, process: str) -> None:
        """Note a sign of life of another process."""
        self._seen_at[process] = time.monotonic()

    def refresh(self) -> None:
        """Update the pages, leaving out the seats of processes that have died or do not answer."""
        for table_id in self._here:
            self._update_pages(table_id)

    def _count(self, table_id: str, seat: int | None, pages: int) -> None:
        before = self._seats_here(table_id)
        self._here[table_id][seat] += pages
        changed = self._seats_here(table_id) != before
        if not +self._here[table_id]:
            for known in (self._here, self._elsewhere, self._published):  # we no longer get reports
                known.pop(table_id, None)
        else:
            self._update_pages(table_id)
        if changed:
            self.report(table_id)

    def _update_pages(self, table_id: str) -> None:
        seats = self.seats(table_id)
        if self._published.get(table_id) != seats:
            self._published[table_id] = seats
            self._bus.pass_on(table_id, HERE, json.dumps(seats))

    def _seats_here(self, table_id: str) -> set[int]:
        """The seats with a page open in this process."""
        pages = self._here.get(table_id, Counter())
        return {seat for seat in +pages if seat is not None}
