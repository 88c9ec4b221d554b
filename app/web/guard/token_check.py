"""Checks API tokens: a program sends ``Authorization: Bearer wib_...`` instead of the player's cookie.

With a token the cookie is ignored. A request whose token is wrong, revoked or expired, or lacks the needed
scope, is refused before anything else is done.
"""

from typing import Final

from fastapi import Response
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import Headers
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from app.store.tokens import PREFIX, WrongToken
from app.web.guard.bearer import KnownTokens, keep_bearer
from app.web.guard.problems import NOTHING_HERE, problem_response
from app.web.guard.security import WATCHED
from app.web.guard.token_scopes import TokenScopes

_OPERATORS: Final = "/api/admin/"


class BearerTokens:
    """Finds the player behind a request's token, and refuses tokens that are not valid for the request.

    Monitoring and operators have tokens of their own: see ``app.web.ops.health``, ``app.web.admin.access``.
    """

    def __init__(self, app: ASGIApp, known: KnownTokens, scopes: TokenScopes) -> None:
        self._app: Final = app
        self._known: Final = known
        self._scopes: Final = scopes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request unless its token is refused."""
        given = None
        if scope["type"] == "http" and not _has_own_token(scope["path"]):
            given = _token_in(Headers(scope=scope))
        refusal = None if given is None else await self._check(given, scope)
        await (refusal or self._app)(scope, receive, send)

    async def _check(self, given: str, scope: Scope) -> Response | None:
        """Store the player behind the token in ``scope``, or return the refusal."""
        try:
            bearer = await self._known.find(given)
        except WrongToken as wrong:
            headers = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
            return problem_response(401, f"Authorization: {wrong}", headers=headers)
        except SQLAlchemyError:
            detail = "the database is unavailable: nothing was changed, try again in a moment"
            return problem_response(503, detail, headers={"Retry-After": "1"})
        needed = self._scopes.needed(scope["method"], scope["path"])
        if needed in bearer.scopes:
            keep_bearer(scope, bearer, given)
            return None
        if all(route.matches(scope)[0] is Match.NONE for route in scope["app"].routes):
            return problem_response(404, NOTHING_HERE)  # a misspelt path, which no other token would help
        if needed is None:
            detail = "a token cannot do this: sign in with a browser"
            return problem_response(403, detail, headers=_insufficient(""))
        allowed = ", ".join(sorted(bearer.scopes))
        detail = f"the token lacks the scope {needed!r}: it allows {allowed}"
        return problem_response(403, detail, headers=_insufficient(f', scope="{needed}"'))


def _has_own_token(path: str) -> bool:
    """Whether tokens sent to this path are checked elsewhere."""
    return path in WATCHED or path.startswith(_OPERATORS)


def _token_in(headers: Headers) -> str | None:
    """The token of a request; None without one, also with Basic authentication for a proxy.

    A token that is not sent as ``Bearer`` becomes an empty one, which is refused as malformed.
    """
    for header in headers.getlist("authorization"):
        scheme, _, token = header.partition(" ")
        if scheme.lower() == "bearer":
            return token.strip()
        if PREFIX in header:  # without Bearer: its program would be taken for a new guest
            return ""
    return None


def _insufficient(needed: str) -> dict[str, str]:
    return {"WWW-Authenticate": f'Bearer error="insufficient_scope"{needed}'}
