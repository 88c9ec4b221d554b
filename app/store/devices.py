"""Devices: the browsers in which a player is signed in."""

from contextlib import suppress
from secrets import token_urlsafe
from typing import Final, NamedTuple

from sqlalchemy import delete, insert, select, update

from app.store.database import NO_WRITES, Database
from app.store.schema import devices, players

USED_EVERY: Final = 3600.0
"""Seconds between two records of a device's last use."""


class UnknownDevice(LookupError):
    """The player is not signed in on this device."""


class Device(NamedTuple):
    """A browser in which a player is signed in."""

    id: str
    name: str
    """What it says of itself, made coarse, such as ``Firefox on Android``."""
    created_at: float
    used_at: float
    """Its last use, up to USED_EVERY seconds late."""


class Devices:
    """The devices of all players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, player_id: str, name: str, at: float) -> str:
        """Sign a device in and return its ID."""
        device_id = token_urlsafe(16)
        values = {"id": device_id, "player_id": player_id, "name": name, "created_at": at, "used_at": at}
        with self._database.writing() as connection:
            connection.execute(insert(devices).values(values))
        return device_id

    def is_signed_in(self, player_id: str, device_id: str | None, at: float) -> bool:
        """Whether the device is signed in; its use is recorded.

        None is a browser whose cookie is older than the list of devices: see ``has_unlisted``.
        """
        if device_id is None:
            return self.has_unlisted(player_id)
        this = devices.c.id == device_id, devices.c.player_id == player_id
        with self._database.reading() as connection:
            used_at: float | None = connection.scalar(select(devices.c.used_at).where(*this))
        if used_at is None:
            return False
        if at - used_at >= USED_EVERY:
            with suppress(*NO_WRITES), self._database.writing() as connection:
                connection.execute(update(devices).where(*this).values(used_at=at))
        return True

    def of_player(self, player_id: str) -> list[Device]:
        """The player's devices, the last used first."""
        columns = devices.c.id, devices.c.name, devices.c.created_at, devices.c.used_at
        query = (
            select(*columns)
            .where(devices.c.player_id == player_id)
            .order_by(devices.c.used_at.desc(), devices.c.created_at.desc(), devices.c.id)
        )
        with self._database.reading() as connection:
            return [Device(*row) for row in connection.execute(query)]

    def has_unlisted(self, player_id: str) -> bool:
        """Whether browsers with a cookie from before there was a list are signed in, too.

        They are until the player signs out everywhere else.
        """
        query = select(players.c.listed_from).where(players.c.id == player_id)
        with self._database.reading() as connection:
            return connection.scalar(query) is None

    def sign_out(self, player_id: str, device_id: str) -> None:
        """Sign one device out. Raises UnknownDevice."""
        this = devices.c.id == device_id, devices.c.player_id == player_id
        with self._database.writing() as connection:
            if not connection.execute(delete(devices).where(*this)).rowcount:
                raise UnknownDevice("you are not signed in on this device")

    def sign_out_others(self, player_id: str, device_id: str | None, at: float) -> None:
        """Sign out everywhere but on one device; None for everywhere."""
        others = [devices.c.player_id == player_id]
        if device_id is not None:
            others.append(devices.c.id != device_id)
        with self._database.writing() as connection:
            connection.execute(delete(devices).where(*others))
            connection.execute(update(players).where(players.c.id == player_id).values(listed_from=at))
