"""Which days there are to be looked at."""

from datetime import date

from app.store.dailies import UnknownDay
from app.web.services import Services


def check_day(house: Services, day: date) -> None:
    """Raise UnknownDay for one that is yet to come or that nobody played."""
    if day > house.today():
        raise UnknownDay(f"{day.isoformat()} is yet to come")
    if day != house.today() and not house.dailies.exists(day):
        raise UnknownDay(f"nobody played on {day.isoformat()}")
