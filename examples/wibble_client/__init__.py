"""A small typed client for programs that play on a Wibble server by a token. It needs httpx.

    with Wibble("https://wibble.example", token) as wibble:
        for event, subject in wibble.events():
            if event == "turn":
                game = wibble.game(subject["game"])

The types name the members that most programs need; the answers have more, see /docs on the server. A test of
Wibble checks paths, members and types against the server's OpenAPI document.
"""

import json
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Literal, Self, TypedDict
from urllib.parse import quote

import httpx

__all__ = ["DirectChallengeAnswer", "GameAnswer", "Problem", "Refused", "SeatView", "Wibble"]

SILENCE = 45.0
"""Seconds without a word from the event stream, which says something every 15, after which to reconnect."""


class SeatView(TypedDict):
    """A seat at a table."""

    seat: int
    occupant: Literal["player", "bot", "free"]
    name: str
    you: bool
    bot: bool
    bot_level: int | None


class GameAnswer(TypedDict):
    """A game as the token's player may see it; ``view`` depends on the kind of game."""

    id: str
    kind: str
    seat: int | None
    seats: list[SeatView]
    invitation: str | None
    rated: bool
    finished_at: float | None
    view: dict[str, Any]


class DirectChallengeAnswer(TypedDict):
    """An open challenge to the token's player, or by them."""

    id: str
    sent: bool
    name: str | None
    bot: bool
    kind: str
    options: dict[str, Any]
    rated: bool
    expires_at: float


class Problem(TypedDict):
    """Why a request was refused."""

    title: str
    status: int
    detail: str


class Refused(Exception):
    """The server refused a request, and nothing was changed."""

    def __init__(self, problem: Problem, retry_after: float | None) -> None:
        super().__init__(problem["detail"])
        self.problem = problem
        self.retry_after = retry_after
        """Seconds to wait before trying again; None if that is no use."""


class Wibble:
    """The server, as seen by the player of a token. All methods raise Refused and httpx.TransportError."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=url, headers=headers, timeout=30)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.http.close()

    def open_game(self, new: dict[str, Any]) -> GameAnswer:
        """Open a game, such as ``{"kind": "letterpress", "seats": 2}``."""
        answer: GameAnswer = self._ask("POST", "/api/games", new)
        return answer

    def game(self, game_id: str) -> GameAnswer:
        """A game as it stands."""
        answer: GameAnswer = self._ask("GET", "/api/games/{}", None, game_id)
        return answer

    def move(self, game_id: str, ply: int, move: dict[str, Any]) -> GameAnswer:
        """Make a move for the position with this ply, such as ``{"type": "pass"}``."""
        answer: GameAnswer = self._ask("POST", "/api/games/{}/moves", {"ply": ply, "move": move}, game_id)
        return answer

    def challenges(self) -> list[DirectChallengeAnswer]:
        """The open challenges to the player and by them."""
        answer: list[DirectChallengeAnswer] = self._ask("GET", "/api/challenges/direct", None)
        return answer

    def challenge(self, opponent: dict[str, Any], game: dict[str, Any]) -> DirectChallengeAnswer:
        """Challenge ``{"bot": ID}``, ``{"game": ID, "seat": 1}`` or ``{"circle": ID, "member": 2}``."""
        answer: DirectChallengeAnswer = self._ask(
            "POST", "/api/challenges", {"opponent": opponent, "game": game}
        )
        return answer

    def accept(self, challenge_id: str) -> GameAnswer:
        """Accept a challenge: the game has begun."""
        answer: GameAnswer = self._ask("POST", "/api/challenges/{}/accept", None, challenge_id)
        return answer

    def decline(self, challenge_id: str) -> None:
        """Decline a challenge."""
        self._ask("POST", "/api/challenges/{}/decline", None, challenge_id)

    def withdraw(self, challenge_id: str) -> None:
        """Withdraw a challenge that the player sent."""
        self._ask("DELETE", "/api/challenges/{}", None, challenge_id)

    def events(self) -> Iterator[tuple[str, dict[str, str]]]:
        """What concerns the player, until the stream ends; connect again then."""
        with self.http.stream("GET", "/api/events", timeout=SILENCE) as stream:
            if not stream.is_success or _media_type(stream) != "text/event-stream":
                stream.read()
                raise _refused(stream)
            name = ""
            for line in stream.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    yield name, json.loads(value)

    def _ask(self, method: str, path: str, body: Any, *ids: str) -> Any:
        answer = self.http.request(method, path.format(*(quote(each, safe="") for each in ids)), json=body)
        if not answer.is_success or (answer.content and _media_type(answer) != "application/json"):
            raise _refused(answer)
        return answer.json() if answer.content else None


def _media_type(answer: httpx.Response) -> str:
    media_type: str = (answer.headers.get("content-type") or "").partition(";")[0]
    return media_type


def _refused(answer: httpx.Response) -> Refused:
    # From a proxy, a redirect, or the sign-in page of a network.
    said = f"{answer.status_code} {answer.reason_phrase}".strip() + ", not from Wibble"
    problem: Problem = {"title": answer.reason_phrase, "status": answer.status_code, "detail": said}
    if _media_type(answer) == "application/problem+json":
        problem = {**problem, **answer.json()}
    seconds = answer.headers.get("retry-after") or ""
    return Refused(problem, float(seconds) if seconds.isdecimal() else None)
