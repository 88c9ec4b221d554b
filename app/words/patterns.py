"""Finds the words that match a pattern such as ``q[^u]*``.

Shift-And with wildcards (Navarro and Raffinot, Flexible Pattern Matching in Strings, 2002, chapter 4), run
down the trie level by level: shared prefixes are read once, and a prefix that cannot match ends the search
below it. The work is bounded by the size of the trie, whatever the pattern.
"""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.trie import ALPHABET_SIZE, NO_WORD, ROOT

MOST_TOKENS: Final = 63
"""Maximum letters in a pattern, not counting ``*``: a search state is a 64-bit number."""
_PATTERN: Final = re.compile(r"(?:[a-z?*]|\[\^?[a-z]+\])+")
_TOKEN: Final = re.compile(r"\*|[a-z?]|\[(\^?)([a-z]+)\]")


class BadLetters(ValueError):
    """The input is not made of the accepted letters; the message says what is accepted."""


def matching(lexicon: Lexicon, pattern: str) -> tuple[str, ...]:
    """Return the words that match a pattern, alphabetically; see ``matching_entries``. Raises BadLetters."""
    return tuple(map(lexicon.__getitem__, matching_entries(lexicon, pattern).tolist()))


def matching_entries(lexicon: Lexicon, pattern: str) -> NDArray[np.int32]:
    """Return the indices of the words that match a pattern, ascending.

    ``?`` matches any letter, ``*`` any number of letters, ``[aeiou]`` one of these and ``[^s]`` any other
    letter. Raises BadLetters.
    """
    accepts, stays, last = _compiled(pattern)
    children, first, word = lexicon.trie
    found = [np.empty(0, np.int32)]
    nodes, states = np.array([ROOT], np.int64), np.array([1], np.uint64)
    while nodes.size:
        letters = np.unpackbits(children[nodes].view(np.uint8).reshape(-1, 4), axis=1, bitorder="little")
        parent, letter = np.nonzero(letters[:, :ALPHABET_SIZE])
        siblings = np.searchsorted(parent, parent)  # the first child of each child's parent
        child = first[nodes][parent] + np.arange(len(parent)) - siblings
        states = ((states[parent] & accepts[letter]) << np.uint64(1)) | (states[parent] & stays)
        alive = states != 0
        nodes, states = child[alive], states[alive]
        ending = word[nodes]
        found.append(ending[(ending != NO_WORD) & (states & last != 0)])
    return np.sort(np.concatenate(found))


def _compiled(pattern: str) -> tuple[NDArray[np.uint64], np.uint64, np.uint64]:
    """Compile a pattern to bit masks. In a state, bit ``i`` means that the first ``i`` letters are matched.

    Returns, for each letter of the alphabet, the bits it advances by one; the bits that any letter keeps
    (``*``); and the bit of a complete match. Raises BadLetters.
    """
    if not _PATTERN.fullmatch(pattern):
        raise BadLetters(
            f"{pattern!r} is not a pattern; accepted: a to z, ? for any letter, * for any number of them, "
            "[abc] for one of these, [^abc] for one that is not"
        )
    accepts, stays, read = [0] * ALPHABET_SIZE, 0, 0
    for token in _TOKEN.finditer(pattern):
        if token[0] == "*":
            stays |= 1 << read
            continue
        if read == MOST_TOKENS:
            raise BadLetters(
                f"{pattern!r} is too long: a pattern has up to {MOST_TOKENS} letters, not counting *"
            )
        letters = set(ALPHABET) if token[0] == "?" else set(token[2] or token[0])
        for index, letter in enumerate(ALPHABET):
            accepts[index] |= int((letter in letters) != bool(token[1])) << read
        read += 1
    return np.array(accepts, np.uint64), np.uint64(stays), np.uint64(1 << read)
