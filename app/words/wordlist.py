"""Reads word lists: text files with one word per line."""

import re
from pathlib import Path
from typing import Final, NamedTuple

from app.validation import quote

SHORTEST: Final = 2
LONGEST: Final = 64
"""Maximum letters per word: no board has more cells, and arrays stay bounded."""
LARGEST_FILE: Final = 64 * 1024 * 1024
"""Maximum size of a file in bytes."""
ACCEPTED: Final = f"accepted: words of {SHORTEST} to {LONGEST} letters a-z, one per line"

_WORD: Final = re.compile(rb"[a-z]{1,%d}" % LONGEST)
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_FAULTS_SHOWN: Final = 10


class Fault(NamedTuple):
    """A line that is not a word."""

    line: int
    """Counted from 1."""
    text: str


class MalformedList(ValueError):
    """The file is not a word list; the message names the first bad lines and says what is accepted."""

    def __init__(self, file: Path, reason: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(f"{file.name}: {reason}; {ACCEPTED}")
        self.faults = faults


def read_words(file: Path) -> list[str]:
    """Return the words of a list: sorted, distinct, in lower case.

    Accepts LF and CRLF, a byte order mark, blank lines, capitals and repeated words. One-letter words are
    dropped, since no game has a move for them. Raises MalformedList for anything else, and OSError if the
    file cannot be read.
    """
    size = file.stat().st_size
    if size > LARGEST_FILE:
        raise MalformedList(file, f"{size:,} bytes are more than the {LARGEST_FILE:,} a list may have")
    words: set[bytes] = set()
    faults: list[Fault] = []
    for number, line in enumerate(file.read_bytes().removeprefix(_BYTE_ORDER_MARK).splitlines(), start=1):
        word = line.lower()
        if _WORD.fullmatch(word):
            if len(word) >= SHORTEST:
                words.add(word)
        elif word.strip():
            faults.append(Fault(number, line.decode("utf-8", errors="replace")))
    if faults:
        raise MalformedList(file, _describe(faults), tuple(faults))
    if not words:
        raise MalformedList(file, "it contains no words")
    return [word.decode("ascii") for word in sorted(words)]


def _describe(faults: list[Fault]) -> str:
    shown = ", ".join(f"line {line} {quote(text)}" for line, text in faults[:_FAULTS_SHOWN])
    if len(faults) == 1:
        return f"{shown} is not a word"
    more = f", and {len(faults) - _FAULTS_SHOWN:,} more" if len(faults) > _FAULTS_SHOWN else ""
    return f"{len(faults):,} lines are not words: {shown}{more}"
