"""Request logging: one line per request with its ID, status and duration. Never logs the player."""

import logging
import re
import time
from collections.abc import Callable
from http import HTTPStatus
from secrets import token_hex
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUEST_ID: Final = "X-Request-ID"
"""Header and scope key of the request ID."""
_ACCEPTED: Final = re.compile("[A-Za-z0-9._-]{1,64}")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_FILES: Final = {"static": "/static/{path}", "vendor": "/vendor/{path}"}
_FILE_PATHS: Final = tuple(f"/{folder}/" for folder in _FILES)

log = logging.getLogger("uvicorn.error.wibble.requests")


class RequestLog:
    """Logs each request with its route template when the response begins, and gives it an ID.

    A valid ``X-Request-ID`` from a proxy is kept: up to 64 letters, digits, dots, dashes and underscores. The
    response has the ID, too, unless it is a static file, as a page loads twenty of those. Paths, queries,
    addresses and cookies are not logged: they may identify people, or contain invitation tokens.
    """

    def __init__(self, app: ASGIApp, answered: Callable[[str, str, int, float], None]) -> None:
        """``answered`` is called with the method, route template, status and seconds of each request."""
        self._app = app
        self._answered = answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and log it when the response begins."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        given = Headers(scope=scope).get(REQUEST_ID, "")
        identifier = scope[REQUEST_ID] = given if _ACCEPTED.fullmatch(given) else token_hex(8)
        answered = False

        async def send_watched(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                if message["status"] != HTTPStatus.OK or not scope["path"].startswith(_FILE_PATHS):
                    MutableHeaders(scope=message)[REQUEST_ID] = identifier
                self._log(scope, message["status"], began)
            await send(message)

        try:
            await self._app(scope, receive, send_watched)
        except Exception:
            if not answered:
                self._log(scope, 500, began)
            raise

    def _log(self, scope: Scope, status: int, began: float) -> None:
        seconds = time.perf_counter() - began
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = _route(scope)
        self._answered(method, route, status, seconds)
        fields = {
            "request_id": scope[REQUEST_ID],
            "method": method,
            "route": route,
            "status": status,
            "milliseconds": round(seconds * 1000, 1),
        }
        log.info(
            "%s %s %d in %.1f ms (%s)",
            method,
            route,
            status,
            seconds * 1000,
            scope[REQUEST_ID],
            extra={"fields": fields},
        )


def _route(scope: Scope) -> str:
    """The template of the matched route: a bounded set of values, whatever path is requested."""
    template = getattr(scope.get("route"), "path", None)
    if isinstance(template, str):
        return template
    return _FILES.get(scope["path"].removeprefix("/").partition("/")[0], "none")
