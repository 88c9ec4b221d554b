"""API requests as code: curl, Python (httpx) and JavaScript (fetch)."""

import json
import shlex
from typing import Any
from urllib.parse import quote, urlencode

from app.web.examples import Exchange, format_json


def code_samples(request: Exchange, origin: str) -> dict[str, str]:
    """The code of a request to the server at ``origin``, by the name of the language."""
    return {
        "curl": curl(request, origin),
        "Python": python(request, origin),
        "JavaScript": javascript(request, origin),
    }


def curl(request: Exchange, origin: str) -> str:
    """A shell command. Cookies are kept in the file ``cookies``."""
    words = ["curl"]
    if request.path.startswith("/api/") and not _is_stateless(request):
        words += ["-b cookies -c cookies"]
    if request.method != _implied(request):
        words += [f"-X {request.method}"]
    words += [shlex.quote(f"{origin}{request.path}{_query(request)}")]
    lines = [" ".join(words)]
    lines += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in request.headers.items()]
    if isinstance(request.body, str):
        lines += [f"--data-binary {shlex.quote(request.body)}"]
    elif request.body is not None:
        lines += [f"--json {shlex.quote(format_json(request.body))}"]
    return " \\\n  ".join(lines)


def python(request: Exchange, origin: str) -> str:
    """A Python program with httpx."""
    arguments = [_python(request.path)]
    if request.query:
        arguments += [f"params={_python(request.query)}"]
    if request.headers:
        arguments += [f"headers={_python(request.headers)}"]
    if request.body is not None:
        kind = "content" if isinstance(request.body, str) else "json"
        arguments += [f"{kind}={_python(request.body)}"]
    called = ", ".join(arguments)
    if len(called) > 60 or "\n" in called:
        inner = ",\n".join(arguments).replace("\n", "\n        ")
        called = f"\n        {inner},\n    "
    ending = "print(answer.json())" if isinstance(request.answer, dict | list) else "print(answer.text)"
    return (
        "import httpx\n\n"
        f"with httpx.Client(base_url={_python(origin)}) as client:\n"
        f"    answer = client.{request.method.lower()}({called})\n"
        "    answer.raise_for_status()\n"
        f"    {ending}\n"
    )


def javascript(request: Exchange, origin: str) -> str:
    """A JavaScript module with fetch."""
    options: dict[str, str] = {}
    headers = dict(request.headers)
    if request.method != "GET":
        options["method"] = json.dumps(request.method)
    if isinstance(request.body, str):
        options["body"] = json.dumps(request.body, ensure_ascii=False)
    elif request.body is not None:
        headers = {"Content-Type": "application/json"} | headers
        options["body"] = f"JSON.stringify({format_json(request.body)})".replace("\n", "\n  ")
    if headers:
        options = {"headers": json.dumps(headers)} | options
    lines = "".join(f"  {name}: {value},\n" for name, value in options.items())
    given = f", {{\n{lines}}}" if lines else ""
    ending = "json" if isinstance(request.answer, dict | list) else "text"
    return (
        f"const answer = await fetch({json.dumps(f'{origin}{request.path}{_query(request)}')}{given});\n"
        "if (!answer.ok) throw new Error((await answer.json()).detail);\n"
        f"console.log(await answer.{ending}());\n"
    )


def _implied(request: Exchange) -> str:
    return "GET" if request.body is None else "POST"


def _is_stateless(request: Exchange) -> bool:
    """Whether the answer is the same for everybody, so that no cookie is needed."""
    return not request.path.startswith(("/api/games", "/api/daily", "/api/me", "/api/leaderboards"))


def _query(request: Exchange) -> str:
    return f"?{urlencode(request.query, quote_via=quote, safe=',')}" if request.query else ""


def _python(value: Any) -> str:
    return format_json(value, scalar=_python_scalar)


def _python_scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
