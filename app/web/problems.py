"""One shape for every error: a problem document (RFC 9457) for programs, a page for people."""

from collections.abc import Callable, Iterable
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from app.games.game import IllegalMove
from app.games.record import BrokenRecord
from app.store.dailies import UnknownDay
from app.store.players import BadNickname, UnknownRecovery
from app.store.tables import NotYourSeat, Refused, StalePly, TooEarly, TooMuch, UnknownGame, WrongInvitation
from app.web.history import NoSuchPly, StillSecret
from app.web.pool import PoolFull
from app.web.templating import templates
from app.words.library import UnknownLexicon

MEDIA_TYPE = "application/problem+json"
REQUEST_ID = "X-Request-ID"
"""The header, and in a request's scope the key, of what tells a request from all others."""


STATUSES: dict[type[Exception], int] = {
    UnknownGame: 404,
    UnknownDay: 404,
    NoSuchPly: 404,
    WrongInvitation: 404,
    NotYourSeat: 403,
    StalePly: 409,
    Refused: 409,
    StillSecret: 409,
    TooEarly: 409,
    TooMuch: 429,
    UnknownRecovery: 404,
    BadNickname: 422,
    BrokenRecord: 422,
}
"""What is refused with the error's own words."""


class FieldError(BaseModel):
    """What is wrong with one field."""

    location: list[str | int] = Field(examples=[["body", "move", "cells", 3]])
    """Where the field is, from the outside in."""
    message: str = Field(examples=["cell 7 does not touch cell 0: each tile must touch the one before"])


class Problem(BaseModel):
    """An error as RFC 9457 has it."""

    type: str = "about:blank"
    title: str = Field(examples=["Unprocessable Content"])
    status: int = Field(examples=[422])
    detail: str
    errors: list[FieldError] = []


def problem_response(
    status: int,
    detail: str,
    errors: Iterable[FieldError] = (),
    headers: dict[str, str] | None = None,
    **extensions: Any,
) -> JSONResponse:
    """The answer to a program; ``extensions`` are further members, such as the current game."""
    problem = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, errors=list(errors))
    return JSONResponse(problem.model_dump() | extensions, status, headers, MEDIA_TYPE)


def describe(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI description of the errors a route answers with."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}},
        }
        for status in statuses
    }


def install(app: FastAPI) -> None:
    """Make ``app`` answer every error in the house's shape."""
    handlers: dict[type[Exception], Callable[[Request, Any], Response]] = {
        HTTPException: _http_error,
        RequestValidationError: _bad_fields,
        UnknownLexicon: _unknown_lexicon,
        IllegalMove: lambda request, error: _answer(request, 422, error.reason, move_errors(error)),
        PoolFull: _pool_full,
        OperationalError: _store_away,
        InterfaceError: _store_away,
        PoolTimeout: _store_away,
        Exception: _our_fault,
    }
    for kind, status in STATUSES.items():
        handlers[kind] = partial(_told, status=status)
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


def field_errors(errors: Iterable[Any]) -> list[FieldError]:
    """Pydantic's errors as ours, without its type codes and links."""
    return [
        FieldError(location=list(error["loc"]), message=str(error["msg"]).removeprefix("Value error, "))
        for error in errors
    ]


def move_errors(refused: IllegalMove) -> list[FieldError]:
    """Where in the move the fault is, if at one of its cells."""
    if refused.index is None:
        return []
    return [FieldError(location=["body", "move", "cells", refused.index], message=refused.reason)]


def _http_error(request: Request, error: HTTPException) -> Response:
    detail = error.detail
    if detail == HTTPStatus.NOT_FOUND.phrase:
        detail = "there is nothing at this address"
    return _answer(request, error.status_code, detail, headers=dict(error.headers or {}))


def _bad_fields(request: Request, error: RequestValidationError) -> Response:
    errors = field_errors(error.errors())
    return _answer(request, 422, "; ".join(one.message for one in errors), errors)


def _told(request: Request, error: Exception, status: int) -> Response:
    return _answer(request, status, str(error))


def _unknown_lexicon(request: Request, error: UnknownLexicon) -> Response:
    return _answer(request, 422, str(error), [FieldError(location=["lexicon"], message=str(error))])


def _pool_full(request: Request, error: PoolFull) -> Response:
    return _answer(request, 503, str(error), headers={"Retry-After": str(error.retry_after)})


def _our_fault(request: Request, _error: Exception) -> Response:
    # Answered outside of all that dresses answers: who tells us of it tells us which request it was.
    headers = {REQUEST_ID: request.scope[REQUEST_ID]} if REQUEST_ID in request.scope else {}
    return _answer(request, 500, "something went wrong on our side", headers=headers)


def _store_away(request: Request, _error: Exception) -> Response:
    detail = "the store does not answer just now: nothing was changed, try again in a moment"
    return _answer(request, 503, detail, headers={"Retry-After": "1"})


def _answer(
    request: Request,
    status: int,
    detail: str,
    errors: Iterable[FieldError] = (),
    headers: dict[str, str] | None = None,
) -> Response:
    if _wants_page(request):
        context = {"status": status, "title": HTTPStatus(status).phrase, "detail": detail}
        return templates.TemplateResponse(
            request, "error.html", context, status_code=status, headers=headers or {}
        )
    return problem_response(status, detail, errors, headers)


def _wants_page(request: Request) -> bool:
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")
