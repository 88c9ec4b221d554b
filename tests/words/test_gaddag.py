"""The GADDAG in its flat array, compared with all the ways to read each word."""

from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.resources import resource
from app.words.gaddag import ENDS, LONGEST, START, build_gaddag
from app.words.library import Library

SYMBOLS = ascii_lowercase + "+"

words = st.sets(st.text("abcz", min_size=1, max_size=6), min_size=1, max_size=40)


def readings(word: str) -> set[str]:
    """A word from each of its letters: leftwards to the start, then, after a +, rightwards to the end."""
    return {
        word[:split][::-1] + "+" * (split < len(word)) + word[split:] for split in range(1, len(word) + 1)
    }


def paths(gaddag: NDArray[np.uint32], node: int = START, read: str = "") -> Iterator[str]:
    """Every path to the end of a word, found as the search kernels find it."""
    mask = int(gaddag[node])
    symbols = [symbol for number, symbol in enumerate(SYMBOLS) if mask >> number & 1]
    for place, symbol in enumerate(symbols, start=node + 1):
        arc = int(gaddag[place])
        if arc & ENDS:
            yield read + symbol
        yield from paths(gaddag, arc & ~ENDS, read + symbol)


@given(words)
def test_every_word_is_read_from_each_of_its_letters_and_nothing_else_is(words: set[str]) -> None:
    found = list(paths(build_gaddag(sorted(words))))
    assert len(found) == len(set(found))
    assert set(found) == {reading for word in words for reading in readings(word)}


def test_words_too_long_for_a_board_are_left_out() -> None:
    assert set(paths(build_gaddag(["a" * LONGEST, "a" * (LONGEST + 1)]))) == readings("a" * LONGEST)
    assert list(paths(build_gaddag(["a" * (LONGEST + 1)]))) == []


def test_a_whole_lexicon_is_small(reference: Path) -> None:
    words = (reference / "words" / "enable1.txt").read_text().split()
    gaddag = build_gaddag(words)
    assert gaddag.nbytes < 6_000_000
    assert readings_in(gaddag) == sum(len(word) for word in words if len(word) <= LONGEST)


def readings_in(gaddag: NDArray[np.uint32]) -> int:
    """The number of paths; each node is visited once."""
    counted = {0: 0}

    def count(node: int) -> int:
        if node not in counted:
            arcs = gaddag[node + 1 : node + 1 + int(gaddag[node]).bit_count()].tolist()
            counted[node] = sum((arc >> 31) + count(arc & ~ENDS) for arc in arcs)
        return counted[node]

    return count(START)


def test_the_gaddag_is_cached_and_rebuilt_if_its_file_is_damaged(tmp_path: Path) -> None:
    list_file = tmp_path / "list.txt"
    list_file.write_text("zax\nace\n")

    def opened() -> NDArray[np.uint32]:
        library = Library(resource("data"), tmp_path / "home", tmp_path / "cache")
        return library.load(library.add("few", list_file).name).gaddag

    first = opened().copy()
    (file,) = (tmp_path / "cache").rglob("gaddag.npy")
    assert isinstance(opened().base, np.memmap)
    assert (opened() == first).all()
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    assert (opened() == first).all()
