"""What every answer carries and what no request may do."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.problems import problem_response

MAX_BODY = 64 * 1024
"""Bytes of a request body."""
TOO_LARGE = f"the body is too large: at most {MAX_BODY:,} bytes are accepted"

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_STATIC_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",  # asked again each time, and answered by 304 while nothing has changed
}
_STATIC = ("/static/", "/vendor/")
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class SecurityHeaders:
    """Adds the house's headers to every answer: a policy to pages, what fits to files."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and dress the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        headers = _STATIC_HEADERS if scope["path"].startswith(_STATIC) else _HEADERS

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class BodyLimit:
    """Refuses a body of more than MAX_BODY bytes, whether its length was declared or not.

    FastAPI has such a limit too, but answers a declared length in a shape of its own.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and count its body as it is read."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared) > MAX_BODY:
            await problem_response(413, TOO_LARGE)(scope, receive, send)
            return
        read = 0

        async def receive_counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > MAX_BODY:
                raise HTTPException(413, TOO_LARGE)
            return message

        await self._app(scope, receive_counted, send)


class SameOriginWrites:
    """Refuses a write that a page of another site makes in a player's name."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on unless it is a foreign write."""
        writes = scope["type"] == "http" and scope["method"] not in _SAFE_METHODS
        if writes and _is_foreign(Headers(scope=scope)):
            refusal = problem_response(403, "this request comes from another site's page")
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _is_foreign(headers: Headers) -> bool:
    """Whether a browser says that another site's page made the request; programs say nothing."""
    fetch_site = headers.get("sec-fetch-site")
    if fetch_site is not None:
        return fetch_site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")
