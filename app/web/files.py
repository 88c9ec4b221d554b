"""Files that pages load: an address names their version, so that browsers keep them and ask no more."""

import os
import re
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.resources import resource

_A_VERSION: Final = re.compile("[0-9a-f]{12}")
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
_ASKED_AGAIN: Final = "no-cache"
"""Asked for again each time, and answered by 304 while nothing has changed."""
_FOR_ASKING_AGAIN: Final = ("ETag", "Last-Modified", "Accept-Ranges")
"""Headers that would be 2 KB of a page."""


def _version() -> str:
    digest = sha256(version("django-js-lib-htmx").encode())
    for file in sorted(resource("static").rglob("*.*")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:12]


VERSION: Final = _version()
"""Changes with every change to any of the files."""


@lru_cache
def _style_sheet(path: str) -> str:
    """The style sheet without its comments, a tenth of what would be sent."""
    return _COMMENT.sub("", Path(path).read_text(encoding="utf-8"))


class Files(StaticFiles):
    """A folder of files, each at its path with and without a version before it.

    During an update a page may ask for the version of another process: it gets what there is, not for good.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """As of StaticFiles, with how long a browser may keep it."""
        first, _, rest = path.partition(os.sep)
        versioned = _A_VERSION.fullmatch(first) is not None
        response = await super().get_response(rest if versioned else path, scope)
        if versioned and isinstance(response, FileResponse) and path.endswith(".css"):
            response = Response(
                await run_in_threadpool(_style_sheet, str(response.path)), media_type="text/css"
            )
        if first == VERSION:
            response.headers["Cache-Control"] = _FOR_GOOD
            for name in _FOR_ASKING_AGAIN:
                del response.headers[name]
        else:
            response.headers["Cache-Control"] = _ASKED_AGAIN
        return response
