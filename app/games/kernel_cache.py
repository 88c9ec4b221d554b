"""Numba's disk cache, with every file verified before use.

It holds machine code: a truncated or damaged file could execute anything. Numba itself checks only its
version and the source stamp.
"""

import pickle
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile
from numba.core.serialize import dumps

pickled: Callable[[Any], bytes] = dumps


class SealedCacheFile(IndexDataCacheFile):
    """One kernel's cache files, each prefixed with a digest of its name, Numba's version and content."""

    @classmethod
    def of(cls, compiled: Any, sources: str) -> "SealedCacheFile":
        """Return a replacement for an ``njit`` function's cache file; ``sources`` is its stamp."""
        cache = compiled._cache
        return cls(
            cache_path=cache._cache_path, filename_base=cache._impl.filename_base, source_stamp=sources
        )

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, overloads = self._load_data(self._index_name)
        except OSError:
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._save_data(self._index_name, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        sealed = self._path(name).read_bytes()
        content = sealed[sha256().digest_size :]
        if sealed != self._sealed(name, content):
            # Treated as missing: Numba then recompiles.
            raise OSError(f"{name} is damaged")
        return pickle.loads(content)  # noqa: S301 - the digest shows that we wrote it

    def _save_data(self, name: str, data: Any) -> None:
        with self._open_for_write(str(self._path(name))) as file:
            file.write(self._sealed(name, pickled(data)))

    def _path(self, name: str) -> Path:
        return Path(self._cache_path, name)

    def _sealed(self, name: str, content: bytes) -> bytes:
        return sha256(f"{name} {self._version} ".encode() + content).digest() + content
