"""Examples of requests and answers in ``data/api``: shown in /openapi.json and at /docs, sent by the tests.

``make examples`` sends them again and stores the answers.
"""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from app.resources import resource

_WIDTH: Final = 88
"""Most characters of a JSON value that is written on one line."""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class Exchange(BaseModel):
    """A request and its answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    method: Literal["GET", "POST", "PUT", "DELETE"] = "GET"
    path: str
    """The path with the values of its parameters."""
    query: dict[str, Any] = {}
    headers: dict[str, str] = {}
    """Headers of the request that matter for the answer."""
    body: Any = None
    """A JSON value, or a text if the headers name another content type or the JSON is malformed."""
    status: int = 200
    answer: Any = None
    """A JSON value, a text, or null for an answer without content."""


@lru_cache
def operation_examples() -> dict[str, Exchange]:
    """One example of every operation, by operation ID."""
    return _read("operations")


@lru_cache
def problem_examples() -> dict[str, Exchange]:
    """Requests that are refused, by name, in the order of their statuses."""
    return dict(sorted(_read("problems").items(), key=lambda named: (named[1].status, named[0])))


def add_examples(document: dict[str, Any]) -> None:
    """Add the examples to an OpenAPI document's parameters, request bodies and answers."""
    examples = operation_examples()
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if example := examples.get(operation["operationId"]):
                _add(path, operation, example)


def _add(path: str, operation: dict[str, Any], example: Exchange) -> None:
    matched = re.fullmatch(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path), example.path)
    values = example.query | (matched.groupdict() if matched else {})
    for parameter in operation.get("parameters", []):
        if parameter["name"] in values:
            parameter["example"] = values[parameter["name"]]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        content["example"] = example.body
    answer = operation["responses"].get(str(example.status), {})
    for content in answer.get("content", {}).values():
        content["example"] = example.answer


def format_json(value: Any, indent: str = "", scalar: Callable[[Any], str] = _json) -> str:
    """JSON with an indent of two spaces, and values that fit on one line written on one.

    ``scalar`` formats numbers, texts, booleans and null, for other languages with the same brackets.
    """
    line = _on_one_line(value, scalar)
    if not value or not isinstance(value, dict | list) or len(indent) + len(line) <= _WIDTH:
        return line
    deeper = f"{indent}  "
    if isinstance(value, dict):
        lines = [f"{scalar(name)}: {format_json(each, deeper, scalar)}" for name, each in value.items()]
        opening, closing = "{}"
    else:
        lines = [format_json(each, deeper, scalar) for each in value]
        opening, closing = "[]"
    inner = f",\n{deeper}".join(lines)
    return f"{opening}\n{deeper}{inner}\n{indent}{closing}"


def _on_one_line(value: Any, scalar: Callable[[Any], str]) -> str:
    if isinstance(value, dict):
        members = (f"{scalar(name)}: {_on_one_line(each, scalar)}" for name, each in value.items())
        return f"{{{', '.join(members)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_on_one_line(each, scalar) for each in value)}]"
    return scalar(value)


def _read(folder: str) -> dict[str, Exchange]:
    files = sorted((resource("data") / "api" / folder).glob("*.json"))
    return {file.stem: Exchange.model_validate_json(file.read_text(encoding="utf-8")) for file in files}
