"""Rebuild ``data/words/letterpress.txt.xz`` and ``profanity.txt.xz`` from two unpacked npm packages.

Usage: python data/build/wordlists.py AN_ARRAY_OF_ENGLISH_WORDS WORD_LIST [OUTPUT_FOLDER]

The first two are the unpacked folders of ``an-array-of-english-words`` 2.0.0 and ``word-list`` 4.1.0. Needs
only Python and no network.
"""

import hashlib
import json
import lzma
import sys
from collections.abc import Iterable
from pathlib import Path

# Words that the package adds to the Letterpress list.
NOT_IN_LETTERPRESS = frozenset(["a", "ao", "fuckton", "fucktons", "i", "o", "sj", "u", "ua", "uk", "y"])
LETTERPRESS_SHA256 = "1b8bb49e4b5548121509ff203d2db3e64b10edef1e2abb39199c9bf86c07e5cf"


def as_text(words: Iterable[str]) -> bytes:
    """Return the words sorted by code point, one per line, with a final newline."""
    return "".join(f"{word}\n" for word in sorted(words)).encode("ascii")


def main(english_words: Path, word_list: Path, output: Path) -> None:
    """Write both files into ``output``."""
    letterpress = set(json.loads((english_words / "index.json").read_text("ascii"))) - NOT_IN_LETTERPRESS
    text = as_text(letterpress)
    if hashlib.sha256(text).hexdigest() != LETTERPRESS_SHA256:
        sys.exit(f"{english_words} does not contain the Letterpress list: wrong SHA-256")
    family_friendly = set((word_list / "words.txt").read_text("ascii").split())
    profanity = as_text(letterpress - family_friendly)
    for name, content in (("letterpress", text), ("profanity", profanity)):
        (output / f"{name}.txt.xz").write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    folders = [Path(argument) for argument in sys.argv[1:]]
    if len(folders) not in {2, 3}:
        sys.exit(__doc__)
    main(folders[0], folders[1], folders[2] if len(folders) == 3 else Path(__file__).parents[1] / "words")
