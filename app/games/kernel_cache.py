"""Numba's cache on disk, of which only what is there as it was written is used.

It holds machine code: from a file that was cut short or damaged anything might be run. Numba itself looks at
the version and the source alone.
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
    """The files of one kernel, each with a digest of its name, of Numba's version and of what follows."""

    @classmethod
    def of(cls, compiled: Any, sources: str) -> "SealedCacheFile":
        """In place of what a function decorated with ``njit`` has; ``sources`` tells what it is made of."""
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
            raise OSError(
                f"{name} is damaged"
            )  # as good as absent, which Numba takes for a reason to compile
        return pickle.loads(content)  # noqa: S301 - it is what we wrote

    def _save_data(self, name: str, data: Any) -> None:
        with self._open_for_write(str(self._path(name))) as file:
            file.write(self._sealed(name, pickled(data)))

    def _path(self, name: str) -> Path:
        return Path(self._cache_path, name)

    def _sealed(self, name: str, content: bytes) -> bytes:
        return sha256(f"{name} {self._version} ".encode() + content).digest() + content
