"""Every API operation has an example, and its response is that of the application.

After a change that should change an answer: ``make examples``, then read the diff.
"""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote

import httpx
import pytest
from fastapi import FastAPI, Request, Response
from fastapi.testclient import TestClient

from app.settings import Settings
from app.web.examples import Exchange, operation_examples, problem_examples
from app.web.site.api_reference import read_reference
from app.web.site.code_samples import code_samples
from tests.servers import served_in_thread
from tests.shared_parts import create_app
from tests.web.examples.players import Players
from tests.web.examples.server import playing
from tests.web.recorded import operation_answered, operations, problem_answered


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("data"))).openapi()


@pytest.fixture(scope="module")
def shared() -> Iterator[Players]:
    with playing("") as players:
        yield players


def comparable(example: Exchange) -> dict[str, Any]:
    """The parts that must match. A problem's title depends on the version of Python."""
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
    assert comparable(operation_answered(name, path, shared)) == comparable(example)


@pytest.mark.parametrize("name", problem_examples())
def test_the_example_of_a_problem_is_answered_as_shown(shared: Players, name: str) -> None:
    example = problem_examples()[name]
    assert example.status >= 400
    assert comparable(problem_answered(name, shared)) == comparable(example)


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


def test_the_reference_lists_the_moves_of_each_game(client: TestClient) -> None:
    text = re.sub("<[^>]*>", "", client.get("/docs/games").text)
    assert "for Letterpress: Play or LetterpressPass or" in text
    assert "WibbleResign or TypedWord; for Letterpress" in text


def test_the_reference_shows_no_old_names_in_examples(document: dict[str, Any]) -> None:
    reference = read_reference(document)
    shown = {each.name: each.example for section in reference.sections for each in section.operations}
    assert shown.keys() == operation_examples().keys()
    old = {
        "generate_boards": ("boards", "rows"),
        "solve_boggle": ("rows",),
        "find_words": ("hand",),
        "play_today": ("view", "columns"),
        "find_moves": ("moves", "score"),
    }
    for name, path in old.items():
        example = shown[name]
        assert example is not None
        assert _has(operation_examples()[name].answer, path), (name, path)
        assert not _has(example.answer, path), (name, path)
    for name, example in shown.items():
        assert example is None or type(example.answer) is type(operation_examples()[name].answer)


def _has(value: Any, path: tuple[str, ...]) -> bool:
    """Whether there is such a member; of lists, only the first item is searched."""
    for member in path:
        value = value[0] if isinstance(value, list) else value
        if member not in value:
            return False
        value = value[member]
    return True


def test_every_status_of_the_reference_says_what_it_means(client: TestClient) -> None:
    page = client.get("/docs/problems").text
    section = page.split('id="problem-500"')[1].split("</section>")[0]
    assert "An error of the server" in section
    assert "something went wrong on our side" in section


@pytest.fixture(scope="module")
def node() -> str:
    """The Node.js that runs the JavaScript samples."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("no Node.js: node is not on the PATH")
    return found


def run_samples(node: str, samples: Iterable[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run JavaScript modules one after the other in one process."""
    files = []
    for number, sample in enumerate(samples):
        files.append(folder / f"{number}.mjs")
        files[-1].write_text(sample, encoding="utf-8")
    load = "for (const file of process.argv.slice(1)) await import(file);"
    command = [node, "--input-type=module", "-e", load, *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_javascript_samples_send_what_the_examples_say(node: str, tmp_path: Path) -> None:
    sent: list[tuple[str, str, dict[str, str], Any]] = []
    recorder = FastAPI()

    @recorder.middleware("http")
    async def record(request: Request, _: Any) -> Response:
        body = (await request.body()).decode()
        sent.append((request.method, request.url.path, dict(request.query_params), body))
        return Response("{}", media_type="application/json")

    examples = [*operation_examples().values(), *problem_examples().values()]
    with served_in_thread(recorder) as url:
        done = run_samples(node, (code_samples(each, url)["JavaScript"] for each in examples), tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(sent) == len(examples)
    for example, (method, path, query, body) in zip(examples, sent, strict=True):
        given = body if isinstance(example.body, str) or not body else json.loads(body)
        assert (method, unquote(path)) == (example.method, unquote(example.path))
        assert query == {name: str(value) for name, value in example.query.items()}
        assert given == ("" if example.body is None else example.body)


def test_the_javascript_samples_print_what_the_application_answers(
    node: str, tmp_path: Path, document: dict[str, Any]
) -> None:
    engines = [
        operation_examples()[operation["operationId"]]
        for methods in document["paths"].values()
        for operation in methods.values()
        if operation["tags"][0] in ("engines", "words")
    ]
    refused = problem_examples()["bad-field"]
    with served_in_thread(create_app(Settings(data_dir=tmp_path))) as url:
        done = run_samples(node, (code_samples(each, url)["JavaScript"] for each in engines), tmp_path)
        bad = run_samples(node, [code_samples(refused, url)["JavaScript"]], tmp_path)
    assert done.returncode == 0, done.stderr
    assert operation_examples()["solve_wibble"].answer["words"][0]["word"] in done.stdout
    assert bad.returncode != 0
    assert refused.answer["detail"] in bad.stderr


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
