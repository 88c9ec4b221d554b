"""Every operation of the API has an example, and the examples' answers are those that the application gives.

After a change that should change an answer: ``make examples``, then read the diff.
"""

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from app.web.examples import Exchange, operation_examples, problem_examples
from app.web.site.code_samples import code_samples
from tests.shelf import create_app
from tests.web.recorded import (
    Players,
    operation_answered,
    operations,
    playing,
    problem_answered,
)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("data"))).openapi()


@pytest.fixture(scope="module")
def shared() -> Iterator[Players]:
    with playing("") as players:
        yield players


def told(example: Exchange) -> dict[str, Any]:
    """What must not differ. A problem's title is the name of its status in this version of Python."""
    answer = example.answer
    if example.status >= 400:
        answer = {name: value for name, value in answer.items() if name != "title"}
    return example.model_dump() | {"answer": answer}


def test_every_operation_has_an_example(document: dict[str, Any]) -> None:
    assert operation_examples().keys() == operations(document).keys()


@pytest.mark.parametrize("name", operation_examples())
def test_the_example_of_an_operation_is_answered_as_shown(
    document: dict[str, Any], shared: Players, name: str
) -> None:
    example = operation_examples()[name]
    method, path = operations(document)[name]
    assert (example.method, example.status // 100) == (method, 2)
    assert told(operation_answered(name, path, shared)) == told(example)


@pytest.mark.parametrize("name", problem_examples())
def test_the_example_of_a_problem_is_answered_as_shown(shared: Players, name: str) -> None:
    example = problem_examples()[name]
    assert example.status >= 400
    assert told(problem_answered(name, shared)) == told(example)


def test_every_page_of_the_reference_is_there_and_its_links_lead_somewhere(client: TestClient) -> None:
    overview = client.get("/docs").text
    pages = {path: client.get(path) for path in re.findall(r'href="(/docs/\w+)"', overview)}
    assert {answer.status_code for answer in pages.values()} == {200}
    pages["/docs"] = client.get("/docs")
    for path, answer in pages.items():
        ids = set(re.findall(r'id="([^"]+)"', answer.text))
        for page, anchor in re.findall(r'href="(/docs(?:/\w+)?|)#([\w-]+)"', answer.text):
            there = set(re.findall(r'id="([^"]+)"', pages[page].text)) if page else ids
            assert anchor in there | {"main"}, (path, page, anchor)
    assert client.get("/docs/nonesuch").status_code == 404


def test_every_operation_is_in_the_reference(client: TestClient, document: dict[str, Any]) -> None:
    overview = client.get("/docs").text
    for name, (method, path) in operations(document).items():
        assert f"#{name}" in overview
        assert f"{method} {path}" in overview


@pytest.mark.parametrize("example", [*operation_examples().values(), *problem_examples().values()])
def test_the_code_samples_send_what_the_example_says(example: Exchange) -> None:
    samples = code_samples(example, "http://words.example")
    sent: list[tuple[str, str, dict[str, Any]]] = []

    class Recorder(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            sent.append((request.method, request.url.path, dict(request.url.params)))
            body = request.content.decode()
            given = body if isinstance(example.body, str) or not body else json.loads(body)
            assert given == ("" if example.body is None else example.body)
            return httpx.Response(200, json={})

    real = httpx.Client
    with patch.object(httpx, "Client", lambda **options: real(transport=Recorder(), **options)):
        exec(compile(samples["Python"], "sample", "exec"), {"__name__": "sample"})  # noqa: S102 - our own code
    assert sent == [
        (example.method, example.path, {name: str(value) for name, value in example.query.items()})
    ]
    words = shlex.split(samples["curl"].replace("\\\n", ""))
    assert words[0] == "curl"
    assert any(word.startswith(f"http://words.example{example.path}") for word in words)
    if isinstance(example.body, dict):
        assert json.loads(words[words.index("--json") + 1]) == example.body
