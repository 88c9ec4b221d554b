"""What is told of every request: its identifier, how it was answered and how fast; nothing of who asked."""

import logging
import re
import time
from collections.abc import Callable
from secrets import token_hex
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUEST_ID: Final = "X-Request-ID"
"""The header, and in a request's scope the key, of what tells a request from all others."""
_ACCEPTED: Final = re.compile("[A-Za-z0-9._-]{1,64}")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_FILES: Final = {"static": "/static/{path}", "vendor": "/vendor/{path}"}

log = logging.getLogger("uvicorn.error.wibble.requests")


class RequestLog:
    """Logs each request by its route's template, when its answer begins, and gives it an identifier.

    A proxy's ``X-Request-ID`` is kept where it has up to 64 letters, digits, dots, dashes; the answer
    has it, too. Paths, queries, addresses and cookies are not logged: they may tell of people, or let
    somebody sit down at their table.
    """

    def __init__(self, app: ASGIApp, answered: Callable[[str, str, int, float], None]) -> None:
        """``answered`` is told the method, the route's template, the status and the seconds."""
        self._app = app
        self._answered = answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and watch for its answer."""
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
                MutableHeaders(scope=message)[REQUEST_ID] = identifier
                self._tell(scope, message["status"], began)
            await send(message)

        try:
            await self._app(scope, receive, send_watched)
        except Exception:
            if not answered:
                self._tell(scope, 500, began)
            raise

    def _tell(self, scope: Scope, status: int, began: float) -> None:
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
    """The template of the route that answers: a bounded number of texts, whatever is asked for."""
    template = getattr(scope.get("route"), "path", None)
    if isinstance(template, str):
        return template
    return _FILES.get(scope["path"].removeprefix("/").partition("/")[0], "none")
