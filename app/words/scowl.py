"""The sizes of SCOWL, from Debian's package ``scowl`` if it is installed: how common a word is, 10 to 95."""

from collections.abc import Collection
from pathlib import Path
from typing import Final

FOLDER: Final = Path("/usr/share/dict/scowl")


def scowl_sizes(words: Collection[str]) -> dict[str, int]:
    """Return the smallest SCOWL size that includes each of these words (lower case); others are left out.

    Empty if the package is not installed.
    """
    wanted, sizes = set(words), {}
    files = [(int(file.suffix[1:]), file) for file in FOLDER.glob("*-words.*") if file.suffix[1:].isdecimal()]
    for size, file in sorted(files, reverse=True):
        for word in wanted.intersection(file.read_text("latin-1").split()):
            sizes[word] = size
    return sizes
