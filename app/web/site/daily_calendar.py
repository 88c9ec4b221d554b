"""Dependencies of the daily routes: finding the room of a daily, and checking the day."""

from datetime import date
from typing import Annotated

from fastapi import Depends, Query, Request

from app.store.dailies import UnknownDay, check_begun
from app.web.room import Room, Rooms
from app.web.services import Services, ServicesDep


def room_with_daily(rooms: Rooms, kind: str | None) -> Room:
    """The room of this daily, by default the first. Raises UnknownDay if it has no daily."""
    named = daily_rooms(rooms)
    if kind is None:
        return next(iter(named.values()))
    if kind not in named:
        raise UnknownDay(f"there is no daily of {kind!r}: choose from {', '.join(named)}")
    return named[kind]


def daily_rooms(rooms: Rooms) -> dict[str, Room]:
    """The room of each daily by the daily's name: a kind of game, or the name of a further daily."""
    every = (each for room in rooms.values() for each in (room, *room.more_dailies()))
    return {room.daily_name: room for room in every if room.daily}


async def _by_address(request: Request, services: ServicesDep) -> Room:
    return room_with_daily(services.rooms, request.path_params.get("kind"))


async def _by_query(
    services: ServicesDep,
    kind: Annotated[
        str | None,
        Query(
            description="The kind of game, or find-them-all; the default is the daily at /daily.",
            max_length=32,
        ),
    ] = None,
) -> Room:
    return room_with_daily(services.rooms, kind)


PageRoom = Annotated[Room, Depends(_by_address)]
"""The room named in a page's path; the first if there is none."""
ApiRoom = Annotated[Room, Depends(_by_query)]
"""The room named in the query parameter ``kind``."""


def check_day(services: Services, kind: str, day: date) -> None:
    """Raise UnknownDay if the day is in the future or its daily was not played."""
    check_begun(day, services.clock())
    if day != services.today() and not services.dailies.for_kind(kind).exists(day):
        raise UnknownDay(f"the daily of {day.isoformat()} was not played")
