"""Guest sessions and preferences.

A signed cookie identifies a guest and the browser; it is set when the guest starts a first game, declines a
lesson or signs in. A program sends a token instead, and gets no cookie: see ``token_check.py``.

The cookie is signed with itsdangerous. Starlette's SessionMiddleware uses that, too, but has one Secure flag
for all requests: here a server may be reached by HTTP at home and by HTTPS through a proxy.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from threading import Lock
from typing import Final, NamedTuple

from cachetools import TTLCache
from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy.exc import SQLAlchemyError

from app.store.devices import Devices, UnknownDevice
from app.store.models import NO_PLAYER, UnknownPlayer
from app.store.players import PlayerStore
from app.web.guard.bearer import bearer_of
from app.web.preferences import TWO_YEARS, Preferences, preferences_of, remember

COOKIE = "wibble_player"
SIGNED_OUT_WITHIN: Final = 10.0
"""Seconds until every worker knows that a device was signed out."""
_SESSIONS_KNOWN: Final = 20_000
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)
"""Marks of browsers and systems in a User-Agent, with their names; the first that occurs counts."""


class Session(NamedTuple):
    """The content of a player cookie."""

    player: str
    device: str | None
    """None in cookies set before devices were recorded."""


def device_name(user_agent: str) -> str:
    """The browser and system of a User-Agent, without versions: ``Firefox on Android``, or ``A browser``."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "A browser")
    system = next((name for mark, name in _SYSTEMS if re.search(rf"\b{mark}", user_agent)), None)
    return f"{browser} on {system}" if system else browser


class Guests:
    """Reads and writes the signed player cookie."""

    def __init__(
        self, key: str, players: PlayerStore, devices: Devices, clock: Callable[[], float], *, secure: bool
    ) -> None:
        self._serializer = URLSafeSerializer(key, salt="player")
        self._read = lru_cache(_SESSIONS_KNOWN)(self._read_cookie)
        self._players = players
        self._devices = devices
        self._clock = clock
        self._secure = secure
        self._signed_in: TTLCache[Session, bool] = TTLCache(_SESSIONS_KNOWN, SIGNED_OUT_WITHIN)
        self._in_use: set[Session] = set()
        """Sessions with a request since they were last checked together."""
        self._changes = 0
        """Number of sign-outs in this process: results of earlier queries may be out of date."""
        self._lock = Lock()

    async def keep_checking(self) -> None:
        """Check all sessions in use with one query, before their cached results expire.

        Otherwise every third request of a game between two quick players would query the database.
        """
        while True:
            await asyncio.sleep(SIGNED_OUT_WITHIN / 2)
            if self._in_use:
                with suppress(SQLAlchemyError):  # requests that need the database raise their own error
                    await run_in_threadpool(self.check_in_use)

    def check_in_use(self) -> None:
        """Check the sessions that had a request since the last call.

        Those without a device are checked one by one, when used.
        """
        changes = self._changes
        with self._lock:
            in_use, self._in_use = self._in_use, set()
        listed = {session: (session.player, session.device) for session in in_use if session.device}
        signed_in = self._devices.signed_in(listed.values(), self._clock())
        with self._lock:
            if changes == self._changes:
                self._signed_in.update((session, known in signed_in) for session, known in listed.items())

    def session(self, request: Request) -> Session | None:
        """The request's session, signed in or not; None if the cookie is missing or not signed by us."""
        cookie = request.cookies.get(COOKIE)
        try:
            return None if cookie is None else self._read(cookie)
        except BadSignature:
            return None

    def _read_cookie(self, cookie: str) -> Session:
        """The session in a cookie. Raises BadSignature."""
        said = self._serializer.loads(cookie)
        return Session(*said) if isinstance(said, list) else Session(str(said), None)

    def identify(self, request: Request) -> str | None:
        """The player of the request; None without a token or cookie, or if its device was signed out.

        May read the database, so do not call it on the event loop: see ``identified``.
        """
        if (bearer := bearer_of(request)) is not None:
            return bearer.player_id
        session = self.session(request)
        return session.player if session is not None and self._is_signed_in(session) else None

    async def identified(self, request: Request) -> str | None:
        """As ``identify``, for the event loop."""
        if (bearer := bearer_of(request)) is not None:
            return bearer.player_id
        session = self.session(request)
        if session is None:
            return None
        with self._lock:
            self._in_use.add(session)
            known = self._signed_in.get(session)
        if known is None:
            known = await run_in_threadpool(self._is_signed_in, session)
        return session.player if known else None

    def _is_signed_in(self, session: Session) -> bool:
        with self._lock:
            self._in_use.add(session)
            known: bool | None = self._signed_in.get(session)
        if known is not None:
            return known
        try:
            known = self._devices.is_signed_in(*session, self._clock())
        except SQLAlchemyError:
            return True  # if the request needs the database, it raises its own error
        with self._lock:
            self._signed_in[session] = known
        return known

    def sign_out(self, session: Session, device: str) -> None:
        """Sign out one of the player's devices. Raises UnknownDevice."""
        self._devices.sign_out(session.player, device)
        self._forget_sessions()

    def sign_out_others(self, session: Session, at: float) -> None:
        """Sign out all devices of the player but this one."""
        self._devices.sign_out_others(session.player, session.device, at)
        self._forget_sessions()

    def _forget_sessions(self) -> None:
        with self._lock:
            self._signed_in.clear()
            self._changes += 1

    def forget(self, request: Request, response: Response) -> None:
        """Delete the cookie."""
        response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=self._is_secure(request))

    def welcome(self, request: Request, response: Response, at: float) -> str:
        """The player of this request; created and given a cookie if there is none.

        Raises UnknownPlayer if a token's player was erased just now.
        """
        if (bearer := bearer_of(request)) is not None:
            if not self._players.exists(bearer.player_id):
                raise UnknownPlayer(NO_PLAYER)
            return bearer.player_id
        session = self.session(request)
        if session is not None and self._is_signed_in(session) and self._players.exists(session.player):
            if session.device is None:
                self.become(request, response, session.player, at)
            return session.player
        player_id = self._players.create(at, preferences_of(request).to_text() or None)
        self.become(request, response, player_id, at)
        return player_id

    def become(self, request: Request, response: Response, player_id: str, at: float) -> str:
        """Sign this browser in as a player, and out as the one before. Return its device ID."""
        if (before := self.session(request)) is not None and before.device is not None:
            with suppress(UnknownDevice):  # a merge has removed it
                self._devices.sign_out(before.player, before.device)
            self._forget_sessions()
        device = self._devices.add(player_id, device_name(request.headers.get("user-agent", "")), at)
        response.set_cookie(
            COOKIE,
            str(self._serializer.dumps([player_id, device])),
            max_age=TWO_YEARS,
            httponly=True,
            samesite="lax",
            secure=self._is_secure(request),
        )
        return device

    def prefer(self, request: Request, response: Response, chosen: Preferences) -> None:
        """Set the cookie of the preferences, and store them with the player, if there is one."""
        remember(response, chosen, secure=self._is_secure(request))
        if player_id := self.identify(request):
            self._players.keep_preferences(player_id, chosen.to_text() or None)

    def restore_preferences(self, request: Request, response: Response, stored: str) -> None:
        """Set the cookie to the preferences stored with the player."""
        remember(response, Preferences.from_text(stored), secure=self._is_secure(request))

    def _is_secure(self, request: Request) -> bool:
        """Whether to set the cookie's Secure flag: if configured, or if the request came over HTTPS."""
        return self._secure or request.url.scheme == "https"
