"""A player's calendar: the days on which they finished games, and finished a daily."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from app.store.days import begins_at, day_of
from app.web.services import Services
from app.web.site.daily_calendar import daily_rooms

WEEKS: Final = 5
"""Weeks shown, up to the current one."""


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day of the calendar."""

    day: date
    games: int
    """Finished games."""
    dailies: int
    """Finished dailies."""
    today: bool
    future: bool

    @property
    def text(self) -> str:
        """The day's games as text, for players who cannot see the colour."""
        if not self.games and not self.dailies:
            return ""
        done = f", daily finished x{self.dailies}" if self.dailies > 1 else ", daily finished"
        return f"{self.games} played{done if self.dailies else ''}"


def play_calendar(services: Services, player: str | None) -> list[list[CalendarDay]]:
    """The last weeks, each from Monday to Sunday; empty days without a player."""
    today = services.today()
    first = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
    ends = services.results.finished_since(player, begins_at(first)) if player else []
    games = Counter(map(day_of, ends))
    attempts = services.dailies.of_player(player) if player else {}
    dailies = Counter(
        day
        for kind in daily_rooms(services.rooms)
        for day, attempt in attempts.get(kind, {}).items()
        if attempt.score is not None
    )
    days = [first + timedelta(days=number) for number in range(7 * WEEKS)]
    shown = [
        CalendarDay(day, max(games[day], dailies[day]), dailies[day], day == today, day > today)
        for day in days
    ]
    return [shown[start : start + 7] for start in range(0, len(shown), 7)]
