"""API requests as code: curl, Python (httpx) and JavaScript (fetch)."""

import json
import shlex
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote, urlencode

from app.web.examples import Exchange, format_json
from app.web.guard.guests import COOKIE

_TOKEN: Final = {"Authorization": "Bearer TOKEN"}


def code_samples(
    request: Exchange, origin: str, schemes: Sequence[str] = (), *, needed: bool = False
) -> dict[str, str]:
    """The code of a request to the server at ``origin``, by the name of the language.

    ``schemes`` are the security schemes of the OpenAPI document that the operation reads; ``needed``: whether
    the request has to meet one of them.
    """
    required = schemes if needed else ()
    return {
        "curl": curl(request, origin, schemes),
        "Python": python(request, origin, required),
        "JavaScript": javascript(request, origin, required),
    }


def curl(request: Exchange, origin: str, schemes: Sequence[str] = ()) -> str:
    """A shell command. Cookies are kept in the file ``cookies``."""
    words = ["curl -N" if _is_stream(request) else "curl"]
    if not all(map(_is_token, schemes)):
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


def python(request: Exchange, origin: str, needed: Sequence[str] = ()) -> str:
    """A Python program with httpx."""
    options = f"base_url={_python(origin)}"
    if any(_is_token(scheme) for scheme in needed):
        options += f", headers={_python(_TOKEN)}"
    elif needed:
        options += f", cookies={_python({COOKIE: 'VALUE'})}"
    if _is_stream(request):
        return (
            "import httpx\n\n"
            f"with httpx.Client({options}, timeout=45) as client:\n"
            f"    with client.stream({_python(request.method)}, {_python(request.path)}) as answer:\n"
            "        answer.raise_for_status()\n"
            "        for line in answer.iter_lines():\n"
            "            print(line)\n"
        )
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
        f"with httpx.Client({options}) as client:\n"
        f"    answer = client.{request.method.lower()}({called})\n"
        "    answer.raise_for_status()\n"
        f"    {ending}\n"
    )


def javascript(request: Exchange, origin: str, needed: Sequence[str] = ()) -> str:
    """A JavaScript module with fetch."""
    options: dict[str, str] = {}
    headers = (_TOKEN if any(_is_token(scheme) for scheme in needed) else {}) | request.headers
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
    reading = f"console.log(await answer.{'json' if isinstance(request.answer, dict | list) else 'text'}());"
    if _is_stream(request):
        reading = (
            "const texts = answer.body.pipeThrough(new TextDecoderStream());\n"
            "for await (const text of texts) console.log(text);"
        )
    return (
        f"const answer = await fetch({json.dumps(f'{origin}{request.path}{_query(request)}')}{given});\n"
        "if (!answer.ok) throw new Error((await answer.json()).detail);\n"
        f"{reading}\n"
    )


def _implied(request: Exchange) -> str:
    return "GET" if request.body is None else "POST"


def _is_stream(request: Exchange) -> bool:
    """Whether the answer never ends, so that it is read piece by piece."""
    return request.path.endswith("/events")


def _is_token(scheme: str) -> bool:
    return scheme.lower().endswith("token")


def _query(request: Exchange) -> str:
    return f"?{urlencode(request.query, quote_via=quote, safe=',')}" if request.query else ""


def _python(value: Any) -> str:
    return format_json(value, scalar=_python_scalar)


def _python_scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
