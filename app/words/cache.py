"""Lexicons on disk as arrays, so that opening one is mapping a few files into memory.

A cache may be lost, cut short, damaged or written by another version at any time: what does not agree
with its manifest in every byte counts as absent.
"""

import json
import tempfile
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.words.lexicon import Lexicon
from app.words.trie import Trie

FORMAT: Final = 1
"""Raised whenever an array changes its meaning or form."""

_MANIFEST: Final = "manifest.json"


class LexiconCache:
    """Lexicons under the folder ``root``, one folder each.

    ``sources`` in its methods stands for all that the arrays were made from besides the list: what was stored
    with other sources counts as absent.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def open(self, name: str, sha256: str, sources: str) -> Lexicon | None:
        """The stored lexicon of that hash, its arrays mapped read-only, or None if it is not there intact."""
        folder = self._folder(sha256)
        try:
            manifest = json.loads((folder / _MANIFEST).read_bytes())
            if (manifest["format"], manifest["sha256"], manifest["sources"]) != (FORMAT, sha256, sources):
                return None
            arrays: dict[str, NDArray[Any]] = {}
            for field, description in manifest["arrays"].items():
                mapped = np.load(folder / f"{field}.npy", mmap_mode="r", allow_pickle=False).view(np.ndarray)
                if _describe(mapped) != description:
                    return None
                arrays[field] = mapped
            return _assemble(name, sha256, arrays)
        except (OSError, EOFError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def store(self, lexicon: Lexicon, sources: str) -> None:
        """Store ``lexicon`` in place of what is there, if the disk lets us: a cache is a convenience.

        Readers see all of it or nothing, and who has mapped what was there keeps it.
        """
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(
                dir=self._root, prefix=".writing-", ignore_cleanup_errors=True
            ) as temporary:
                fresh = Path(temporary) / "fresh"
                fresh.mkdir()
                arrays = _arrays(lexicon)
                for field, array in arrays.items():
                    np.save(fresh / f"{field}.npy", array, allow_pickle=False)
                manifest = {
                    "format": FORMAT,
                    "sha256": lexicon.sha256,
                    "sources": sources,
                    "arrays": {field: _describe(array) for field, array in arrays.items()},
                }
                (fresh / _MANIFEST).write_text(json.dumps(manifest, indent=1))
                folder = self._folder(lexicon.sha256)
                if folder.exists():
                    folder.replace(Path(temporary) / "stale")
                fresh.replace(folder)
        except OSError:
            return

    def _folder(self, sha256: str) -> Path:
        return self._root / f"{FORMAT}-{sha256}"


_TRIE_PREFIX: Final = "trie_"
_ARRAY_FIELDS: Final = ("text", "starts", "letter_masks", "letter_counts", "ranks", "family")


def _arrays(lexicon: Lexicon) -> dict[str, NDArray[Any]]:
    arrays = {field: getattr(lexicon, field) for field in _ARRAY_FIELDS}
    return arrays | {_TRIE_PREFIX + field: array for field, array in lexicon.trie._asdict().items()}


def _assemble(name: str, sha256: str, arrays: dict[str, NDArray[Any]]) -> Lexicon:
    trie = Trie(*(arrays.pop(_TRIE_PREFIX + field) for field in Trie._fields))
    return Lexicon(name=name, sha256=sha256, trie=trie, **arrays)


def _describe(array: NDArray[Any]) -> dict[str, Any]:
    return {"dtype": array.dtype.str, "shape": list(array.shape), "crc32": zlib.crc32(array.data)}
