"""Rebuild ``data/words/frequency.txt.xz`` from the ``wordfreq`` package's English table.

Usage: python data/build/frequency.py [OUTPUT_FOLDER]

Run it after ``wordlists.py``, with ``wordfreq`` 3.1.1 installed (``pip install wordfreq==3.1.1``). Needs no
network.
"""

import lzma
import sys
from pathlib import Path

from wordfreq import get_frequency_dict

WORDS = Path(__file__).parents[1] / "words"


def main(output: Path) -> None:
    """Write the words of the default list that are in the table, most common first, ties alphabetical."""
    frequency = get_frequency_dict("en", wordlist="large")
    words = lzma.decompress((WORDS / "letterpress.txt.xz").read_bytes()).decode("ascii").split()
    ranked = sorted((word for word in words if word in frequency), key=lambda word: (-frequency[word], word))
    text = "".join(f"{word}\n" for word in ranked).encode("ascii")
    (output / "frequency.txt.xz").write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) == 2 else WORDS)
