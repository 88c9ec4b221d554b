"""Parts shared by all applications of a test process: lexicons, studies, routes, the API document."""

import ssl
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast
from unittest.mock import patch

from app import composition, main
from app.resources import resource
from app.rooms import ROOMS
from app.rooms.registry import Registry
from app.settings import Settings
from app.store.database import Database
from app.web import openapi
from app.web.room import Rooms
from app.web.site import word_studies_api, words
from app.web.table.kinds import Kinds
from app.words.lexicon import Lexicon
from app.words.library import Library

_SHIPPED: Final[dict[tuple[str, str], Lexicon]] = {}
_KINDS: Final[dict[tuple[str, ...], Kinds]] = {}
_FIRST: Final[dict[tuple[str, ...], openapi.Application]] = {}


def create_app(settings: Settings, rooms: Registry = ROOMS, **options: Any) -> openapi.Application:
    """Create the application as ``app.main`` does, reusing the routes, models and document of the first one.

    They depend only on the rooms and take half a second to build.
    """
    first = _FIRST.get(tuple(rooms))
    with patch.object(composition, "Kinds", _kinds):
        if first is None:
            application = cast("openapi.Application", main.create_app(settings, rooms, **options))
            _FIRST[tuple(rooms)] = application
            return application
        with patch.object(openapi.Application, "include_router", _leave_out):
            application = cast("openapi.Application", main.create_app(settings, rooms, **options))
    application.router.routes = first.router.routes
    patch.object(application, "openapi", first.openapi).start()
    return application


def _leave_out(*_router: Any, **_options: Any) -> None:
    """Do nothing, in place of ``include_router``; a mock would cost more than it saves."""


@cache
def empty_store() -> bytes:
    """The bytes of an SQLite file with empty tables; writing it to a folder saves the migrations."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.sqlite3"
        database = Database(f"sqlite:///{file}")
        database.migrate()
        database.close()
        return file.read_bytes()


def _kinds(rooms: Rooms) -> Kinds:
    names = tuple(rooms)
    if names not in _KINDS:
        _KINDS[names] = Kinds(rooms)
    return _KINDS[names]


class SharedLibrary(Library):
    """A library that opens each shipped lexicon once per process.

    A lexicon never changes, and keeps what engines compute from it, so that is also computed only once.
    """

    def _open(self, name: str, sha256: str) -> Lexicon:
        shipped = self._shipped.get(name)
        if shipped is None or shipped.sha256 != sha256:
            return super()._open(name, sha256)
        if (name, sha256) not in _SHIPPED:
            _SHIPPED[name, sha256] = super()._open(name, sha256)
        return _SHIPPED[name, sha256]


def share_certificates() -> None:
    """Read the trusted certificates once per process instead of once per HTTP client."""
    patch.object(ssl, "create_default_context", cache(ssl.create_default_context)).start()


def share_lexicons() -> None:
    """Share lexicons and studies among all settings and servers of this process."""

    def library(settings: Settings) -> Library:
        return SharedLibrary(data=resource("data"), home=settings.data_dir, cache=settings.cache_dir)

    patch.object(Settings, "library", library).start()
    for name in ("beginnings", "statistics", "stems"):
        study = lru_cache(getattr(words, name))
        for module in (word_studies_api, words):
            patch.object(module, name, study).start()
