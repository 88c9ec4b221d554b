"""On-disk cache of lexicons as memory-mapped arrays.

Cache files may be missing, truncated, damaged or from another version at any time: anything that does not
match its manifest byte for byte is treated as missing.
"""

import json
import tempfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.words.lexicon import Derived, Lexicon
from app.words.trie import Trie

FORMAT: Final = 3
"""Increase it whenever an array changes in meaning or layout."""

_MANIFEST: Final = "manifest.json"


class LexiconCache:
    """Lexicons in subfolders of ``root``.

    ``sources`` identifies everything the arrays were built from besides the list; entries stored with other
    sources are treated as missing.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def open(self, name: str, sha256: str, sources: str) -> Lexicon | None:
        """Return the stored lexicon with that hash, memory-mapped read-only; None if missing or damaged."""
        arrays = self._read(f"{FORMAT}-{sha256}", {"sha256": sha256, "sources": sources})
        try:
            return None if arrays is None else _assemble(name, sha256, arrays, partial(self._derived, sha256))
        except (TypeError, KeyError):
            return None

    def store(self, lexicon: Lexicon, sources: str) -> None:
        """Store ``lexicon``, replacing any older entry. Write errors are ignored: the cache is optional.

        Atomic for readers; existing memory maps of a replaced entry stay valid.
        """
        stamp = {"sha256": lexicon.sha256, "sources": sources}
        self._write(f"{FORMAT}-{lexicon.sha256}", stamp, _arrays(lexicon))

    def _derived(self, sha256: str, name: str, build: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """Return an array derived from the list alone, from disk if it was stored before."""
        folder, stamp = f"{FORMAT}-{name}-{sha256}", {"sha256": sha256}
        arrays = self._read(folder, stamp) or {}
        if name not in arrays:
            built = build()
            self._write(folder, stamp, {name: built})
            # A memory map is shared between the processes of an installation; a built array is not.
            arrays = {name: built} | (self._read(folder, stamp) or {})
        return arrays[name]

    def _read(self, folder: str, stamp: dict[str, str]) -> dict[str, NDArray[Any]] | None:
        place = self._root / folder
        try:
            manifest = json.loads((place / _MANIFEST).read_bytes())
            if manifest["format"] != FORMAT or any(manifest[key] != value for key, value in stamp.items()):
                return None
            arrays: dict[str, NDArray[Any]] = {}
            for field, description in manifest["arrays"].items():
                file = place / f"{field}.npy"
                if _checksum(file) != description:  # checked before NumPy parses it
                    return None
                arrays[field] = np.load(file, mmap_mode="r", allow_pickle=False).view(np.ndarray)
            return arrays
        except (OSError, EOFError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def _write(self, folder: str, stamp: dict[str, str], arrays: dict[str, NDArray[Any]]) -> None:
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(
                dir=self._root, prefix=".writing-", ignore_cleanup_errors=True
            ) as temporary:
                fresh = Path(temporary) / "fresh"
                fresh.mkdir()
                for field, array in arrays.items():
                    np.save(fresh / f"{field}.npy", array, allow_pickle=False)
                checksums = {field: _checksum(fresh / f"{field}.npy") for field in arrays}
                manifest = {"format": FORMAT, **stamp, "arrays": checksums}
                (fresh / _MANIFEST).write_text(json.dumps(manifest, indent=1))
                place = self._root / folder
                if place.exists():
                    place.replace(Path(temporary) / "stale")
                fresh.replace(place)
        except OSError:
            return


_TRIE_PREFIX: Final = "trie_"
_ARRAY_FIELDS: Final = ("text", "starts", "letter_masks", "letter_counts", "ranks", "family", "names")


def _arrays(lexicon: Lexicon) -> dict[str, NDArray[Any]]:
    arrays = {field: getattr(lexicon, field) for field in _ARRAY_FIELDS}
    return arrays | {_TRIE_PREFIX + field: array for field, array in lexicon.trie._asdict().items()}


def _assemble(name: str, sha256: str, arrays: dict[str, NDArray[Any]], derived: Derived) -> Lexicon:
    trie = Trie(*(arrays.pop(_TRIE_PREFIX + field) for field in Trie._fields))
    return Lexicon(name=name, sha256=sha256, trie=trie, derived=derived, **arrays)


def _checksum(file: Path) -> str:
    """Return the checksum of a file. Raises OSError, or ValueError if it is empty."""
    content = np.memmap(file, np.uint8, "r")
    return f"{len(content)}-{zlib.crc32(content.data):08x}"
