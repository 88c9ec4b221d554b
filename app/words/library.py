"""The lexicons of an installation: those shipped with Wibble and those the user added."""

import hashlib
import json
import lzma
import re
import tomllib
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final

from app.atomic import write_file
from app.validation import quote
from app.words.cache import LexiconCache
from app.words.lexicon import Lexicon
from app.words.wordlist import read_words

DEFAULT_LEXICON: Final = "english"
RANKS: Final = "frequency"
"""The default file of ranks of a list. Ranks are fixed per list, so that the required words of a game pinned
to the list never change."""
FILTERS: Final = ("profanity", "slurs")
"""The default files of the family filter of a list."""
LOCAL: Final = "-local"
"""The suffix of an operator's version of a shipped list, which has the ranks and filters of that list."""
NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,31}")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_KEPT_IN_MEMORY: Final = 8


class UnknownLexicon(ValueError):
    """No such lexicon; the message lists the existing ones."""


class BadName(ValueError):
    """The name is not allowed for a new list; the message says why."""


class NoWords(ValueError):
    """The list would have no words left."""


class DamagedLexicon(RuntimeError):
    """A stored list does not match its hash."""


@dataclass(frozen=True)
class LexiconInfo:
    """Facts about a lexicon that do not require loading it."""

    name: str
    words: int
    sha256: str
    """Hash of the sorted list, each word followed by a newline."""
    shipped: bool
    """Whether it ships with Wibble; otherwise the user added it."""
    title: str


class Library:
    """Finds, builds, caches and stores the lexicons of an installation. Thread-safe.

    ``data`` is the folder of shipped data, ``home`` the user's data directory (for added lists), ``cache`` a
    folder for data that can be rebuilt. For loading, the latter two need not exist or be writable.

    An added list is stored under its content hash, and its name points to that hash. Replacing a list
    therefore keeps the old content available to games that were played with it.
    """

    default: Final = DEFAULT_LEXICON

    def __init__(self, data: Path, home: Path, cache: Path) -> None:
        self._data = data / "words"
        self._lists = home / "words" / "lists"
        self._names = home / "words" / "names"
        self._cache = LexiconCache(cache / "lexicons")
        self._loaded: OrderedDict[tuple[str, str], Lexicon] = OrderedDict()
        self._loaded_lock = Lock()
        self._building = Lock()

    def names(self) -> list[LexiconInfo]:
        """Return all lexicons: the shipped ones first, then the user's by name."""
        own = [self._own(file.stem) for file in sorted(self._names.glob("*.json"))]
        return [*self._shipped.values(), *(info for info in own if info)]

    def __contains__(self, name: str) -> bool:
        """Whether there is a lexicon of this name."""
        return name in self._shipped or self._own(name) is not None

    def info(self, name: str) -> LexiconInfo:
        """Return the current content of ``name``. Raises UnknownLexicon."""
        found = self._shipped.get(name) or self._own(name)
        if found is None:
            known = ", ".join(info.name for info in self.names())
            raise UnknownLexicon(f"there is no lexicon named {quote(name)}; there are {known}")
        return found

    def load(self, name: str = default, sha256: str | None = None) -> Lexicon:
        """Return the lexicon ``name``: its current content or, given ``sha256``, the content with that hash.

        Content that the user has since replaced is still found. Raises UnknownLexicon, and DamagedLexicon if
        the stored list does not match its hash.
        """
        if sha256 is None:
            sha256 = self.info(name).sha256
        key = (name, sha256)
        lexicon = self._recall(key)
        if lexicon is None:
            with self._building:
                lexicon = self._recall(key) or self._open(name, sha256)
                self._keep(key, lexicon)
        return lexicon

    def add(self, name: str, file: Path) -> LexiconInfo:
        """Add the list in ``file`` as ``name``, replacing the user's list of that name if there is one.

        Raises BadName, MalformedList (naming the bad lines) or OSError, and then changes nothing.
        """
        self._check_name(name)
        return self._store(name, read_words(file))

    def revise(self, name: str, base: str, add: Collection[str], remove: Collection[str]) -> LexiconInfo:
        """Store the next version of the user's list ``name``: ``base`` with words added and removed.

        Games that began with an earlier version keep it. Raises BadName, UnknownLexicon and NoWords.
        """
        self._check_name(name)
        words = sorted({*self.load(base), *add} - set(remove))
        if not words:
            raise NoWords(f"no word would be left in {name}: a list has at least one")
        return self._store(name, words)

    def _check_name(self, name: str) -> None:
        if not NAME.fullmatch(name):
            raise BadName(
                f"{name!r} is not a valid name: a lexicon's name is a letter a-z, "
                "then up to 31 of a-z, 0-9 and -"
            )
        if name in self._shipped:
            raise BadName(f"{name!r} ships with Wibble; choose another name for your list")

    def _store(self, name: str, words: Sequence[str]) -> LexiconInfo:
        content = "".join(f"{word}\n" for word in words).encode("ascii")
        sha256 = hashlib.sha256(content).hexdigest()
        write_file(self._lists / f"{sha256}.txt", content)
        write_file(
            self._names / f"{name}.json", json.dumps({"sha256": sha256, "words": len(words)}).encode("ascii")
        )
        return LexiconInfo(name, len(words), sha256, shipped=False, title=name)

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """Frequency ranks of words, whether or not in a list; 1 for the commonest."""
        packed = (self._data / "frequency.txt.xz").read_bytes()
        return _ranks(lzma.decompress(packed))

    @cached_property
    def _catalogue(self) -> dict[str, dict[str, Any]]:
        return tomllib.loads((self._data / "lexicons.toml").read_text("utf-8"))

    @cached_property
    def _shipped(self) -> dict[str, LexiconInfo]:
        return {
            name: LexiconInfo(name, entry["words"], entry["sha256"], shipped=True, title=entry["title"])
            for name, entry in self._catalogue.items()
        }

    def _own(self, name: str) -> LexiconInfo | None:
        if not NAME.fullmatch(name) or name in self._shipped:
            return None
        try:
            pointer = json.loads((self._names / f"{name}.json").read_bytes())
            return LexiconInfo(name, int(pointer["words"]), str(pointer["sha256"]), shipped=False, title=name)
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def _recall(self, key: tuple[str, str]) -> Lexicon | None:
        with self._loaded_lock:
            lexicon = self._loaded.get(key)
            if lexicon is not None:
                self._loaded.move_to_end(key)
            return lexicon

    def _keep(self, key: tuple[str, str], lexicon: Lexicon) -> None:
        with self._loaded_lock:
            self._loaded[key] = lexicon
            if len(self._loaded) > _KEPT_IN_MEMORY:
                self._loaded.popitem(last=False)

    def _open(self, name: str, sha256: str) -> Lexicon:
        shipped = self._shipped.get(name)
        like = name if shipped is not None and shipped.sha256 == sha256 else _shipped_version_of(name)
        entry = self._catalogue.get(like, {})
        ranked, named, *filtered = (
            (self._data / f"{file}.txt.xz").read_bytes() if file else b""
            for file in (entry.get("ranks", RANKS), entry.get("names"), *entry.get("filters", FILTERS))
        )
        sources = "-".join(hashlib.sha256(packed).hexdigest() for packed in (ranked, named, *filtered))
        cached = self._cache.open(name, sha256, sources)
        if cached is not None:
            return cached
        text = self._content(name, sha256)
        if hashlib.sha256(text).hexdigest() != sha256:
            raise DamagedLexicon(f"the stored list of the lexicon {name!r} is damaged: its hash differs")
        built = Lexicon.from_words(
            _words(text),
            name,
            ranks=_ranks(lzma.decompress(ranked)),
            profanity=frozenset(_words(b"".join(map(lzma.decompress, filtered)))),
            names=frozenset(_words(lzma.decompress(named) if named else b"")),
        )
        self._cache.store(built, sources)
        # A memory map is shared between the processes of an installation; a built lexicon is not.
        return self._cache.open(name, sha256, sources) or built

    def _content(self, name: str, sha256: str) -> bytes:
        shipped = self._shipped.get(name)
        if shipped is not None and shipped.sha256 == sha256:
            return lzma.decompress((self._data / self._catalogue[name]["file"]).read_bytes())
        if NAME.fullmatch(name) and _SHA256.fullmatch(sha256):
            with suppress(OSError):
                return (self._lists / f"{sha256}.txt").read_bytes()
        raise UnknownLexicon(f"the content {sha256[:12]} of the lexicon {name!r} is not kept here")


def _shipped_version_of(name: str) -> str:
    return name.removesuffix(LOCAL) if name.endswith(LOCAL) else ""


def _ranks(text: bytes) -> dict[str, int]:
    """Return the line of each word, from 1; words on one line share a rank."""
    return {word: rank for rank, line in enumerate(_words(text), start=1) for word in line.split()}


def _words(text: bytes) -> list[str]:
    return text.decode("ascii").splitlines()
