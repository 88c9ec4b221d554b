"""HEAD and cross-origin requests: middleware for what the routes themselves do not declare."""

import re
from collections.abc import Collection, Iterable
from typing import Final

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATELESS_TAGS: Final = frozenset({"engines", "words"})
"""Tags of the routes that read and write no player's data."""
_STREAM: Final = "/events"
PARAMETER: Final = re.compile(r"\?P<\w+>")
"""The name of a group in a route's pattern."""


def head_allowed(path: str) -> bool:
    """Whether HEAD is answered where GET is; not for event streams, whose answers do not end."""
    return not path.endswith(_STREAM)


class HeadRequests:
    """Answers HEAD as GET, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http" or scope["method"] != "HEAD" or not head_allowed(scope["path"]):
            await self._app(scope, receive, send)
            return
        as_get: Scope = {**scope, "method": "GET"}

        async def send_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                if "route" in as_get:
                    scope["route"] = as_get["route"]  # for the log and the metrics
            elif message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self._app(as_get, receive, send_headers)


class CrossOrigin:
    """Which paths other sites' pages may use, and from which origins. Cookies are never allowed."""

    def __init__(self, routers: Iterable[APIRouter], origins: Collection[str]) -> None:
        """``origins`` such as ``https://example.org``; ``*`` for any."""
        paths = {
            PARAMETER.sub("?:", route.path_regex.pattern)
            for router in routers
            for route in router.routes
            if isinstance(route, APIRoute) and not STATELESS_TAGS.isdisjoint(route.tags)
        }
        self.origins: Final = frozenset(origins)
        self._paths: Final = re.compile("|".join(sorted(paths)) or "(?!)")

    def covers(self, path: str) -> bool:
        """Whether the path belongs to a stateless engine, or redirects there because it ends in a slash."""
        return self._paths.fullmatch(path.rstrip("/")) is not None

    def allows(self, path: str, origin: str | None) -> bool:
        """Whether a page of ``origin`` may send requests of any method to ``path``."""
        return self.covers(path) and ("*" in self.origins or origin in self.origins)


class CrossOriginReads:
    """Lets other sites' pages use the stateless engines (CORS)."""

    def __init__(self, app: ASGIApp, allowed: CrossOrigin) -> None:
        self._app: Final = app
        self._allowed: Final = allowed
        self._cors: Final = CORSMiddleware(
            app,
            allow_origins=allowed.origins,
            allow_methods=("GET", "HEAD", "POST"),
            allow_headers=("Authorization", "Content-Type"),
            expose_headers=("Retry-After",),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        shared = scope["type"] == "http" and self._allowed.covers(scope["path"])
        await (self._cors if shared else self._app)(scope, receive, send)
