"""Definitions from the WordNet files of Debian's package ``wordnet-base``, if installed.

The files are described in the manual pages wndb(5WN) and morphy(7WN): ``index.noun`` gives the offsets in
``data.noun`` of a word's senses, ``noun.exc`` the irregular forms; likewise for verbs, adjectives and
adverbs. Their lines are sorted bytewise by their first word, after the licence, so words are found by binary
search. Regular forms are reduced by their endings.
"""

import mmap
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

_ENDINGS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}
"""By part of speech: the inflected endings and their replacements in the base form (morphy)."""
WORDNET_FILES: Final = tuple(
    name for part in _ENDINGS for name in (f"index.{part}", f"data.{part}", f"{part}.exc")
)
"""The files that a dictionary needs."""
_LINE: Final = 160
"""Most characters of a meaning in one line."""
_NAMES: Final = {"noun": "noun", "verb": "verb", "adj": "adjective", "adv": "adverb"}


class Definition(NamedTuple):
    """One sense of a word."""

    lemma: str
    """The dictionary form: ``mouse`` for ``mice``."""
    part: str
    """``noun``, ``verb``, ``adjective`` or ``adverb``."""
    meaning: str


class Dictionary:
    """The WordNet files in ``folder``. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def installed(self) -> bool:
        """Whether all files exist."""
        return all((self._folder / name).is_file() for name in WORDNET_FILES)

    def define(self, word: str) -> tuple[Definition, ...]:
        """Return the senses of ``word`` (lower case): nouns first, and the commonest of each part first.

        Empty if the word is not found or the files are not installed.
        """
        if not self.installed:
            return ()
        return tuple(
            Definition(lemma, _NAMES[part], meaning)
            for part in _ENDINGS
            for lemma in self._lemmas(word, part)
            for meaning in self._meanings(lemma, part)
        )

    def in_one_line(self, word: str) -> str | None:
        """Return the most common meaning of ``word``, without examples: ``plural of mouse: small rodent``.

        None if the word is not found or the files are not installed.
        """
        senses = self.define(word)
        if not senses:
            return None
        lemma, part, meaning = senses[0]
        gloss = meaning.partition('; "')[0]
        if len(gloss) > _LINE:
            gloss = gloss[: _LINE - 1].rpartition(" ")[0].rstrip(",;") + "…"
        return gloss if lemma == word else f"{_form(word, part)} of {lemma}: {gloss}"

    @cached_property
    def _files(self) -> dict[str, mmap.mmap]:
        files = {}
        for name in WORDNET_FILES:
            with (self._folder / name).open("rb") as file:
                files[name] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return files

    def _lemmas(self, word: str, part: str) -> Iterator[str]:
        """Yield the possible base forms of the word, itself first."""
        irregular = self._line(f"{part}.exc", word)
        candidates = [word, *(irregular.split()[1:] if irregular else ())]
        if part == "noun" and word.endswith("ful") and word != "ful":
            candidates += [f"{lemma}ful" for lemma in self._lemmas(word.removesuffix("ful"), part)]
        elif not irregular and not (part == "noun" and word.endswith("ss")):
            candidates += [
                word.removesuffix(ending) + instead
                for ending, instead in _ENDINGS[part]
                if word.endswith(ending) and len(word) > len(ending) + 1
            ]
        yield from (lemma for lemma in dict.fromkeys(candidates) if self._line(f"index.{part}", lemma))

    def _meanings(self, lemma: str, part: str) -> Iterator[str]:
        fields = (self._line(f"index.{part}", lemma) or "").split()
        data = self._files[f"data.{part}"]
        for offset in fields[len(fields) - int(fields[2]) :]:
            end = data.find(b"\n", int(offset))
            yield data[int(offset) : end].decode("utf-8", "replace").partition("| ")[2].strip()

    def _line(self, name: str, word: str) -> str | None:
        """Return the line of a file that starts with ``word``."""
        file, wanted = self._files[name], word.encode()
        low, high = 0, len(file)
        while low < high:
            middle = (low + high) // 2
            start, end = file.rfind(b"\n", low, middle) + 1 or low, file.find(b"\n", middle)
            end = end if end >= 0 else len(file)
            line = file[start:end]
            first = line.partition(b" ")[0]
            if first == wanted:
                return line.decode("utf-8", "replace")
            low, high = (end + 1, high) if first < wanted else (low, start)
        return None


def _form(word: str, part: str) -> str:
    """Name the inflection of a word that is not in its dictionary form."""
    if part == "noun":
        return "plural"
    if part == "verb":
        return "present" if word.endswith("s") else "participle" if word.endswith("ing") else "past"
    return "superlative" if word.endswith("st") else "comparative"


def wiktionary(word: str) -> str:
    """Return the word's Wiktionary address, for installations without definitions."""
    return f"https://en.wiktionary.org/wiki/{word}"
