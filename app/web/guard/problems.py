"""Error responses: problem documents (RFC 9457) for programs, error pages for browsers."""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.games.game import IllegalMove, UnknownLevel
from app.games.puzzle_sets import BadPuzzleId, NoPuzzle
from app.games.record import BrokenRecord
from app.games.study_tree import BadStudy
from app.store.blocks import BadBlock, UnknownBlock
from app.store.bot_accounts import PeopleOnly, UnknownBot
from app.store.cards import StaleCard, UnknownCard
from app.store.channels import UnknownChannel
from app.store.circles import UnknownCircle
from app.store.dailies import UnknownDay
from app.store.devices import UnknownDevice
from app.store.direct_challenges import NotTaken
from app.store.mail_addresses import BadAddress
from app.store.models import (
    BadField,
    NotChallengeable,
    NotYourSeat,
    Refused,
    StalePly,
    TooEarly,
    TooMuch,
    UnknownChallenge,
    UnknownGame,
    UnknownPlayer,
    WrongInvitation,
)
from app.store.moderation import UnknownReport
from app.store.operators import OperatorExists
from app.store.pairing import NotWaiting
from app.store.passkeys import BadPasskey
from app.store.phrases import WrongPhrase
from app.store.players import UnknownRecovery
from app.store.puzzle_rushes import RushOver
from app.store.puzzles import UnknownPuzzle
from app.store.reports import AlreadyReported, UnknownSubject
from app.store.sanctions import Sanctioned
from app.store.study_boards import StaleBoard, TooManyBoards, UnknownBoard
from app.store.tokens import UnknownToken
from app.validation import quote
from app.web.guard.fields import FieldError, describe_errors, field_errors, in_players_words
from app.web.guard.methods import head_allowed
from app.web.guard.rates import TooOften
from app.web.model import Documented
from app.web.pool import PoolFull, ShareTaken
from app.web.site.card_files import BadCards
from app.web.table.record import StillSecret
from app.web.table.replay_cache import NoSuchPly
from app.web.templating import templates
from app.words.library import DamagedLexicon, UnknownLexicon

log = logging.getLogger("uvicorn.error.wibble")

MEDIA_TYPE = "application/problem+json"
NOTHING_HERE = "there is nothing at this address"
_LONGEST_NOT_FOUND: Final = 200
"""Most characters of a 404's detail, since the part that it quotes from the request may have any length."""

STATUSES: dict[type[Exception], int] = {
    UnknownGame: 404,
    UnknownPlayer: 404,
    UnknownDay: 404,
    UnknownChallenge: 404,
    UnknownLevel: 404,
    NoSuchPly: 404,
    WrongInvitation: 404,
    NotYourSeat: 403,
    Sanctioned: 403,
    PeopleOnly: 403,
    NotTaken: 403,
    StalePly: 409,
    Refused: 409,
    StillSecret: 409,
    NotChallengeable: 409,
    TooEarly: 409,
    TooMuch: 429,
    UnknownDevice: 404,
    UnknownCircle: 404,
    UnknownBlock: 404,
    UnknownToken: 404,
    UnknownBot: 404,
    UnknownChannel: 404,
    UnknownCard: 404,
    UnknownPuzzle: 404,
    NoPuzzle: 404,
    RushOver: 409,
    UnknownBoard: 404,
    StaleBoard: 409,
    TooManyBoards: 429,
    StaleCard: 409,
    NotWaiting: 404,
    BadBlock: 422,
    UnknownSubject: 404,
    AlreadyReported: 409,
    UnknownReport: 404,
    OperatorExists: 409,
    BadPasskey: 422,
    BadAddress: 422,
    UnknownRecovery: 404,
    WrongPhrase: 422,
    IllegalMove: 422,
}
"""Status of each exception whose message is shown to the client."""


_MEANINGS = {
    400: "The body cannot be read.",
    401: "The caller is not known: the token is wrong, expired or revoked, or none was sent.",
    403: "Not allowed: it needs a seat that the caller does not have, an operator has forbidden it to the "
    "player, or the request is from another site.",
    404: "Not found, or hidden from the caller.",
    409: "Not possible in the current state of the game, which may be included as ``game``.",
    413: "The body is too large.",
    415: "The body is of another type than this operation reads.",
    422: "The request is invalid; ``errors`` names the fields.",
    429: "Too many requests, or a limit is reached.",
    431: "The address and the headers are too long.",
    500: "An error of the server: it is logged with the answer's header ``X-Request-ID``.",
    503: "The database is unavailable or the engines are all busy; nothing was changed.",
}
"""OpenAPI description of each error status."""
_UNREADABLE: dict[type[BaseException | None], str] = {
    UnicodeDecodeError: "not JSON: text in UTF-8 expected, other bytes given",
    RecursionError: "not JSON: nested too deeply",
}
"""Detail of a body that FastAPI cannot read, by the cause; its own only says that there was an error."""
_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}
"""Titles that older versions of Python do not have."""
_RETRY_AFTER = {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 0}}


class Problem(Documented):
    """A problem document as in RFC 9457."""

    type: str = "about:blank"
    title: str = Field(examples=["Unprocessable Content"])
    status: int = Field(examples=[422])
    detail: str
    errors: list[FieldError] = Field(default=[])


def problem_response(
    status: int,
    detail: str,
    errors: Iterable[FieldError] = (),
    headers: dict[str, str] | None = None,
    **extensions: Any,
) -> JSONResponse:
    """A problem document response; ``extensions`` are additional members, such as the current game."""
    problem = Problem(title=title_of(status), status=status, detail=detail, errors=list(errors))
    return JSONResponse(problem.model_dump() | extensions, status, headers, MEDIA_TYPE)


def title_of(status: int) -> str:
    """The title of a problem with this status: its reason phrase in RFC 9110."""
    return _TITLES.get(status) or HTTPStatus(status).phrase


def meaning_of(status: int) -> str:
    """What a problem with this status means; empty if its title says it."""
    return _MEANINGS.get(status, "")


def describe(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI ``responses`` for these error statuses."""
    return {
        status: {
            "description": _MEANINGS[status],
            "content": {
                MEDIA_TYPE: {
                    "schema": {"$ref": f"#/components/schemas/{Problem.__name__}"},
                    "example": {"title": title_of(status), "status": status, "detail": _MEANINGS[status]},
                }
            },
            "headers": {"Retry-After": _RETRY_AFTER} if status in (429, 503) else {},
        }
        for status in statuses
    }


def install(app: FastAPI) -> None:
    """Register the exception handlers."""
    handlers: dict[type[Exception], Callable[[Request, Any], Response]] = {
        HTTPException: _http_error,
        RequestValidationError: _bad_fields,
        BadField: _bad_field,
        UnknownLexicon: _no_such_lexicon,
        DamagedLexicon: _no_such_lexicon,
        BadStudy: _bad_study,
        BadPuzzleId: _bad_puzzle_id,
        BrokenRecord: _broken_record,
        BadCards: lambda request, error: answer(request, 422, str(error), error.errors),
        PoolFull: _later(503),
        ShareTaken: _later(429),
        TooOften: _later(429),
        OperationalError: _database_unavailable,
        InterfaceError: _database_unavailable,
        InternalError: _database_unavailable,  # for example PostgreSQL turned read-only
        PoolTimeout: _database_unavailable,
    }
    for kind, status in STATUSES.items():
        handlers[kind] = partial(_message, status=status)
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


class ServerErrorMiddleware:
    """Answers unhandled exceptions with a 500 problem document, and re-raises them for the server's log.

    Starlette's own handler would answer outside the other middleware, without headers and metrics.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def send_watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_watched)
        except ClientDisconnect:
            return  # the client left before its body was read: no answer, and no fault of ours
        except Exception:
            if not begun:
                failed = answer(Request(scope), 500, "something went wrong on our side")
                await failed(scope, receive, send)
            raise


def _http_error(request: Request, error: HTTPException) -> Response:
    detail, headers = error.detail, dict(error.headers or {})
    if isinstance(error.__cause__, RequestValidationError):  # of the body's JSON: see app.web.model
        return _bad_fields(request, error.__cause__)
    if unreadable := _UNREADABLE.get(type(error.__cause__)):
        coding = request.headers.get("content-encoding", "identity")
        if coding.lower() != "identity":
            return answer(request, 415, f"Content-Encoding: an uncompressed body expected, {coding} given")
        detail = unreadable
    if detail == HTTPStatus.NOT_FOUND.phrase:
        detail = NOTHING_HERE
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(_methods_at(request))
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=headers)
        detail = f"{quote(request.method)} is not supported at this address: use {headers['Allow']}"
    return answer(request, error.status_code, detail, headers=headers)


def _methods_at(request: Request) -> list[str]:
    """All methods supported at the URL; Starlette's own list is only that of the first matching route."""
    # Inside a mount, the scope's path is relative to it.
    root = request.scope.get("app_root_path", request.scope.get("root_path", ""))
    methods = [
        method
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        if any(
            route.matches({**request.scope, "root_path": root, "method": method})[0] is Match.FULL
            and not (isinstance(route, Mount) and method != "GET")
            for route in request.app.routes
        )
    ]
    head = ["HEAD"] if "GET" in methods and head_allowed(request.url.path) else []
    return [*methods[:1], *head, *methods[1:], "OPTIONS"]


def _bad_fields(request: Request, error: RequestValidationError) -> Response:
    # After a broken link there are no form fields to explain.
    if _is_page(request) and any(each["loc"][0] == "path" for each in error.errors()):
        return answer(request, 404, NOTHING_HERE)
    given = {"body": error.body, "query": request.query_params, "path": request.path_params}
    errors = field_errors(error.errors(), given, _root(request))
    return answer(request, 422, describe_errors(errors), errors)


def _root(request: Request) -> str:
    """The part of a request that has its fields."""
    return "query" if request.method in ("GET", "HEAD") else "body"


def _message(request: Request, error: Exception, status: int) -> Response:
    return answer(request, status, str(error))


def _bad_puzzle_id(request: Request, error: BadPuzzleId) -> Response:
    if _is_page(request):
        return answer(request, 404, "this puzzle link isn’t valid")
    fault = FieldError(location=["path", "puzzle_id"], message=str(error))
    return answer(request, 422, str(fault), [fault])


def _no_such_lexicon(request: Request, error: UnknownLexicon | DamagedLexicon) -> Response:
    fault = FieldError(location=[_root(request), "lexicon"], message=str(error))
    return answer(request, 422, str(fault), [fault])


def _bad_study(request: Request, error: BadStudy) -> Response:
    fault = FieldError(location=[_root(request), *error.location], message=error.fault)
    return answer(request, 422, error.reason, [fault])


def _bad_field(request: Request, error: BadField) -> Response:
    if not error.location:
        return answer(request, 422, str(error))
    root = [] if error.location[0] == "path" else ["body"]
    fault = FieldError(location=[*root, *error.location], message=str(error))
    return answer(request, 422, str(fault), [fault])


def _broken_record(request: Request, error: BrokenRecord) -> Response:
    return answer(request, 422, str(error), field_errors(error.errors, {"body": error.given}, "body"))


def _later(status: int) -> Callable[[Request, Any], Response]:
    def handle(request: Request, error: PoolFull | TooOften) -> Response:
        return answer(request, status, str(error), headers={"Retry-After": str(error.retry_after)})

    return handle


def _database_unavailable(request: Request, error: Exception) -> Response:
    # The cause, such as a full disk or a lock, is for the operator: log it, and do not show it.
    log.error("The store does not answer: %s", str(getattr(error, "orig", error)).partition("\n")[0])
    detail = "the database is unavailable: nothing was changed, try again in a moment"
    return answer(request, 503, detail, headers={"Retry-After": "1"})


def answer(
    request: Request,
    status: int,
    detail: str,
    errors: Iterable[FieldError] = (),
    headers: dict[str, str] | None = None,
) -> Response:
    """The error as a page for a browser, as a problem document for a program."""
    if status == HTTPStatus.NOT_FOUND and len(detail) > _LONGEST_NOT_FOUND:
        half = _LONGEST_NOT_FOUND // 2
        detail = f"{detail[:half]}…{detail[-half:]}"
    if _wants_page(request):
        context = {"status": status, "detail": in_players_words(detail, errors)}
        return templates.TemplateResponse(
            request, "site/error.html", context, status_code=status, headers=headers or {}
        )
    return problem_response(status, detail, errors, headers)


def _is_page(request: Request) -> bool:
    return not request.url.path.startswith("/api/")


def _wants_page(request: Request) -> bool:
    return _is_page(request) and "text/html" in request.headers.get("accept", "")
