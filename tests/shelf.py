"""Lexicons that all applications of a test process read together."""

from typing import Final

from app.resources import resource
from app.settings import Settings
from app.words.lexicon import Lexicon
from app.words.library import Library

_SHIPPED: Final[dict[tuple[str, str], Lexicon]] = {}


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


class SharingSettings(Settings):
    """Settings of an application that shares its lexicons with all others of the process."""

    def library(self) -> Library:
        """As everywhere, but shared."""
        return SharedLibrary(data=resource("data"), home=self.data_dir, cache=self.cache_dir)
