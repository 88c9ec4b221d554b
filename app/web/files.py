"""Static files with a version in their URL, so that browsers can cache them forever.

Starlette serves them. WhiteNoise, which adds versions, too, is for WSGI and puts one into each file's name:
the scripts' imports would have to be rewritten.
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
_COMMENTS: Final = {
    ".css": (re.compile(r"/\*.*?\*/", re.DOTALL), "text/css"),
    ".js": (
        re.compile(r"^[ \t]*//[^\n]*\n|[ \t]*/\*\*?\s.*?\*/\n?", re.DOTALL | re.MULTILINE),
        "text/javascript",
    ),
}
"""Comments of style sheets and scripts, and their media types. Scripts keep what follows code on its line."""
_BROTLI: Final = re.compile(r"\s*br\s*(;\s*q=(1|0\.[0-9]*[1-9][0-9]*)\S*\s*)?", re.IGNORECASE)
"""An item of Accept-Encoding that accepts Brotli."""
_IMMUTABLE: Final = "public, max-age=31536000, immutable"
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


@lru_cache
def _without_comments(path: str) -> str:
    """A text without its comments: a tenth of a style sheet, a third of a script with its types."""
    comment, _ = _COMMENTS[Path(path).suffix]
    return comment.sub("", Path(path).read_text(encoding="utf-8"))


@lru_cache(maxsize=512)
def _compressed(path: str) -> bytes:
    """The same, as small as Brotli makes it: a tenth less than what is fast enough for each response."""
    return bytes(brotli.compress(_without_comments(path).encode(), quality=11))


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


class Files(StaticFiles):
    """Serves a folder of files, each at its path with or without a version before it.

    During an update, a page may name the version of another process: it gets the file we have, not cached.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, with caching headers."""
        first, _, rest = path.partition(os.sep)
        versioned = _VERSION_PATTERN.fullmatch(first) is not None
        response = await super().get_response(rest if versioned else path, scope)
        if versioned and isinstance(response, FileResponse) and (suffix := Path(path).suffix) in _COMMENTS:
            brief = _accepts_brotli(scope)
            content = await run_in_threadpool(_compressed if brief else _without_comments, str(response.path))
            response = Response(content, media_type=_COMMENTS[suffix][1])
            if brief:
                response.headers.update({"Content-Encoding": "br", "Vary": "Accept-Encoding"})
        if first == VERSION:
            response.headers["Cache-Control"] = _IMMUTABLE
            for name in _VALIDATORS:
                del response.headers[name]
        else:
            response.headers["Cache-Control"] = _REVALIDATE
        return response
