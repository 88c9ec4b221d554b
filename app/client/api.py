"""API client: requests to a Wibble server, with typed responses.

    with ApiClient("http://127.0.0.1:8000") as client:
        game = client.open_game("wibble", {"mode": "classic"})
        game = client.move(game.id, {"type": "chain", "cells": [0, 6, 7]}, game.ply)

Control characters in response texts are escaped, so that they are safe to print in a terminal. Another kind
of login needs only an ``httpx.Auth``.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar
from types import TracebackType
from typing import Any, Final, Self, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel, TypeAdapter

from app.games.game import Outcome
from app.grammar import printable

TIMEOUT_SECONDS: Final = 20.0
"""Timeout of a request. Dealing a board can take a few seconds."""
LONGEST_WAIT_SECONDS: Final = 60.0
"""Maximum total wait for Retry-After per request."""
SHORTEST_WAIT_SECONDS: Final = 1.0
"""Wait if Retry-After is 0 or past, so that the retries come to an end."""
SILENCE_SECONDS: Final = 45.0
"""Read timeout of an event stream. The server sends a comment every 15 seconds."""
_PROBLEM: Final = "application/problem+json"
_HOST: Final = re.compile(r"[\w.:-]+")
_GATEWAY_ERRORS: Final = frozenset({502, 503, 504})

AnswerT = TypeVar("AnswerT")


class ClientError(Exception):
    """A request has failed; the text is the reason."""


class Unreachable(ClientError):
    """No response: the request may or may not have arrived."""


class NotWibble(ClientError):
    """The response is not from a Wibble server, or from an incompatible version."""


class Problem(ClientError):
    """The server refused the request."""

    def __init__(self, status: int, detail: str, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.retry_after = retry_after
        """Seconds to wait before a retry, from Retry-After."""


class SeatInfo(BaseModel):
    """A seat at the table."""

    seat: int
    occupant: str
    """``player``, ``bot`` or ``free``."""
    name: str
    you: bool
    bot_level: int | None


class Remark(BaseModel):
    """A remark made at the table."""

    seat: int
    line: int
    text: str
    at: float


class RemoteGame(BaseModel):
    """A game as visible to the player."""

    id: str
    kind: str
    seat: int | None
    """The player's seat; None for a watcher."""
    seats: tuple[SeatInfo, ...]
    invitation: str | None
    turn_limit: int | None
    listed: bool
    claimable_at: float | None
    remarks: tuple[Remark, ...]
    finished_at: float | None
    outcome: Outcome | None
    view: dict[str, Any]
    """The ``View`` of the game as a JSON document."""

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return int(self.view["ply"])

    @property
    def free_seats(self) -> int:
        """The number of free seats."""
        return sum(seat.occupant == "free" for seat in self.seats)


class LoggedMove(BaseModel):
    """One move of a game's log."""

    ply: int
    seat: int
    move: dict[str, Any] | None
    """None if hidden from the player."""
    at: float


_GAME: Final = TypeAdapter(RemoteGame)
_LOG: Final = TypeAdapter(dict[str, tuple[LoggedMove, ...]])
_LINES: Final = TypeAdapter(tuple[str, ...])


class ApiClient:
    """A player's client for one server. Methods raise ClientError and are thread-safe."""

    def __init__(
        self,
        url: str,
        *,
        cookies: CookieJar | None = None,
        auth: httpx.Auth | None = None,
        transport: httpx.BaseTransport | None = None,
        postponed: Callable[[float, str], None] = lambda _seconds, _reason: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``cookies`` hold the guest session. ``postponed`` is called before each wait for Retry-After.

        Raises ValueError if ``url`` is not a server address.
        """
        address = checked_url(url)
        self.url: Final = str(address.copy_with(username=None, password=None)).rstrip("/")
        """The server's URL without user name and password."""
        self._postponed = postponed
        self._sleep = sleep
        self._http = httpx.Client(
            base_url=address, cookies=cookies, auth=auth, transport=transport, timeout=TIMEOUT_SECONDS
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections; event streams end."""
        self._http.close()

    def open_game(
        self,
        kind: str,
        options: Mapping[str, Any],
        *,
        seats: int | None = None,
        bots: Sequence[int] = (),
        listed: bool = False,
        turn_limit: int | None = None,
    ) -> RemoteGame:
        """Open a game and take its first seat. ``turn_limit`` is in seconds; see ``/openapi.json``."""
        body: dict[str, Any] = {"kind": kind, "options": dict(options), "bots": list(bots), "listed": listed}
        if seats is not None:
            body["seats"] = seats
        if turn_limit is not None:
            body["turn_limit"] = turn_limit
        return self._ask(_GAME, "POST", "/api/games", body)

    def game(self, game_id: str) -> RemoteGame:
        """Fetch a game."""
        return self._ask(_GAME, "GET", _path(game_id))

    def take_seat(self, game_id: str, invitation: str | None = None) -> RemoteGame:
        """Take the next free seat; a listed game needs no invitation."""
        return self._ask(_GAME, "POST", _path(game_id, "seats"), {"invitation": invitation})

    def move(self, game_id: str, move: Mapping[str, Any], ply: int) -> RemoteGame:
        """Make a move in the position after ``ply`` moves.

        The server accepts one move per ply, so that a move may be resent after Unreachable.
        """
        return self._ask(_GAME, "POST", _path(game_id, "moves"), {"ply": ply, "move": dict(move)})

    def log(self, game_id: str) -> tuple[LoggedMove, ...]:
        """Fetch all moves of a game in order."""
        return self._ask(_LOG, "GET", _path(game_id, "moves"))["moves"]

    def say(self, game_id: str, line: int) -> RemoteGame:
        """Send the remark with this number."""
        return self._ask(_GAME, "POST", _path(game_id, "remarks"), {"line": line})

    def remarks(self) -> tuple[str, ...]:
        """Fetch the remarks that can be sent, by number."""
        return self._ask(_LINES, "GET", "/api/remarks")

    def claim(self, game_id: str) -> RemoteGame:
        """Claim a win when the opponent has exceeded the turn limit."""
        return self._ask(_GAME, "POST", _path(game_id, "claim"))

    def record(self, game_id: str) -> str:
        """Fetch the record of a finished game as text."""
        return self._request("GET", _path(game_id, "record")).text

    def analysis(self, game_id: str, answer: type[AnswerT]) -> AnswerT:
        """Fetch the analysis of a finished game, parsed as ``answer``, the game's analysis type."""
        return self._ask(TypeAdapter(answer), "GET", _path(game_id, "analysis"))

    @contextmanager
    def events(self, game_id: str) -> Iterator[Iterator[str]]:
        """Open a game's event stream for the block and yield its lines."""
        timeout = httpx.Timeout(TIMEOUT_SECONDS, read=SILENCE_SECONDS)
        headers = {"Accept": "text/event-stream"}
        with (
            self._errors(),
            self._http.stream("GET", _path(game_id, "events"), headers=headers, timeout=timeout) as answer,
        ):
            if not answer.is_success:
                answer.read()
            _check(answer)
            if _media_type(answer) != "text/event-stream":
                raise NotWibble(
                    f"{self.url} answered with {_media_type(answer) or 'no type'}, not with an event stream"
                )
            yield answer.iter_lines()

    def _ask(
        self, answer: TypeAdapter[AnswerT], method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> AnswerT:
        response = self._request(method, path, body)
        try:
            return answer.validate_python(_printable_document(response.json()), extra="ignore")
        except ValueError:  # it is not JSON, or another document
            raise NotWibble(
                f"{self.url} is not a Wibble server, or has another version: unexpected response to "
                f"{method} {path}"
            ) from None

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> httpx.Response:
        waited = 0.0
        while True:
            with self._errors():
                response = self._http.request(method, path, json=body)
            try:
                _check(response)
            except Problem as problem:
                if problem.retry_after is None:
                    raise
                wait = max(problem.retry_after, SHORTEST_WAIT_SECONDS)
                if waited + wait > LONGEST_WAIT_SECONDS:
                    raise
                self._postponed(wait, str(problem))
                self._sleep(wait)
                waited += wait
            else:
                return response

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except httpx.TransportError as error:
            raise Unreachable(f"{self.url} does not respond: {_reason(error)}") from error
        except (httpx.HTTPError, httpx.StreamError) as error:  # such as an undecodable response
            raise NotWibble(f"{self.url} is not a Wibble server: {_reason(error)}") from error


def checked_url(url: str) -> httpx.URL:
    """Parse the URL of a server. Raises ValueError naming what is accepted."""
    accepted = "accepted: a URL such as http://127.0.0.1:8000 or https://words.example"
    try:
        address = httpx.URL(url.strip())
    except httpx.InvalidURL as error:
        raise ValueError(f"{url!r}: {error}; {accepted}") from None
    if address.scheme not in {"http", "https"} or not _HOST.fullmatch(address.host):
        raise ValueError(f"{url!r} is not the URL of a server; {accepted}")
    if address.query or address.fragment:
        raise ValueError(f"{url!r} has a query or a fragment; {accepted}")
    return address


def _path(game_id: str, *rest: str) -> str:
    return "/".join(("/api/games", quote(game_id, safe=""), *rest))


def _check(response: httpx.Response) -> None:
    """Raise the exception for an unsuccessful response."""
    if response.is_success:
        return
    status, kind = response.status_code, _media_type(response)
    url = response.url.copy_with(username=None, password=None, path="/", query=None)
    address = str(url).rstrip("/")
    if kind == _PROBLEM:
        with suppress(ValueError, KeyError, TypeError):
            raise Problem(status, _detail(_printable_document(response.json())), _retry_after(response))
    if response.has_redirect_location:
        raise NotWibble(f"{address} redirects to {printable(response.headers['location'])}; use that URL")
    if status in _GATEWAY_ERRORS:
        raise Unreachable(f"{address} is unavailable ({status} {response.reason_phrase})")
    if status == httpx.codes.UNAUTHORIZED:
        raise Problem(status, f"{address} requires a login; add it to the URL: https://NAME:PASSWORD@...")
    if status == httpx.codes.TOO_MANY_REQUESTS:
        raise Problem(status, f"{address}: too many requests", _retry_after(response))
    raise NotWibble(
        f"{address} is not a Wibble server: it answered {status} {printable(response.reason_phrase)}"
    )


def _detail(problem: dict[str, Any]) -> str:
    """Return the error messages with field names, or the problem's detail."""
    errors = problem.get("errors") or []
    messages = []
    for error in errors:
        field = ".".join(str(name) for name in error["location"] if name != "body")
        in_move = "move" in error["location"]  # the message itself names the place
        messages.append(error["message"] if in_move or not field else f"{field}: {error['message']}")
    return "; ".join(messages) or str(problem["detail"])


def _media_type(response: httpx.Response) -> str:
    return printable(response.headers.get("content-type", "").partition(";")[0].strip().lower())


def _retry_after(response: httpx.Response) -> float | None:
    """Return the seconds to wait, from either form of the Retry-After header."""
    header = response.headers.get("retry-after", "")
    if header.isascii() and header.isdecimal():
        return float(header)
    with suppress(ValueError):
        at = parsedate_to_datetime(header)
        return max(0.0, (at - datetime.now(UTC)).total_seconds()) if at.tzinfo else None
    return None


def _reason(error: Exception) -> str:
    return printable(str(error)) or type(error).__name__


def _printable_document(document: Any) -> Any:
    """Escape the control characters in all texts of a JSON document."""
    if isinstance(document, str):
        return printable(document)
    if isinstance(document, list):
        return [_printable_document(each) for each in document]
    if isinstance(document, dict):
        return {printable(name): _printable_document(each) for name, each in document.items()}
    return document
