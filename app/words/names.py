"""Names of people and places, which are not in word lists."""

import lzma
from functools import cache
from pathlib import Path


@cache
def read_names(data: Path) -> frozenset[str]:
    """Return the shipped names in lower case; ``data`` is the folder of shipped data."""
    return frozenset(lzma.decompress((data / "words" / "names.txt.xz").read_bytes()).decode("ascii").split())
