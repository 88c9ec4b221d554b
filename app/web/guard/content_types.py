"""Bodies that an operation cannot read: 415 for another content type, 422 where it takes none. And forms."""

from email.message import Message
from typing import Final

from fastapi import HTTPException, Request
from starlette.datastructures import FormData

from app.web.guard.fields import invalid_field

JSON: Final = "application/json"
FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
_READS: Final = frozenset({"GET", "HEAD"})
_NOTHING: Final = frozenset({b"", b"{}", b"null"})
"""Bodies that ask for nothing: some clients send one with every request."""
MOST_FIELDS: Final = 200
MOST_FILES: Final = 1
"""Limits of a form. Our pages send far fewer, and parsing 1,000 parts with long heads takes seconds."""


async def check_content_type(request: Request) -> None:
    """Refuse a body that is neither JSON nor a form, as its route expects. Raises HTTPException (415).

    Where a route of the API takes no body, its fields would go unnoticed. Raises RequestValidationError.
    """
    field = getattr(request.scope.get("route"), "body_field", None)
    if field is None:
        if request.method not in _READS and request.url.path.startswith("/api/"):
            await _refuse_body(request)
        return
    expected = getattr(field.field_info, "media_type", JSON)
    if expected == JSON and await request.body():
        _check(request, (JSON,))
    elif expected in FORMS:
        check_form(request)


async def _refuse_body(request: Request) -> None:
    if b"".join((await request.body()).split()) not in _NOTHING:
        raise invalid_field("no body expected: parameters, if there are any, go into the address", "body")


async def read_form(request: Request) -> FormData:
    """Return the fields of a form. Raises HTTPException: 415 if it is not a form, 400 if unreadable."""
    check_form(request)
    return await request.form(max_files=MOST_FILES, max_fields=MOST_FIELDS)


def check_form(request: Request) -> None:
    """Refuse a body that is not a form. Raises HTTPException (415)."""
    if "content-type" in request.headers:
        _check(request, FORMS)


def _check(request: Request, accepted: tuple[str, ...]) -> None:
    message = Message()
    given = message["content-type"] = request.headers.get("content-type", "")
    kind = message.get_content_type() if given else "none"
    if kind in accepted or (JSON in accepted and kind.startswith("application/") and kind.endswith("+json")):
        return
    wanted = " or ".join(accepted)
    raise HTTPException(415, f"Content-Type: {wanted} expected, {kind} given")
