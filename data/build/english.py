"""Rebuild ``data/words/english.txt.xz``, the list ``english``, from the older lists, SCOWL and our review.

Usage: python data/build/english.py SCOWL_FOLDER [OUTPUT_FOLDER]

``SCOWL_FOLDER`` holds SCOWL's ``final`` files (2020.12.07; Debian's package ``scowl``:
/usr/share/dict/scowl). Run it after ``wordlists.py`` and ``enable.py``. Needs only Python and no network.
docs/words.md describes the method.
"""

import hashlib
import lzma
import re
import sys
import tomllib
from pathlib import Path

WORDS = Path(__file__).parents[1] / "words"
ADDED_UP_TO = 60
"""SCOWL's words up to this size are all in the list."""
CONFIRMED_UP_TO = 80
"""Letterpress words that SCOWL has up to this size stay."""

_FILE = re.compile(r"[a-z_0-9]+-words\.([0-9]+)")
_WORD = re.compile(r"[a-z]{2,64}")


def read_scowl(folder: Path) -> dict[str, int]:
    """Return SCOWL's lower-case words, of all spellings, with the smallest size that has each."""
    sizes: dict[str, int] = {}
    for file in folder.iterdir():
        if match := _FILE.fullmatch(file.name):
            for word in file.read_text("latin-1").split():
                if _WORD.fullmatch(word):
                    sizes[word] = min(int(match[1]), sizes.get(word, 100))
    return sizes


def read_list(name: str) -> set[str]:
    """Return the words of a shipped list."""
    return set(lzma.decompress((WORDS / f"{name}.txt.xz").read_bytes()).decode("ascii").split())


def main(scowl: Path, output: Path) -> None:
    """Write the compressed list into ``output`` and print its length and hash."""
    sizes = read_scowl(scowl)
    reviewed = tomllib.loads((WORDS / "english-reviewed.toml").read_text("utf-8"))
    confirmed = {word for word, size in sizes.items() if size <= CONFIRMED_UP_TO} | read_list("enable")
    words = read_list("letterpress") & confirmed
    words |= {word for word, size in sizes.items() if size <= ADDED_UP_TO}
    if idle := sorted((words & set(reviewed["add"])) | (set(reviewed["remove"]) - words)):
        sys.exit(f"reviewed entries without effect: {' '.join(idle)}")
    words = words - set(reviewed["remove"]) | set(reviewed["add"])
    text = "".join(f"{word}\n" for word in sorted(words)).encode("ascii")
    (output / "english.txt.xz").write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    sys.stdout.write(f"words = {len(words)}\nsha256 = {hashlib.sha256(text).hexdigest()}\n")


if __name__ == "__main__":
    paths = [Path(argument) for argument in sys.argv[1:]]
    if len(paths) not in {1, 2}:
        sys.exit(__doc__)
    main(paths[0], paths[1] if len(paths) == 2 else WORDS)
