"""The example client against the OpenAPI document and a running server."""

import ast
import re
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

import httpx
import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from examples import wibble_client
from examples.wibble_client import Refused, Wibble
from tests.driver import named
from tests.servers import served_in_thread
from tests.shared_parts import create_app
from tests.web.test_bot_accounts import bot_of
from tests.web.test_tokens import made

NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", NoneType: "null"}
TYPED = [each for name in wibble_client.__all__ if is_typeddict(each := getattr(wibble_client, name))]


@pytest.fixture
def document(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def types_of(schema: dict[str, Any]) -> set[str]:
    """The JSON types that a schema allows, or the names of other schemas."""
    if "$ref" in schema:
        return {schema["$ref"].rpartition("/")[2]}
    if "anyOf" in schema:
        return set().union(*(types_of(each) for each in schema["anyOf"]))
    return {schema.get("type", "object")}


def expected(hint: Any) -> set[str]:
    """The same of a type hint."""
    if isinstance(hint, UnionType):
        return set().union(*(expected(each) for each in get_args(hint)))
    if get_origin(hint) is Literal:
        return {"string"}
    if is_typeddict(hint):
        return {hint.__name__}
    return {NAMES.get(hint) or {list: "array", dict: "object"}[get_origin(hint)]}


@pytest.mark.parametrize("typed", TYPED, ids=lambda each: each.__name__)
def test_its_types_are_those_of_the_document(document: dict[str, Any], typed: Any) -> None:
    properties = document["components"]["schemas"][typed.__name__]["properties"]
    for name, hint in get_type_hints(typed).items():
        assert name in properties, f"{typed.__name__}.{name}"
        if name != "view":  # of many kinds
            assert types_of(properties[name]) == expected(hint), f"{typed.__name__}.{name}"
        if get_origin(hint) is list:
            assert types_of(properties[name]["items"]) == expected(get_args(hint)[0])
        if get_origin(hint) is Literal:
            assert set(properties[name]["enum"]) == set(get_args(hint))


def test_its_paths_are_those_of_the_document(document: dict[str, Any]) -> None:
    known_paths = {
        (method.upper(), re.sub(r"\{\w+\}", "{}", path))
        for path, methods in document["paths"].items()
        for method in methods
    }
    tree = ast.parse(Path(wibble_client.__file__).read_text(encoding="utf-8"))
    used = {
        (call.args[0].value, call.args[1].value)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and len(call.args) >= 2
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[1], ast.Constant)
    }
    assert len(used) == 9
    assert used <= known_paths


def test_the_client_plays_a_game(settings: Settings) -> None:
    app = create_app(settings.model_copy(update={"longest_stream": 0}))
    with served_in_thread(app) as url:
        owner = named(TestClient(app))
        robo = bot_of(owner)
        (bot,) = owner.get("/api/me/bots").json()
        mine, of_bot = made(owner)["token"], robo.headers["authorization"].removeprefix("Bearer ")
        with Wibble(url, mine) as ada, Wibble(url, of_bot) as program:
            wanted = {"kind": "letterpress", "turn_limit": 86_400}
            ada.withdraw(ada.challenge({"bot": bot["bot_id"]}, wanted)["id"])
            program.decline(ada.challenge({"bot": bot["bot_id"]}, wanted)["id"])
            sent = ada.challenge({"bot": bot["bot_id"]}, wanted)
            assert sent["name"] == "Robo (bot)"
            assert list(program.events()) == [("challenge", {"challenge": sent["id"]})]
            assert [each["name"] for each in program.challenges()] == ["Ada"]
            game = program.accept(sent["id"])
            first = ada if ada.game(game["id"])["seat"] == 0 else program
            assert list(first.events()) == [("turn", {"game": game["id"]})]
            assert first.move(game["id"], 0, {"type": "pass"})["view"]["ply"] == 1
            with pytest.raises(Refused, match="ply 0") as refused:
                first.move(game["id"], 0, {"type": "pass"})
            assert refused.value.problem["status"] == 409
            assert ada.open_game({"kind": "letterpress"})["seats"][0]["you"]
        with Wibble(url, "wib_wrong") as client, pytest.raises(Refused, match="malformed"):
            list(client.events())


def client_of(answer: httpx.Response) -> Wibble:
    """A client that gets this answer to every request."""
    client = Wibble("http://wibble.example", "wib_")
    client.http = httpx.Client(base_url=client.http.base_url, transport=httpx.MockTransport(lambda _: answer))
    return client


@pytest.mark.parametrize("body", [{"html": "<h1>nginx</h1>"}, {"json": {"message": "Bad gateway"}}])
@pytest.mark.parametrize(
    ("status", "headers", "said", "retry_after"),
    [
        (502, {"retry-after": "7"}, "502 Bad Gateway, not from Wibble", 7),
        (503, {"retry-after": "Mon, 30 Nov 2026 21:00:00 GMT"}, "503 Service Unavailable", None),
        (301, {"location": "https://wibble.example/"}, "301 Moved Permanently", None),
        (520, {}, "520, not from Wibble", None),
    ],
)
def test_an_answer_that_is_not_from_wibble_is_a_refusal(
    body: dict[str, Any], status: int, headers: dict[str, str], said: str, retry_after: float | None
) -> None:
    with client_of(httpx.Response(status, headers=headers, **body)) as client:
        with pytest.raises(Refused, match=said) as refused:
            client.game("abc")
        assert (refused.value.problem["status"], refused.value.retry_after) == (status, retry_after)
        with pytest.raises(Refused, match=said):
            list(client.events())


def test_a_problem_that_a_proxy_labels_with_a_charset_is_wibbles() -> None:
    headers = {"content-type": "application/problem+json; charset=utf-8"}
    answer = httpx.Response(
        404, headers=headers, json={"title": "Not Found", "status": 404, "detail": "gone"}
    )
    with client_of(answer) as client, pytest.raises(Refused, match="gone"):
        client.game("abc")


def test_the_sign_in_page_of_a_network_is_a_refusal() -> None:
    with client_of(httpx.Response(200, html="<h1>Free Wi-Fi</h1>")) as client:
        with pytest.raises(Refused, match="200 OK, not from Wibble"):
            client.game("abc")
        with pytest.raises(Refused, match="200 OK, not from Wibble"):
            list(client.events())
