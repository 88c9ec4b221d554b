"""Protection from header values that take seconds to parse and block the worker meanwhile."""

from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.web.guard.problems import answer

LONGEST_CONTENT_TYPE: Final = 1000
"""Most bytes of a Content-Type. With 60,000 semicolons, email.message takes seconds to parse it."""


class CostlyHeaders:
    r"""Refuses a long Content-Type, and removes backslashes from cookies.

    Before Python 3.11.10, reading a cookie such as ``a="\"\"…"`` takes quadratic time (CVE-2024-7592). None
    of our cookies has a backslash. The request is not refused, because cookies set by other services of the
    domain must not lock anybody out.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        app = self._app
        if scope["type"] == "http":
            if any(name == b"cookie" and b"\\" in value for name, value in scope["headers"]):
                scope["headers"] = [
                    (name, value.replace(b"\\", b"") if name == b"cookie" else value)
                    for name, value in scope["headers"]
                ]
            longest = max(
                (len(value) for name, value in scope["headers"] if name == b"content-type"), default=0
            )
            if longest > LONGEST_CONTENT_TYPE:
                detail = (
                    f"Content-Type: at most {LONGEST_CONTENT_TYPE:,} bytes are accepted, {longest:,} given"
                )
                app = answer(Request(scope), 415, detail)
        await app(scope, receive, send)
