"""Rebuild ``data/words/english-ranks.txt.xz``: the words of the list ``english``, best known first.

Usage: python data/build/ranks.py SCOWL_FOLDER [OUTPUT_FOLDER]

Run it after ``english.py``, with ``wordfreq`` 3.1.1 installed. Needs no network. docs/words.md describes the
method.
"""

import lzma
import re
import sys
import tomllib
from math import log10
from pathlib import Path

from english import WORDS, read_list, read_scowl
from wordfreq import get_frequency_dict

BONUS = {10: 0.9, 20: 0.9, 35: 0.7, 40: 0.45, 50: 0.3, 55: 0.1, 60: -0.1, 70: -0.7, 80: -1.3}
"""Added to the Zipf frequency of a word, by SCOWL's size: what is in a small dictionary is known better than
its frequency says."""
UNLISTED = -1.6
REVIEWED = 0.3
COMMON = 30_000
"""The words that count as common."""
COMMON_SIZE = 60
"""SCOWL's size up to which a word may be common, unless the reviewed file added it."""
NAME_SIZE = 50
"""From this size on, a word that SCOWL also has as a name is not common."""
PER_LINE = 1.5
"""Words to a rank: the bounds in ``vocabulary.toml`` are those of the older ranking, with 20,000 words in
common."""


def read_names(folder: Path) -> set[str]:
    """Return SCOWL's names and abbreviations, in lower case."""
    kinds = re.compile(r".+-(upper|proper-names|abbreviations)\.[0-9]+")
    files = (file for file in folder.iterdir() if kinds.fullmatch(file.name))
    return {word.lower() for file in files for word in file.read_text("latin-1").split()}


def main(scowl: Path, output: Path) -> None:
    """Write the words by score, best known first, ``PER_LINE`` to a line on average."""
    frequency = get_frequency_dict("en", wordlist="large")
    sizes, names = read_scowl(scowl), read_names(scowl)
    added = tomllib.loads((WORDS / "english-reviewed.toml").read_text("utf-8"))["add"]
    judged = tomllib.loads((WORDS / "english-levels.toml").read_text("utf-8"))
    offensive = read_list("profanity") | read_list("slurs") | read_list("english-offensive")
    score: dict[str, float] = {}
    for word in sorted(read_list("english")):
        size = sizes.get(word, 100)
        if word in frequency or size <= COMMON_SIZE:
            zipf = log10(frequency[word]) + 9 if word in frequency else 0.0
            score[word] = zipf + (REVIEWED if word in added else BONUS.get(size, UNLISTED))
    ranked = sorted(score, key=lambda word: (-score[word], word))

    def may_be_common(word: str) -> bool:
        if word in judged["common"]:
            return True
        if word in judged["uncommon"] or word in offensive:
            return False
        size = sizes.get(word, 100)
        return word in added or (size <= COMMON_SIZE and not (size >= NAME_SIZE and word in names))

    first = [word for word in ranked if word in judged["common"]]
    first += [word for word in ranked if may_be_common(word) and word not in judged["common"]]
    first = sorted(first[:COMMON], key=lambda word: (-score[word], word))
    common = set(first)
    order = first + [word for word in ranked if word not in common]
    lines: dict[int, list[str]] = {}
    for position, word in enumerate(order):
        lines.setdefault(int(position / PER_LINE), []).append(word)
    text = "".join(" ".join(words) + "\n" for words in lines.values()).encode("ascii")
    (output / "english-ranks.txt.xz").write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    paths = [Path(argument) for argument in sys.argv[1:]]
    if len(paths) not in {1, 2}:
        sys.exit(__doc__)
    main(paths[0], paths[1] if len(paths) == 2 else WORDS)
