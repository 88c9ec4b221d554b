"""The player behind a request's API token, which ``token_check.py`` looks up before handling the request."""

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
"""Key of the token itself, to check it again during an event stream."""
_TOKENS_KNOWN: Final = 20_000


def bearer_of(request: HTTPConnection) -> Bearer | None:
    """The player behind the request's token; None without a token."""
    return bearer_in(request.scope)


def bearer_in(scope: Scope) -> Bearer | None:
    """As ``bearer_of``, for middleware."""
    found: Bearer | None = scope.get(_BEARER)
    return found


def keep_bearer(scope: Scope, bearer: Bearer, text: str) -> None:
    """Store the player behind a request's token, and the token's ``text``, in the scope."""
    scope[_BEARER] = bearer
    scope[_TEXT] = text


class KnownTokens:
    """Cache of tokens that were valid a moment ago, so that not every request reads the database."""

    def __init__(self, tokens: Tokens, clock: Callable[[], float]) -> None:
        self._tokens = tokens
        self._clock = clock
        self._valid: TTLCache[str, Bearer] = TTLCache(_TOKENS_KNOWN, REVOKED_WITHIN)
        self._lock = Lock()

    async def find(self, text: str) -> Bearer:
        """The player behind a token. Raises WrongToken."""
        with self._lock:
            known: Bearer | None = self._valid.get(text)
        if known is None:
            known = await run_in_threadpool(self._tokens.find, text, self._clock())
            with self._lock:
                self._valid[text] = known
        check_expiry(known.expires_at, self._clock())
        return known

    async def is_valid(self, request: HTTPConnection) -> bool:
        """Whether the token that a request was sent with is still valid; True without a token."""
        text: str | None = request.scope.get(_TEXT)
        try:
            return text is None or await self.find(text) is not None
        except WrongToken:
            return False

    def forget(self) -> None:
        """Clear the cache, after a token was revoked."""
        with self._lock:
            self._valid.clear()
