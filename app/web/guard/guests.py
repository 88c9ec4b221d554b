"""Guest sessions and preferences.

A signed cookie identifies a guest; it is set when the guest starts a first game or declines a lesson.

itsdangerous signs it. Starlette's SessionMiddleware uses it, too, but has one Secure flag for all requests:
here a server may be reached by HTTP at home and by HTTPS through a proxy.
"""

from fastapi import Request, Response
from itsdangerous import BadSignature, URLSafeSerializer

from app.store.players import PlayerStore
from app.web.preferences import Preferences, preferences_of, remember

COOKIE = "wibble_player"
_TWO_YEARS = 2 * 365 * 24 * 3600


class Guests:
    """Reads and writes the signed player cookie."""

    def __init__(self, key: str, players: PlayerStore, *, secure: bool) -> None:
        self._serializer = URLSafeSerializer(key, salt="player")
        self._players = players
        self._secure = secure

    def identify(self, request: Request) -> str | None:
        """The player ID in the request's cookie; None if it is missing or its signature is invalid."""
        cookie = request.cookies.get(COOKIE)
        if cookie is None:
            return None
        try:
            return str(self._serializer.loads(cookie))
        except BadSignature:
            return None

    def forget(self, request: Request, response: Response) -> None:
        """Delete the cookie."""
        response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=self._is_secure(request))

    def welcome(self, request: Request, response: Response, at: float) -> str:
        """The player of this request; created and given a cookie if there is none."""
        known = self.identify(request)
        if known is not None and self._players.exists(known):
            return known
        player_id = self._players.create(at, preferences_of(request).to_text() or None)
        self.become(request, response, player_id)
        return player_id

    def become(self, request: Request, response: Response, player_id: str) -> None:
        """Set this player's cookie."""
        response.set_cookie(
            COOKIE,
            str(self._serializer.dumps(player_id)),
            max_age=_TWO_YEARS,
            httponly=True,
            samesite="lax",
            secure=self._is_secure(request),
        )

    def prefer(self, request: Request, response: Response, chosen: Preferences) -> None:
        """Set the cookie of the preferences, and store them with the player, if there is one."""
        remember(response, chosen, secure=self._is_secure(request))
        if player_id := self.identify(request):
            self._players.keep_preferences(player_id, chosen.to_text() or None)

    def bring_preferences(self, request: Request, response: Response, stored: str) -> None:
        """Set the cookie of preferences that are stored with the player."""
        remember(response, Preferences.from_text(stored), secure=self._is_secure(request))

    def _is_secure(self, request: Request) -> bool:
        """Whether to set the cookie's Secure flag: if configured, or if the request came over HTTPS."""
        return self._secure or request.url.scheme == "https"
