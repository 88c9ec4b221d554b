"""Zero characters in a URL: no ID or field has one, and PostgreSQL fails on them."""

from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.web.guard.fields import FieldError, describe_errors
from app.web.guard.problems import NOTHING_HERE, answer

_LONGEST_NAME: Final = 60
"""Most characters of a parameter's name that the answer quotes."""


class ZeroCharacters:
    """Refuses URLs with a zero character: 404 if it is in the path, 422 in a query parameter."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, unless its URL has a zero character."""
        refused: ASGIApp | None = None
        if scope["type"] == "http":
            if "\0" in scope["path"]:
                refused = answer(Request(scope), 404, NOTHING_HERE)
            elif b"%00" in scope["query_string"]:
                errors = _errors(scope["query_string"].decode("latin-1"))
                refused = answer(Request(scope), 422, describe_errors(errors), errors)
        await (refused or self._app)(scope, receive, send)


def _errors(query: str) -> list[FieldError]:
    names = dict.fromkeys(
        name for name, value in parse_qsl(query, keep_blank_values=True) if "\0" in name + value
    )
    message = "has a zero character: expected text without one"
    return [FieldError(location=["query", name[:_LONGEST_NAME]], message=message) for name in names]
