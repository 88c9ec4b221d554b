"""Static files with a version in their URL, so that browsers can cache them forever.

Starlette serves them. WhiteNoise adds versions, too, but is for WSGI and puts them into the files' names: the
scripts' imports would have to be rewritten.
"""

import os
import posixpath
import re
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

import brotli
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.resources import resource

_VERSION_PATTERN: Final = re.compile("[0-9a-f]{12}")
_CONTENT_TYPES: Final = {".css": "text/css; charset=utf-8", ".js": "text/javascript"}
"""Modules need no charset: browsers always read them as UTF-8."""
_SCRIPT_SPARE: Final = re.compile(
    r"^[ \t]*//[^\n]*\n|[ \t]*/\*\*?\s.*?\*/\n?|^[ \t]+|^\n", re.DOTALL | re.MULTILINE
)
"""A script's indentation and empty lines, and its comments except those after code on the same line."""
_SPACE: Final = r"(?:\s|/\*(?:(?!\*/).)*\*/)"
_STYLE_PARTS: Final = re.compile(
    rf"""("[^"]*"|'[^']*')|{_SPACE}*([{{}};,]){_SPACE}*|(:){_SPACE}+|{_SPACE}+""", re.DOTALL
)
"""Strings of a style sheet, and white space with comments, which is insignificant at punctuation."""
_TABLE_SHEETS: Final = (
    "site/base.css",
    "site/parts.css",
    "table/word.css",
    "table/table.css",
    "table/board.css",
    "table/seats.css",
    "table/powers.css",
    "table/letters.css",
    "table/finish.css",
    "table/strip.css",
    "table/talk.css",
    "table/waiting.css",
    "table/lengths.css",
    "table/clocks.css",
    "table/teams.css",
    "table/analysis.css",
    "table/lesson.css",
)
"""Style sheets that a table or its board can have, in this order, before its game's. They are joined."""
_JOINED: Final = "sheets"
"""The folder of joined style sheets, each named by its parts."""
_BROTLI: Final = re.compile(r"\s*br\s*(;\s*q=(1|0\.0*[1-9])\S*\s*)?", re.IGNORECASE)
"""An item of Accept-Encoding that accepts Brotli. No character can match in two places, so time is linear."""
_IMMUTABLE: Final = "max-age=31536000, immutable"
_REVALIDATE: Final = "no-cache"
"""Revalidated on each use, and answered by 304 if unchanged."""
_IMPORT: Final = re.compile(r'^(?:import|export)\b(?:[^;"()]*?\bfrom)?\s*"(\.[^"]+)"', re.MULTILINE)
_VALIDATORS: Final = ("ETag", "Last-Modified", "Accept-Ranges")
"""Headers that an immutable file does not need: about 2 KB per page."""


def _version() -> str:
    digest = sha256(version("django-js-lib-htmx").encode())
    for file in sorted(resource("static").rglob("*.*")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:12]


VERSION: Final = _version()
"""Digest of all static files."""


def _minify_part(part: re.Match[str]) -> str:
    """The replacement for a part of a style sheet: strings unchanged, punctuation without white space."""
    return "".join(filter(None, part.groups())) or " "


@lru_cache(maxsize=512)
def _minified(*paths: str) -> str:
    """The files' contents joined, without comments (a third of a script) and insignificant white space."""
    texts = [Path(path).read_text(encoding="utf-8") for path in paths]
    if paths[0].endswith(".css"):
        return "".join(_STYLE_PARTS.sub(_minify_part, text) for text in texts)
    return "".join(_SCRIPT_SPARE.sub("", text) for text in texts)


@lru_cache(maxsize=512)
def _compressed(*paths: str) -> bytes:
    """The same at Brotli's highest level: a tenth smaller than at one fast enough for each response."""
    return bytes(brotli.compress(_minified(*paths).encode(), quality=11))


def joined_sheets(*sheets: str) -> str:
    """Return the static path of a style sheet joined from these, for fewer requests and better compression.

    They must be from _TABLE_SHEETS, in that order, optionally followed by a game's own.
    """
    return f"{_JOINED}/{'+'.join(sheet.removesuffix('.css').replace('/', '.') for sheet in sheets)}.css"


@lru_cache
def _sheets_joined_in(path: str) -> tuple[str, ...] | None:
    """The files joined at a static path; None if no page uses that path."""
    folder, _, name = path.partition("/")
    if folder != _JOINED or not name.endswith(".css"):
        return None
    *shared, last = [each.replace(".", "/") + ".css" for each in name.removesuffix(".css").split("+")]
    own = last == f"{Path(last).stem}/{Path(last).name}" and last not in _TABLE_SHEETS
    listed = tuple(shared) if own else (*shared, last)
    if (
        listed != tuple(sheet for sheet in _TABLE_SHEETS if sheet in listed)
        or "table/table.css" not in listed
    ):
        return None
    files = [resource("static") / sheet for sheet in (*shared, last)]
    return tuple(map(str, files)) if all(file.is_file() for file in files) else None


def _accepts_brotli(scope: Scope) -> bool:
    accepted = Headers(scope=scope).get("accept-encoding", "")
    return any(_BROTLI.fullmatch(coding) for coding in accepted.split(","))


@lru_cache
def module_imports(script: str) -> tuple[str, ...]:
    """Return the static paths of all modules that ``script`` imports, directly or through others.

    Dynamic imports are not followed: they load when they are needed.
    """
    found: dict[str, None] = {script: None}
    waiting = [script]
    for module in waiting:
        source = (resource("static") / module).read_text(encoding="utf-8")
        for imported in _IMPORT.findall(source):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(module), imported))
            if path not in found:
                found[path] = None
                waiting.append(path)
    return tuple(found)[1:]


async def _minified_response(paths: tuple[str, ...], scope: Scope) -> Response:
    """The contents of files of one type joined, without comments and insignificant white space."""
    brotli_accepted = _accepts_brotli(scope)
    content = await run_in_threadpool(_compressed if brotli_accepted else _minified, *paths)
    response = Response(content, headers={"Content-Type": _CONTENT_TYPES[Path(paths[0]).suffix]})
    if brotli_accepted:
        response.headers.update({"Content-Encoding": "br", "Vary": "Accept-Encoding"})
    return response


class Files(StaticFiles):
    """Serves a folder of files, each at its path with or without a version in front.

    During an update, a page may ask for another process's version: it gets the current file, not cached.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, with caching headers."""
        first, _, rest = path.partition(os.sep)
        versioned = _VERSION_PATTERN.fullmatch(first) is not None
        joined = _sheets_joined_in(rest.replace(os.sep, "/")) if versioned else None
        if joined is not None and scope["method"] in ("GET", "HEAD"):
            response = await _minified_response(joined, scope)
        else:
            response = await super().get_response(rest if versioned else path, scope)
            if versioned and isinstance(response, FileResponse) and Path(path).suffix in _CONTENT_TYPES:
                response = await _minified_response((str(response.path),), scope)
        if first == VERSION:
            response.headers["Cache-Control"] = _IMMUTABLE
            for name in _VALIDATORS:
                del response.headers[name]
        else:
            response.headers["Cache-Control"] = _REVALIDATE
        return response
