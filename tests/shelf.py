"""What the applications of a test process share: lexicons, routes and the models of the API."""

from typing import Any, Final
from unittest.mock import patch

from fastapi import FastAPI
from starlette.routing import BaseRoute

from app import main
from app.resources import resource
from app.rooms import ROOMS
from app.rooms.registry import Registry
from app.settings import Settings
from app.web.room import Rooms
from app.web.table.kinds import Kinds
from app.words.lexicon import Lexicon
from app.words.library import Library

_SHIPPED: Final[dict[tuple[str, str], Lexicon]] = {}
_KINDS: Final[dict[tuple[str, ...], Kinds]] = {}
_ROUTES: Final[dict[tuple[str, ...], list[BaseRoute]]] = {}


def create_app(settings: Settings, rooms: Registry = ROOMS, **options: Any) -> FastAPI:
    """Create the application as ``app.main`` does, with the routes and models of the first one.

    They depend on the rooms alone and take 0.1 s to build.
    """
    with patch.object(main, "Kinds", _kinds):
        application = main.create_app(settings, rooms, **options)
    application.router.routes = _ROUTES.setdefault(tuple(rooms), application.router.routes)
    return application


def _kinds(rooms: Rooms) -> Kinds:
    names = tuple(rooms)
    if names not in _KINDS:
        _KINDS[names] = Kinds(rooms)
    return _KINDS[names]


class SharedLibrary(Library):
    """As the library, but a list that ships with Wibble is opened once in a process, and not by each library.

    A lexicon never changes; what engines make of one is kept by the lexicon, and so made once, too.
    """

    def _open(self, name: str, sha256: str) -> Lexicon:
        shipped = self._shipped.get(name)
        if shipped is None or shipped.sha256 != sha256:
            return super()._open(name, sha256)
        if (name, sha256) not in _SHIPPED:
            _SHIPPED[name, sha256] = super()._open(name, sha256)
        return _SHIPPED[name, sha256]


def share_lexicons() -> None:
    """From now on give all settings of this process a library that shares its shipped lexicons."""

    def library(settings: Settings) -> Library:
        return SharedLibrary(data=resource("data"), home=settings.data_dir, cache=settings.cache_dir)

    patch.object(Settings, "library", library).start()
