"""Security middleware: response headers, body size limit, trusted hosts, same-origin writes."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.guard.bearer import bearer_in
from app.web.guard.methods import CrossOrigin
from app.web.guard.private_pages import is_private
from app.web.guard.problems import problem_response

_HSTS = {"Strict-Transport-Security": "max-age=31536000"}
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_STATIC_HEADERS = {"X-Content-Type-Options": "nosniff"}
_STATIC = ("/static/", "/vendor/")
_PORT: Final = re.compile(r":\d+$")
_HOST: Final = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?")
WATCHED: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""Addresses of health checks, which may use any host and no player's token."""
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class SecurityHeaders:
    """Adds security and caching headers to every response.

    Pages depend on the player's cookie, so shared caches must not store them.
    """

    def __init__(self, app: ASGIApp, *, https: bool = False) -> None:
        """``https``: browsers reach this installation only by HTTPS, whatever a proxy's headers say."""
        self._app = app
        self._https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request and add the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        https = self._https or scope["scheme"] == "https"
        below_static = scope["path"].startswith(_STATIC)
        private = is_private(scope["path"])
        cache = "no-store" if private else "private, no-cache"
        is_form = scope["method"] == "POST" and not private

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                page = sent.get("Content-Type", "").startswith("text/html")  # for example a 404 page
                sent.update(_STATIC_HEADERS if below_static and not page else _HEADERS)
                if https:
                    sent.update(_HSTS)
                # Going back to a refused form that the browser may not keep shows the browser's error page;
                # on private pages, static/site/form_answer.js prevents that.
                if page and is_form and message["status"] >= HTTPStatus.BAD_REQUEST:
                    del sent["Cache-Control"]
                sent.setdefault("Cache-Control", cache)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class BodyLimit:
    """Refuses bodies of more than ``most`` bytes, whether or not the length is declared.

    ``larger`` has the paths that accept more. FastAPI's own limit sends no problem document.
    """

    def __init__(self, app: ASGIApp, most: int, larger: Mapping[str, int] = MappingProxyType({})) -> None:
        self._app = app
        self._most = most
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, counting its body as it is read."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = max(self._most, self._larger.get(scope["path"], 0))
        too_large = f"the body is too large: at most {most:,} bytes are accepted"
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            await problem_response(413, too_large)(scope, receive, send)
            return
        read = 0

        async def receive_counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise HTTPException(413, too_large)
            return message

        await self._app(scope, receive_counted, send)


class TrustedHostMiddleware:
    """Refuses requests for other hosts, since links on pages are built from the Host header.

    Without ``names``, any well-formed Host header is accepted. Health checks may use any host.

    Starlette's middleware accepts all malformed headers of our tests if no names are configured, and repeated
    headers if they are; its errors are plain text.
    """

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request if its host is accepted."""
        if scope["type"] == "http" and scope["path"] not in WATCHED:
            hosts = Headers(scope=scope).getlist("host")
            if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
                given = ", ".join(map(repr, hosts)) or "none"
                detail = f"Host: {given} given; expected one name or address, with or without a port"
                await problem_response(400, detail)(scope, receive, send)
                return
            if self._names and _PORT.sub("", hosts[0]).lower() not in self._names:
                detail = f"Host: {hosts[0]!r} is not served here"
                await problem_response(421, detail)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class SameOriginWrites:
    """Refuses writes from other sites' pages (CSRF), except where ``allowed``.

    A request with a token cannot be forged: browsers send cookies by themselves, but not tokens.
    """

    def __init__(self, app: ASGIApp, allowed: CrossOrigin) -> None:
        self._app = app
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request unless it is a cross-site write."""
        if scope["type"] == "http" and scope["method"] not in _SAFE_METHODS and self._is_refused(scope):
            refusal = problem_response(403, "this request comes from another site’s page")
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_refused(self, scope: Scope) -> bool:
        if bearer_in(scope) is not None:
            return False
        headers = Headers(scope=scope)
        return _is_cross_site(headers) and not self._allowed.allows(scope["path"], headers.get("origin"))


def _is_cross_site(headers: Headers) -> bool:
    """Whether the browser's headers say that another site's page made the request; programs send none."""
    fetch_site = headers.get("sec-fetch-site")
    if fetch_site is not None:
        return fetch_site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host")
