"""Devices: the browsers in which a player is signed in."""

from collections.abc import Collection
from contextlib import suppress
from secrets import token_urlsafe
from typing import Final, NamedTuple

from sqlalchemy import delete, insert, select, update

from app.store.database import NO_WRITES, Database
from app.store.schema import devices, players
from app.store.tokens import delete_tokens

USED_EVERY: Final = 3600.0
"""Minimum number of seconds between two updates of a device's last use."""


class UnknownDevice(LookupError):
    """The player is not signed in on this device."""


class Device(NamedTuple):
    """A browser in which a player is signed in."""

    id: str
    name: str
    """Browser and system, such as ``Firefox on Android``."""
    created_at: float
    used_at: float
    """Its last use; may lag by USED_EVERY seconds."""


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

        None is a browser whose cookie predates the list of devices: see ``has_unlisted``.
        """
        if device_id is None:
            return self.has_unlisted(player_id)
        return bool(self.signed_in([(player_id, device_id)], at))

    def signed_in(self, sessions: Collection[tuple[str, str]], at: float) -> set[tuple[str, str]]:
        """The pairs of player and device IDs that are signed in; their use is recorded."""
        columns = devices.c.player_id, devices.c.id, devices.c.used_at
        query = select(*columns).where(devices.c.id.in_([device_id for _, device_id in sessions]))
        with self._database.reading() as connection:
            found = {(row.player_id, row.id): row.used_at for row in connection.execute(query)}
        known = {session: found[session] for session in sessions if session in found}
        unrecorded = [device_id for (_, device_id), used_at in known.items() if at - used_at >= USED_EVERY]
        if unrecorded:
            with suppress(*NO_WRITES), self._database.writing() as connection:
                connection.execute(update(devices).where(devices.c.id.in_(unrecorded)).values(used_at=at))
        return set(known)

    def of_player(self, player_id: str) -> list[Device]:
        """The player's devices, the most recently used first."""
        columns = devices.c.id, devices.c.name, devices.c.created_at, devices.c.used_at
        query = (
            select(*columns)
            .where(devices.c.player_id == player_id)
            .order_by(devices.c.used_at.desc(), devices.c.created_at.desc(), devices.c.id)
        )
        with self._database.reading() as connection:
            return [Device(*row) for row in connection.execute(query)]

    def has_unlisted(self, player_id: str) -> bool:
        """Whether browsers with a cookie that predates the list of devices are signed in, too.

        They are, until the player signs out everywhere else.
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
        """Sign out everywhere except on one device (None: everywhere), and revoke all tokens."""
        others = [devices.c.player_id == player_id]
        if device_id is not None:
            others.append(devices.c.id != device_id)
        with self._database.writing() as connection:
            connection.execute(delete(devices).where(*others))
            connection.execute(update(players).where(players.c.id == player_id).values(listed_from=at))
            delete_tokens(connection, player_id)
