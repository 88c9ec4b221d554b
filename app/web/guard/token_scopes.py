"""What a token may be used for: the scope that each request needs, by method and path.

A program may use an API token instead of the cookie, but never to change how its owner signs in, nor for
requests that match nothing in this table.
"""

import re
from collections.abc import Iterable
from typing import Final

from fastapi import APIRouter
from fastapi.routing import APIRoute

from app.store.tokens import Scope
from app.web.guard.limits import Limit
from app.web.guard.methods import PARAMETER

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_WRITES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_ANY: Final = _READS | _WRITES

TABLE: Final[tuple[tuple[frozenset[str], str, Scope | None], ...]] = (
    # never: the account, how its owner signs in and is reached, and what operators do
    (_ANY, r"/me(/.*)?", None),
    (_ANY, r"/api/me/(tokens|bots|devices|notifications|passkeys|phrase|mail)(/.*)?", None),
    (frozenset({"DELETE"}), r"/api/me", None),
    (_ANY, r"(/api)?/admin(/.*)?", None),
    # at tables
    (_WRITES, r"(/api)?/games(/.*)?", "play"),
    (_WRITES, r"/api/pairing|/play-now(/.*)?", "play"),
    (_WRITES, r"(/api)?/challenges(/.*)?", "play"),
    (_WRITES, r"/api/daily(/.*)?|(/\w+)?/daily/(.*/)?play", "play"),
    (_WRITES, r"(/\w+)?/play", "play"),
    # what belongs to the player, but does not sign anybody in
    (_WRITES, r"/api/me(/(preferences|ratings|blocks)(/.*)?)?", "play"),
    (_WRITES, r"/api/(circles|cards|words|reports)/?(.*)", "play"),
    (_WRITES, r"(/api)?/boards(/.*)?|/fribble/board", "play"),
    (_READS, r".*", "read"),
)
"""Methods, path and needed scope, None for never. The first match counts; a request without a match is never
allowed. The routes of the engines, which need ``engine``, are checked before the table."""
_TABLE: Final = tuple((methods, re.compile(path), scope) for methods, path, scope in TABLE)


class TokenScopes:
    """The scopes that requests need."""

    def __init__(self, engines: Iterable[APIRouter]) -> None:
        """``engines`` are the routers whose engine requests need the scope ``engine``."""
        paths = {
            PARAMETER.sub("?:", route.path_regex.pattern)
            for router in engines
            for route in router.routes
            if isinstance(route, APIRoute) and computes(route)
        }
        self._engines: Final = re.compile("|".join(sorted(paths)) or "(?!)")

    def needed(self, method: str, path: str) -> Scope | None:
        """The scope that a request needs; None if it is not possible with a token."""
        if self._engines.fullmatch(path):
            return "engine"
        return scope_by_table(method, path)


def scope_by_table(method: str, path: str) -> Scope | None:
    """The scope that a request other than to an engine needs; None if it is not possible with a token."""
    for methods, pattern, scope in _TABLE:
        if method in methods and pattern.fullmatch(path):
            return scope
    return None


def computes(route: APIRoute) -> bool:
    """Whether a request for this route counts as an engine request."""
    limits = (dependency.dependency for dependency in route.dependencies)
    return any(isinstance(limit, Limit) and "engines" in limit.kinds for limit in limits)
