"""Dependencies for the daily routes: the room with a daily, and checking the day."""

from datetime import date
from typing import Annotated, Final

from fastapi import Depends, Query, Request

from app.store.dailies import UnknownDay
from app.web.rooms import ROOMS
from app.web.rooms.room import Room
from app.web.services import Services

DEFAULT: Final = "wibble"


def room_with_daily(kind: str) -> Room:
    """The room of this kind of game. Raises UnknownDay if it has no daily."""
    room = ROOMS.get(kind)
    if room is None or room.daily is None:
        raise UnknownDay(f"there is no daily of {kind!r}: choose from {', '.join(with_daily())}")
    return room


def with_daily() -> list[str]:
    """The kinds of game that have a daily."""
    return [room.kind for room in ROOMS.values() if room.daily]


async def _by_address(request: Request) -> Room:
    return room_with_daily(request.path_params.get("kind", DEFAULT))


async def _by_query(
    kind: Annotated[str, Query(description="The kind of game.", max_length=32)] = DEFAULT,
) -> Room:
    return room_with_daily(kind)


PageRoom = Annotated[Room, Depends(_by_address)]
"""The room named in a page's path; Wibble if there is none."""
ApiRoom = Annotated[Room, Depends(_by_query)]
"""The room named in the query parameter ``kind``."""


def check_day(services: Services, kind: str, day: date) -> None:
    """Raise UnknownDay if the day is in the future or nobody played its daily."""
    if day > services.today():
        raise UnknownDay(f"{day.isoformat()} is in the future")
    if day != services.today() and not services.dailies.for_kind(kind).exists(day):
        raise UnknownDay(f"nobody played the daily of {day.isoformat()}")
