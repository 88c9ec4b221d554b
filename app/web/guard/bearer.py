"""Whom a request's API token stands for. ``token_check.py`` finds it, before anything else is done."""

from collections.abc import Callable
from threading import Lock
from typing import Final

from cachetools import TTLCache
from fastapi.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.types import Scope

from app.store.tokens import Bearer, Tokens, WrongToken, check_expiry

REVOKED_WITHIN: Final = 10.0
"""Seconds until every worker knows that a token was revoked."""
_BEARER: Final = "wibble.bearer"
"""Key of the ``Bearer`` in a request's scope."""
_TEXT: Final = "wibble.token"
"""Key of the token itself, to check it again while an event stream lasts."""
_TOKENS_KNOWN: Final = 20_000


def bearer_of(request: HTTPConnection) -> Bearer | None:
    """Whom the request's token stands for; None without a token."""
    return bearer_in(request.scope)


def bearer_in(scope: Scope) -> Bearer | None:
    """As ``bearer_of``, for middleware."""
    found: Bearer | None = scope.get(_BEARER)
    return found


def keep_bearer(scope: Scope, bearer: Bearer, text: str) -> None:
    """Note whom a request's token, given as its text, stands for."""
    scope[_BEARER] = bearer
    scope[_TEXT] = text


class KnownTokens:
    """The tokens that were valid just now, so that not every request reads the database."""

    def __init__(self, tokens: Tokens, clock: Callable[[], float]) -> None:
        self._tokens = tokens
        self._clock = clock
        self._valid: TTLCache[str, Bearer] = TTLCache(_TOKENS_KNOWN, REVOKED_WITHIN)
        self._lock = Lock()

    async def find(self, text: str) -> Bearer:
        """Whom a token stands for. Raises WrongToken."""
        with self._lock:
            known: Bearer | None = self._valid.get(text)
        if known is None:
            known = await run_in_threadpool(self._tokens.find, text, self._clock())
            with self._lock:
                self._valid[text] = known
        check_expiry(known.expires_at, self._clock())
        return known

    async def is_valid(self, request: HTTPConnection) -> bool:
        """Whether the token with which a request began is still valid; True without a token."""
        text: str | None = request.scope.get(_TEXT)
        try:
            return text is None or await self.find(text) is not None
        except WrongToken:
            return False

    def forget(self) -> None:
        """Ask the database again about all tokens: one was revoked."""
        with self._lock:
            self._valid.clear()
