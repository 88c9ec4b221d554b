"""Rebuild ``data/words/{names,english-names}.txt.xz`` from SCOWL, as Debian's package ``scowl`` installs it.

Usage: python data/build/names.py SCOWL_FOLDER [OUTPUT_FOLDER]

names.txt: the capitalised words (names of persons and places, days, languages) up to size 70 that are no
lower-case words of that size. english-names.txt: of those and the abbreviations the ones that the list
``english`` accepts all the same, unless they are common or the reviewed file added them; they are never
suggested. Run it after ``ranks.py``. Needs only Python and no network.
"""

import lzma
import sys
import tomllib
from pathlib import Path

from english import WORDS, read_list

LARGEST_SIZE = 70
NAMES = ("proper-names", "upper")
COMMON = 20_000
"""The last rank of the common words, as in ``vocabulary.toml``."""


def main(scowl: Path, output: Path) -> None:
    """Write the compressed lists into ``output``."""
    lower = _read(scowl, "words")
    _write(output / "names.txt.xz", _read(scowl, *NAMES) - lower)
    ranks = lzma.decompress((WORDS / "english-ranks.txt.xz").read_bytes()).decode("ascii").splitlines()
    common = set(" ".join(ranks[:COMMON]).split())
    added = tomllib.loads((WORDS / "english-reviewed.toml").read_text("utf-8"))["add"]
    named = (_read(scowl, *NAMES, "abbreviations") - lower) & read_list("english")
    _write(output / "english-names.txt.xz", named - common - set(added))


def _write(file: Path, words: set[str]) -> None:
    text = "".join(f"{word}\n" for word in sorted(words))
    file.write_bytes(lzma.compress(text.encode("ascii"), preset=9 | lzma.PRESET_EXTREME))


def _read(scowl: Path, *categories: str) -> set[str]:
    words = set()
    for file in scowl.iterdir():
        category, _, size = file.name.partition("-")[2].rpartition(".")
        if category in categories and size.isdecimal() and int(size) <= LARGEST_SIZE:
            words |= {word.lower() for word in file.read_text("latin-1").split()}
    return {word for word in words if word.isascii() and word.isalpha() and len(word) > 1}


if __name__ == "__main__":
    paths = [Path(argument) for argument in sys.argv[1:]]
    if len(paths) not in {1, 2}:
        sys.exit(__doc__)
    main(paths[0], paths[1] if len(paths) == 2 else WORDS)
