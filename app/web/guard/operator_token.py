"""The operators' token, ``WIBBLE_ADMIN_TOKEN``, and the cookie of a browser that has given it."""

import hmac
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from fastapi import Request, Response
from itsdangerous import BadSignature, URLSafeSerializer

COOKIE: Final = "wibble_operator"
SESSION_SECONDS: Final = 2 * 3600
"""How long a browser stays signed in with the token."""
_PATH: Final = "/admin"


class OperatorToken:
    """Checks the operators' token, and the signed cookie of a browser that has given it."""

    def __init__(self, token: str | None, key: str, clock: Callable[[], float], *, secure: bool) -> None:
        """``token`` is None if not configured; ``key`` signs the cookies; a new token invalidates them."""
        self._digest = None if token is None else _digest(token)
        self._cookies = URLSafeSerializer(key, salt=f"operator {_digest(token or '').hex()}")
        self._clock = clock
        self._secure = secure

    @property
    def is_set(self) -> bool:
        """Whether this installation has a token."""
        return self._digest is not None

    def accepts(self, given: str) -> bool:
        """Whether this is the token. Compares in constant time."""
        return self._digest is not None and hmac.compare_digest(self._digest, _digest(given))

    def is_signed_in(self, request: Request) -> bool:
        """Whether the browser has given the token within SESSION_SECONDS."""
        cookie = request.cookies.get(COOKIE)
        if cookie is None or not self.is_set:
            return False
        try:
            until = self._cookies.loads(cookie)
        except BadSignature:
            return False
        return bool(self._clock() < until)

    def sign_in(self, request: Request, response: Response) -> None:
        """Set the cookie. The browser sends it only below /admin, and never from another site."""
        response.set_cookie(
            COOKIE,
            str(self._cookies.dumps(self._clock() + SESSION_SECONDS)),
            max_age=SESSION_SECONDS,
            path=_PATH,
            httponly=True,
            samesite="strict",
            secure=self._secure or request.url.scheme == "https",
        )

    def sign_out(self, response: Response) -> None:
        """Delete the cookie."""
        response.delete_cookie(COOKIE, path=_PATH, httponly=True, samesite="strict")


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "replace")).digest()
