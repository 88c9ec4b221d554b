"""A player's local times: the quiet hours, and when the daily message is sent."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from app.store.models import BadField
from app.validation import quote


class BadTimes(BadField):
    """A time zone or time of day is not valid; the message says why."""


@dataclass(frozen=True, slots=True)
class Times:
    """When a player may get notifications. A time of day is a number of minutes since midnight."""

    zone: str = "UTC"
    """IANA name such as ``Europe/Berlin``."""
    quiet_from: int | None = None
    """Time of day at which quiet hours begin; None without quiet hours. They may extend past midnight."""
    quiet_until: int | None = None
    digest_at: int = 9 * 60
    """Time of day of the daily message."""

    def check(self) -> None:
        """Raise BadTimes if something is not valid."""
        if self.zone not in available_timezones():
            raise BadTimes(
                f"{quote(self.zone)} is not a time zone: expected a name such as Europe/Berlin", "zone"
            )
        if (self.quiet_from is None) is not (self.quiet_until is None):
            missing = "quiet_from" if self.quiet_from is None else "quiet_until"
            raise BadTimes("give both the beginning and the end of quiet hours, or neither", missing)
        if self.quiet_from is not None and self.quiet_from == self.quiet_until:
            raise BadTimes("quiet hours must not begin and end at the same time", "quiet_until")

    def allowed_from(self, at: float) -> float:
        """The earliest time outside quiet hours that is not before ``at``."""
        if self.quiet_from is None or self.quiet_until is None:
            return at
        minute = self._minute(at)
        if self.quiet_from < self.quiet_until:
            quiet = self.quiet_from <= minute < self.quiet_until
        else:
            quiet = minute >= self.quiet_from or minute < self.quiet_until
        return self._next(self.quiet_until, at) if quiet else at

    def next_digest(self, at: float) -> float:
        """When the next daily message is due after ``at``."""
        return self._next(self.digest_at, at)

    def _minute(self, at: float) -> int:
        now = datetime.fromtimestamp(at, ZoneInfo(self.zone))
        return now.hour * 60 + now.minute

    def _next(self, minute: int, at: float) -> float:
        """The next time after ``at`` at which it is this time of day in the player's zone."""
        zone = ZoneInfo(self.zone)
        today = datetime.fromtimestamp(at, zone).replace(
            hour=minute // 60, minute=minute % 60, second=0, microsecond=0, fold=0
        )
        days = (today + timedelta(days=days) for days in range(3))
        # Converted through UTC: a time skipped by a clock change falls somewhat later on that day. If a clock
        # change repeats the time (fold), the next of both counts.
        times = (day.replace(fold=fold).astimezone(UTC).timestamp() for day in days for fold in (0, 1))
        return next(then for then in times if then > at)
