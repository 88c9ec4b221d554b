"""Boards and lexicons that are hard on the searches."""

from typing import Final

from hypothesis import strategies as st

from app.games.wibble.state import Board, Bonus
from app.words.letters import ALPHABET

SHAPES: Final = [(2, 2), (2, 8), (8, 2), (4, 4), (5, 6), (4, 8), (8, 4), (5, 7), (7, 7), (8, 8)]
"""Rows and columns: the smallest and the largest boards, and those of around 32 and 64 cells."""
CONSONANTS: Final = "".join(letter for letter in ALPHABET if letter not in "aeiou")


@st.composite
def boards(draw: st.DrawFn, rows: int, columns: int) -> tuple[str, set[str]]:
    """Letters row by row, and words; the number of paths allows trying every one."""
    cells = rows * columns
    made = draw(st.sampled_from([one_letter, stripes, no_vowels, longest_words, far_corners]))
    letters, words = draw(made(rows, columns))
    assert len(letters) == cells
    others = draw(st.sets(st.text("abz", min_size=1, max_size=3), max_size=3))
    return letters, {*words, *others} or {"a"}


def one_letter(rows: int, columns: int) -> st.SearchStrategy[tuple[str, set[str]]]:
    """All letters equal: no letter narrows the search, and each word has every path of its length."""
    cells = rows * columns
    longest = 3 if cells > 25 else 4
    return st.sampled_from("aqz").flatmap(
        lambda letter: st.tuples(
            st.just(letter * cells),
            st.sets(st.integers(1, longest).map(lambda length: letter * length), min_size=1),
        )
    )


def stripes(rows: int, columns: int) -> st.SearchStrategy[tuple[str, set[str]]]:
    """Two alternating letters, so that straight and diagonal steps differ."""
    letters = "".join("qu"[row % 2] * columns for row in range(rows))
    return st.tuples(
        st.just(letters), st.sets(st.sampled_from(["qu", "uq", "qq", "quq", "uqu", "uuu"]), min_size=1)
    )


def no_vowels(rows: int, columns: int) -> st.SearchStrategy[tuple[str, set[str]]]:
    """Random words from the letters of the board."""
    cells = rows * columns
    words = st.text(CONSONANTS[:6], min_size=2, max_size=4) | st.sampled_from(["audio", "aa", "queue"])
    return st.tuples(st.text(CONSONANTS[:6], min_size=cells, max_size=cells), st.sets(words, max_size=6))


def longest_words(rows: int, columns: int) -> st.SearchStrategy[tuple[str, set[str]]]:
    """A word through every cell, its reverse, a prefix, a suffix, and the word with one more letter."""
    cells = rows * columns
    winding = [
        row * columns + (column if row % 2 == 0 else columns - 1 - column)
        for row in range(rows)
        for column in range(columns)
    ]

    def laid(shift: int, cut: int) -> tuple[str, set[str]]:
        word = "".join(ALPHABET[(7 * place + shift) % 26] for place in range(cells))
        letters = [""] * cells
        for cell, letter in zip(winding, word, strict=True):
            letters[cell] = letter
        return "".join(letters), {word, word[::-1], word[:cut], word + word[0], word[cut:]} - {""}

    return st.builds(laid, st.integers(0, 25), st.integers(1, cells))


def far_corners(rows: int, columns: int) -> st.SearchStrategy[tuple[str, set[str]]]:
    """Words in the last cells only, and across the middle of a mask: cells 30 to 33, if they exist."""
    cells = rows * columns
    ends = {0, 1, cells - 2, cells - 1, *(cell for cell in (30, 31, 32, 33) if cell < cells)}
    letters = "".join("ab"[cell % 2] if cell in ends else "z" for cell in range(cells))
    return st.tuples(
        st.just(letters), st.sets(st.sampled_from(["ab", "ba", "abz", "zab", "aa", "bb", "bza"]), min_size=1)
    )


def tiles(letters: str) -> st.SearchStrategy[Board]:
    """The letters with gems and bonuses on the first and the last cells."""
    last = len(letters) - 1
    cells = st.sampled_from([0, 1, last - 1, last])
    bonuses = st.none() | st.builds(Bonus, cell=cells, factor=st.sampled_from([1, 2, 3, 1000]))
    return st.builds(
        Board,
        letters=st.just(letters),
        gems=st.sets(cells).map(lambda gems: tuple(sorted(gems))),
        letter_bonus=bonuses,
        word_bonus=bonuses,
    )
