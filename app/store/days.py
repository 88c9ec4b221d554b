"""Days, by UTC: the same for everybody, whatever their own clock says."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

DAILY_GRACE_SECONDS: Final = 3600.0
"""How long after midnight a ranked game begun on the day may still be finished for it."""


def day_of(at: float) -> date:
    """The day it is everywhere at ``at``, in seconds since the epoch."""
    return datetime.fromtimestamp(at, UTC).date()


def open_since(at: float) -> date:
    """The earliest day whose ranked games still count at ``at``; its seed is nobody's to know until then."""
    return day_of(at - DAILY_GRACE_SECONDS)


def begins_at(day: date) -> float:
    """When ``day`` begins, in seconds since the epoch."""
    return datetime.combine(day, time(), UTC).timestamp()


def settles_at(day: date) -> float:
    """When the last ranked games of ``day`` are over and anybody may play it, in seconds since the epoch."""
    return begins_at(day + timedelta(days=1)) + DAILY_GRACE_SECONDS
