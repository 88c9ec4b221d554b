"""Headers that Python's parsers would take seconds for are refused, and normal ones are not."""

import asyncio
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from app.web.guard.costly_headers import LONGEST_CONTENT_TYPE, CostlyHeaders
from tests.driver import problem

LONG = "multipart/form-data; boundary=x" + 60_000 * ";"


def headers_reaching_the_application(*headers: tuple[bytes, bytes]) -> Scope | None:
    """The scope that the next application gets; None if the request is answered before it."""
    reached: list[Scope] = []
    answered: list[Message] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope)

    async def send(message: Message) -> None:
        answered.append(message)

    async def receive() -> Message:
        raise AssertionError("the body is of no interest")

    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/api/me", "headers": list(headers)}
    asyncio.run(CostlyHeaders(application)(scope, receive, send))
    assert not reached or not answered
    return reached[0] if reached else None


def test_cookies_are_read_without_backslashes() -> None:
    """Up to Python 3.11.9, unquoting 60,000 of them took a minute."""
    scope = headers_reaching_the_application(
        (b"accept", rb"a\b"), (b"cookie", rb'a="\"\101"; wibble_player=x.y; b="c"')
    )
    assert scope is not None
    assert Request(scope).cookies == {"a": '"101', "wibble_player": "x.y", "b": "c"}
    assert Request(scope).headers["accept"] == r"a\b"


@pytest.mark.parametrize(
    ("length", "passes"), [(LONGEST_CONTENT_TYPE, True), (LONGEST_CONTENT_TYPE + 1, False)]
)
def test_a_content_type_is_parsed_up_to_a_length(length: int, passes: bool) -> None:
    reached = headers_reaching_the_application(
        (b"content-type", b"text/plain"), (b"content-type", b"a" * length)
    )
    assert (reached is not None) is passes


def test_a_browser_with_cookies_of_others_keeps_its_settings(client: TestClient) -> None:
    foreign = 'other="' + 500 * '\\"' + '"; more=' + 500 * "\\"
    headers = {"Cookie": f"{foreign}; wibble_settings=theme:dark; {foreign}"}
    assert client.get("/api/me/preferences", headers=headers).json()["theme"] == "dark"


def test_settings_in_a_cookie_are_read_up_to_a_length(client: TestClient) -> None:
    """Each part is checked separately, so 60,000 of them would take a second."""
    for parts, theme in ((100, "dark"), (1000, "system")):
        headers = {"Cookie": f"wibble_settings={parts * '|'}theme:dark"}
        assert client.get("/api/me/preferences", headers=headers).json()["theme"] == theme


@pytest.mark.parametrize("path", ["/api/solve", "/play", "/cards/import"])
def test_a_long_content_type_is_refused(client: TestClient, path: str) -> None:
    error = problem(client.post(path, content="{}", headers={"Content-Type": LONG}), 415)
    assert error["detail"] == "Content-Type: at most 1,000 bytes are accepted, 60,031 given"
