"""Rebuild ``data/words/enable.txt.xz`` from the public-domain text ``enable1.txt``.

Usage: python data/build/enable.py ENABLE1_TXT [OUTPUT_FOLDER]

The text is from the National Puzzlers' League: 172,823 words in lower case, one per line. Needs only Python
and no network.
"""

import hashlib
import lzma
import sys
from pathlib import Path

ENABLE_SHA256 = "3f16130220645692ed49c7134e24a18504c2ca55b3c012f7290e3e77c63b1a89"


def main(enable1: Path, output: Path) -> None:
    """Check the text and write the compressed file into ``output``."""
    text = "".join(f"{word}\n" for word in sorted(enable1.read_text("ascii").split())).encode("ascii")
    if hashlib.sha256(text).hexdigest() != ENABLE_SHA256:
        sys.exit(f"{enable1} is not the shipped list: wrong SHA-256")
    (output / "enable.txt.xz").write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    paths = [Path(argument) for argument in sys.argv[1:]]
    if len(paths) not in {1, 2}:
        sys.exit(__doc__)
    main(paths[0], paths[1] if len(paths) == 2 else Path(__file__).parents[1] / "words")
