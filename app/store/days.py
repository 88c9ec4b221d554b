"""UTC days of the daily games."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

DAILY_GRACE_SECONDS: Final = 3600.0
"""Seconds after midnight (UTC) during which ranked games of the day before can still be finished."""


def day_of(at: float) -> date:
    """The UTC day at ``at``, in seconds since the epoch."""
    return datetime.fromtimestamp(at, UTC).date()


def open_since(at: float) -> date:
    """The earliest day whose ranked games still count at ``at``. Seeds from that day on are secret."""
    return day_of(at - DAILY_GRACE_SECONDS)


def begins_at(day: date) -> float:
    """When ``day`` begins, in seconds since the epoch."""
    return datetime.combine(day, time(), UTC).timestamp()


def settles_at(day: date) -> float:
    """When ranked games of ``day`` no longer count and anyone may play it, in seconds since the epoch."""
    return begins_at(day + timedelta(days=1)) + DAILY_GRACE_SECONDS


def format_time(at: float) -> str:
    """Format a time given in seconds since the epoch: ``24 November 2026, 14:00 UTC``."""
    moment = datetime.fromtimestamp(at, UTC)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"
