"""Days, by UTC: the same for everybody, whatever their own clock says."""

from datetime import UTC, date, datetime
from typing import Final

LAST_ORDERS: Final = 3600.0
"""Seconds after midnight in which a ranked game begun on the day may still be finished for it."""


def day_of(at: float) -> date:
    """The day it is everywhere at ``at``, in seconds since the epoch."""
    return datetime.fromtimestamp(at, UTC).date()


def open_since(at: float) -> date:
    """The earliest day whose ranked games still count at ``at``; its seed is nobody's to know until then."""
    return day_of(at - LAST_ORDERS)
