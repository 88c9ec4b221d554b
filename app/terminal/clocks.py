"""The clocks of players in the terminal."""

import math
import time
from collections.abc import Iterable

from app.games.clock import Clocks


def with_times(texts: Iterable[object], clocks: Clocks | None, at: float | None = None) -> list[str]:
    """Return a text per seat with the time left, such as ``Ada (4:05)``; unchanged without clocks.

    ``at`` is the time now; None for the time when the turn began.
    """
    if clocks is None:
        return [str(text) for text in texts]
    left = clocks.left if at is None else clocks.left_at(at)
    return [f"{text} ({format_time(seconds)})" for text, seconds in zip(texts, left, strict=True)]


def seconds_left(ends_at: float) -> int:
    """Seconds until a time, rounded up as on the pages: 0 only when it is over."""
    return max(0, math.ceil(ends_at - time.time()))


def format_time(seconds: float) -> str:
    """Format a time, rounded up to a second: ``4:05``, ``1:04:05``."""
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    return f"{hours}:{minutes_left:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
