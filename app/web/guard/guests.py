"""Who is who: a signed cookie makes a guest, on the first game and not before."""

from fastapi import Request, Response
from itsdangerous import BadSignature, URLSafeSerializer

from app.store.players import PlayerStore

COOKIE = "wibble_player"
_TWO_YEARS = 2 * 365 * 24 * 3600


class Guests:
    """Reads and writes the cookie that says which player a browser is."""

    def __init__(self, key: str, players: PlayerStore, *, secure: bool) -> None:
        self._serializer = URLSafeSerializer(key, salt="player")
        self._players = players
        self._secure = secure

    def identify(self, request: Request) -> str | None:
        """The player of this request; None where the cookie is missing or not of our making."""
        cookie = request.cookies.get(COOKIE)
        if cookie is None:
            return None
        try:
            return str(self._serializer.loads(cookie))
        except BadSignature:
            return None

    def forget(self, request: Request, response: Response) -> None:
        """Take the cookie back: the browser is nobody's again."""
        response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=self._is_secure(request))

    def welcome(self, request: Request, response: Response, at: float) -> str:
        """The player of this request, made and given a cookie if there was none."""
        known = self.identify(request)
        if known is not None and self._players.exists(known):
            return known
        player_id = self._players.create(at)
        self.become(request, response, player_id)
        return player_id

    def become(self, request: Request, response: Response, player_id: str) -> None:
        """Give the browser the cookie of this player."""
        response.set_cookie(
            COOKIE,
            str(self._serializer.dumps(player_id)),
            max_age=_TWO_YEARS,
            httponly=True,
            samesite="lax",
            secure=self._is_secure(request),
        )

    def _is_secure(self, request: Request) -> bool:
        """Whether the cookie is for HTTPS alone: it is where it was asked for by HTTPS, told to or not."""
        return self._secure or request.url.scheme == "https"
